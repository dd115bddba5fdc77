from __future__ import annotations

import os
import random
import resource
import signal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.loaded_program import run_loaded
from traces.errors import TraceReadError, TraceWriteError
from traces.events import ActionRefused, EdgeCall, GateDecided, MoveTaken, StackMoved
from traces.manifest import RunManifest, folder_name
from traces.reading.reader import read_run
from traces.redaction import Redactor
from traces.store.blobs import BlobStore, ref_of
from traces.store.encoding import decode_body, encode_body
from traces.store.recorder import Recorder

MANIFEST = RunManifest(run_id="r", created=1.0, question="why?", root_url="http://a.example/")


def recorder_at(folder: Path) -> Recorder:
    return Recorder.create(folder, MANIFEST, clock=lambda: 1.0)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    recorder = recorder_at(tmp_path / "run")
    events = (
        StackMoved(step=1, change="push", depth=1, path=("http://a.example/",), untried=3),
        GateDecided(step=1, choice="read", score=70.5, threshold=60.0, reason="the text carries the page"),
        EdgeCall(
            step=1,
            seam="browser",
            method="open",
            fingerprint="f",
            occurrence=0,
            request={"url": "x"},
            outcome={"a": [1, "é"]},
        ),
        MoveTaken(step=1, move="Open", url="http://a.example/" + "x" * 5000, reason=""),
    )
    for event in events:
        recorder.emit(event)
    recorder.seal("answered", {"pages": 1})
    recorder.close()
    run = read_run(tmp_path / "run")
    assert run.events == events
    assert run.problems == ()
    assert run.seal is not None
    assert [envelope.seq for envelope in run.envelopes] == [0, 1, 2, 3]
    assert max(map(len, (tmp_path / "run" / "events.jsonl").read_bytes().splitlines())) < 3000, "large values spill"
    assert (tmp_path / "run").stat().st_mode & 0o077 == 0


def test_a_flipped_byte_and_a_torn_tail_are_reported(tmp_path: Path) -> None:
    recorder = recorder_at(tmp_path / "run")
    for step in range(3):
        recorder.emit(MoveTaken(step=step, move="Pop", url="", reason="because"))
    recorder.close()
    log = tmp_path / "run" / "events.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"because"', b'"becauze"', 1) + b'{"seq":3')
    run = read_run(tmp_path / "run")
    assert len(run.events) == 3
    assert any("line 2 does not match" in problem for problem in run.problems)
    assert any("truncated" in problem for problem in run.problems)


def test_an_unknown_kind_is_skipped_and_a_newer_format_refused(tmp_path: Path) -> None:
    recorder = recorder_at(tmp_path / "run")
    recorder.emit(MoveTaken(step=0, move="Pop", url="", reason=""))
    recorder.close()
    log = tmp_path / "run" / "events.jsonl"
    log.write_bytes(log.read_bytes() + b'{"seq":1,"t":0,"wall":1.0,"k":"new.kind","step":0,"d":{},"p":""}\n')
    assert len(read_run(tmp_path / "run").events) == 1
    path = tmp_path / "run" / "run.json"
    path.write_text(path.read_text().replace("1,\n        0", "9,\n        0").replace("[\n    1,", "[\n    9,"))
    with pytest.raises(TraceReadError, match="newer version"):
        read_run(tmp_path / "run")


def test_a_blob_that_was_altered_is_named(tmp_path: Path) -> None:
    store = BlobStore(tmp_path)
    ref = store.put(b"x" * 1000, "text/plain")
    assert store.get(ref) == b"x" * 1000
    store.path_of(ref).write_bytes(b"junk")
    with pytest.raises(TraceReadError, match="damaged"):
        store.get(ref)
    store.path_of(ref).unlink()
    with pytest.raises(TraceReadError, match="missing"):
        store.get(ref)


