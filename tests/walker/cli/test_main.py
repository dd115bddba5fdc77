"""The command and the list of its subcommands, which is written down so that help need not import them."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from walker.cli.commands import COMMANDS, main


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_there_and_teaches(name: str) -> None:
    shown = CliRunner().invoke(main, [name, "--help"])
    assert shown.exit_code == 0, shown.output
    assert shown.output.startswith(f"Usage: main {name}")
    context = click.Context(main)
    command = main.get_command(context, name)
    assert command is not None
    assert (command.help or "").strip(), "what it does"


def test_help_lists_them_all() -> None:
    shown = CliRunner().invoke(main, ["--help"])
    for name, what in COMMANDS.items():
        assert f"  {name} " in shown.output
        assert what.split()[0] in shown.output


def test_help_imports_no_command() -> None:
    program = "import sys; from walker.cli.commands import main; main(['--help'], standalone_mode=False); print(len([m for m in sys.modules if m.startswith('playwright')]))"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert shown.stdout.splitlines()[-1] == "0"


def test_an_unknown_command_is_told() -> None:
    shown = CliRunner().invoke(main, ["crawll"])
    assert shown.exit_code == 2
    assert "No such command 'crawll'" in shown.output
