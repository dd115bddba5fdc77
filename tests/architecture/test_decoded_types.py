"""Types that are decoded are described at import: msgspec crashes where two threads describe one at once (docs/design/msgspec.md)."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from typing import Any, get_args

import msgspec

from tests.architecture.source_reader import reads_trees
from tests.architecture.source_tree import Module, modules

DECODES = ("msgspec.json.decode", "msgspec.yaml.decode", "msgspec.toml.decode", "msgspec.convert")
DECODER = "msgspec.json.Decoder"
Expression = tuple[str, str, str]
"""The module that it stands in, where, and its text."""
PARAMETER = "kind"
"""The name of a parameter that says what is decoded; whoever calls with it names the type."""


def test_every_decoded_type_is_described_where_it_is_defined_or_decoded() -> None:
    described = {(name, kind) for name, _, text in described_at_top() for kind in _structs_in(_value(name, text))}
    missing = {
        f"{kind.__module__}.{kind.__name__}, decoded in {where}"
        for name, where, text in decoding()
        for kind in _structs_in(_value(name, text))
        if (kind.__module__, kind) not in described and (name, kind) not in described
    }
    assert described
    assert not missing, "add msgspec.json.Decoder(TYPE) at the end of its module:\n" + "\n".join(sorted(missing))


@reads_trees
def described_at_top() -> list[Expression]:
    """Types of decoders that are made while a module is imported."""
    return [
        _expression(module, node.args[0])
        for module in modules()
        for node in _at_top(module)
        if ast.unparse(node.func) == DECODER and node.args
    ]


@reads_trees
def decoding() -> list[Expression]:
    """Types of what is decoded."""
    found: list[Expression] = []
    generic = {function.name for module in modules() for function in module.functions() if _is_generic(function)}
    for module in modules():
        for node in module.nodes:
            if not isinstance(node, ast.Call):
                continue
            called = ast.unparse(node.func)
            named = [word.value for word in node.keywords if word.arg in ("type", PARAMETER)]
            if called in DECODES:
                found += [_expression(module, kind) for kind in node.args[1:2] + named]
            elif called.rpartition(".")[2] in generic:
                found += [_expression(module, kind) for kind in node.args + named]
    return found


def _expression(module: Module, expression: ast.expr) -> Expression:
    return module.name, module.where(expression), ast.unparse(expression)


def _is_generic(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    decodes = (node for node in ast.walk(function) if isinstance(node, ast.Call))
    return any(
        isinstance(kind, ast.Name) and kind.id == PARAMETER
        for node in decodes
        if ast.unparse(node.func) in (*DECODES, DECODER)
        for kind in [*node.args, *(word.value for word in node.keywords)]
    )


def _at_top(module: Module) -> Iterator[ast.Call]:
    """Calls that are made while a module is imported."""
    for statement in module.tree.body:
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from (node for node in ast.walk(statement) if isinstance(node, ast.Call))


def _value(module: str, expression: str) -> Any:
    """What an expression means at the top of its module; None where it has names of a function, or needs an extra that is not here."""
    try:
        return eval(expression, vars(importlib.import_module(module)))
    except (NameError, AttributeError, TypeError, ModuleNotFoundError):
        return None


def _structs_in(kind: Any) -> set[type[msgspec.Struct]]:
    """The Struct types that stand in a type, as members of a union or in a container; their fields are described with them."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return {kind}
    return {struct for part in get_args(kind) for struct in _structs_in(part)}
