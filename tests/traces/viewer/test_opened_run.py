from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.traces.viewer.walks import made_run, write_start, write_step
from traces.errors import TraceReadError
from traces.events import ActionRefused, EdgeCall, PageFailed, PageOpened, PageRejected, StackMoved, WalkFailed
from traces.manifest import RunManifest
from traces.store.packing import pack_run
from traces.store.recorder import Recorder
from traces.viewer.library import Library
from traces.viewer.opened_run import OpenedRun
from traces.viewer.summary import summarise

RECORDINGS = Path(__file__).parents[2] / "recordings"


def rows_of(overview: dict[str, Any]) -> list[dict[str, Any]]:
    plain = json.loads(msgspec.json.encode(overview))
    return [dict(zip(plain["columns"], row, strict=True)) for row in plain["rows"]]


def recorder_of(folder: Path) -> Recorder:
    manifest = RunManifest(run_id="made", created=1.0, question="How many?", root_url="http://made.example/")
    return Recorder.create(folder, manifest, clock=lambda: 1.0)


def lines_of(folder: Path) -> list[bytes]:
    return (folder / "events.jsonl").read_bytes().splitlines()


def test_a_walk_becomes_a_row_a_step() -> None:
    overview = OpenedRun(RECORDINGS / "count").overview()
    rows = rows_of(overview)
    assert [row["step"] for row in rows] == [1, 2, 3]
    assert [row["title"] for row in rows] == ["Reef Station", "People", "People"]
    assert [row["parent"] for row in rows] == [0, 1, 1]
    assert [row["counted"] for row in rows] == [0, 3, 5]
    assert rows[0]["score"] == 67.0
    assert rows[0]["threshold"] == 70.0
    assert rows[1]["items"] == 3
    assert rows[-1]["sufficient"] is True
    summary = overview["summary"]
    assert (summary.state, summary.stop_reason, summary.pages, summary.steps) == ("ended", "answered", 3, 3)
    assert summary.answer.startswith("5 (Ana Ruiz")


def test_the_list_of_runs_tells_what_models_cost() -> None:
    summary = summarise(RECORDINGS / "model")
    assert summary.model == "scripted"
    assert summary.model_calls == sum(b'"seam":"chat"' in line for line in lines_of(RECORDINGS / "model"))
    assert summary.prompt_tokens > summary.completion_tokens > 0


def test_a_step_holds_its_events_and_the_stack_before_and_after() -> None:
    step = OpenedRun(RECORDINGS / "count").step(3)
    assert [frame["url"] for frame in step["before"]] == ["http://reef.example/"]
    assert [frame["step"] for frame in step["after"]] == [1, 3]
    kinds = [event["k"] for event in step["events"]]
    assert kinds[0] == "call"
    assert "verdict" in kinds


def test_what_spilled_into_a_blob_comes_whole_with_its_step(tmp_path: Path) -> None:
    recorder = recorder_of(tmp_path / "run")
    path = tuple(f"http://made.example/{'long' * 60}/{depth}" for depth in range(12))
    recorder.emit(PageOpened(step=1, url=path[-1], final_url=path[-1], key="k", status=200, title="Deep"))
    recorder.emit(StackMoved(step=1, change="push", depth=12, path=path, untried=0))
    recorder.close()
    assert b'"$b"' in lines_of(tmp_path / "run")[1]
    step = OpenedRun(tmp_path / "run").step(1)
    assert tuple(step["events"][1]["d"]["path"]) == path
    assert len(step["after"]) == 12


def test_what_went_wrong_is_listed_with_its_step_and_line(tmp_path: Path) -> None:
    recorder = recorder_of(tmp_path / "run")
    write_start(recorder)
    write_step(recorder, 1)
    recorder.emit(ActionRefused(step=1, action="FollowLink", reason="it leaves the site"))
    recorder.emit(PageFailed(step=2, url="http://made.example/x", kind="timeout", message="no answer"))
    recorder.emit(PageRejected(step=3, url="http://made.example/y", reason="soft 404"))
    call = EdgeCall(step=3, seam="chat", method="complete", fingerprint="f", occurrence=0, request={}, error="no key")
    recorder.emit(call)
    recorder.emit(WalkFailed(step=3, error="EndpointUnusable", message="no key"))
    recorder.close()
    overview = OpenedRun(tmp_path / "run").overview()
    assert [(problem.weight, problem.step) for problem in overview["problems"]] == [
        ("note", 1), ("warning", 2), ("note", 3), ("error", 3), ("error", 3),
    ]  # fmt: skip
    rows = rows_of(overview)
    assert (rows[0]["refusals"], rows[1]["outcome"], rows[2]["outcome"], rows[2]["errors"]) == (1, "failed", "error", 2)
    assert overview["summary"].state == "failed"


def test_a_run_is_read_on_while_it_is_written(tmp_path: Path) -> None:
    recorder = recorder_of(tmp_path / "run")
    write_start(recorder)
    write_step(recorder, 1)
    run = OpenedRun(tmp_path / "run")
    first = run.overview()
    assert first["summary"].state == "live"
    write_step(recorder, 2)
    more = run.overview(first["lines"])
    assert [row["step"] for row in rows_of(more)] == [2]
    assert more["lines"] == first["lines"] + 12
    recorder.close()
    assert run.overview()["summary"].state == "cut off"


def test_a_last_line_that_is_not_whole_yet_is_read_once_it_is(tmp_path: Path) -> None:
    made_run(tmp_path / "run", 2)
    log = tmp_path / "run" / "events.jsonl"
    whole = log.read_bytes()
    log.write_bytes(whole[:-200])
    run = OpenedRun(tmp_path / "run")
    cut = run.overview()
    assert any("truncated after" in problem.text for problem in cut["problems"])
    log.write_bytes(whole)
    assert run.overview()["lines"] == len(whole.splitlines())


