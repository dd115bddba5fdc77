"""Stages the pages of the documentation site: those of docs/, those at the top, and what is generated from the code.

usage: python scripts/site_pages.py FOLDER
Generated are a page for each command from its `--help`, the public names of Python, and the events of a recording with their fields.
"""

from __future__ import annotations

import ast
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).parents[1]))
import walker
from walker.cli.commands import main as walker_command

PROJECT = Path(__file__).parents[1]
TOP = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
EVENT_FILES = ("traces/events.py", "traces/session_events.py")


def stage(folder: Path) -> None:
    """Write all pages into an empty folder."""
    shutil.copytree(PROJECT / "docs", folder)
    (folder / "README.md").rename(folder / "documents.md")
    for name, page in TOP.items():
        text = (PROJECT / name).read_text(encoding="utf-8").replace("](docs/", "](")
        (folder / page).write_text(text, encoding="utf-8")
    reference = folder / "reference"
    (reference / "commands").mkdir(parents=True)
    for context in contexts_of(
        click.Context(walker_command, info_name="walker", max_content_width=100, terminal_width=100)
    ):
        file = "-".join(context.command_path.split()[1:]) or "index"
        (reference / "commands" / f"{file}.md").write_text(command_page(context), encoding="utf-8")
    (reference / "python.md").write_text(python_page(), encoding="utf-8")
    (reference / "recordings.md").write_text(recordings_page(), encoding="utf-8")


def contexts_of(context: click.Context) -> Iterator[click.Context]:
    """A command and those below it, each as it is called."""
    yield context
    if isinstance(context.command, click.Group):
        for name in context.command.list_commands(context):
            below = context.command.get_command(context, name)
            if below is not None and not below.hidden:
                yield from contexts_of(click.Context(below, info_name=name, parent=context))


def command_page(context: click.Context) -> str:
    """The help of a command, as its terminal shows it."""
    path = re.sub(r" (?:\[[^\]]*\](?:\.\.\.)?)", "", context.command_path)
    below = "".join(f"- [{one}]({'-'.join(one.split()[1:])}.md)\n" for one in paths_below(context))
    return f"# {path}\n\n```text\n{context.command.get_help(context)}\n```\n\n{below}"


def paths_below(context: click.Context) -> Iterator[str]:
    """The commands below a command, as they are called."""
    for one in contexts_of(context):
        if one is not context:
            yield one.command_path


def python_page() -> str:
    """The public names, each from the module that it lives in."""
    homes = sorted(walker._HOMES.items())  # noqa: SLF001 - a type alias does not know where it lives
    names = "\n\n".join(f"::: {home}.{name}" for name, home in homes)
    return f"# Python\n\nAll of this is importable from `walker`. [Walker in Python](../python.md) shows how it is used.\n\n{names}\n"


def recordings_page() -> str:
    """Each event of a recording with its fields, from the source that is the authority for them."""
    kinds = [kind for file in EVENT_FILES for kind in event_kinds(PROJECT / file)]
    told = "\n".join(kinds)
    return (
        "# Recordings\n\nA run is a folder with `events.jsonl`, `run.json`, and `blobs`, the large values by their SHA-256. Each line "
        "of `events.jsonl` is a JSON object: `seq`, `t` in microseconds from the start, `wall` in seconds of the Unix clock, `k` the "
        f"kind, `step`, `d` the fields, `p` a link of the chain. These are the kinds.\n\n{told}"
    )


def event_kinds(file: Path) -> Iterator[str]:
    """A section for each class of events in a module."""
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if not isinstance(node, ast.ClassDef):
            continue
        tag = next((word.value for word in node.keywords if word.arg == "tag"), None)
        if isinstance(tag, ast.Constant):
            fields = "".join(f"| `{name}` | `{kind}` | {told} |\n" for name, kind, told in fields_of(node))
            table = f"\n| field | type | |\n|---|---|---|\n{fields}" if fields else ""
            yield f"## {tag.value!s}\n\n{ast.get_docstring(node) or ''}\n{table}"


def fields_of(node: ast.ClassDef) -> Iterator[tuple[str, str, str]]:
    """Name, type and docstring of each field."""
    for place, one in enumerate(node.body):
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            after = node.body[place + 1] if place + 1 < len(node.body) else None
            told = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
            yield (
                one.target.id,
                ast.unparse(one.annotation).replace("|", "\\|"),
                " ".join(str(told).split()).replace("|", "\\|"),
            )


if __name__ == "__main__":
    stage(Path(sys.argv[1]))
