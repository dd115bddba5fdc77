"""`walker verify` as a person and as CI run it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.recordings.make import FOLDER
from tests.traces.forging import forge
from tests.walker.cli.program import walker_here


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for kind in ("count", "single"):
        shutil.copytree(FOLDER / kind, tmp_path / "runs" / kind)
    return tmp_path


def test_a_folder_of_runs_is_verified_at_once(folder: Path) -> None:
    done = walker_here("verify", "runs", folder=folder)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert [line.split(":")[0] for line in lines[:2]] == ["equal    runs/count", "equal    runs/single"]
    assert lines[-1] == "2 runs, 0 not equal"


def test_what_differs_is_named_and_the_code_says_so(folder: Path) -> None:
    forge(
        folder / "runs/count", lambda line: line | {"d": line["d"] | {"found": 9}} if line["k"] == "counter" else line
    )
    (folder / "runs/single/events.jsonl").write_text("garbage\n")
    done = walker_here("verify", "runs/count", "runs/single", folder=folder)
    assert done.code == 1
    assert "DIFFERS  runs/count" in done.out
    assert "(counter): found: expected 9, got 0" in done.out
    assert "DAMAGED  runs/single" in done.out
    assert done.out.endswith("2 runs, 2 not equal\n")
    told = json.loads(walker_here("verify", "runs/count", "--json", folder=folder).out)
    assert (told["differing"], told["runs"][0]["departure"]["field"]) == (1, "found")


def test_a_replay_ends_with_its_certificate_and_a_departure_is_an_object(folder: Path) -> None:
    done = walker_here("replay", "runs/count", "-q", folder=folder)
    assert "fidelity of the recorded answers: 16 exact, 0 minor, 0 major, 0 not in the recording" in done.out
    told = json.loads(walker_here("replay", "runs/count", "-q", "--json", folder=folder).out)
    assert told["certificate"] == {"exact": 16, "minor": 0, "major": 0, "unrecorded": 0}
    forge(
        folder / "runs/count", lambda line: line | {"d": line["d"] | {"found": 9}} if line["k"] == "counter" else line
    )
    failed = walker_here("replay", "runs/count", "-q", "--json", folder=folder)
    assert failed.code == 1
    assert json.loads(failed.out)["difference"] == {"field": "found", "expected": 9, "got": 0}


def test_no_run_is_one_line(folder: Path) -> None:
    done = walker_here("verify", "nowhere", folder=folder)
    assert (done.code, done.out) == (2, "")
    assert done.line.startswith("walker: nowhere: there is no run there")
