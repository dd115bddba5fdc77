"""Runs a module that parses one untrusted file in a separate process, so that an endless or memory-exhausting file affects that
process only."""

from __future__ import annotations

import asyncio
import contextlib
import sys


async def parsed_apart(module: str, data: bytes, *, arguments: tuple[str, ...], seconds: float) -> bytes | None:
    """What a module writes about a file that it is given on its standard input; None if it takes longer than `seconds`."""
    reader = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        module,
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(seconds):
            told, _ = await reader.communicate(data)
            return told
    except TimeoutError:
        return None
    finally:
        if reader.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                reader.kill()
            await reader.wait()
