"""What nobody foresaw: the traceback goes into a file, and one line to whoever asked."""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Iterator
from pathlib import Path

from traces.errors import TraceError
from traces.redaction import Redactor
from walker.errors import WalkCrashed, WalkerError

TRACEBACK_NAME = "traceback.txt"
"""Beside the log of the run; that of the last fault, where a walk was gone on with."""
_NOT_KEPT = "Its traceback is not kept, for nothing is recorded; ask again without --no-record"


@contextlib.contextmanager
def one_line_for_a_fault(file: Path | None, redactor: Redactor | None = None) -> Iterator[None]:
    """Turn an error that nobody foresaw into `WalkCrashed`, whose text is one line and whose cause is the error itself; the
    traceback is written to `file`, secrets taken out.

    Errors of Walker and of its traces go on as they are, and so do cancellation and Ctrl-C.
    """
    try:
        yield
    except (WalkerError, TraceError):
        raise
    except Exception as error:
        redactor = redactor or Redactor()
        what = redactor.clean_text(" ".join(f"{type(error).__name__}: {error}".split()))
        advice = _NOT_KEPT if file is None else _keep(file, redactor.clean_text(_traceback_of(error)))
        raise WalkCrashed(f"a fault of Walker ended the walk ({what})", advice=advice) from error


def _traceback_of(error: Exception) -> str:
    return "".join(traceback.format_exception(error))


def _keep(file: Path, told: str) -> str:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(told, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        return f"Its traceback cannot be written to {file} ({error.strerror})"
    return f"Its traceback is in {file}"