def test_every_acknowledged_event_survives_kill_9(tmp_path: Path) -> None:
    chance = random.Random(7)
    for number in range(8):
        folder = tmp_path / f"run{number}"
        acknowledged = -1
        with run_loaded("tests.traces.store.recorded_for_ever", str(folder)) as child:
            assert child.stdout is not None
            for _ in range(chance.randrange(1, 300)):
                acknowledged = int(child.stdout.readline())
            child.kill()
            rest = child.stdout.read().split()
        acknowledged = max([acknowledged, *(int(word) for word in rest if word.isdigit())])
        run = read_run(folder)
        assert len(run.events) >= acknowledged + 1
        assert [event.step for event in run.events] == list(range(len(run.events)))
        assert all("truncated" in problem for problem in run.problems)


def emit_moves(recorder: Recorder, count: int) -> None:
    for step in range(count):
        recorder.emit(MoveTaken(step=step, move="Open", url="http://a/", reason="r"))


def test_a_full_disk_stops_loudly_and_leaves_the_log_whole(tmp_path: Path) -> None:
    recorder = recorder_at(tmp_path / "run")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, before[1]))
    try:
        with pytest.raises(TraceWriteError):
            emit_moves(recorder, 100)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
        recorder.close()
    run = read_run(tmp_path / "run")
    assert len(run.events) >= 5
    assert run.problems == ()


@given(
    st.text(max_size=40), st.floats(allow_nan=False, allow_infinity=False), st.lists(st.text(max_size=9), max_size=5)
)
def test_every_body_comes_back(text: str, score: float, path: list[str]) -> None:
    kept: dict[str, bytes] = {}

    def put(data: bytes, media: str):  # type: ignore[no-untyped-def]
        ref = ref_of(data, media)
        kept[ref.digest] = data
        return ref

    for event in (
        GateDecided(step=2, choice="look", score=score, threshold=60.0, reason=text),
        StackMoved(step=3, change="pop", depth=len(path), path=tuple(path), untried=0),
    ):
        kind, step, body = encode_body(event, put)
        assert decode_body(kind, step, body, lambda ref: kept[ref.digest]) == event


def test_redaction_covers_every_written_form() -> None:
    redactor = Redactor(('s3cr&t "q"',), b"k")
    for form in (
        b's3cr&t "q"',
        b's3cr&t \\"q\\"',
        b"s3cr%26t%20%22q%22",
        b"s3cr%26t+%22q%22",
        b"s3cr&amp;t &quot;q&quot;",
    ):
        assert b"s3cr" not in redactor.clean(b"before " + form + b" after")
    assert (
        redactor.clean(b"http://u:pw@h/?access_token=abcdefgh&code=CS101")
        == b"http://(secret)@h/?access_token=(secret)&code=CS101"
    )
    field = b'<input type="password" value="abc">'
    assert redactor.clean(field) == b'<input type="password" value="(secret)">'
    assert redactor.clean(redactor.clean(field)) == redactor.clean(field)
    assert redactor.clean_headers({"Content-Type": "text/html", "Cookie": "a=b"}) == {
        "Content-Type": "text/html",
        "Cookie": "(secret)",
    }


def test_a_folder_name_reads_like_the_question() -> None:
    name = folder_name("20260101-120000", "How many people/../etc are there?", "a1b2c3")
    assert name == "20260101-120000-how-many-people-etc-are-there-a1b2c3"
    assert os.sep not in name


def test_a_reader_may_ask_for_some_kinds_alone(tmp_path: Path) -> None:
    recorder = recorder_at(tmp_path / "run")
    for step in (1, 2):
        recorder.emit(MoveTaken(step=step, move="Open", url="http://a/", reason=""))
        recorder.emit(ActionRefused(step=step, action="Open", reason="x" * 5000))
    recorder.close()
    run = read_run(tmp_path / "run", frozenset(("refusal",)))
    assert run.events == tuple(ActionRefused(step=step, action="Open", reason="x" * 5000) for step in (1, 2))
    assert [envelope.seq for envelope in run.envelopes] == [1, 3]
    assert run.problems == ()
