"""`--effort`: how much a walk may read and look at, as one choice; flags that are given win."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import click
from click.core import ParameterSource

from walker.programs.named_settings import EFFORTS

_OPTION = click.option(
    "--effort",
    type=click.Choice(list(EFFORTS)),
    default="normal",
    show_default=True,
    help="How much a walk may spend: "
    + "; ".join(
        f"{name}: {effort.page_tokens:,} tokens of a page in a call, {effort.max_pages} pages, {effort.looks} looks at pictures"
        for name, effort in EFFORTS.items()
    )
    + ". --page-tokens and --max-pages win.",
)


def with_effort(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command with this flag, which has --page-tokens and --max-pages too; it is called with `looks` as well."""

    @functools.wraps(command)
    def with_presets(**given: Any) -> Any:
        effort = EFFORTS[given.pop("effort")]
        source = click.get_current_context().get_parameter_source
        presets = {"page_tokens": effort.page_tokens, "max_pages": effort.max_pages}
        given |= {name: most for name, most in presets.items() if source(name) is ParameterSource.DEFAULT}
        return command(**given, looks=effort.looks)

    return _OPTION(with_presets)
