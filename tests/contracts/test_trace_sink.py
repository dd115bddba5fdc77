"""One body for every implementation of the TraceSink seam."""

from __future__ import annotations

import io
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from tests.recordings.make import FOLDER
from traces.events import OUTSIDE_THE_WALK, Event
from traces.reading.reader import read_run
from traces.recorded_calls import RecordedCalls
from traces.store.recorder import Recorder
from walker.errors import Divergence
from walker.progress import ProgressLines
from walker.recording.recording import Recording
from walker.recording.recording_proxies import ComparingSink, RecordingSink, ResumingSink
from walker.run_setup import Tee
from walker.seams.protocols import TraceSink
from walker.testing.fakes import EventList

WRITING = ("recording", "resuming", "tee of a recorder")
IMPLEMENTATIONS = (*WRITING, "list", "tee", "progress", "comparing")


def walked() -> tuple[Event, ...]:
    """The events of a real walk that the walk itself tells, in order."""
    return tuple(event for event in read_run(FOLDER / "count").events if not isinstance(event, OUTSIDE_THE_WALK))


@pytest.fixture
def recorder(tmp_path: Path) -> Iterator[Recorder]:
    made = Recorder.create(tmp_path / "run", read_run(FOLDER / "count").manifest, clock=time.time)
    yield made
    made.close()


@pytest.fixture(params=IMPLEMENTATIONS)
def sink(request: pytest.FixtureRequest, recorder: Recorder, tmp_path: Path) -> TraceSink:
    run = read_run(FOLDER / "count")
    recording = Recording(recorded_calls=RecordedCalls(run.events), blobs=run.blobs)
    match request.param:
        case "recording":
            return RecordingSink(recorder, recording)
        case "resuming":  # of a walk that was cut off before its first event
            cut = Path(shutil.copytree(FOLDER / "count", tmp_path / "cut"))
            (cut / "events.jsonl").write_bytes(b"")
            return ResumingSink(ComparingSink(read_run(cut), recording), recorder)
        case "tee of a recorder":
            return Tee(EventList(), RecordingSink(recorder, recording), None)
        case "list":
            return EventList()
        case "tee":
            return Tee(EventList(), None, EventList())
        case "progress":
            return ProgressLines(Console(file=io.StringIO()), verbose=True)
        case _:
            return ComparingSink(run, recording)


def test_every_event_of_a_walk_is_taken_and_stays_as_it_is(sink: TraceSink) -> None:
    for event in walked():
        before = msgspec.json.encode(event)
        sink.emit(event)
        assert msgspec.json.encode(event) == before


@pytest.mark.parametrize("sink", WRITING, indirect=True)
def test_what_a_sink_that_writes_has_taken_is_on_disk_in_order(sink: TraceSink, recorder: Recorder) -> None:
    taken: list[Event] = []
    for event in walked():
        sink.emit(event)
        taken.append(event)
        if len(taken) % 20 == 1:
            # Nothing was closed or flushed: this is what is left after kill -9.
            assert list(read_run(recorder.folder).events) == taken
    assert list(read_run(recorder.folder).events) == taken


def test_several_sinks_are_told_the_same_in_the_same_order() -> None:
    one, other = EventList(), EventList()
    tee = Tee(one, None, other)
    for event in walked():
        tee.emit(event)
    assert one.events == other.events == list(walked())
    assert one.kinds()[0] == "run.start"


def test_a_sink_that_holds_a_replay_to_its_record_stops_it_at_the_first_difference() -> None:
    run = read_run(FOLDER / "count")
    sink = ComparingSink(run, Recording(recorded_calls=RecordedCalls(run.events), blobs=run.blobs))
    first, second, *_ = walked()
    sink.emit(first)
    with pytest.raises(Divergence):
        sink.emit(first)
    sink.emit(second)
