from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.recordings.make import FOLDER
from traces.manifest import RunManifest
from traces.reading.catalogue import RunEntry, RunFilter, describe_run, find_runs
from traces.store.packing import pack_run
from traces.store.recorder import Recorder

COUNT = FOLDER / "count"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return Path(shutil.copytree(COUNT, tmp_path / "run"))


def test_a_line_tells_question_answer_size_and_how_it_ended(run: Path) -> None:
    entry = describe_run(run)
    assert (entry.state, entry.stop_reason, entry.pages) == ("ended", "answered", 3)
    assert entry.answer.startswith("5 (Ana Ruiz")
    assert entry.question.startswith("How many people")
    assert entry.bytes == sum(path.stat().st_size for path in run.rglob("*") if path.is_file())


def test_a_packed_run_has_the_same_line(run: Path, tmp_path: Path) -> None:
    pack_run(run, tmp_path / "run.zip")
    one, other = describe_run(run), describe_run(tmp_path / "run.zip")
    assert (one.answer, one.pages, one.state) == (other.answer, other.pages, other.state)
    assert other.is_packed


def test_a_run_that_was_cut_off_and_one_that_is_written(run: Path) -> None:
    lines = (run / "events.jsonl").read_bytes().splitlines(keepends=True)
    (run / "events.jsonl").write_bytes(b"".join(lines[:-5]) + b'{"torn')
    assert (describe_run(run).state, describe_run(run).pages) == ("cut off", 3)
    recorder = Recorder.resume(run, clock=lambda: 1.0)
    assert describe_run(run).state == "live"
    recorder.close()
    assert describe_run(run).state == "cut off"


def test_an_answer_that_spilled_is_fetched(tmp_path: Path) -> None:
    from traces.events import WalkEnded  # noqa: PLC0415

    recorder = Recorder.create(
        tmp_path / "run", RunManifest(run_id="r", created=1.0, question="q", root_url="u"), clock=lambda: 1.0
    )
    recorder.emit(
        WalkEnded(
            stop_reason="answered",
            answer="x" * 9000,
            confidence=1.0,
            items=(),
            citations=(),
            count={},
            pages=7,
            steps=7,
        )
    )
    recorder.close()
    assert describe_run(tmp_path / "run").answer == "x" * 9000


@pytest.mark.parametrize(
    ("file", "data", "told"),
    [
        ("run.json", b"{", "the manifest cannot be read"),
        ("run.json", b'{"version": [9, 0]}', "newer version"),
        ("events.jsonl", b"garbage\n", "JSON is malformed"),
        ("events.jsonl", b'{"seq": 1}\n', "missing required field"),
    ],
)
def test_a_damaged_run_is_a_line_too(run: Path, file: str, data: bytes, told: str) -> None:
    (run / file).write_bytes(data)
    entry = describe_run(run)
    assert entry.state == "damaged"
    assert told in entry.problem


def test_runs_are_found_in_folders_and_by_name(run: Path, tmp_path: Path) -> None:
    pack_run(run, tmp_path / "packed.zip")
    (tmp_path / "notes.txt").write_text("no run")
    (tmp_path / "empty").mkdir()
    assert find_runs([tmp_path]) == (tmp_path / "packed.zip", run)
    assert find_runs([run, tmp_path]) == (run, tmp_path / "packed.zip")


def entry(**fields: object) -> RunEntry:
    known: dict[str, object] = {"path": Path("runs/a"), "state": "ended", "bytes": 100, "created": 50.0}
    return RunEntry(**(known | fields))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wanted", "fields", "takes"),
    [
        (RunFilter(), {}, True),
        (RunFilter(words="FLUME depth"), {"question": "The depth of the flume?"}, True),
        (RunFilter(words="flume height"), {"question": "The depth of the flume?"}, False),
        (RunFilter(states=("answered",)), {"stop_reason": "answered"}, True),
        (RunFilter(states=("cut off",)), {"stop_reason": "answered"}, False),
        (RunFilter(created_before=50.0), {}, False),
        (RunFilter(created_after=50.0), {}, True),
        (RunFilter(least_bytes=101), {}, False),
    ],
)
def test_a_filter_takes_what_meets_all_of_it(wanted: RunFilter, fields: dict[str, object], takes: bool) -> None:
    assert wanted.takes(entry(**fields)) is takes
