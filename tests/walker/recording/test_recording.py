from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from memory.state import WalkMemory
from perception.element_map import ElementMap, PageElement, View
from perception.geometry import Box
from perception.observation import Observation
from perception.snapshot import Layout, Media, Snapshot
from tests.fixtures.paper import HOME, PAGES, crew_for, rules_for, task_for
from traces.events import EdgeCall, Event, Forked, PageOpened, WalkStarted
from traces.manifest import RunManifest
from traces.reading.reader import read_run
from traces.recorded_calls import RecordedCalls
from traces.store.recorder import Recorder
from walker.errors import BrowserUnavailable, Divergence
from walker.recording.recording import Recording
from walker.recording.recording_proxies import ComparingSink, RecordingSink, ResumingSink, with_recording
from walker.run_setup import recorded_settings
from walker.runs.replay import replay_run, task_of
from walker.seams.actions import Click, Operate
from walker.seams.outcome import Outcome
from walker.seams.protocols import PageFailure
from walker.settings import Settings
from walker.testing.fakes import EventList, Paper, PaperSite
from walker.walk.loop import walk

QUESTION = "How many people are listed on the 'People' page?"
PRESS = Operate(action=Click(control_id=1), selector="#more", reason="more of the list")
LARGE = Layout(
    viewport_width=1280,
    viewport_height=800,
    page_height=90_000,
    media=tuple(
        Media(kind="img", box=Box(x=0, y=float(number), width=40, height=40), name=f"coral {number}")
        for number in range(80)
    ),
)


class Gallery(PaperSite):
    """Pages full of pictures, so that what is kept of one does not fit on a line; from its page `dies_at` on it is gone."""

    def __init__(self, dies_at: int = 0) -> None:
        super().__init__(PAGES)
        self._dies_at = dies_at

    async def open(self, url: str) -> Snapshot | PageFailure:
        if self._dies_at and len(self.opened) + 1 >= self._dies_at:
            raise BrowserUnavailable("the browser died twice", where=url, advice="Start it again")
        page = await super().open(url)
        return msgspec.structs.replace(page, layout=LARGE) if isinstance(page, Snapshot) else page

    async def see(self, *, whole: bool = False, box: Box | None = None, scale: float = 1.0) -> View | PageFailure:
        elements = (PageElement(id=1, kind="text", role="text", name="", text="Reef", x=0, y=0, width=9, height=9),)
        picture = f"{self._current} {whole}".encode()
        return View(
            url=self._current, picture=picture, width=9, height=9, shown=SHOWN, map=ElementMap(elements=elements)
        )


SHOWN = Box(x=0, y=0, width=9, height=9)


def new_recorder(folder: Path) -> Recorder:
    manifest = RunManifest(
        run_id="abc", created=1.0, question=QUESTION, root_url=HOME, settings=recorded_settings(Settings(scout_pages=0))
    )
    return Recorder.create(folder, manifest, clock=time.time)


async def record(folder: Path, site: PaperSite) -> Outcome:
    task, recorder = task_for(QUESTION), new_recorder(folder)
    recording = Recording(recorder=recorder)
    try:
        return await walk(
            task, with_recording(crew_for(site), recording), rules_for(task), RecordingSink(recorder, recording)
        )
    finally:
        recorder.close()


async def fork(parent: Path, folder: Path, after_step: int, site: PaperSite) -> Outcome:
    run, recorder = read_run(parent), new_recorder(folder)
    recorder.emit(Forked(step=after_step, parent_run=run.manifest.run_id, after_step=after_step))
    recording = Recording(
        recorded_calls=RecordedCalls(run.events), blobs=run.blobs, recorder=recorder, last_step=after_step
    )
    task = task_of(run)
    try:
        return await walk(
            task, with_recording(crew_for(site), recording), rules_for(task), RecordingSink(recorder, recording)
        )
    finally:
        recorder.close()


def opened_after(folder: Path, step: int) -> list[str]:
    return [
        call.request["url"]
        for call in read_run(folder).events
        if isinstance(call, EdgeCall) and call.method == "open" and call.step > step
    ]


def derived(folder: Path) -> list[Event]:
    return [event for event in read_run(folder).events if not isinstance(event, EdgeCall | Forked)]


def test_a_call_belongs_to_the_page_it_opens(tmp_path: Path) -> None:
    recording = Recording()
    recording.note(WalkStarted(question="q", root_url=HOME, language="en", requirement={}, settings={}))
    assert recording.step == 1


async def test_calls_and_pages_have_the_same_steps(tmp_path: Path) -> None:
    await record(tmp_path / "run", PaperSite(PAGES))
    events = read_run(tmp_path / "run").events
    opened = {event.url: event.step for event in events if isinstance(event, PageOpened)}
    asked = {
        event.request["url"]: event.step for event in events if isinstance(event, EdgeCall) and event.method == "open"
    }
    assert len(opened) >= 3
    assert {url: asked[url] for url in opened} == opened


