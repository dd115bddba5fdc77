"""Recorded runs as clients of a server see them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.recordings import make
from walker.errors import UsageError
from walker.jobs.run_views import RunViews


@pytest.fixture
def views(tmp_path: Path) -> RunViews:
    shutil.copytree(Path(make.__file__).with_name("single"), tmp_path / "runs" / "sure")
    shutil.copytree(Path(make.__file__).with_name("single"), tmp_path / "runs" / "doubted")
    manifest = tmp_path / "runs" / "doubted" / "run.json"
    told = json.loads(manifest.read_text(encoding="utf-8"))
    told["settings"]["sure"] = 1.0
    manifest.write_text(json.dumps(told), encoding="utf-8")
    return RunViews(tmp_path / "runs", tmp_path / "crawls")


async def test_what_a_walk_was_not_sure_of_is_the_nearest_and_no_answer(views: RunViews) -> None:
    sure, doubted = views.summary("sure"), views.summary("doubted")
    assert (sure["answer"], "nearest" in sure) == ("18.4 metres", False)
    assert (doubted["answer"], doubted["nearest"]) == ("", "18.4 metres")
    assert (await views.view("sure", "why", ""))[0].startswith("answer: 18.4 metres (")
    assert (await views.view("doubted", "why", ""))[0].startswith("no answer that is sure; nearest: 18.4 metres (")


async def test_a_comparison_needs_another_run_and_says_so(views: RunViews) -> None:
    with pytest.raises(UsageError, match=r"nothing to compare with\. Name the second run: other=ID"):
        await views.view("sure", "diff", "")
    assert (await views.view("sure", "diff", "sure"))[0].startswith("equal")