@pytest.mark.parametrize("damage", [b"not json at all", b'{"seq":3}', b'{"seq":3,"t":"x\xff"}', b""])
def test_a_damaged_line_is_shown_and_the_rest_is_read(tmp_path: Path, damage: bytes) -> None:
    made_run(tmp_path / "run", 3)
    lines = lines_of(tmp_path / "run")
    lines[15] = damage
    (tmp_path / "run" / "events.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    run = OpenedRun(tmp_path / "run")
    overview = run.overview()
    assert [row["step"] for row in rows_of(overview)] == [1, 2, 3]
    hurt = [problem for problem in overview["problems"] if problem.weight == "error"]
    assert [problem.line for problem in hurt] == [16, 17]
    assert "altered" in hurt[1].text
    shown = [event for event in run.step(2)["events"] if event.get("damage")]
    assert shown[0]["k"] == "damaged"


def test_an_unknown_kind_and_other_fields_are_shown_as_they_are(tmp_path: Path) -> None:
    made_run(tmp_path / "run", 1)
    log = tmp_path / "run" / "events.jsonl"
    lines = lines_of(tmp_path / "run")
    new = b'{"seq":99,"t":9,"wall":1.0,"k":"net.req","step":1,"d":{"url":"http://made.example/"},"p":""}'
    odd = b'{"seq":99,"t":9,"wall":1.0,"k":"us","step":1,"d":{"score":"high"},"p":""}'
    log.write_bytes(b"\n".join([*lines, new, odd]) + b"\n")
    run = OpenedRun(tmp_path / "run")
    assert any("unknown fields" in problem.text for problem in run.overview()["problems"])
    assert run.step(1)["events"][-2]["d"] == {"url": "http://made.example/"}


def test_a_value_that_is_gone_is_told_and_stops_nothing(tmp_path: Path) -> None:
    made_run(tmp_path / "run", 2)
    for blob in (tmp_path / "run" / "blobs").glob("*/*"):
        blob.unlink()
    step = OpenedRun(tmp_path / "run").step(1)
    assert step["events"][0]["d"]["outcome"]["html"]["$missing"] == "the recorded value is missing"


@pytest.mark.parametrize("digest", ["../../run.json", "../" * 9 + "etc/passwd", "a" * 63, "A" * 64])
def test_a_reference_that_is_none_leads_nowhere(tmp_path: Path, digest: str) -> None:
    made_run(tmp_path / "run", 1)
    log = tmp_path / "run" / "events.jsonl"
    ref = {"$b": f"sha256:{digest}", "n": 9, "m": "application/json", "z": None, "basis": None}
    body = {"seq": 99, "t": 9, "wall": 1.0, "k": "findings", "step": 1, "d": {"findings": ref, "items": 0}, "p": ""}
    log.write_bytes(log.read_bytes() + json.dumps(body).encode() + b"\n")
    shown = OpenedRun(tmp_path / "run").step(1)["events"][-1]["d"]["findings"]
    assert shown == {"$missing": "the reference of a recorded value is damaged"}
    with pytest.raises(KeyError):
        Library(tmp_path).answer(f"run/blobs/{digest}")


def test_the_map_knows_the_way_of_the_walk_and_the_links_left() -> None:
    drawn = OpenedRun(RECORDINGS / "count").map()
    assert [page.step for page in drawn.pages] == [1, 2, 3]
    assert (1, 2) in drawn.links
    assert "http://reef.example/boats.html" in [url for url, _ in drawn.pages[0].unopened]


def test_a_library_lists_the_latest_run_first_and_what_cannot_be_read(tmp_path: Path) -> None:
    made_run(tmp_path / "20260101-a", 1)
    made_run(tmp_path / "20260102-b", 1)
    (tmp_path / "20260103-c").mkdir()
    (tmp_path / "20260103-c" / "run.json").write_text("{", encoding="utf-8")
    (tmp_path / "notes").mkdir()
    listed = json.loads(Library(tmp_path).answer("runs")[0])["runs"]
    assert [run["id"] for run in listed] == ["20260103-c", "20260102-b", "20260101-a"]
    assert listed[0]["state"] == "unreadable"
    with pytest.raises(TraceReadError):
        Library(tmp_path / "nowhere")
    with pytest.raises(KeyError):
        Library(tmp_path).open("../20260101-a")


def test_a_packed_run_is_read_where_it_lies(tmp_path: Path) -> None:
    made_run(tmp_path / "run", 3)
    pack_run(tmp_path / "run", tmp_path / "packed.zip")
    folder, packed = OpenedRun(tmp_path / "run"), OpenedRun(tmp_path / "packed.zip")
    assert rows_of(packed.overview()) == rows_of(folder.overview())
    assert packed.step(2) == folder.step(2)
    assert msgspec.json.encode(packed.map()) == msgspec.json.encode(folder.map())
    digest = folder.step(2)["events"][0]["d"]["outcome"]["html"]["$b"].removeprefix("sha256:")
    assert packed.blob(digest) == folder.blob(digest)
    assert Library(tmp_path / "packed.zip").single == "packed.zip"
    (tmp_path / "other.zip").write_bytes(b"no zip at all")
    listed = json.loads(Library(tmp_path).answer("runs")[0])["runs"]
    assert [(run["id"], run["state"]) for run in listed] == [
        ("run", "ended"),
        ("packed.zip", "ended"),
        ("other.zip", "unreadable"),
    ]
