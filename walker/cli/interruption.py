"""Ctrl-C and SIGTERM before and after the work: one line and exit code 130. Imports next to nothing, because it is imported first.

While modules load, and after the answer is printed, nothing is open that must be closed, so the process exits at once.
A running command gets `KeyboardInterrupt`, or cancellation by its event loop (walker/cli/run_command.py), and closes what it opened.
"""

from __future__ import annotations

import os
import signal
from types import FrameType

INTERRUPTED = 130
SIGNALS = (signal.SIGINT, signal.SIGTERM)


def leave_at_once() -> None:
    """From now on a signal ends the process, with one line on stderr."""
    for number in SIGNALS:
        signal.signal(number, _leave)


def is_leaving() -> bool:
    """Whether a signal would end the process at once: only where it was started as the program `walker`."""
    return signal.getsignal(signal.SIGINT) is _leave


def stop_in_order() -> None:
    """From now on a signal raises `KeyboardInterrupt`."""
    for number in SIGNALS:
        signal.signal(number, signal.default_int_handler)


def _leave(_number: int, _frame: FrameType | None) -> None:
    # No exception: raised within an import it may be taken for another error, or be printed and forgotten.
    os.write(2, b"walker: interrupted\n")
    os._exit(INTERRUPTED)
