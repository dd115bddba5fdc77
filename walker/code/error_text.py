"""An exception of the code as a failure. Uses the standard library only: Pyodide runs this very file beside the code."""

from __future__ import annotations

import traceback
from typing import Any

CODE_NAME = "<code>"
"""The file name under which the code is compiled."""
MESSAGE_CHARS = 300
_KINDS = (
    (SyntaxError, "syntax"),
    (ImportError, "module"),
    (MemoryError, "memory"),
    (RecursionError, "memory"),
    (PermissionError, "refused"),
    (FileNotFoundError, "refused"),
)


def failure_of(error: BaseException) -> dict[str, Any]:
    """Kind, message, line and column (from 1, 0 where unknown) of an exception that the code raised."""
    kind = next((name for known, name in _KINDS if isinstance(error, known)), "error")
    line, column = _place_of(error)
    said = error.msg if isinstance(error, SyntaxError) else str(error)
    message = f"{type(error).__name__}: {' '.join(said.split())}"[:MESSAGE_CHARS]
    return {"kind": kind, "message": message, "line": line, "column": column}


def _place_of(error: BaseException) -> tuple[int, int]:
    if isinstance(error, SyntaxError):
        return error.lineno or 0, error.offset or 0
    frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename == CODE_NAME]
    if not frames:
        return 0, 0
    # Of a deep recursion the first place is where it began.
    place = frames[0] if isinstance(error, RecursionError) else frames[-1]
    return place.lineno or 0, (place.colno or 0) + 1
