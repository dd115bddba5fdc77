"""The product's own source, parsed once for the tests of its shape."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[2]
PACKAGES = ("walker", "perception", "memory", "traces", "evaluation")


class Module(msgspec.Struct, frozen=True, kw_only=True):
    """One source file; `name` as it is imported."""

    name: str
    path: Path
    text: str
    tree: ast.Module
    nodes: tuple[ast.AST, ...]
    """Of the tree, as `ast.walk` has them: to walk it takes longer than to parse it."""

    @property
    def package(self) -> str:
        return self.name.split(".")[0]

    def functions(self) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
        return (node for node in self.nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))

    def where(self, node: ast.stmt | ast.expr | ast.ExceptHandler) -> str:
        return f"{self.path.relative_to(ROOT)}:{node.lineno}"


@cache
def modules() -> tuple[Module, ...]:
    """Every module of the five packages, by name."""
    return tuple(_parse(path) for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))


def imported(module: Module, tree: ast.AST | None = None) -> Iterator[tuple[str, ast.stmt]]:
    """Names of modules that the code imports, with the statement; a name that is a module of ours counts as one."""
    names = _names()
    for node in module.nodes if tree is None else ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = node.module or ""
            members = [f"{source}.{alias.name}" for alias in node.names]
            inner = [name for name in members if name in names]
            yield from ((name, node) for name in inner)
            if len(inner) < len(members):
                yield source, node


@cache
def _names() -> frozenset[str]:
    return frozenset(module.name for module in modules())


def _parse(path: Path) -> Module:
    text = path.read_text(encoding="utf-8")
    parts = path.relative_to(ROOT).with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    tree = ast.parse(text)
    return Module(name=name, path=path, text=text, tree=tree, nodes=tuple(ast.walk(tree)))
