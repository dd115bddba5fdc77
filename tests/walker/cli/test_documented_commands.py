"""Every command line of the documents is one that the program understands: each is parsed by the command's own parser."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from walker.cli.commands import main

PROJECT = Path(__file__).parents[3]
DOCUMENTS = [*sorted((PROJECT / "docs").glob("*.md")), PROJECT / "README.md", PROJECT / "CONTRIBUTING.md"]
_LINE = re.compile(r"^\s*(?:\$ )?((?:[A-Z_]+=\S+ )*)(?:uv run |\.venv/bin/)?(walker [a-z].*)$")
_CONTINUES = re.compile(r"\\\n\s*")


class Line(NamedTuple):
    """A command line of a document."""

    where: str
    words: tuple[str, ...]


def blocks_of(text: str) -> Iterator[tuple[int, str]]:
    """The lines of code blocks, fenced or indented, with their numbers; a line that is continued is one."""
    is_fenced = False
    joined = _CONTINUES.sub(lambda found: " " + "\x00" * found[0].count("\n"), text)
    number = 0
    for line in joined.split("\n"):
        number += 1
        is_fence = line.lstrip().startswith("```")
        is_fenced ^= is_fence
        if not is_fence and (is_fenced or line.startswith("    ")):
            yield number, line.replace("\x00", "")
        number += line.count("\x00")


def lines_of(document: Path) -> Iterator[Line]:
    """The `walker` lines of a document, up to a pipe, a redirection or the end of the command."""
    for number, line in blocks_of(document.read_text(encoding="utf-8")):
        if (found := _LINE.match(line)) is None:
            continue
        lexer = shlex.shlex(found[2], posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        lexer.commenters = "#" if re.search(r"\s#", found[2]) else ""
        words: list[str] = []
        for word in lexer:
            if set(word) <= set("|&;<>()"):
                break
            words.append(word)
        yield Line(where=f"{document.relative_to(PROJECT)}:{number}", words=tuple(words[1:]))


LINES = [line for document in DOCUMENTS for line in lines_of(document)]


def fault_of(words: tuple[str, ...]) -> str:
    """What the parser of the command says against a line, "" for nothing. Values such as `...` are not judged, nor what is missing."""
    command: click.Command = main
    context = click.Context(main, info_name="walker")
    rest = [word for word in words if word not in ("...", "…", "[...]")]
    while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        found = command.get_command(context, rest[0])
        if found is None:
            return f"no command {rest[0]!r}"
        command, rest = found, rest[1:]
        context = click.Context(command, parent=context, info_name=command.name)
    try:
        command.make_parser(context).parse_args(list(rest))
    except click.NoSuchOption as error:
        return error.format_message()
    except click.UsageError:
        return ""  # a value that is left out in the document
    return ""


@pytest.mark.parametrize("line", LINES, ids=[line.where for line in LINES])
def test_the_program_understands_it(line: Line) -> None:
    assert fault_of(line.words) == ""


def test_lines_are_found_and_faults_are_seen() -> None:
    assert len(LINES) > 120
    assert {line.where.split(":")[0] for line in LINES} >= {"docs/commands.md", "docs/tutorial.md", "README.md"}
    assert fault_of(("ask", "http://a.example/", "x", "--jsn")).startswith("No such option")
    assert fault_of(("askk",)) == "no command 'askk'"
    assert fault_of(("runs", "pak")) == "no command 'pak'"
