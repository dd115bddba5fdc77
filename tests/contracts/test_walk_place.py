"""One body for every implementation of the WalkPlace seam; a cluster is started with `make fleet` only."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.sites.pages_on_loopback import serve
from traces.events import WalkEnded
from traces.reading.reader import read_run
from walker.batch.asking_task import AskTask
from walker.batch.places import LocalPlace, WalkPlace
from walker.batch.questions import Assignment
from walker.cli.places.walk_places import environment
from walker.errors import BrowserUnavailable
from walker.fleet.ray_place import RayPlace
from walker.settings import Limits, Settings

NAMES = {"skerry": 31, "holm": 42, "sands": 53}
PAGES = {
    f"/{name}.html": f"<html lang=en><title>{name} lighthouse</title><p>The {name} lighthouse is {metres} metres high.</p>"
    f"<table><tr><th>Height</th><td>{metres} m</td></tr><tr><th>Keeper</th><td>nobody</td></tr></table>"
    for name, metres in NAMES.items()
}
PLACES = ["local", pytest.param("ray", marks=pytest.mark.fleet)]


def make(kind: str, settings: Settings) -> WalkPlace:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    return LocalPlace(settings, jobs=2) if kind == "local" else RayPlace("ray", settings, environment, jobs=2)


@pytest.fixture(scope="module")
def home() -> Iterator[str]:
    with serve(PAGES) as base:
        yield base


@pytest.fixture(params=PLACES)
async def place(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[WalkPlace]:
    limits = Limits(pages=2, seconds=60)
    async with make(request.param, Settings(runs_folder=tmp_path / "runs", limits=limits)) as opened:
        yield opened


def asked(home: str, name: str) -> AskTask:
    question = f"How high is the {name.title()} lighthouse?"
    return AskTask(Assignment(id=name, question=question, roots=(f"{home}/{name}.html",)))


async def test_each_walk_has_its_answer_and_its_run_and_a_failed_one_says_why(place: WalkPlace, home: str) -> None:
    gone = AskTask(Assignment(id="gone", question="Who is there?", roots=(f"{home}/gone.html",)))
    several = [*(asked(home, name) for name in NAMES), gone]
    told = await asyncio.gather(*map(place.do, several))
    assert [one.prediction.id for one in told] == [*NAMES, "gone"]
    assert [one.state for one in told] == ["answered", "answered", "answered", "failed"]
    for one, metres in zip(told, NAMES.values(), strict=False):
        assert one.prediction.answer.startswith(str(metres))
        assert any(isinstance(event, WalkEnded) for event in read_run(Path(one.prediction.trace)).events)
    assert "404" in told[-1].prediction.error
    assert told[-1].prediction.question == "Who is there?"


@pytest.mark.parametrize("kind", PLACES)
async def test_what_no_walk_would_fare_better_with_is_raised(kind: str, home: str, tmp_path: Path) -> None:
    settings = Settings(runs_folder=tmp_path / "runs", chromium=str(tmp_path / "no-browser"))
    async with make(kind, settings) as opened:
        with pytest.raises(BrowserUnavailable, match="no-browser"):
            await opened.do(asked(home, "skerry"))
