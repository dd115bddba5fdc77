from __future__ import annotations

from pathlib import Path

from tests.fixtures.paper import task_for
from traces.reading.reader import read_manifest
from walker.run_setup import new_recorder
from walker.settings import Settings


def test_a_run_tells_what_pages_may_look_otherwise_by_elsewhere(tmp_path: Path) -> None:
    recorder = new_recorder(task_for("why?"), Settings(runs_folder=tmp_path))
    recorder.close()
    env = read_manifest(recorder.folder).env
    assert set(env) == {"python", "os", "playwright", "locale", "time_zone", "viewport", "pixel_ratio"}
    assert (env["locale"], env["viewport"], env["pixel_ratio"]) == ("en", "1280x800", "1")
