"""A virtual display (Xvfb), for a browser with a window that nobody sees."""

from __future__ import annotations

import asyncio
import os
import shutil
import struct

from walker.errors import BrowserUnavailable

START_SECONDS = 10.0
SCREEN = "1366x900x24"


_HELLO = struct.pack("<BxHHHH2x", ord("l"), 11, 0, 0, 0)
"""What a client of the X protocol, version 11, says first: in little-endian byte order, without authorisation (section 8)."""
_ACCEPTED = b"\x01"


def can_be_virtual() -> bool:
    """Whether this machine has what makes a virtual display."""
    return shutil.which("Xvfb") is not None


class VirtualDisplay:
    """An Xvfb of our own. It ends with its last client, and so with this process and the browser, however they end."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._client: asyncio.StreamWriter | None = None
        """Ours: a browser looks at the display and leaves it before it opens a window, and the display would end with that."""

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
                number = (await asyncio.to_thread(os.read, reading, 16)).decode().strip()
                if number:
                    self._client = await client_of(number)
        except (OSError, TimeoutError) as error:
            await self.close()
            raise BrowserUnavailable(f"Xvfb does not start ({error})", where=program, advice=advice) from None
        finally:
            os.close(reading)
            if writing >= 0:
                os.close(writing)
        if not number:
            await self.close()
            raise BrowserUnavailable("Xvfb ended at its start", where=program, advice=advice)
        return f":{number}"

    async def close(self) -> None:
        """End it."""
        process, self._process = self._process, None
        client, self._client = self._client, None
        if client is not None:
            client.close()
        if process is None:
            return
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def client_of(number: str) -> asyncio.StreamWriter:
    """A client of the display that does nothing, and keeps it from ending. Raises `OSError` where it is not accepted."""
    reader, writer = await asyncio.open_unix_connection(f"/tmp/.X11-unix/X{number}")  # noqa: S108 - where X servers listen
    writer.write(_HELLO)
    if await reader.read(1) != _ACCEPTED:
        writer.close()
        raise OSError("it accepts no client")
    return writer
