"""The flags of tools that a model is offered besides: code, letters of a picture, places of elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast, get_args

import click

from walker.code.runners import KNOWN
from walker.settings import SwitchedTool, code_kind

with_code_option = click.option(
    "--code",
    default="",
    metavar="monty|pyodide:FOLDER|URL",
    help="Let the model compute over what was found: in Monty (the extra code), in an unpacked Pyodide package within the walk's"
    " browser, or at a sandbox server.",
)
_OPTIONS = (
    with_code_option,
    click.option(
        "--tools",
        default="",
        metavar="NAME,...",
        help="Tools that the model is offered besides: ocr (letters of a part of a picture, without the vision model), ground (where"
        " an element is).",
    ),
)


def with_tool_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command with these flags."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def read_tools(given: dict[str, Any], *, has_model: bool) -> tuple[str, tuple[SwitchedTool, ...]]:
    """Take the flags out of `given`; the interpreter and the tools that they name. Raises `click.UsageError`."""
    code, named = read_code(given, has_model=has_model), str(given.pop("tools"))
    tools = tuple(dict.fromkeys(name.strip() for name in named.split(",") if name.strip()))
    unknown = [name for name in tools if name not in get_args(SwitchedTool)]
    if unknown:
        raise click.UsageError(f"--tools {unknown[0]}: there are {' and '.join(get_args(SwitchedTool))}")
    _check_model("tools", tools, has_model=has_model)
    return code, cast("tuple[SwitchedTool, ...]", tools)


def read_code(given: dict[str, Any], *, has_model: bool) -> str:
    """Take `--code` out of `given`; the interpreter, "" for none. Raises `click.UsageError`."""
    code = str(given.pop("code"))
    check_code(code)
    _check_model("code", code, has_model=has_model)
    return code


def _check_model(flag: str, value: object, *, has_model: bool) -> None:
    if value and not has_model:
        raise click.UsageError(f"--{flag} needs --model NAME too: only a model uses it")


def check_code(code: str) -> None:
    """Raises `click.UsageError` for what is no interpreter."""
    if code and (code_kind(code) is None or code in ("pyodide", "http")):
        raise click.UsageError(f"--code {code}: {KNOWN[0].lower()}{KNOWN[1:]}")
