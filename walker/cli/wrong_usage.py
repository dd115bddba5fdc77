"""Wrong usage of a command in one line, as all other errors are told: what is wrong, and where the flags are listed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import IO, Any

import click

_HELP: tuple[type[click.UsageError], ...] = tuple(filter(None, (getattr(click.exceptions, "NoArgsIsHelpError", None),)))
"""Raised, since click 8.2, to show the help where nothing was said."""


class WrongUsage(click.UsageError):
    """A `click.UsageError` that shows itself in one line."""

    def show(self, file: IO[Any] | None = None) -> None:
        """Write it to stderr, or to `file`."""
        command = self.ctx.command_path if self.ctx is not None else "walker"
        said = " ".join(self.format_message().split())
        stop = "" if said.endswith((".", "?")) else "."
        click.echo(f"walker: {said}{stop} See {command} --help", file=file, err=True)


@contextlib.contextmanager
def usage_in_a_line() -> Iterator[None]:
    """Within the block wrong usage is told so."""
    try:
        yield
    except click.UsageError as error:
        if isinstance(error, (WrongUsage, *_HELP)):
            raise
        raise WrongUsage(error.format_message(), error.ctx) from None
