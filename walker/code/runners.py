"""The interpreter that a setting names, its module loaded where it is used: few walks run code."""

from __future__ import annotations

import importlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from walker.errors import UsageError
from walker.seams.code_runner import CodeRunner
from walker.settings import code_kind

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext


def runner_of(code: str, new_context: Callable[[], Awaitable[BrowserContext]]) -> CodeRunner:
    """The runner for `monty`, `pyodide:FOLDER` or an http address; `new_context` makes an empty context of the walk's browser. It
    starts with the first run. Raises `UsageError` for anything else."""
    match code_kind(code):
        case "monty":
            monty = importlib.import_module("walker.code.monty_runner")
            return cast("CodeRunner", monty.MontyRunner())
        case "pyodide":
            pyodide = importlib.import_module("walker.code.pyodide_runner")
            folder = Path(code.partition(":")[2] or "pyodide").expanduser()
            return cast("CodeRunner", pyodide.PyodideRunner(folder, new_context))
        case "http":
            http = importlib.import_module("walker.code.http_runner")
            return cast("CodeRunner", http.HttpRunner(code))
        case None:
            raise UsageError(f"{code} is no interpreter", advice=KNOWN)


KNOWN = "Say monty, pyodide:FOLDER (an unpacked Pyodide package) or the http address of a sandbox server"
