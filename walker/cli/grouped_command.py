"""How commands are told: their many flags in groups, names that flags had before, and wrong usage in one line, as all other errors."""

from __future__ import annotations

import contextlib
import difflib
import importlib
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any, NamedTuple

import click

OTHERS = "Options"


class GroupedCommand(click.Command):
    """A click command with `groups`, title -> names of flags ("max-pages"), and `renamed`, old flag -> new one ("--pages" ->
    "--max-pages"), which no help shows."""

    def __init__(
        self,
        *given: Any,
        groups: Mapping[str, tuple[str, ...]] | None = None,
        renamed: Mapping[str, str] | None = None,
        **named: Any,
    ) -> None:
        super().__init__(*given, **named)
        self.groups, self.renamed = dict(groups or {}), dict(renamed or {})

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments, old names too."""
        return super().parse_args(ctx, self._with_new_names(args))

    def _with_new_names(self, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        kept = []
        for argument in args[:end]:
            name, sign, value = argument.partition("=")
            kept.append(f"{self.renamed.get(name, name)}{sign}{value}")
        return [*kept, *args[end:]]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the flags group by group, those of no group first."""
        group_of = {name: title for title, names in self.groups.items() for name in names}
        rows: dict[str, list[tuple[str, str]]] = {title: [] for title in (OTHERS, *self.groups)}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                names = (option.lstrip("-") for option in parameter.opts)
                title = next((group_of[name] for name in names if name in group_of), OTHERS)
                rows[title].append(record)
        for title, listed in rows.items():
            if listed:
                with formatter.section(title):
                    formatter.write_dl(listed, col_max=24)


def nearest(word: str, known: Iterable[str]) -> str:
    """A question that names what was likely meant, "" if nothing is near."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f" Did you mean {near[0]}?" if near else ""


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


class OnUse(NamedTuple):
    """A command that is imported when it is used: its module, its name there, and its line in the help of its group."""

    module: str
    name: str
    line: str


class LateGroup(click.Group):
    """A group that imports a command when it is used, and tells one that it does not have with what was likely meant."""

    def __init__(self, *given: Any, on_use: Mapping[str, OnUse], **named: Any) -> None:
        super().__init__(*given, **named)
        self.on_use = on_use

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """In the order in which they were given."""
        return list(self.on_use)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import it."""
        told = self.on_use.get(cmd_name)
        if told is None:
            return None
        command = getattr(importlib.import_module(told.module), told.name)
        assert isinstance(command, click.Command), cmd_name
        return with_examples(command)

    def lines(self) -> list[tuple[str, str]]:
        """Each command with its line."""
        return [(name, told.line) for name, told in self.on_use.items()]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Lists the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(self.lines())

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command, its name and its arguments."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            raise click.UsageError(f"{error.message}{nearest(args[0], self.list_commands(ctx))}", ctx) from None


def with_examples(command: click.Command) -> click.Command:
    """The command, with the line breaks of its examples: docstrings are raw, so the two characters of their mark become the one that
    click expects."""
    command.help = (command.help or "").replace("\\b\n", "\b\n")
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        with_examples(inner)
    return command
