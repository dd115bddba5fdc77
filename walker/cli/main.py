"""The command `walker` and its subcommands."""

from __future__ import annotations

from importlib.metadata import entry_points

import click

from walker.cli.ask import ask_command
from walker.cli.calibrate import calibrate_command
from walker.cli.demo import demo_command
from walker.cli.doctor import doctor_command
from walker.cli.look import look_command
from walker.cli.replay import replay_command


PLUGINS = "walker.commands"
"""Entry points of this group are commands too: packages that build on walker, and that it does not know."""


class _Commands(click.Group):
    """The commands below, and those of installed packages, which are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *entry_points(group=PLUGINS).names})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        known = super().get_command(ctx, cmd_name)
        if known is not None:
            return known
        found = next(iter(entry_points(group=PLUGINS, name=cmd_name)), None)
        command = found.load() if found is not None else None
        return command if isinstance(command, click.Command) else None


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="gemwalker", prog_name="walker")
def main() -> None:
    r"""Walk a site in a real browser and answer questions about it.

    \b
    walker ask https://docs.python.org/3/ "Which release added the match statement?"
    walker replay runs/20260101-120000-which-release-a1b2c3

    Progress goes to stderr; the answer, or one JSON object with --json, to stdout.
    Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not answered, 130 interrupted.
    """


main.add_command(ask_command)
main.add_command(replay_command)
main.add_command(look_command)
main.add_command(demo_command)
main.add_command(calibrate_command)
main.add_command(doctor_command)
