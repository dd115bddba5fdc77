"""A virtual display (Xvfb), for a browser with a window that nobody sees."""

from __future__ import annotations

import asyncio
import os
import shutil

from walker.errors import BrowserUnavailable

START_SECONDS = 10.0
SCREEN = "1366x900x24"


def can_be_virtual() -> bool:
    """Whether this machine has what makes a virtual display."""
    return shutil.which("Xvfb") is not None


class VirtualDisplay:
    """An Xvfb of our own. It ends with its last window, and so with the browser, however this process ends."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> str:
        """Its name, for the browser. Raises `BrowserUnavailable`."""
        advice = "Install one (`apt-get install xvfb`), or leave --browser headed out"
        program = shutil.which("Xvfb")
        if program is None:
            raise BrowserUnavailable("there is no display, and no Xvfb, for a window", advice=advice)
        reading, writing = os.pipe()
        try:
            self._process = await asyncio.create_subprocess_exec(
                *(program, "-displayfd", str(writing), "-screen", "0", SCREEN, "-nolisten", "tcp", "-terminate"),
                pass_fds=(writing,),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C ends the browser first
            )
            os.close(writing)
            writing = -1
            async with asyncio.timeout(START_SECONDS):
                number = await asyncio.to_thread(os.read, reading, 16)
        except (OSError, TimeoutError) as error:
            await self.close()
            raise BrowserUnavailable(f"Xvfb does not start ({error})", where=program, advice=advice) from None
        finally:
            os.close(reading)
            if writing >= 0:
                os.close(writing)
        if not number.strip():
            await self.close()
            raise BrowserUnavailable("Xvfb ended at its start", where=program, advice=advice)
        return f":{number.decode().strip()}"

    async def close(self) -> None:
        """End it."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            process.terminate()
        await process.wait()
