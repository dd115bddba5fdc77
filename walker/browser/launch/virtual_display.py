"""A display for a browser with a window: the person's, or a virtual one where there is none (Xvfb)."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Mapping

from walker.errors import BrowserUnavailable

START_SECONDS = 10.0
SCREEN = "1366x900x24"


def has_display(environment: Mapping[str, str]) -> bool:
    """Whether a window can be shown to a person."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def may_show_windows(environment: Mapping[str, str]) -> bool:
    """Whether a browser with a window can run, seen by somebody or not."""
    return has_display(environment) or shutil.which("Xvfb", path=environment.get("PATH")) is not None


class VirtualDisplay:
    """An Xvfb of our own. It ends with its last window, and so with the browser, however this process ends."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> str:
        """The value of DISPLAY for the browser. Raises `BrowserUnavailable`."""
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
            number = await asyncio.wait_for(asyncio.to_thread(os.read, reading, 16), START_SECONDS)
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
