"""Runs a program of the bench as a person would, within this process, which has loaded what it imports."""

from __future__ import annotations

import contextlib
import io
import runpy
import sys
from pathlib import Path

from tests.architecture.source_tree import ROOT
from tests.walker.cli.program import Ended


def bench_program(name: str, *arguments: str, folder: Path) -> Ended:
    """With these arguments, in a folder. What processes of its own write besides is lost."""
    file = str(ROOT / "bench" / name)
    before, path = sys.argv, list(sys.path)
    sys.argv = [file, *arguments]
    try:
        with (
            contextlib.chdir(folder),
            contextlib.redirect_stdout(io.StringIO()) as out,
            contextlib.redirect_stderr(io.StringIO()) as err,
        ):
            code = _exit_code(file, err)
    finally:
        sys.argv, sys.path[:] = before, path
    return Ended(code=code, out=out.getvalue(), err=err.getvalue())


def _exit_code(file: str, err: io.StringIO) -> int:
    try:
        runpy.run_path(file, run_name="__main__")
    except SystemExit as end:
        if isinstance(end.code, str):  # as Python does with what ends it
            print(end.code, file=err)
            return 1
        return end.code or 0
    return 0
