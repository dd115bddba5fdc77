"""Unexpected exceptions: the traceback goes into a file, one line to the user."""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Iterator
from pathlib import Path

from traces.errors import TraceError
from traces.redaction import Redactor
from walker.errors import WalkCrashed, WalkerError

TRACEBACK_NAME = "traceback.txt"
"""Beside the log of the run; after a resume, the traceback of the last fault."""
_NOT_KEPT = "Its traceback is not saved, because nothing is recorded; ask again without --no-record"


@contextlib.contextmanager
def one_line_for_a_fault(file: Path | None, redactor: Redactor | None = None) -> Iterator[None]:
    """Turn an unexpected error into `WalkCrashed`, whose text is one line and whose cause is the error itself; the traceback
    is written to `file`, with secrets redacted.

    Errors of Walker and of its traces, cancellation and Ctrl-C pass unchanged.
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


def _keep(file: Path, report: str) -> str:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(report, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        return f"Its traceback cannot be written to {file} ({error.strerror})"
    return f"Its traceback is in {file}"
