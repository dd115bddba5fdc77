"""`walker runs` as a person runs it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.recordings.make import FOLDER
from tests.walker.cli.program import walker_here


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for kind in ("count", "single"):
        shutil.copytree(FOLDER / kind, tmp_path / "runs" / kind)
    return tmp_path


def test_the_list_has_one_line_a_run_and_one_object_as_json(folder: Path) -> None:
    (folder / "runs" / "count" / "run.json").write_text("{")
    told = walker_here("runs", folder=folder)
    assert (told.code, told.err) == (0, "")
    lines = told.out.splitlines()
    assert len(lines) == 3
    assert any("runs/single  answered" in line and line.endswith("-> 18.4 metres") for line in lines)
    assert any("damaged" in line and "the manifest cannot be read" in line for line in lines)
    listed = json.loads(walker_here("runs", "list", "--state", "answered", "--json", folder=folder).out)
    assert [run["path"] for run in listed["runs"]] == ["runs/single"]


def test_what_a_walk_was_not_sure_of_is_listed_as_the_nearest(folder: Path) -> None:
    manifest = folder / "runs" / "single" / "run.json"
    told = json.loads(manifest.read_text())
    told["settings"]["sure"] = 0.99
    manifest.write_text(json.dumps(told))
    (line,) = (line for line in walker_here("runs", folder=folder).out.splitlines() if "runs/single" in line)
    assert line.endswith("not found; nearest: 18.4 metres")
    listed = json.loads(walker_here("runs", "list", "--find", "18.4", "--json", folder=folder).out)
    assert [(run["answer"], run["nearest"]) for run in listed["runs"]] == [("", "18.4 metres")]


def test_nothing_is_removed_without_yes_and_only_runs_ever_are(folder: Path) -> None:
    (folder / "runs" / "letter.txt").write_text("dear")
    asked = walker_here("runs", "remove", "--older-than", "30d", folder=folder)
    assert asked.out.splitlines()[-1].endswith("add --yes to remove them")
    assert len(list((folder / "runs").iterdir())) == 3
    assert walker_here("runs", "remove", "runs/letter.txt", "--yes", folder=folder).out == "removed 0 runs, 0 B\n"
    done = walker_here("runs", "remove", "--larger-than", "20k", "--yes", folder=folder)
    assert (done.code, done.out.splitlines()[-1][:13]) == (0, "removed 1 run")
    assert sorted(path.name for path in (folder / "runs").iterdir()) == ["letter.txt", "single"]


def test_a_run_is_packed_read_removed_and_unpacked(folder: Path) -> None:
    packed = walker_here("runs", "pack", "runs/count", "runs/single", "-o", "archive", folder=folder)
    assert (packed.code, packed.err) == (0, "")
    again = walker_here("replay", "archive/count.zip", "--json", folder=folder)
    assert json.loads(again.out)["outcome"]["answer"].startswith("5 (Ana")
    shutil.rmtree(folder / "runs")
    out = walker_here("runs", "unpack", "archive/count.zip", folder=folder)
    assert out.out == "runs/count  10 files\n"
    assert walker_here("replay", "runs/count", "-q", folder=folder).code == 0


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("runs", "list", "nowhere"), 2, "nowhere: there is no run there, and no folder of runs"),
        (("runs", "remove", "--yes"), 2, "name the runs, or say which"),
        (("runs", "remove", "--older-than", "soon"), 2, "soon: write it as 90m, 12h, 30d or 2w"),
        (("runs", "list", "--larger-than", "much"), 2, "much: write it as 500k, 100MB or 1.5G"),
        (("runs", "pack", "nowhere"), 1, "nowhere: there is no run there"),
        (("runs", "unpack", "nowhere.zip"), 1, "nowhere.zip: there is no such file"),
        (("runs", "unpack", "runs/count/run.json"), 1, "the zip cannot be read"),
    ],
)
def test_what_cannot_be_is_one_line(folder: Path, words: tuple[str, ...], code: int, told: str) -> None:
    ended = walker_here(*words, folder=folder)
    assert ended.code == code
    assert told in ended.err.splitlines()[-1]
    assert "Traceback" not in ended.err
