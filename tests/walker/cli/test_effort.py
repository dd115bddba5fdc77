"""`--effort` sets several limits at once; what is given by itself wins."""

from __future__ import annotations

from typing import Any

import click
import pytest
from click.testing import CliRunner

from evaluation.cli.run import run_command
from walker.cli.effort import with_effort
from walker.cli.walks.ask import ask_command
from walker.programs.named_settings import EFFORTS
from walker.settings import Limits, ModelSettings


def chosen(*flags: str) -> dict[str, Any]:
    """What a command with these flags is called with."""
    seen: dict[str, Any] = {}

    @click.command()
    @click.option("--page-tokens", default=6000)
    @click.option("--max-pages", default=30)
    @with_effort
    def command(**given: Any) -> None:
        seen.update(given)

    done = CliRunner().invoke(command, flags)
    assert done.exit_code == 0, done.output
    return seen


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ((), (6000, 30, 15)),
        (("--effort", "low"), (1500, 8, 5)),
        (("--effort", "high"), (16_000, 60, 40)),
        (("--effort", "high", "--max-pages", "30"), (16_000, 30, 40)),
        (("--page-tokens", "900", "--effort", "low"), (900, 8, 5)),
    ],
)
def test_an_effort_sets_what_is_not_given(flags: tuple[str, ...], expected: tuple[int, int, int]) -> None:
    given = chosen(*flags)
    assert (given["page_tokens"], given["max_pages"], given["looks"]) == expected
    assert "effort" not in given


def test_the_normal_effort_is_what_a_walk_does_by_itself() -> None:
    normal = EFFORTS["normal"]
    limits = Limits()
    assert (normal.max_pages, normal.looks) == (limits.pages, limits.looks)
    assert normal.page_tokens == ModelSettings(name="m").page_tokens


@pytest.mark.parametrize("command", [ask_command, run_command])
def test_the_help_says_what_each_effort_allows(command: click.Command) -> None:
    told = " ".join(CliRunner().invoke(command, ["--help"], terminal_width=200).output.split())
    assert "low: 1,500 tokens of a page in a call, 8 pages, 5 looks at pictures" in told
    assert "high: 16,000 tokens of a page in a call, 60 pages" in told
