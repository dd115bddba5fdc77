"""Office files read in a process of its own."""

from __future__ import annotations

import msgspec

from walker.office.parts.office_document import OfficeDocument
from walker.parsing.parser_process import parsed_apart

GRACE_SECONDS, SHARE = 15.0, 4.0
"""Seconds that the process may take beyond its own limit, to start, to end a part that it is in and to hand back what it has; and how
many times as long as its processor time it may take on a machine that is busy."""
_READER = "walker.office.office_reading"
"""By name: importing its parsers takes time that this process need not spend."""
_TYPE_CHARS = 200


async def read_office_apart(kind: str, data: bytes, content_type: str, *, seconds: float) -> OfficeDocument:
    """The document that could be read in about `seconds` of processor time; with a `problem` for none, or if the process crashes."""
    arguments = (kind, f"{seconds:.0f}", content_type[:_TYPE_CHARS].replace("\0", ""))
    told = await parsed_apart(_READER, data, arguments=arguments, seconds=SHARE * seconds + GRACE_SECONDS)
    if told is None:
        return OfficeDocument(problem=f"it could not be read within {seconds:g} seconds")
    try:
        return msgspec.json.decode(told, type=OfficeDocument)
    except msgspec.DecodeError:
        return OfficeDocument(problem="it could not be read (its reader ended)")
