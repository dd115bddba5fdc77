from __future__ import annotations

import ast
import statistics

import pytest

from tests.architecture.source_tree import ROOT, Module, modules

NO_NAMES_FOR_A_MODULE = {
    "utils",
    "util",
    "helpers",
    "helper",
    "common",
    "manager",
    "service",
    "base",
    "misc",
    "lib",
    "core",
}
CALLED_AS_THEIR_MODULE = {"memory.url_key", "walker.cli.main"}
"""The key of a URL has no better verb, an entry point no other name; neither is exported from its package."""
MODULES = pytest.mark.parametrize("module", modules(), ids=lambda module: module.name)


@MODULES
def test_a_file_holds_one_idea(module: Module) -> None:
    assert len(module.text.splitlines()) <= 400


def test_most_files_are_short() -> None:
    assert statistics.median(len(module.text.splitlines()) for module in modules()) <= 130


@MODULES
def test_a_function_fits_on_a_screen(module: Module) -> None:
    long = [
        f"{module.where(function)} {function.name}"
        for function in module.functions()
        if (function.end_lineno or 0) - function.lineno + 1 > 60
    ]
    assert long == []


@MODULES
def test_a_function_takes_at_most_six_parameters(module: Module) -> None:
    wide = [
        f"{module.where(function)} {function.name}"
        for function in module.functions()
        if function.name != "__init__" and _parameters(function) > 6
    ]
    assert wide == []


@MODULES
def test_a_module_is_named_by_its_concept(module: Module) -> None:
    last = module.name.split(".")[-1]
    assert last.strip("_") not in NO_NAMES_FOR_A_MODULE


@MODULES
def test_no_function_hides_its_module(module: Module) -> None:
    """`walker/loop.py` has `walk`: a function of the module's name would hide the module when it is exported."""
    if module.name in CALLED_AS_THEIR_MODULE:
        return
    last = module.name.split(".")[-1]
    assert last not in {
        node.name for node in module.tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def test_the_loop_fits_on_one_screen() -> None:
    lines = (ROOT / "walker" / "loop.py").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 60


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return sum(argument.arg not in ("self", "cls") for argument in every)
