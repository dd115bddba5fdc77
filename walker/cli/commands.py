"""The command `walker` and its subcommands. A command's module is imported on use: it may need a second to load."""

from __future__ import annotations

import os
from importlib.metadata import entry_points
from typing import Any

import click
from platformdirs import user_cache_path

from walker.cli import interruption
from walker.cli.grouped_command import LateGroup, OnUse, usage_in_a_line, with_examples

PLUGINS = "walker.commands"
"""Entry points of this group are commands too; packages that build on walker add theirs here."""
COMMANDS = {
    "ask": "Answer a question from the pages of a website.",
    "extract": "Fill in a schema from pages: typed values, each with its quote.",
    "login": "Log in at a site, for walks and crawls that follow.",
    "logins": "List saved logins, check them, remove them.",
    "crawl": "Crawl a site completely, or until a limit.",
    "worker": "Help with a crawl whose job lies in Postgres.",
    "fleet": "Show what the workers of a crawl are doing.",
    "play": "Play the script of a walk again, without a model.",
    "watch": "Ask, play or crawl again on a schedule, and say what changed.",
    "init": "Write a crawl script to start from.",
    "test-selector": "Show what a selector of a crawl script finds on a page.",
    "search": "Find passages in a library of pages, or pages of a site.",
    "library": "Fill a library of pages, list it, remove from it.",
    "replay": "Run a recorded walk again, without browser and network.",
    "view": "Show recorded walks as a page in the browser.",
    "verify": "Check that recorded walks still replay to the same decisions.",
    "diff": "Compare two recorded walks: the first difference, and its cause.",
    "why": "Say why a walk gave its answer, and list what it counted.",
    "whatif": "Simulate other gate thresholds and weights on recorded walks.",
    "export": "Export recorded walks (OpenTelemetry, HAR, WARC, CSV, ...).",
    "scan": "Search recorded walks for leaked secrets.",
    "shrink": "Reduce a wrong decision to the smallest site that reproduces it.",
    "runs": "List, remove, pack and unpack recorded walks.",
    "look": "Show what Walker sees on one page.",
    "demo": "Ask five questions of the bundled example site.",
    "calibrate": "Fit the thresholds of OCR and vision model to your own pages.",
    "mcp": "Serve Walker's tools to agents (Model Context Protocol).",
    "serve": "Serve questions, extraction and crawls over HTTP.",
    "skill": "Install the skill that tells coding agents when to use Walker.",
    "doctor": "Check the installation, and say how to fix what is missing.",
}
"""Name -> its line in `walker --help`. The command is `NAME_command` in the module NAME (`MODULES`) of walker/cli/walks, /libraries, /logins, /fleet, /agents or /runs."""
OPEN_PAGES = frozenset(
    (
        "ask",
        "extract",
        "crawl",
        "worker",
        "play",
        "watch",
        "look",
        "demo",
        "calibrate",
        "doctor",
        "init",
        "test-selector",
    )
)
"""Those of walker/cli/walks; the others work on recorded runs."""
MODULES = {"test-selector": "selector_trial"}
"""Commands whose module has another name."""
ON_LIBRARIES = frozenset(("search", "library"))
"""Those of walker/cli/libraries."""
FOR_AGENTS = frozenset(("mcp", "serve", "skill"))
"""Those of walker/cli/agents."""
OF_LOGINS = frozenset(("login", "logins"))
"""Those of walker/cli/logins."""


OF_FLEETS = frozenset(("fleet",))
"""Those of walker/cli/fleet."""


class LazyGroup(LateGroup):
    """The commands above, and those of installed packages."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order above, others behind them."""
        return [*super().list_commands(ctx), *sorted(entry_points(group=PLUGINS).names)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import it."""
        if (command := super().get_command(ctx, cmd_name)) is not None:
            return command
        found = next(iter(entry_points(group=PLUGINS, name=cmd_name)), None)
        command = found.load() if found is not None else None
        return with_examples(command) if isinstance(command, click.Command) else None

    def lines(self) -> list[tuple[str, str]]:
        """Those of the packages, too."""
        others = {
            entry.name: f"Commands of the package {entry.value.split('.')[0]}." for entry in entry_points(group=PLUGINS)
        }
        return [*super().lines(), *sorted(others.items())]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Mistakes before the command in one line."""
        with usage_in_a_line():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """One line for wrong usage, and on Ctrl-C for commands that do not handle it themselves."""
        try:
            with usage_in_a_line():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("walker: interrupted", err=True)
            raise SystemExit(interruption.INTERRUPTED) from None


def _room(name: str) -> str:
    if name in ON_LIBRARIES:
        return "libraries"
    if name in OF_LOGINS:
        return "logins"
    if name in OF_FLEETS:
        return "fleet"
    if name in FOR_AGENTS:
        return "agents"
    return "walks" if name in OPEN_PAGES else "runs"


def _on_use(name: str) -> OnUse:
    module = MODULES.get(name, name)
    return OnUse(f"walker.cli.{_room(name)}.{module}", f"{module}_command", COMMANDS[name])


def keep_driver_compiled() -> None:
    """Turn on Node.js's compile cache for Playwright's driver unless it is configured: saves a quarter of a start's CPU time."""
    os.environ.setdefault("NODE_COMPILE_CACHE", str(user_cache_path("walker", appauthor=False) / "node"))


@click.group(
    cls=LazyGroup,
    on_use={name: _on_use(name) for name in COMMANDS},
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="gemwalker", prog_name="walker")
def main() -> None:
    r"""Walk a site in a real browser: answer questions about it, crawl it, and inspect the recorded walks.

    \b
    walker ask https://www.sqlite.org/ "What is the maximum length of an SQL statement?"
    walker crawl https://docs.example.org/ --keep markdown
    walker view runs/20260101-120000-which-release-a1b2c3

    Progress goes to stderr; the answer, or one JSON object with --json, to stdout.
    Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not answered, 130 interrupted.
    """
    keep_driver_compiled()
    if interruption.is_leaving():  # the command's module is loaded
        interruption.stop_in_order()


with_examples(main)
