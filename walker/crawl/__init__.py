"""Scripted crawls of whole sites, through the same browsers as walks."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any


class _CallablePackage(ModuleType):
    """`walker.crawl(...)` is the function for programs, and this package has its name: whoever imports it may call it too."""

    def __call__(self, *given: Any, **named: Any) -> Any:
        return importlib.import_module("walker.programs.shared_walker").crawl(*given, **named)


sys.modules[__name__].__class__ = _CallablePackage
