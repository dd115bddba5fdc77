"""`walker shrink` as a person runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.recordings.make import FOLDER
from tests.walker.cli.program import walker_here

SINGLE = str(FOLDER / "single")


def test_a_case_is_written_with_its_pages_and_its_test(tmp_path: Path) -> None:
    done = walker_here("shrink", SINGLE, "-o", "case", folder=tmp_path)
    assert done.code == 0
    assert done.out.startswith("case: the answer is still '18.4 metres'\n  3 -> 2 pages, 911 -> ")
    assert sorted(path.name for path in (tmp_path / "case").iterdir()) == ["case.json", "pages", "test_case.py"]
    told = json.loads(
        walker_here("shrink", SINGLE, "-o", "two", "--decision", "move@1", "-q", "--json", folder=tmp_path).out
    )
    assert (told["pages"], told["decision"]["kind"], told["is_smallest"]) == (1, "move", True)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((SINGLE, "-o", "there"), "-o there: it exists already"),
        ((SINGLE, "-o", "case", "--decision", "move"), "write it as answer, stop, count, move@2, gate@2 or verdict@2"),
        ((SINGLE, "-o", "case", "--decision", "answer@2"), "write it as answer"),
        ((SINGLE, "-o", "case", "--decision", "move@9"), "step 9: there is no move there"),
        (("nowhere", "-o", "case"), "nowhere: there is no run there"),
    ],
)
def test_what_cannot_be_is_one_line(words: tuple[str, ...], told: str, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    done = walker_here("shrink", *words, folder=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert told in done.err.splitlines()[-1]
    assert not (tmp_path / "case").exists()
