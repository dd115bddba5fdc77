"""The direction of every folder, as docs/architecture.md states it: the tables there are read here, and nowhere written again."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import msgspec
import pytest

from tests.architecture.source_reader import reads_trees
from tests.architecture.source_tree import PACKAGES, ROOT, imported, modules

ROW = re.compile(r"^\| (`[^|]*`) \| [^|]* \|([^|]*)\|$", re.MULTILINE)
MOST_IN_A_ROOM = 15
MOST_AT_THE_TOP = 10


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """Rooms or single modules that are one height: `rooms` as they are imported, `imports` likewise."""

    height: int
    """Number of the row, counted from the top of the document."""
    rooms: tuple[str, ...]
    imports: frozenset[str]


@cache
def rows() -> tuple[Row, ...]:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    found = []
    for height, (left, right) in enumerate(ROW.findall(text)):
        rooms = tuple(re.findall(r"`([\w.]+)`", left))
        package = rooms[0].split(".")[0]
        names = re.findall(r"`([\w.]+)`", right)
        found.append(
            Row(
                height=height,
                rooms=rooms,
                imports=frozenset(name if name in PACKAGES else f"{package}.{name}" for name in names),
            )
        )
    return tuple(found)


@cache
def place_of(name: str) -> tuple[Row, str]:
    """The row of a module and the room in it: the longest name that the module's begins with."""
    candidates = [(room, row) for row in rows() for room in row.rooms if name == room or name.startswith(f"{room}.")]
    room, row = max(candidates, key=lambda one: len(one[0]))
    return row, room


@cache
def imports_between_rows() -> tuple[tuple[str, str, str, Row, Row], ...]:
    """Package, where, the name by which the row below is stated, and both rows, for each import that leaves its row."""
    names = {module.name for module in modules()}
    found = []
    for module in modules():
        row, _ = place_of(module.name)
        for name, node in imported(module):
            if name not in names:
                continue
            below, room = place_of(name)
            if below != row:
                other = name.split(".")[0]
                stated = room if other == module.package else other
                found.append((module.package, module.where(node), stated, row, below))
    return tuple(found)


@reads_trees
def test_every_module_has_a_row() -> None:
    rooms = {room for row in rows() for room in row.rooms}
    assert len(rooms) > 60
    assert {module.name for module in modules() if module.name.split(".")[0] not in rooms} == set()
    folders = {module.name for module in modules() if module.path.name == "__init__.py"}
    assert folders - rooms == set(), "a folder without a row in docs/architecture.md"


@reads_trees
def test_every_row_is_there() -> None:
    names = {module.name for module in modules()}
    assert [room for row in rows() for room in row.rooms if room not in names] == []


@reads_trees
def test_imports_are_those_of_the_table() -> None:
    wrong = [
        f"{where} imports {stated}, which the row of {row.rooms[0]} in docs/architecture.md does not name"
        for _, where, stated, row, _ in imports_between_rows()
        if stated not in row.imports
    ]
    assert wrong == []


@reads_trees
def test_the_table_names_no_import_that_is_gone() -> None:
    used = {(row.height, stated) for _, _, stated, row, _ in imports_between_rows()}
    stale = [
        f"{row.rooms[0]}: {name}" for row in rows() for name in sorted(row.imports) if (row.height, name) not in used
    ]
    assert stale == []


@reads_trees
def test_a_row_imports_rows_above_it_only() -> None:
    upward = [
        f"{where} imports {stated}, which stands below {row.rooms[0]}"
        for package, where, stated, row, below in imports_between_rows()
        if stated.split(".")[0] == package and below.height > row.height
    ]
    assert upward == []


@reads_trees
def test_a_room_is_no_corridor() -> None:
    count = Counter(module.path.parent for module in modules() if module.path.name != "__init__.py")
    assert [
        f"{folder.relative_to(ROOT)} ({number})" for folder, number in count.items() if number > MOST_IN_A_ROOM
    ] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_the_top_of_a_package_is_short(package: str) -> None:
    assert len(list((ROOT / package).glob("*.py"))) <= MOST_AT_THE_TOP
