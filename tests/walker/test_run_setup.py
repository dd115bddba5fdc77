from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixtures.paper import task_for
from traces.reading.reader import read_manifest
from walker.run_setup import new_recorder, recorded_settings, restored_settings
from walker.settings import Settings


def test_a_run_tells_what_pages_may_look_otherwise_by_elsewhere(tmp_path: Path) -> None:
    recorder = new_recorder(task_for("why?"), Settings(runs_folder=tmp_path))
    recorder.close()
    env = read_manifest(recorder.folder).env
    assert set(env) == {"python", "os", "playwright", "locale", "time_zone", "viewport", "pixel_ratio"}
    assert (env["locale"], env["viewport"], env["pixel_ratio"]) == ("en", "1280x800", "1")


@pytest.mark.parametrize("sure", [0.3, 0.5, 0.8])
def test_a_walk_goes_on_with_the_certainty_that_it_was_begun_with(sure: float) -> None:
    recorded = recorded_settings(Settings(sure=sure))
    assert ("sure" in recorded) is (sure != 0.5), "the manifest of a plain walk is as it was before it had any"
    assert restored_settings(recorded, Settings(sure=0.6)).sure == sure
