"""The group `walker eval`: every command is there and teaches, and its help loads none of them."""

from __future__ import annotations

import subprocess
import sys

import pytest
from click.testing import CliRunner

from evaluation.cli.group import COMMANDS, eval_group

LOADED = """
import sys
from evaluation.cli import eval_group
eval_group(['--help'], standalone_mode=False)
print(*(name for name in sys.modules if name.startswith(('evaluation.building', 'walker.assembly'))))
"""


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_there_and_teaches(name: str) -> None:
    shown = CliRunner().invoke(eval_group, [name, "--help"])
    assert shown.exit_code == 0, shown.output
    assert shown.output.startswith(f"Usage: eval {name}")
    assert f"walker eval {name}" in shown.output, "an example"
    assert "\\b" not in shown.output


def test_its_help_lists_them_and_loads_none() -> None:
    shown = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    *text, loaded = shown.stdout.splitlines()
    assert loaded == ""
    assert [line.split()[0] for line in text[text.index("Commands:") + 1 :] if line[2] != " "] == list(COMMANDS)


def test_a_command_that_does_not_exist_is_told_with_the_nearest() -> None:
    shown = CliRunner().invoke(eval_group, ["reportx"])
    assert shown.exit_code == 2
    assert "Did you mean report?" in shown.output
