"""Tests that read the syntax trees of the source run in a process of their own, which ends with their folder: the trees take some
240 MB, of which Python gives hardly anything back, and the process that runs other tests afterwards would hold them to its end."""

from __future__ import annotations

import functools
import gc
import importlib
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from typing import Any, TypeVar

FoundT = TypeVar("FoundT")


def reads_trees(function: Callable[[], FoundT]) -> Callable[[], FoundT]:
    """Calls a function of a test file in that process, and gives what it finds. Where a test fails there it is run once more in the
    process of pytest, which tells what it compared."""

    @functools.wraps(function)
    def asked() -> FoundT:
        __tracebackhide__ = True
        try:
            found: FoundT = _reader().submit(_call, function.__module__, function.__name__).result()
        except AssertionError:
            function()
            raise
        return found

    return asked


def end_reader() -> None:
    """After the last that reads trees."""
    if _reader.cache_info().currsize:
        _reader().shutdown()
        _reader.cache_clear()


@cache
def _reader() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), initializer=gc.disable)


def _call(module: str, name: str) -> Any:
    return getattr(importlib.import_module(module), name).__wrapped__()
