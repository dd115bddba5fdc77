"""The command `walker` and its subcommands. A command's module is imported when it is asked for: it may need a second to load."""

from __future__ import annotations

import importlib
import os
from importlib.metadata import entry_points
from typing import Any

import click
from platformdirs import user_cache_path

from walker.cli import interruption

PLUGINS = "walker.commands"
"""Entry points of this group are commands too: packages that build on walker, and that it does not know."""
COMMANDS = {
    "ask": "Answer a question by walking the site under ROOT.",
    "crawl": "Crawl a site completely, or until a limit.",
    "replay": "Run a recorded walk again, without browser and network.",
    "view": "Show recorded walks as a page in the browser.",
    "verify": "Derive every decision of stored runs again, and compare.",
    "diff": "Tell where two recorded walks part, and why.",
    "why": "Account for each unit of a walk's count.",
    "whatif": "Tell which pages other thresholds and weights would flip.",
    "export": "Write recorded walks as other tools read them.",
    "scan": "Search recorded walks for what should not be in them.",
    "shrink": "Find the smallest site that shows a wrong decision.",
    "runs": "List, remove, pack and unpack recorded walks.",
    "look": "Show what Walker sees on one page.",
    "demo": "Ask the bundled site five questions.",
    "calibrate": "Fit the gate to labelled pages.",
    "doctor": "Say what is missing on this machine, and how to get it.",
}
"""Name -> what `walker --help` says of it. The command is `NAME_command` in walker/cli/walks/NAME.py or walker/cli/runs/NAME.py."""
OPEN_PAGES = frozenset(("ask", "crawl", "look", "demo", "calibrate", "doctor"))
"""Those of walker/cli/walks; the others work on recorded runs."""


class LazyGroup(click.Group):
    """The commands above, and those of installed packages."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """In the order above, others behind them."""
        return [*COMMANDS, *sorted(entry_points(group=PLUGINS).names)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import it."""
        if cmd_name in COMMANDS:
            command = getattr(
                importlib.import_module(f"walker.cli.{_room(cmd_name)}.{cmd_name}"), f"{cmd_name}_command"
            )
        else:
            found = next(iter(entry_points(group=PLUGINS, name=cmd_name)), None)
            command = found.load() if found is not None else None
        if not isinstance(command, click.Command):
            return None
        _keep_examples(command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Ctrl-C where no command says more is one line too."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("walker: interrupted", err=True)
            raise SystemExit(interruption.INTERRUPTED) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Without importing one."""
        others = {
            entry.name: f"Commands of the package {entry.value.split('.')[0]}." for entry in entry_points(group=PLUGINS)
        }
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items(), *sorted(others.items())])


def _room(name: str) -> str:
    return "walks" if name in OPEN_PAGES else "runs"


def _keep_examples(command: click.Command) -> None:
    """Examples keep their lines: docstrings are raw, so that the mark click looks for has to be made of what they say."""
    command.help = (command.help or "").replace("\\b\n", "\b\n")
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        _keep_examples(inner)


def keep_driver_compiled() -> None:
    """Let Node.js keep Playwright's driver as it compiled it, where nobody said otherwise: a quarter of a start's processor time."""
    os.environ.setdefault("NODE_COMPILE_CACHE", str(user_cache_path("walker", appauthor=False) / "node"))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="gemwalker", prog_name="walker")
def main() -> None:
    r"""Walk a site in a real browser: answer questions about it, crawl it, and look into what was done.

    \b
    walker ask https://docs.python.org/3/ "Which release added the match statement?"
    walker crawl https://docs.example.org/ --keep markdown
    walker view runs/20260101-120000-which-release-a1b2c3

    Progress goes to stderr; the answer, or one JSON object with --json, to stdout.
    Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not answered, 130 interrupted.
    """
    keep_driver_compiled()
    if interruption.is_leaving():  # the command's module is loaded
        interruption.stop_in_order()


_keep_examples(main)
