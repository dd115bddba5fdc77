"""One body for every implementation of the PageReader seam."""

from __future__ import annotations

import time
from pathlib import Path

import msgspec
import pytest

from perception.snapshot import Snapshot
from tests.fixtures.paper import HOME, PAGES, crew_for
from traces.manifest import RunManifest
from traces.reading.reader import read_run
from traces.recorded_calls import RecordedCalls
from traces.store.recorder import Recorder
from walker.browser.page.live_reader import LiveReader
from walker.recording.recording import Recording
from walker.recording.recording_proxies import with_recording
from walker.seams.protocols import PageReader
from walker.testing.fakes import PaperSite

PAGE = str(PAGES[HOME + "boats.html"])
ODD = {
    "empty": "",
    "no HTML": "\x00\x01\x02 words \x7f",
    "never closed": "<table><tr><td><a href='/x'>x<div><p" * 50,
    "deep": "<div>" * 3000 + "deep down",
    "half a letter": "<p>half \ud83d</p>",
    "broken addresses": "<a href='http://[::1'>one</a><a href='//'>two</a><a href='http://a b/'>three</a>",
    "XML": "<?xml version='1.0' encoding='utf-16'?><feed><entry>one</entry></feed>",
}


def snapshot(html: str) -> Snapshot:
    return Snapshot(url=HOME + "go", final_url=HOME + "boats.html", status=200, html=html)


@pytest.fixture(params=["live", "recording", "replaying"])
async def reader(request: pytest.FixtureRequest, tmp_path: Path) -> PageReader:
    if request.param == "live":
        return LiveReader()
    edges = crew_for(PaperSite({}))
    manifest = RunManifest(run_id="r", created=1.0, question="q", root_url=HOME)
    recorder = Recorder.create(tmp_path / "run", manifest, clock=time.time)
    recording = with_recording(edges, Recording(recorder=recorder)).reader
    if request.param == "recording":
        return recording
    for html in (PAGE, PAGE, *ODD.values()):
        await recording.read(snapshot(html))
    recorder.close()
    run = read_run(tmp_path / "run")
    replay = Recording(recorded_calls=RecordedCalls(run.events), blobs=run.blobs, may_go_live=False)
    return with_recording(edges, replay).reader


async def test_an_observation_is_that_of_the_page_and_equal_for_equal_pages(reader: PageReader) -> None:
    given = snapshot(PAGE)
    before = msgspec.json.encode(given)
    first, second = await reader.read(given), await reader.read(snapshot(PAGE))
    assert first == second
    assert (first.url, first.status, first.title) == (HOME + "boats.html", 200, "Boats")
    assert "18.4 metres long" in " ".join(block.text for block in first.blocks)
    assert [link.url for link in first.links] == [HOME]
    assert msgspec.json.encode(given) == before
    with pytest.raises(AttributeError):
        first.title = "another"  # type: ignore[misc]


async def test_whatever_the_page_is_it_is_read(reader: PageReader) -> None:
    for name, html in ODD.items():
        observation = await reader.read(snapshot(html))
        assert observation.url == HOME + "boats.html", name
