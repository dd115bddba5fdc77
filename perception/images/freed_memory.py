"""Gives freed memory back to the system after work on pictures."""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import Any

_ARENAS_AT_MOST, _ARENAS = -8, 2
"""`M_ARENA_MAX` of glibc, and how many: by default each thread may have its own, and each keeps the largest arrays that it held."""


@cache
def _libc() -> Any:
    """The C library where it is glibc, else None."""
    if sys.platform != "linux":
        return None
    try:
        library = ctypes.CDLL("libc.so.6")
        library.mallopt(_ARENAS_AT_MOST, _ARENAS)
    except (OSError, AttributeError):
        return None
    return library


def keep_few_arenas() -> None:
    """Let threads share their heaps from now on; called before the first models are opened."""
    _libc()


def give_back_memory() -> None:
    """Return what is free to the system (a few milliseconds): 75 MB after a screenshot was read."""
    library = _libc()
    if library is not None:
        library.malloc_trim(0)
