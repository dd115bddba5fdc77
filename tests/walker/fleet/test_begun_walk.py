"""A walk that a worker has begun before it died, found and resumed by the next."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tests.sites.held import HeldSite, serve_held
from traces.reading.reader import read_run
from walker.assembly import WalkResources
from walker.batch.asking_task import AskTask
from walker.batch.questions import Assignment
from walker.fleet.begun_walk import digest_of, walk_on
from walker.fleet.walk_notes import NOTES
from walker.settings import Limits, Settings

pytestmark = pytest.mark.usefixtures("kept_chromium")

FIRST = "<html lang=en><title>Lights</title><h1>Lights</h1><p>All lights.</p><a href=/skerry.html>Skerry lighthouse height</a>"
SECOND = (
    "<html lang=en><title>Skerry lighthouse</title><p>The Skerry lighthouse is 31 metres high.</p>"
    "<table><tr><th>Height</th><td>31 m</td></tr><tr><th>Keeper</th><td>nobody</td></tr></table>"
)


@pytest.fixture
def site() -> Iterator[HeldSite]:
    with serve_held({"/": FIRST, "/skerry.html": SECOND}, "/skerry.html") as held:
        yield held


def begun(site: HeldSite, folder: Path) -> tuple[Assignment, Settings]:
    settings = Settings(runs_folder=folder / "runs", limits=Limits(pages=3), scout_pages=0)
    return Assignment(id="q", question="How high is the Skerry lighthouse?", roots=(site.home,)), settings


async def die_on_the_second_page(site: HeldSite, assignment: Assignment, settings: Settings) -> Path:
    """Begin the walk, and end without a word while its second page is on its way; the run that it leaves."""
    async with WalkResources(settings) as resources:
        walk = asyncio.create_task(AskTask(assignment).told(resources, walk_on))
        assert await asyncio.to_thread(site.holds.wait, 60)
        walk.cancel()
        await asyncio.gather(walk, return_exceptions=True)
    site.let_go()
    (note,) = (settings.runs_folder / NOTES).iterdir()
    return settings.runs_folder / note.read_text(encoding="utf-8")


async def test_the_next_worker_goes_on_in_the_same_run_and_opens_no_page_twice(site: HeldSite, tmp_path: Path) -> None:
    assignment, settings = begun(site, tmp_path)
    run = await die_on_the_second_page(site, assignment, settings)
    settings = msgspec.structs.replace(settings, seed="another process")
    async with WalkResources(settings) as resources:
        told = await AskTask(assignment).told(resources, walk_on)
    assert told.state == "answered"
    assert told.prediction.answer.startswith("31")
    assert Path(told.prediction.trace) == run
    assert read_run(run).problems == ()
    assert site.asked.count("/") == 1
    assert list((settings.runs_folder / NOTES).iterdir()) == []


@pytest.mark.parametrize("lost", ["run", "record"])
async def test_without_the_record_the_walk_begins_again(site: HeldSite, tmp_path: Path, lost: str) -> None:
    assignment, settings = begun(site, tmp_path)
    run = await die_on_the_second_page(site, assignment, settings)
    if lost == "run":
        shutil.rmtree(run)
    else:
        (run / "run.json").write_bytes(b"{")
    async with WalkResources(settings) as resources:
        told = await AskTask(assignment).told(resources, walk_on)
    assert told.state == "answered"
    assert Path(told.prediction.trace) != run
    assert site.asked.count("/") == 2


def test_another_question_or_another_model_is_another_walk(tmp_path: Path) -> None:
    settings = Settings(runs_folder=tmp_path)
    one = Assignment(id="q", question="Who?", roots=("http://a.example/",))
    note = digest_of(one, settings)
    assert digest_of(one, msgspec.structs.replace(settings, seed="2", secrets=("s",))) == note
    others = [
        digest_of(msgspec.structs.replace(one, question="When?"), settings),
        digest_of(msgspec.structs.replace(one, id="r"), settings),
        digest_of(one, msgspec.structs.replace(settings, limits=Limits(pages=4))),
    ]
    assert note not in others
    assert len(set(others)) == 3
