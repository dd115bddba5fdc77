from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.source_tree import Module, imported, modules

MODULES = pytest.mark.parametrize("module", modules(), ids=lambda module: module.name)
PURE = ("memory", "perception")
CLOCKS_CHANCE_AND_NETWORK = {"time", "random", "secrets", "socket", "urllib.request", "http.client", "subprocess"}
PURE_WALKER = {"walker.gate", "walker.policy", "walker.scope", "walker.viability", "walker.budget", "walker.egress"}


def is_cli(module: Module) -> bool:
    return module.name.startswith("walker.cli") or module.name == "walker.__main__"


@MODULES
def test_only_the_command_line_prints(module: Module) -> None:
    printing = [
        module.where(node)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert is_cli(module) or printing == []


@MODULES
def test_only_the_command_line_reads_the_environment(module: Module) -> None:
    reading = [
        module.where(node)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute)
        and node.attr in ("environ", "getenv")
        and isinstance(node.value, ast.Name)
        and node.value.id == "os"
        and not isinstance(node.ctx, ast.Store)
    ]
    assert is_cli(module) or reading == []


@MODULES
def test_pure_code_has_no_clock_no_chance_and_no_network(module: Module) -> None:
    if module.package not in PURE and module.name not in PURE_WALKER:
        return
    assert {name for name, _ in imported(module)} & CLOCKS_CHANCE_AND_NETWORK == set()


def test_broad_handlers_are_few() -> None:
    broad = [
        module.where(node)
        for module in modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ExceptHandler) and _is_broad(node.type)
    ]
    assert len(broad) <= 3, broad


@MODULES
def test_public_names_are_documented(module: Module) -> None:
    assert module.name.endswith("__main__") or ast.get_docstring(module.tree), f"{module.name} has no docstring"
    bare = [f"{module.where(node)} {node.name}" for node in _public(module.tree.body) if not ast.get_docstring(node)]
    assert bare == []


@MODULES
def test_a_docstring_says_more_than_the_name(module: Module) -> None:
    echoes = [
        f"{module.where(node)} {node.name}"
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


def _is_broad(kind: ast.expr | None) -> bool:
    if kind is None:
        return True
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(isinstance(one, ast.Name) and one.id in ("Exception", "BaseException") for one in kinds)
