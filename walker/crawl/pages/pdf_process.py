"""Parses untrusted PDF files in a separate process, so that an endless or memory-exhausting file affects that process only."""

from __future__ import annotations

import asyncio
import contextlib
import sys

import msgspec

from walker.crawl.pages import pdf_text
from walker.crawl.pages.pdf_text import PdfText

SECONDS_AT_MOST = 60.0


async def read_pdf_apart(data: bytes, *, seconds: float = SECONDS_AT_MOST) -> PdfText:
    """The result of `read_pdf`; with a `problem` if it takes longer than `seconds`, or its process crashes."""
    reader = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        pdf_text.__name__,
        f"{seconds:.0f}",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(seconds):
            told, _ = await reader.communicate(data)
        return msgspec.json.decode(told, type=PdfText)
    except TimeoutError:
        return PdfText(problem=f"could not be read within {seconds:g} seconds")
    except msgspec.DecodeError:
        return PdfText(problem="could not be read (its reader ended)")
    finally:
        if reader.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                reader.kill()
            await reader.wait()
