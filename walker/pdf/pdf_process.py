"""Parses untrusted PDF files in a separate process, so that an endless or memory-exhausting file affects that process only."""

from __future__ import annotations

import msgspec

from walker.parsing.parser_process import parsed_apart
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
    told = await parsed_apart(pdf_text.__name__, data, arguments=(f"{seconds:.0f}",), seconds=seconds)
    try:
        return msgspec.json.decode(told, type=PdfText) if told is not None else PdfText(problem=_too_long(seconds))
    except msgspec.DecodeError:
        return PdfText(problem="could not be read (its reader ended)")


async def read_document_apart(data: bytes, *, seconds: float) -> PdfDocument:
    """The pages that could be read in about `seconds` of processor time; with a `problem` for none, or if the process crashes."""
    told = await parsed_apart(
        _PAGE_READER, data, arguments=(f"{seconds:.0f}",), seconds=SHARE * seconds + GRACE_SECONDS
    )
    try:
        return (
            msgspec.json.decode(told, type=PdfDocument) if told is not None else PdfDocument(problem=_too_long(seconds))
        )
    except msgspec.DecodeError:
        return PdfDocument(problem="it could not be read (its reader ended)")


def _too_long(seconds: float) -> str:
    return f"could not be read within {seconds:g} seconds"
