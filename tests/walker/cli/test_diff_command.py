"""`walker diff` as a person runs it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.recordings.make import FOLDER
from tests.walker.cli.program import walker_here

COUNT, SINGLE, MODEL = (str(FOLDER / kind) for kind in ("count", "single", "model"))


def test_equal_runs_are_said_to_be_equal(tmp_path: Path) -> None:
    done = walker_here("diff", COUNT, COUNT, "--exit-code", folder=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert "equal: 3 steps" in done.out


def test_what_differs_is_told_from_the_decision_to_its_cause(tmp_path: Path) -> None:
    done = walker_here("diff", SINGLE, COUNT, folder=tmp_path)
    assert done.code == 0
    lines = done.out.splitlines()
    assert "first difference: step 1 Reef Station" in lines
    assert "  step 1, move url: http://reef.example/boats.html | http://reef.example/people.html" in lines
    assert any(line.startswith("  because settings question:") for line in lines)
    assert "  < only A: step 2 Boats" in lines
    assert walker_here("diff", SINGLE, COUNT, "--exit-code", folder=tmp_path).code == 1


def test_json_holds_all_of_it(tmp_path: Path) -> None:
    diff = json.loads(walker_here("diff", SINGLE, MODEL, "--json", folder=tmp_path).out)
    assert diff["is_equal"] is False
    assert [setting["field"] for setting in diff["settings"]] == ["model"]
    assert [(pair["one"], pair["other"]) for pair in diff["pairs"]] == [(1, 1), (2, 2)]
    assert diff["cost"]["model_calls"] == [0, 3]


def test_no_run_is_one_line(tmp_path: Path) -> None:
    done = walker_here("diff", COUNT, "nowhere", folder=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "nowhere: there is no run there" in done.line
