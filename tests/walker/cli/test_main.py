"""The command and the list of its subcommands, which is written down so that help need not import them."""

from __future__ import annotations

import re
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from walker.cli.commands import COMMANDS, main
from walker.cli.grouped_command import GroupedCommand


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
    program = "import sys; from walker.cli.commands import COMMANDS, main; main(['--help'], standalone_mode=False); print(len([m for m in sys.modules if m.startswith('playwright')]))"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert shown.stdout.splitlines()[-1] == "0"


def test_commands_that_read_recordings_only_load_no_browser() -> None:
    modules = [f"walker.cli.runs.{name}" for name in ("diff", "export", "runs", "scan", "whatif", "why")]
    program = f"import sys, {', '.join(modules)}; print(*(set(sys.modules) & {{'playwright', 'walker.assembly'}}))"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == []


def test_an_unknown_command_is_told() -> None:
    shown = CliRunner().invoke(main, ["crawll"])
    assert shown.exit_code == 2
    assert "No such command 'crawll'" in shown.output


@pytest.mark.parametrize(
    "given",
    [
        ("crawll",),
        ("--nope",),
        ("ask", "--nope"),
        ("ask", "https://www.sqlite.org/"),
        ("ask", "https://www.sqlite.org/", "Who?", "--max-pages", "many"),
        ("extract", "https://www.sqlite.org/"),
        ("diff", "runs/A"),
        ("runs", "nope"),
        ("login", "https://www.sqlite.org/"),
    ],
    ids=" ".join,
)
def test_wrong_usage_is_one_line_that_names_the_help(given: tuple[str, ...]) -> None:
    shown = CliRunner().invoke(main, given, prog_name="walker")
    (line,) = shown.output.splitlines()
    command = given[0] if given[0] in COMMANDS else ""
    assert shown.exit_code == 2
    assert line.startswith("walker: ")
    assert line.endswith(f". See {' '.join(filter(None, ('walker', command)))} --help") or "Did you mean" in line


def test_without_a_word_the_help_is_shown() -> None:
    assert CliRunner().invoke(main, []).output.startswith("Usage: main ")


def test_what_was_likely_meant_is_named() -> None:
    assert "Did you mean crawl?" in CliRunner().invoke(main, ["crawll"]).output
    assert "Did you mean" not in CliRunner().invoke(main, ["zzzzzz"]).output


@pytest.mark.parametrize(("name", "groups"), [("ask", 13), ("extract", 9), ("crawl", 4)])
def test_many_flags_are_listed_in_groups_each_once(name: str, groups: int) -> None:
    command = main.get_command(click.Context(main), name)
    assert isinstance(command, GroupedCommand)
    shown = CliRunner().invoke(main, [name, "--help"]).output
    flags = {option.lstrip("-") for parameter in command.params for option in parameter.opts}
    titles = [title for title, names in command.groups.items() if f"\n{title}:\n" in shown and set(names) & flags]
    assert len(titles) == groups
    ungrouped = re.findall(
        r"^  --(?!help\b)([\w-]+)", shown.partition("\nOptions:\n")[2].partition("\n\n")[0], re.MULTILINE
    )
    assert ungrouped == (["check", "list", "schema"] if name == "crawl" else [])
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert len(re.findall(rf"^  (?:-\w, )?{parameter.opts[-1]}\b(?!-)", shown, re.MULTILINE)) == 1, (
                parameter.opts
            )
    narrow = CliRunner().invoke(main, [name, "--help"], terminal_width=80).output.splitlines()
    assert [line for line in narrow if len(line) > 80 and not line.startswith("  walker ")] == []


def test_flags_go_by_their_old_names_too() -> None:
    command = main.get_command(click.Context(main), "crawl")
    assert isinstance(command, GroupedCommand)
    old = [
        "site.yaml",
        "--pages=5",
        "--items",
        "7",
        "--depth",
        "2",
        "--seconds",
        "3",
        "--output",
        "a.csv",
        "--output-pages",
        "b.csv",
    ]
    given = command.make_context("crawl", old).params
    assert (given["max_pages"], given["max_items"], given["max_depth"], given["max_seconds"]) == (5, 7, 2, 3.0)
    assert (given["out"], given["out_pages"]) == (("a.csv",), ("b.csv",))
    shown = CliRunner().invoke(main, ["crawl", "--help"]).output
    assert not set(re.findall(r"--[\w-]+", shown)) & set(command.renamed)
