"""Every seam has a contract test, and every protocol says what it asks of those who implement it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.architecture.source_reader import reads_trees
from tests.architecture.source_tree import ROOT, Module, modules

SEAMS = "walker.seams."
BRIEF = 4
"""Words that say no contract: "Close the browser."."""


def protocols(module: Module) -> Iterator[ast.ClassDef]:
    for node in module.nodes:
        if isinstance(node, ast.ClassDef) and any(
            isinstance(base, ast.Name) and base.id == "Protocol" for base in node.bases
        ):
            yield node


@reads_trees
def test_every_seam_is_named_by_a_contract_test() -> None:
    seams = {node.name for module in modules() if module.name.startswith(SEAMS) for node in protocols(module)}
    assert len(seams) >= 10
    named: set[str] = set()
    for path in sorted((ROOT / "tests" / "contracts").glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(SEAMS):
                named |= {alias.name for alias in node.names}
    assert seams - named == set()


@reads_trees
def test_every_method_of_a_protocol_says_what_it_gives() -> None:
    silent = [
        f"{module.where(method)} {node.name}.{method.name}"
        for module in modules()
        for node in protocols(module)
        for method in node.body
        if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef)
        and len((ast.get_docstring(method) or "").split()) < BRIEF
        and not _is_named_value(method)
    ]
    assert silent == []


def _is_named_value(method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """A property may say its range in a word ("0..1.")."""
    is_property = any(isinstance(one, ast.Name) and one.id == "property" for one in method.decorator_list)
    return is_property and bool(ast.get_docstring(method))