@pytest.mark.parametrize("after_step", [0, 1, 2, 3])
async def test_a_fork_goes_live_after_its_step_and_is_complete_by_itself(tmp_path: Path, after_step: int) -> None:
    outcome = await record(tmp_path / "parent", Gallery())
    site = Gallery()
    forked = await fork(tmp_path / "parent", tmp_path / "fork", after_step, site)
    assert site.opened == opened_after(tmp_path / "parent", after_step)
    assert forked.answer == outcome.answer
    shutil.rmtree(tmp_path / "parent")
    assert read_run(tmp_path / "fork").problems == ()
    report = await replay_run(tmp_path / "fork")
    assert report.outcome is not None
    assert report.outcome.answer == outcome.answer


async def test_a_fork_of_unchanged_pages_makes_the_same_walk(tmp_path: Path) -> None:
    await record(tmp_path / "parent", PaperSite(PAGES))
    await fork(tmp_path / "parent", tmp_path / "fork", 1, PaperSite(PAGES))
    for one, other in zip(derived(tmp_path / "parent"), derived(tmp_path / "fork"), strict=True):
        assert one == other


async def test_an_edge_that_failed_fails_alike_in_a_replay_and_is_tried_again_by_a_resume(tmp_path: Path) -> None:
    whole = await record(tmp_path / "whole", Gallery())
    with pytest.raises(BrowserUnavailable):
        await record(tmp_path / "run", Gallery(dies_at=3))
    report = await replay_run(tmp_path / "run")
    assert report.outcome is None
    assert "the browser died twice" in report.ended_with

    run, site = read_run(tmp_path / "run"), Gallery()
    recorder = Recorder.resume(tmp_path / "run", clock=time.time)
    recording = Recording(recorded_calls=RecordedCalls(run.events), blobs=run.blobs, recorder=recorder)
    task, sink = task_of(run), ResumingSink(ComparingSink(run, recording), recorder)
    resumed = await walk(task, with_recording(crew_for(site), recording), rules_for(task), sink)
    recorder.close()
    assert resumed.answer == whole.answer
    report = await replay_run(tmp_path / "run")
    assert report.outcome is not None
    assert report.outcome.answer == whole.answer


async def test_a_browser_that_goes_live_within_a_page_is_brought_there_first(tmp_path: Path) -> None:
    class Pressed(PaperSite):
        def __init__(self) -> None:
            more = {"#more": "<p>one</p><button id=more>"}
            super().__init__({HOME: Paper(html="<button id=more>", controls=more)})
            self.pressed = 0

        async def act(self, move: Operate) -> Snapshot | PageFailure:
            self.pressed += 1
            return await super().act(move)

    recorder = new_recorder(tmp_path / "run")
    browser = with_recording(crew_for(Pressed()), Recording(recorder=recorder)).browser
    await browser.open(HOME)
    first = await browser.act(PRESS)
    view = await browser.see()
    recorder.close()

    run, site = read_run(tmp_path / "run"), Pressed()
    recorder = Recorder.resume(tmp_path / "run", clock=time.time)
    recording = Recording(recorded_calls=RecordedCalls(run.events), blobs=run.blobs, recorder=recorder)
    browser = with_recording(crew_for(site), recording).browser
    await browser.open(HOME)
    assert await browser.act(PRESS) == first
    assert await browser.see() == view
    assert (site.opened, site.pressed) == ([], 0)
    await browser.act(PRESS)
    recorder.close()
    assert (site.opened, site.pressed) == ([HOME], 2)


async def test_a_view_is_on_the_tape(tmp_path: Path) -> None:
    recorder = new_recorder(tmp_path / "run")
    browser = with_recording(crew_for(Gallery()), Recording(recorder=recorder)).browser
    await browser.open(HOME)
    views = [await browser.see(), await browser.see(whole=True)]
    recorder.close()
    run = read_run(tmp_path / "run")
    recording = Recording(recorded_calls=RecordedCalls(run.events), blobs=run.blobs, may_go_live=False)
    browser = with_recording(crew_for(PaperSite({})), recording).browser
    await browser.open(HOME)
    assert [await browser.see(), await browser.see(whole=True)] == views
    assert isinstance(views[0], View)
    assert views[0].picture == f"{HOME} False".encode()
    assert views[0].map.elements[0].text == "Reef"
    with pytest.raises(Divergence, match="the recording ends here"):
        await browser.see()


async def test_a_redirect_to_a_credential_is_recorded_without_it_and_replays(tmp_path: Path) -> None:
    secret = HOME + "people2.html?access_token=Zebra77Zebra"
    pages = {**PAGES, HOME + "people.html": Paper(redirect=secret), secret: PAGES[HOME + "people.html"]}
    await record(tmp_path / "run", PaperSite(pages))
    kept = b"".join(path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file())
    assert b"access_token=(secret)" in kept
    assert b"Zebra77" not in kept
    assert (await replay_run(tmp_path / "run")).outcome is not None


def damage_missing(blob: Path) -> None:
    blob.unlink()


def damage_altered(blob: Path) -> None:
    blob.write_bytes(b"junk")


