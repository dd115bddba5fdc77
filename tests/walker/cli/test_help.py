"""Every command teaches itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from tests.walker.cli.program import walker_here
from walker.cli.commands import main


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield (*path, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


@pytest.mark.parametrize("path", [(), *commands(main)], ids=" ".join)
def test_help_shows_an_example_on_a_line_of_its_own(path: tuple[str, ...], tmp_path: Path) -> None:
    shown = walker_here(*path, "--help", folder=tmp_path)
    assert shown.code == 0
    assert "\\b" not in shown.out
    example = " ".join(("walker", *path))
    assert any(line.strip().startswith(example) for line in shown.out.splitlines()), "no example"
