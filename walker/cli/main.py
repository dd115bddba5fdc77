"""The command `walker` and its subcommands."""

from __future__ import annotations

import click

from walker.cli.ask import ask_command
from walker.cli.calibrate import calibrate_command
from walker.cli.demo import demo_command
from walker.cli.diff import diff_command
from walker.cli.doctor import doctor_command
from walker.cli.export import export_command
from walker.cli.look import look_command
from walker.cli.replay import replay_command
from walker.cli.runs import runs_command
from walker.cli.scan import scan_command
from walker.cli.verify import verify_command
from walker.cli.whatif import whatif_command
from walker.cli.why import why_command


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
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
main.add_command(verify_command)
main.add_command(diff_command)
main.add_command(why_command)
main.add_command(whatif_command)
main.add_command(export_command)
main.add_command(scan_command)
main.add_command(runs_command)
main.add_command(look_command)
main.add_command(demo_command)
main.add_command(calibrate_command)
main.add_command(doctor_command)


def _keep_examples(command: click.Command) -> None:
    """Examples keep their lines: docstrings are raw, so that the mark click looks for has to be made of what they say."""
    command.help = (command.help or "").replace("\\b\n", "\b\n")
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        _keep_examples(inner)


_keep_examples(main)