@pytest.mark.parametrize(("damage", "said"), [(damage_missing, "missing"), (damage_altered, "damaged")])
async def test_a_damaged_record_is_one_line_that_names_the_call(
    tmp_path: Path, damage: Callable[[Path], None], said: str
) -> None:
    await record(tmp_path / "run", PaperSite(PAGES))
    for blob in sorted((tmp_path / "run" / "blobs").rglob("*")):
        if blob.is_file():
            damage(blob)
    with pytest.raises(Divergence, match=rf"step 1, browser\.open: the recorded value is {said}.*damaged from here on"):
        await replay_run(tmp_path / "run")


async def test_calls_made_side_by_side_are_answered_in_any_order(tmp_path: Path) -> None:
    recorder = new_recorder(tmp_path / "run")
    browser = with_recording(crew_for(Gallery()), Recording(recorder=recorder)).browser
    urls = [HOME, HOME + "boats.html", HOME]
    for url in urls:
        await browser.open(url)
    recorder.close()
    run = read_run(tmp_path / "run")
    recording = Recording(recorded_calls=RecordedCalls(run.events), blobs=run.blobs, may_go_live=False)
    browser = with_recording(crew_for(PaperSite({})), recording).browser
    pages = [await browser.open(url) for url in reversed(urls)]
    assert [page.fetched_at for page in pages if isinstance(page, Snapshot)] == [1.0, 2.0, 3.0]


async def test_what_was_not_asked_is_named_with_what_was(tmp_path: Path) -> None:
    recorder = new_recorder(tmp_path / "run")
    await with_recording(crew_for(PaperSite(PAGES)), Recording(recorder=recorder)).browser.open(HOME)
    recorder.close()
    run = read_run(tmp_path / "run")
    recording = Recording(recorded_calls=RecordedCalls(run.events), blobs=run.blobs)
    with pytest.raises(
        Divergence,
        match=r"browser\.open asks for something else: url: expected .* the recording goes on with browser\.open",
    ):
        await with_recording(crew_for(PaperSite(PAGES)), recording).browser.open(HOME + "boats.html")


async def test_a_call_says_how_long_it_took(tmp_path: Path) -> None:
    ticks = iter(range(1000))
    manifest = RunManifest(run_id="abc", created=1.0, question=QUESTION, root_url=HOME)
    recorder = Recorder.create(tmp_path / "run", manifest, clock=lambda: float(next(ticks)))
    await with_recording(crew_for(PaperSite(PAGES)), Recording(recorder=recorder)).browser.open(HOME)
    recorder.close()
    (call,) = read_run(tmp_path / "run").events
    assert isinstance(call, EdgeCall)
    assert call.seconds == 1.0


async def test_an_unrecorded_walk_and_a_recorded_one_are_the_same(tmp_path: Path) -> None:
    task, plain = task_for(QUESTION), EventList()
    await walk(task, crew_for(PaperSite(PAGES)), rules_for(task), plain)
    await record(tmp_path / "run", PaperSite(PAGES))
    assert derived(tmp_path / "run") == plain.events


async def test_only_a_browser_that_is_live_fetches_ahead(tmp_path: Path) -> None:
    site = PaperSite(PAGES)
    recorder = new_recorder(tmp_path / "run")
    browser = with_recording(crew_for(site), Recording(recorder=recorder)).browser
    await browser.open(HOME)
    await browser.fetch_ahead((HOME + "people",))
    recorder.close()
    assert site.fetched == [HOME + "people"]

    run, site = read_run(tmp_path / "run"), PaperSite(PAGES)
    recorder = Recorder.resume(tmp_path / "run", clock=time.time)
    recording = Recording(recorded_calls=RecordedCalls(run.events), blobs=run.blobs, recorder=recorder)
    browser = with_recording(crew_for(site), recording).browser
    await browser.fetch_ahead((HOME + "ahead-of-the-record",))
    await browser.open(HOME)
    await browser.fetch_ahead((HOME + "at-its-end",))
    assert (site.opened, site.fetched) == ([], [])
    await browser.open(HOME + "people")
    await browser.fetch_ahead((HOME,))
    recorder.close()
    assert (site.opened, site.fetched) == ([HOME + "people"], [HOME])


async def test_a_proposal_made_ahead_that_the_record_lacks_waits_until_it_is_needed(tmp_path: Path) -> None:
    recorder = new_recorder(tmp_path / "run")
    await with_recording(crew_for(PaperSite(PAGES)), Recording(recorder=recorder)).browser.open(HOME)
    recorder.close()
    run, needed = read_run(tmp_path / "run"), asyncio.Event()
    recording = Recording(recorded_calls=RecordedCalls(run.events), blobs=run.blobs, may_go_live=False)
    explorer = with_recording(crew_for(PaperSite(PAGES)), recording).explorer_ahead(needed)
    observation = Observation(url=HOME, status=200)
    proposing = asyncio.ensure_future(explorer.propose(task_for(QUESTION), observation, WalkMemory(step=1), ()))
    for _ in range(5):
        await asyncio.sleep(0)
    assert not proposing.done(), "the walk may have dropped it"
    needed.set()
    with pytest.raises(Divergence, match=r"explorer\.propose"):
        await proposing
