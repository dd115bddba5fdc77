from __future__ import annotations

import ast
import statistics

from tests.architecture.source_reader import reads_trees
from tests.architecture.source_tree import ROOT, modules

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
CALLED_AS_THEIR_MODULE = {"memory.url_key", "walker.cli.commands"}
"""The key of a URL has no better verb, an entry point no other name; neither is exported from its package."""


@reads_trees
def test_a_file_holds_one_idea() -> None:
    assert [module.name for module in modules() if len(module.text.splitlines()) > 500] == []


@reads_trees
def test_most_files_are_short() -> None:
    assert statistics.median(len(module.text.splitlines()) for module in modules()) <= 130


@reads_trees
def test_a_function_fits_on_a_screen() -> None:
    long = [
        f"{module.where(function)} {function.name}"
        for module in modules()
        for function in module.functions()
        if (function.end_lineno or 0) - function.lineno + 1 > 60
    ]
    assert long == []


@reads_trees
def test_a_function_takes_at_most_six_parameters() -> None:
    wide = [
        f"{module.where(function)} {function.name}"
        for module in modules()
        for function in module.functions()
        if function.name != "__init__" and _parameters(function) > 6
    ]
    assert wide == []


@reads_trees
def test_a_module_is_named_by_its_concept() -> None:
    vague = [module.name for module in modules() if module.name.split(".")[-1].strip("_") in NO_NAMES_FOR_A_MODULE]
    assert vague == []


@reads_trees
def test_no_function_hides_its_module() -> None:
    """`walker/walk/loop.py` has `walk`: a function of the module's name would hide the module when it is exported."""
    hiding = [
        module.where(node)
        for module in modules()
        if module.name not in CALLED_AS_THEIR_MODULE
        for node in module.tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == module.name.split(".")[-1]
    ]
    assert hiding == []


def test_the_loop_fits_on_one_screen() -> None:
    lines = (ROOT / "walker" / "walk" / "loop.py").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 60


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return sum(argument.arg not in ("self", "cls") for argument in every)
