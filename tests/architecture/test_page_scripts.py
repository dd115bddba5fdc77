"""What runs in pages stands in JavaScript files, and all of it is run by somebody."""

from __future__ import annotations

import ast
import re
from pathlib import PurePosixPath

import pytest

from tests.architecture.source_reader import reads_trees
from tests.architecture.source_tree import ROOT, Module, modules
from walker.browser.scripts.page_functions import page_function, page_modules

SCRIPTS = ROOT / "walker" / "browser" / "scripts"
FUNCTION = re.compile(r"=>|\bfunction\b[^.]*\{|\bdocument\.\w|\bglobalThis\b")
COMPOSERS = {"walker.browser.scripts.page_functions", "traces.viewer.page_files"}
"""They put modules into functions."""
FILES = sorted(str(PurePosixPath(path.relative_to(SCRIPTS))) for path in SCRIPTS.rglob("*.js"))


def strings(module: Module) -> list[ast.Constant]:
    """Strings of a module that are no docstrings."""
    said = {id(node.value) for node in module.nodes if isinstance(node, ast.Expr)}
    constants = (node for node in module.nodes if isinstance(node, ast.Constant) and id(node) not in said)
    return [node for node in constants if isinstance(node.value, str)]


def called() -> set[tuple[str, str]]:
    """The functions that the product asks for, by file and name."""
    asked = set()
    for module in modules():
        for node in module.nodes:
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "page_function":
                file, name = node.args
                assert isinstance(file, ast.Constant), module.where(node)
                assert isinstance(name, ast.Constant), module.where(node)
                asked.add((str(file.value), str(name.value)))
    return asked


@reads_trees
def test_no_script_stands_in_a_string() -> None:
    """Markup of a page may hold one of its own."""
    found = [
        module.where(node)
        for module in modules()
        if module.name not in COMPOSERS
        for node in strings(module)
        if FUNCTION.search(str(node.value)) and not str(node.value).startswith("<")
    ]
    assert found == []


@reads_trees
def test_every_function_that_is_asked_for_is_there() -> None:
    asked = called()
    assert len(asked) > 20
    for file, name in sorted(asked):
        assert name in page_modules().exported_names(file), file
        assert page_function(file, name)


@reads_trees
def test_every_file_is_run_by_somebody() -> None:
    reached: set[str] = set()
    waiting = [file for file, _ in called()]
    while waiting:
        file = waiting.pop()
        if file not in reached:
            reached.add(file)
            waiting += page_modules().imported_files(file)
    assert sorted(reached) == FILES


@reads_trees
def test_every_export_is_used() -> None:
    used = {name for _, name in called()}
    for file in FILES:
        text = (SCRIPTS / file).read_text(encoding="utf-8")
        for names in re.findall(r"^import \{([^}]*)\}", text, re.MULTILINE):
            used |= {name.strip() for name in names.split(",") if name.strip()}
    assert [(file, name) for file in FILES for name in page_modules().exported_names(file) if name not in used] == []


@pytest.mark.parametrize("folder", ["", *sorted({file.rpartition("/")[0] for file in FILES} - {""})])
def test_a_folder_holds_at_most_fifteen_scripts(folder: str) -> None:
    assert sum(file.rpartition("/")[0] == folder for file in FILES) <= 15


def test_lines_are_no_longer_than_those_of_python() -> None:
    long = [
        f"{file}:{number}"
        for file in FILES
        for number, line in enumerate((SCRIPTS / file).read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > 120
    ]
    assert long == []
