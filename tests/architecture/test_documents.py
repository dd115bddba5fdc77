"""The documents name what exists: modules and folders, every document, commands and options of the command line."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from tests.architecture.source_tree import PACKAGES, ROOT
from walker.cli.commands import main

DOCS, BENCH = ROOT / "docs", ROOT / "bench"
DOCUMENTS = [*sorted(DOCS.rglob("*.md")), BENCH / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "README.md"]
TOPS = "|".join((*PACKAGES, "tests", "bench", "scripts"))
PATH = re.compile(rf"`((?:{TOPS})/[\w./-]*)`")
COMMAND_LINE = re.compile(r"^    walker ([a-z]+)(.*)$", re.MULTILINE)


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


def command(name: str, path: tuple[str, ...] = ()) -> click.Command:
    """A command of the command line, or of one of its groups."""
    found: click.Command = main
    for part in (name, *path):
        assert isinstance(found, click.Group)
        inner = found.get_command(click.Context(found), part)
        assert inner is not None, f"there is no command {part}"
        found = inner
    return found


def options_of(parsed: click.Command) -> set[str]:
    return {name for parameter in parsed.params for name in (*parameter.opts, *parameter.secondary_opts)} | {"--help"}


@pytest.mark.parametrize("document", DOCUMENTS, ids=shown)
def test_paths_in_a_document_exist(document: Path) -> None:
    paths = PATH.findall(document.read_text(encoding="utf-8"))
    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("document", sorted(DOCS.rglob("*.md")), ids=shown)
def test_every_document_is_listed(document: Path) -> None:
    if document != DOCS / "README.md":
        index = (DOCS / "README.md").read_text(encoding="utf-8")
        assert f"({document.relative_to(DOCS)})" in index


def test_every_benchmark_is_listed() -> None:
    listed = set(re.findall(r"^\| `(\w+\.py)` \| \w", (BENCH / "README.md").read_text(encoding="utf-8"), re.MULTILINE))
    assert listed == {file.name for file in BENCH.glob("*.py") if "__main__" in file.read_text(encoding="utf-8")}


@pytest.mark.parametrize("document", DOCUMENTS, ids=shown)
def test_commands_and_options_in_a_document_exist(document: Path) -> None:
    unknown = []
    for name, rest in COMMAND_LINE.findall(document.read_text(encoding="utf-8")):
        words = rest.split("  #")[0].split()
        found = command(name)
        if isinstance(found, click.Group) and words and words[0] in found.list_commands(click.Context(found)):
            found = command(name, (words[0],))
        given = {word.split("=")[0] for word in words if word.startswith("--")}
        unknown += [f"walker {name}{rest}" for option in given if option not in options_of(found)]
    assert unknown == []
