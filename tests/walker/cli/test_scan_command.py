"""`walker scan` as a person and as CI run it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.recordings.make import FOLDER
from tests.walker.cli.program import walker_here


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(FOLDER / "count", tmp_path / "runs" / "count")
    return tmp_path


def test_a_run_without_leaks_is_said_to_hold_nothing(folder: Path) -> None:
    done = walker_here("scan", "runs", "--canary", "hunter2-zebra", folder=folder)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("runs/count: nothing found in ")


def test_a_leak_is_named_by_its_place_and_the_code_says_so(folder: Path) -> None:
    (folder / "planted.txt").write_text("Emil Berg\n\n")
    done = walker_here("scan", "runs", "--canaries", "planted.txt", folder=folder)
    assert done.code == 1
    assert "canary: Emi… (9 characters): events.jsonl, line " in done.out
    assert "Emil Berg" not in done.out
    told = json.loads(walker_here("scan", "runs/count", "--canary", "Emil Berg", "--json", folder=folder).out)
    assert told["leaks"] == len(told["runs"]["runs/count"]["leaks"]) > 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nowhere",), "nowhere: there is no run there"),
        (("runs", "--canary", "abc"), "a canary has at least 4 characters"),
        (("runs", "--canaries", "none.txt"), "none.txt: the canaries cannot be read"),
    ],
)
def test_what_cannot_be_is_one_line(folder: Path, words: tuple[str, ...], told: str) -> None:
    done = walker_here("scan", *words, folder=folder)
    assert (done.code, done.out) == (2, "")
    assert told in done.line
