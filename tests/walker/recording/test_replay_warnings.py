"""What is noted while a network is recorded: why a page may not come out again as it was."""

from __future__ import annotations

import io
import json
import os
import re
from pathlib import Path

import pytest
import pytest_asyncio
from warcio.archiveiterator import ArchiveIterator

from perception.snapshot import Snapshot
from tests.fixtures.network_walk import record_pages
from tests.recordings.make import FOLDER
from tests.sites.restless import SECRET, serve_restless
from traces.events import EdgeCall, ReplayWarning, StreamMessage
from traces.reading.reader import read_run
from traces.reading.streams import event_stream_of, read_streams
from traces.replay_warnings import count_warnings, describe_warning, replay_warnings_of, summarize_warnings
from traces.viewer.summary import summarise
from walker.browser.launch.chromium import Chromium
from walker.browser.launch.find_chromium import find_browser
from walker.browser.launch.kept_chromium import keep_chromium
from walker.recording.recorded_pages import load_page
from walker.runs.browser_replay import replay_in_browser
from walker.runs.export import export_runs
from walker.settings import Settings

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.usefixtures("kept_chromium")]
CHROMIUM = os.environ.get("WALKER_CHROMIUM", "")
RAIN = "id: 3\nevent: rain\ndata: 3 mm\n\nid: 4\nevent: rain\ndata: 4 mm\n\n"
PATHS = ("", "gauge", "draw", "slow", "plain", "coin")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def recorded(tmp_path_factory: pytest.TempPathFactory, chromium: Chromium) -> Path:
    folder = tmp_path_factory.mktemp("restless") / "run"
    with serve_restless() as root, keep_chromium(find_browser(), chromium):
        await record_pages(folder, root, PATHS, chromium=CHROMIUM, secrets=[SECRET])
    return folder


def noted(run: Path, step: int) -> dict[str, str]:
    return {doubt.kind: doubt.detail for doubt in replay_warnings_of(read_run(run).events) if doubt.step == step}


async def test_a_time_that_stands_in_the_page_is_noted(recorded: Path) -> None:
    assert noted(recorded, 1) == {"clock": "a value that the page read is shown on it"}


async def test_streams_are_kept_message_by_message(recorded: Path) -> None:
    assert noted(recorded, 2) == {
        "websocket": "its messages come in their order, not at their moments",
        "event stream": "its messages come all at once, and then it ends",
    }
    (socket, rain), lost = read_streams(read_run(recorded))
    assert lost == ()
    said = [message.text for message in socket.messages if not message.is_sent]
    assert (said, socket.kind, socket.dropped) == (["hello", "11 knots", "12 knots"], "websocket", 0)
    assert [message.text for message in socket.messages if message.is_sent] == ["more", "more"]
    assert [(message.event, message.id, message.text) for message in rain.messages] == [
        ("rain", "3", "3 mm"),
        ("rain", "4", "4 mm"),
    ]


async def test_a_lot_a_worker_and_a_hidden_secret_are_noted(recorded: Path) -> None:
    assert noted(recorded, 3) == {
        "random numbers": "a value that the page read is shown on it",
        "service worker": "it was blocked, as in a replay",
        "redacted": "its content",
    }


async def test_a_coin_that_was_thrown_is_noted_as_a_guess(recorded: Path) -> None:
    assert noted(recorded, 6) == {"random numbers": "the page changed right after reading it"}


async def test_an_answer_without_an_end_is_noted_and_a_page_at_rest_is_not(recorded: Path) -> None:
    assert noted(recorded, 4) == {"body missing": "its response was incomplete when the page was read"}
    assert noted(recorded, 5) == {}


async def test_what_was_noted_is_told_and_counted(recorded: Path) -> None:
    doubts = replay_warnings_of(read_run(recorded).events)
    assert summarize_warnings(doubts).startswith("steps 1, ")
    assert count_warnings(doubts)["clock"] == 1
    assert summarise(recorded).doubts == count_warnings(doubts)
    assert describe_warning(doubts[0]).startswith(
        "step 1, clock: a value that the page read is shown on it (http://127.0.0.1:"
    )


async def test_a_browser_gets_the_streams_again_with_the_site_gone(recorded: Path) -> None:
    report = await replay_in_browser(recorded, Settings(chromium=CHROMIUM))
    rungs = {page.step: page.rung for page in report.pages}
    assert (rungs[2], rungs[5]) == ("exact", "exact"), report
    assert rungs[3] == "major", "another lot is drawn"
    assert [doubt.step for doubt in report.doubts][:1] == [1]
    assert [line for line in report.unrecorded if "favicon" not in line] == []


async def test_a_pinned_recording_comes_out_exactly(tmp_path: Path) -> None:
    with serve_restless() as root:
        await record_pages(tmp_path / "run", root, ("", "draw", "dice"), chromium=CHROMIUM, pinned_at=1_763_000_000.5)
    assert {kind for step in (1, 2, 3) for kind in noted(tmp_path / "run", step)} == {"service worker"}
    report = await replay_in_browser(tmp_path / "run", Settings(chromium=CHROMIUM))
    assert [page.rung for page in report.pages] == ["exact"] * 3, report
    page = recorded_page(tmp_path / "run", 3)
    assert "Now 1763000000516, then 1763000000532, for 16 ms" in page
    assert re.search(r"id [0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b", page)


def recorded_page(run: Path, step: int) -> str:
    read = read_run(run)
    call = next(event for event in read.events if isinstance(event, EdgeCall) and event.step == step)
    page = load_page(call.outcome, read.blobs.get)
    assert isinstance(page, Snapshot)
    return page.html


async def test_archives_hold_the_streams_as_far_as_they_have_a_form(recorded: Path) -> None:
    entries = json.loads(export_runs([recorded], "har").data)["log"]["entries"]
    (socket,) = [entry for entry in entries if entry["_resourceType"] == "websocket"]
    assert (socket["response"]["status"], socket["request"]["url"].startswith("ws://")) == (101, True)
    messages = socket["_webSocketMessages"]
    assert sorted({(one["type"], one["opcode"]) for one in messages}) == [("receive", 1), ("send", 1)]
    assert messages[-1]["data"] == "12 knots"
    assert messages[0]["time"] > 1e9
    (rain,) = [entry for entry in entries if entry["_resourceType"] == "eventsource"]
    assert rain["response"]["content"]["text"] == RAIN
    kept = {}
    for record in ArchiveIterator(io.BytesIO(export_runs([recorded], "warc").data), check_digests="raise"):
        address = (record.rec_headers.get_header("WARC-Target-URI") or "").rpartition("/")[2]
        kept[record.rec_type, address] = record.content_stream().read()
    assert kept["response", "events"] == RAIN.encode()
    assert kept["metadata", "socket"] == b"websocket: 5 messages, for which WARC has no record type\r\n"


async def test_an_event_stream_is_written_as_servers_write_it() -> None:
    messages = [StreamMessage(at=1.0, text="a\nb"), StreamMessage(at=2.0, text="", event="end", id="7")]
    assert event_stream_of(messages) == b"data: a\ndata: b\n\nid: 7\nevent: end\ndata: \n\n"


async def test_a_walk_without_its_network_has_none() -> None:
    assert summarize_warnings(replay_warnings_of(read_run(FOLDER / "single").events)) == ""
    assert summarise(FOLDER / "single").doubts == {}
    assert summarize_warnings([ReplayWarning(step=2, kind="clock", url="http://a/")]) == (
        "step 2 may not replay exactly in a browser (clock 1)"
    )
