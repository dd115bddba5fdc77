"""Parses untrusted PDF files in a separate process, so that an endless or memory-exhausting file affects that process only."""

from __future__ import annotations

import asyncio
import contextlib
import sys

import msgspec

from walker.pdf import pdf_text
from walker.pdf.pdf_document import PdfDocument
from walker.pdf.pdf_text import PdfText

SECONDS_AT_MOST = 60.0
GRACE_SECONDS, SHARE = 5.0, 4.0
"""Seconds that the process may take beyond its own limit, to start and to hand back the pages that it has read; and how many times
as long as its processor time it may take on a machine that is busy."""
_PAGE_READER = "walker.pdf.pdf_reading"
"""By name: importing its parser takes 0.1 s, which this process need not spend."""


async def read_pdf_apart(data: bytes, *, seconds: float = SECONDS_AT_MOST) -> PdfText:
    """The result of `read_pdf`; with a `problem` if it takes longer than `seconds`, or its process crashes."""
    told = await _parsed_by(pdf_text.__name__, data, limit=seconds, seconds=seconds)
    try:
        return msgspec.json.decode(told, type=PdfText) if told is not None else PdfText(problem=_too_long(seconds))
    except msgspec.DecodeError:
        return PdfText(problem="could not be read (its reader ended)")


async def read_document_apart(data: bytes, *, seconds: float) -> PdfDocument:
    """The pages that could be read in about `seconds` of processor time; with a `problem` for none, or if the process crashes."""
    told = await _parsed_by(_PAGE_READER, data, limit=seconds, seconds=SHARE * seconds + GRACE_SECONDS)
    try:
        return (
            msgspec.json.decode(told, type=PdfDocument) if told is not None else PdfDocument(problem=_too_long(seconds))
        )
    except msgspec.DecodeError:
        return PdfDocument(problem="it could not be read (its reader ended)")


def _too_long(seconds: float) -> str:
    return f"could not be read within {seconds:g} seconds"


async def _parsed_by(module: str, data: bytes, *, limit: float, seconds: float) -> bytes | None:
    """What a module writes about a file, with its own limit as its argument; None if it takes longer than `seconds`."""
    reader = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        module,
        f"{limit:.0f}",
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
