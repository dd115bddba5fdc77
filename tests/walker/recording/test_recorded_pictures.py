"""Pictures for the record: one of every page, and nothing of the walk or its replay changes for them."""

from __future__ import annotations

import contextlib
from pathlib import Path

import msgspec
import pytest

from perception.element_map import View
from perception.geometry import Box
from perception.images.image import encode_picture, opencv
from tests.fixtures.paper import HOME, PAGES, crew_for, rules_for, task_for
from traces.events import EdgeCall, PageOpened
from traces.manifest import RunManifest
from traces.reading.reader import Run, read_run
from traces.store.recorder import Recorder
from walker.recording.recording import Recording
from walker.recording.recording_proxies import RecordingSink, with_recording
from walker.run_setup import recorded_settings
from walker.runs.replay import replay_run, resume_run
from walker.seams.outcome import Outcome
from walker.settings import Settings
from walker.testing.fakes import Paper, PaperSite
from walker.walk.loop import walk

QUESTION = "How many people are listed on the 'People' page?"


def painted(url: str) -> View:
    picture = opencv().cvtColor(opencv().UMat(80, 120, 0).get(), opencv().COLOR_GRAY2BGR)
    picture[:] = (hash(url) % 200, 120, 90)
    return View(
        url=url, picture=encode_picture(picture), width=120, height=80, shown=Box(x=0, y=0, width=1200, height=800)
    )


def painted_site() -> PaperSite:
    pages = {
        url: msgspec.structs.replace(page if isinstance(page, Paper) else Paper(html=page), view=painted(url))
        for url, page in PAGES.items()
    }
    return PaperSite(pages)


async def recorded(folder: Path, *, pictures: bool) -> tuple[Outcome, Run]:
    task = task_for(QUESTION)
    manifest = RunManifest(
        run_id="p",
        created=1.0,
        question=task.question,
        root_url=HOME,
        settings=recorded_settings(Settings(scout_pages=0)),
    )
    recorder = Recorder.create(folder, manifest, clock=lambda: 1.0)
    with contextlib.closing(recorder):
        recording = Recording(recorder=recorder)
        edges = with_recording(crew_for(painted_site()), recording, pictures=pictures)
        outcome = await walk(task, edges, rules_for(task), RecordingSink(recorder, recording))
    return outcome, read_run(folder)


def pictures_of(run: Run) -> list[EdgeCall]:
    return [event for event in run.events if isinstance(event, EdgeCall) and event.seam == "picture"]


async def test_every_page_is_drawn_for_the_record(tmp_path: Path) -> None:
    _, run = await recorded(tmp_path / "run", pictures=True)
    # The address that cannot exist, by which a walk tells a short page from an error page, has nothing painted on it.
    drawn = [call for call in pictures_of(run) if "picture" in call.outcome]
    assert [(call.step, call.request["url"]) for call in drawn] == [
        (event.step, event.url) for event in run.events if isinstance(event, PageOpened)
    ]
    assert [call.request["url"] for call in drawn][:2] == [HOME, f"{HOME}people.html"]
    assert len(drawn) == 3
    assert {call.outcome["picture"]["m"] for call in drawn} == {"image/png"}


async def test_the_walk_is_the_same_without_them(tmp_path: Path) -> None:
    with_them, drawn = await recorded(tmp_path / "with", pictures=True)
    without, plain = await recorded(tmp_path / "without", pictures=False)
    assert with_them == without
    assert pictures_of(plain) == []
    assert [event for event in drawn.events if event not in pictures_of(drawn)] == list(plain.events)


@pytest.mark.parametrize("deep", [False, True])
async def test_a_replay_takes_no_notice_of_them(tmp_path: Path, deep: bool) -> None:
    outcome, _ = await recorded(tmp_path / "run", pictures=True)
    report = await replay_run(tmp_path / "run", deep=deep)
    assert report.problems == ()
    assert report.outcome is not None
    assert report.outcome.answer == outcome.answer


async def test_a_walk_that_ended_is_told_again_with_them_on_record(tmp_path: Path) -> None:
    outcome, _ = await recorded(tmp_path / "run", pictures=True)
    assert (await resume_run(tmp_path / "run", settings=Settings())).answer == outcome.answer
