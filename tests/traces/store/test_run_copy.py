"""Runs that are copied while they are written, into a folder and into a bucket of a real server."""

from __future__ import annotations

import shutil
import time
import uuid
from pathlib import Path

import pytest

from tests.fixtures.loaded_program import run_code_loaded
from tests.fixtures.s3_server import S3Server
from traces.errors import StoreError, TraceReadError
from traces.events import EdgeCall, MoveTaken
from traces.manifest import RunManifest
from traces.objects.bucket import BucketPlace
from traces.objects.places import FolderPlace, ObjectPlace
from traces.reading.integrity import check_blobs
from traces.reading.reader import read_run
from traces.store import run_copy
from traces.store.mirror import Mirror, address_of, bring, mark_of, read_log
from traces.store.recorder import Recorder
from traces.store.run_copy import RunCopy, copy_run, unsent_runs

MANIFEST = RunManifest(run_id="r", created=1.0, question="why?", root_url="http://a.example/")
PAGE = "<p>" + "tide " * 2_000


@pytest.fixture(params=["folder", "bucket"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> ObjectPlace:
    if request.param == "folder":
        return FolderPlace(tmp_path / "far")
    server: S3Server = request.getfixturevalue("s3")
    return BucketPlace(f"s3://{server.make_bucket(f'b{uuid.uuid4().hex[:8]}')}/walks")


@pytest.fixture
def here(place: ObjectPlace, tmp_path: Path) -> Path:
    return Mirror(tmp_path / "here", place).marked().folder


@pytest.fixture
def there(place: ObjectPlace, tmp_path: Path) -> Path:
    """The mirror of another machine."""
    return Mirror(tmp_path / "there", place).marked().folder


class Counting:
    """A place that counts what it is given, and fails or answers nothing where it is told to."""

    def __init__(self, place: ObjectPlace) -> None:
        self.place, self.fails, self.loses_answers = place, False, False
        self.put_names: list[str] = []
        self.removed: list[str] = []

    def __str__(self) -> str:
        return str(self.place)

    def put(self, name: str, data: bytes, *, new: bool = False) -> bool:
        if self.fails:
            raise StoreError("it does not answer", str(self), "Wait")
        self.put_names.append(name)
        done = self.place.put(name, data, new=new)
        if self.loses_answers:
            raise StoreError("the connection was reset", str(self), "Wait")
        return done

    def get(self, name: str) -> bytes | None:
        return self.place.get(name)

    def sizes(self, folder: str) -> dict[str, int]:
        return self.place.sizes(folder)

    def folders(self) -> tuple[str, ...]:
        return self.place.folders()

    def remove(self, name: str) -> None:
        self.removed.append(name)
        self.place.remove(name)


def begun(folder: Path) -> Recorder:
    return Recorder.create(folder, MANIFEST, clock=lambda: 1.0)


def page(step: int, text: str = PAGE) -> EdgeCall:
    return EdgeCall(
        step=step,
        seam="browser",
        method="open",
        fingerprint=f"f{step}",
        occurrence=0,
        request={"url": f"http://a.example/{step}"},
        outcome={"html": f"{text}{step}"},
    )


def emit(recorder: Recorder, *steps: int) -> None:
    for step in steps:
        recorder.emit(page(step))
        recorder.emit(MoveTaken(step=step, move="Open", url="", reason=str(step)))


def wait_for(place: ObjectPlace, run: str, lines: int) -> bytes:
    until = time.monotonic() + 60
    while (log := read_log(place, run)[0]).count(b"\n") < lines:
        assert time.monotonic() < until, f"{log.count(b'')} lines"
        time.sleep(0.05)
    return log


def test_a_run_that_ended_lies_there_as_in_a_folder(place: ObjectPlace, here: Path, there: Path) -> None:
    recorder = begun(here / "run")
    emit(recorder, 1, 2, 3)
    assert recorder.place == str(here / "run"), "not all of it is there yet"
    recorder.seal("answered", {})
    assert recorder.place == f"{place}/run" == address_of(here / "run")
    recorder.close()
    files = {
        f"run/{path.relative_to(here / 'run').as_posix()}": path.read_bytes()
        for path in (here / "run").rglob("*")
        if path.is_file() and not path.name.startswith(".")
    }
    assert {name: place.get(name) for name in place.sizes("run")} == files
    bring(there / "run")
    assert not (there / "run" / "blobs").exists(), "blobs are fetched when they are asked for"
    run = read_run(there / "run")
    assert run.events == read_run(here / "run").events
    assert run.seal is not None
    shutil.rmtree(here)
    check = check_blobs(read_run(there / "run"))
    assert (check.blobs, check.unnamed, check.problems) == (3, 0, ())
    assert mark_of(there / "run").is_whole


def test_steps_are_there_while_the_walk_goes_on(place: ObjectPlace, here: Path, there: Path) -> None:
    recorder = begun(here / "run")
    emit(recorder, 1, 2)
    wait_for(place, "run", 4)
    emit(recorder, 3)
    wait_for(place, "run", 6)
    Mirror(there, place).bring("run")
    run = read_run(there / "run")
    assert [event.step for event in run.events] == [1, 1, 2, 2, 3, 3]
    assert (run.problems, run.seal, check_blobs(run).problems) == ((), None, ())
    recorder.close()
    assert unsent_runs((here / "run",)) == ()


def test_a_walk_does_not_wait_for_a_place_that_fails(place: ObjectPlace, here: Path, tmp_path: Path) -> None:
    recorder = begun(here / "run")
    counting = Counting(place)
    assert recorder._copy is not None
    recorder._copy._copy.place = counting
    counting.fails = True
    emit(recorder, 1, 2)
    time.sleep(0.3)
    recorder.seal("answered", {})
    recorder.close()
    assert recorder.place == str(here / "run")
    assert recorder._copy.problem is not None
    assert "it does not answer" in str(recorder._copy.problem)
    assert unsent_runs((here / "run",)) == (here / "run",)
    assert read_run(here / "run").problems == ()
    counting.fails = False
    copy_run(here / "run", counting)
    assert unsent_runs((here / "run",)) == ()
    blobs = [name for name in counting.put_names if "/blobs/" in name]
    assert len(blobs) == len(set(blobs)) == 2
    counting.put_names.clear()
    copy_run(here / "run", counting)
    assert not [name for name in counting.put_names if "/blobs/" in name], "what lies there is not sent again"


def test_an_answer_that_was_lost_is_no_second_writer(place: ObjectPlace, here: Path) -> None:
    recorder = Recorder.create(here.parent / "apart" / "run", MANIFEST, clock=lambda: 1.0)
    counting = Counting(place)
    copy = RunCopy(here.parent / "apart" / "run", counting)
    copy.begin()
    emit(recorder, 1)
    copy.send()
    emit(recorder, 2)
    counting.loses_answers = True
    with pytest.raises(StoreError, match="reset"):
        copy.send()
    counting.loses_answers = False
    copy.send()
    emit(recorder, 3)
    copy.send()
    assert read_log(place, "run") == ((here.parent / "apart" / "run" / "events.jsonl").read_bytes(), None)
    recorder.close()


def test_two_who_go_on_with_one_run_are_told(place: ObjectPlace, here: Path, there: Path) -> None:
    recorder = begun(here / "run")
    emit(recorder, 1)
    recorder.close()
    Mirror(there, place).bring("run")
    ours = Recorder.resume(here / "run", clock=lambda: 2.0)
    theirs = Recorder.resume(there / "run", clock=lambda: 3.0)
    emit(theirs, 2, 3)
    wait_for(place, "run", 6)
    emit(ours, 7, 8)
    ours.seal("answered", {})
    ours.close()
    theirs.seal("answered", {})
    theirs.close()
    assert ours._copy is not None
    assert "went on with this one" in str(ours._copy.problem)
    assert theirs.place == f"{place}/run"
    assert [event.step for event in read_run(here / "run").events] == [1, 1, 7, 7, 8, 8], "nothing here is lost"
    with pytest.raises(StoreError, match="went on with this one"):
        Recorder.resume(here / "run", clock=lambda: 4.0)
    with pytest.raises(TraceReadError, match="it went on elsewhere"):
        Mirror(here, place).bring("run")


def test_a_run_goes_on_elsewhere_from_the_last_checkpoint(place: ObjectPlace, here: Path, there: Path) -> None:
    recorder = begun(here / "run")
    emit(recorder, 1, 2)
    recorder.close()
    shutil.rmtree(here)
    Mirror(there, place).bring("run")
    again = Recorder.resume(there / "run", clock=lambda: 2.0)
    emit(again, 3)
    again.seal("answered", {})
    again.close()
    assert again.place == f"{place}/run"
    assert len(read_run(there / "run").events) == 6
    assert read_run(there / "run").problems == ()
    assert sorted(place.sizes("run/events")) == []


def test_a_run_that_was_cut_off_is_copied_as_a_folder_and_goes_on(
    place: ObjectPlace, here: Path, tmp_path: Path
) -> None:
    recorder = Recorder.create(tmp_path / "runs" / "run", MANIFEST, clock=lambda: 1.0)
    emit(recorder, 1)
    recorder.close()
    before = sorted((tmp_path / "runs").rglob("*"))
    copy_run(tmp_path / "runs" / "run", place)
    assert sorted((tmp_path / "runs").rglob("*")) == before, "what is copied is only read"
    assert place.get("run/events.jsonl") == (tmp_path / "runs" / "run" / "events.jsonl").read_bytes()
    Mirror(here, place).bring("run")
    again = Recorder.resume(here / "run", clock=lambda: 2.0)
    emit(again, 2)
    again.close()
    assert place.sizes("run/events"), "what came later is a piece"
    assert read_log(place, "run") == ((here / "run" / "events.jsonl").read_bytes(), None)


def test_a_name_that_is_taken_is_refused_before_the_walk(place: ObjectPlace, here: Path) -> None:
    place.put("run/run.json", b'{"another": 1}')
    with pytest.raises(StoreError, match="another run is there"):
        begun(here / "run")
    assert not (here / "run").exists()


def test_names_of_a_store_do_not_lead_out_of_the_mirror(place: ObjectPlace, here: Path, tmp_path: Path) -> None:
    mirror = Mirror(here, place)
    assert not mirror.bring("../outside")
    place.put("run/run.json", b"{}")
    place.put("run/blobs/zz/evil.sh", b"#!/bin/sh")
    mirror.fetch_blobs("run")
    assert mirror.fetch("run", here / "run" / "blobs" / ".." / ".." / "evil") is None
    assert not list(tmp_path.rglob("evil*"))[1 if isinstance(place, FolderPlace) else 0 :]


def test_a_run_is_removed_with_its_manifest_last(place: ObjectPlace, here: Path) -> None:
    recorder = begun(here / "run")
    emit(recorder, 1, 2)
    recorder.seal("answered", {})
    recorder.close()
    counting = Counting(place)
    Mirror(here, counting).remove("run")
    assert counting.removed[-1] == "run/run.json"
    assert place.sizes("run") == {}
    Mirror(here, place).bring_all(Mirror(here, place).names())
    assert not (here / "run").exists(), "what was wholly there, and is there no more, goes here too"


WRITER = """
import sys, time
from pathlib import Path
from tests.traces.store.test_run_copy import MANIFEST, page, MoveTaken, Recorder
recorder = Recorder.create(Path(sys.argv[1]), MANIFEST, clock=time.time)
for step in range(1, 1000):
    recorder.emit(page(step, "x" * 3000))
    recorder.emit(MoveTaken(step=step, move="Open", url="", reason=""))
    print(step, flush=True)
    time.sleep(0.02)
"""


@pytest.fixture
def killed(here: Path) -> int:
    """The number of steps that were acknowledged before kill -9."""
    with run_code_loaded(WRITER, str(here / "run")) as process:
        assert process.stdout is not None
        step = 0
        for line in process.stdout:
            step = int(line)
            if step >= 60:
                break
        process.kill()
        return max([step, *map(int, process.stdout.read().split())])


def test_what_kill_9_leaves_is_a_run(place: ObjectPlace, here: Path, there: Path, killed: int) -> None:
    assert len(read_run(here / "run").events) >= 2 * killed, "nothing acknowledged is lost here"
    Mirror(there, place).bring("run")
    run = read_run(there / "run")
    assert run.events, "and what was sent is there"
    assert (run.problems, check_blobs(run).problems) == ((), ()), "a line has its blobs"
    again = Recorder.resume(here / "run", clock=time.time)
    again.seal("answered", {})
    again.close()
    assert place.get("run/events.jsonl") == (here / "run" / "events.jsonl").read_bytes()
    assert unsent_runs((here / "run",)) == ()


def test_events_of_a_long_step_are_sent_too(place: ObjectPlace, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_copy, "LONGEST_WAIT", 0.1)
    recorder = begun(here / "run")
    recorder.emit(MoveTaken(step=0, move="Pop", url="", reason=""))
    wait_for(place, "run", 1)
    recorder.close()
