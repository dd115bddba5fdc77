from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.architecture.source_tree import Module, imported, modules

PURE = ("memory", "perception")
CLOCKS_CHANCE_AND_NETWORK = {"time", "random", "secrets", "socket", "urllib.request", "http.client", "subprocess"}
PURE_ROOM = "walker.rules."


def is_cli(module: Module) -> bool:
    return module.name.startswith("walker.cli") or module.name == "walker.__main__"


def test_only_the_command_line_prints() -> None:
    printing = [
        module.where(node)
        for module in modules()
        if not is_cli(module)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert printing == []


def test_only_the_command_line_reads_the_environment() -> None:
    reading = [
        module.where(node)
        for module in modules()
        if not is_cli(module)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute)
        and node.attr in ("environ", "getenv")
        and isinstance(node.value, ast.Name)
        and node.value.id == "os"
        and not isinstance(node.ctx, ast.Store)
    ]
    assert reading == []


def test_pure_code_has_no_clock_no_chance_and_no_network() -> None:
    impure = [
        f"{module.where(node)} imports {name}"
        for module in modules()
        if module.package in PURE or module.name.startswith(PURE_ROOM)
        for name, node in imported(module)
        if name in CLOCKS_CHANCE_AND_NETWORK
    ]
    assert impure == []


def test_broad_handlers_are_few() -> None:
    broad = [
        module.where(node)
        for module in modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ExceptHandler) and _is_broad(node.type) and not _raises_again(node)
    ]
    assert len(broad) <= 3, broad
    assert sum(module.text.count("noqa: BLE001") for module in modules()) <= 3


def test_public_names_are_documented() -> None:
    undescribed = [module.name for module in modules() if not ast.get_docstring(module.tree)]
    assert [name for name in undescribed if not name.endswith("__main__")] == []
    bare = [
        f"{module.where(node)} {node.name}"
        for module in modules()
        for node in _public(module.tree.body)
        if not ast.get_docstring(node)
    ]
    assert bare == []


def test_a_docstring_says_more_than_the_name() -> None:
    echoes = [
        f"{module.where(node)} {node.name}"
        for module in modules()
        for node in _public(module.tree.body)
        if _words(ast.get_docstring(node) or "") == _words(node.name.replace("_", " "))
    ]
    assert echoes == []


Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def _public(body: list[ast.stmt]) -> Iterator[Definition]:
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            yield node


def _words(text: str) -> list[str]:
    return [word.strip(".,").lower() for word in text.split() if word.lower() not in ("a", "an", "the")]


def _raises_again(handler: ast.ExceptHandler) -> bool:
    """The very error goes on, whatever it is: nothing is lost."""
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def _is_broad(kind: ast.expr | None) -> bool:
    if kind is None:
        return True
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(isinstance(one, ast.Name) and one.id in ("Exception", "BaseException") for one in kinds)
