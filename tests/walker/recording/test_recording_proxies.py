from __future__ import annotations

import json
import shutil
import time
from pathlib import Path

import pytest

from tests.fixtures.paper import HOME, PAGES, crew_for, rules_for, task_for
from traces.events import EdgeCall
from traces.manifest import RunManifest
from traces.reading.reader import read_run
from traces.recorded_calls import RecordedCalls
from traces.redaction import Redactor
from traces.store.recorder import Recorder
from walker.errors import Divergence, UsageError
from walker.recording.recording import Recording
from walker.recording.recording_proxies import ComparingSink, RecordingSink, ResumingSink, with_recording
from walker.run_setup import without_secrets
from walker.runs.replay import replay_run, task_of
from walker.seams.outcome import Outcome
from walker.seams.task import Task
from walker.settings import GLANCE_THRESHOLD
from walker.testing.fakes import Paper, PaperSite
from walker.walk.loop import walk

QUESTION = "How many people are listed on the 'People' page?"
SETTINGS = {
    "limits": {"pages": 30, "seconds": 600.0, "depth": 12},
    "threshold": GLANCE_THRESHOLD,
    "scope": "host",
    "page_seconds": 20.0,
}


LONG = {
    url: page + f"<!-- {url} {'of many words ' * 300} -->" if isinstance(page, str) else page
    for url, page in PAGES.items()
}
"""Pages that are packed against each other."""


async def record(
    folder: Path,
    question: str = QUESTION,
    redactor: Redactor | None = None,
    task: Task | None = None,
    pages: dict[str, str | Paper] = PAGES,
) -> Outcome:
    task = task or task_for(question)
    manifest = RunManifest(run_id="abc", created=1.0, question=task.question, root_url=task.root_url, settings=SETTINGS)
    recorder = Recorder.create(folder, manifest, clock=time.time, redactor=redactor)
    recording = Recording(recorder=recorder)
    edges = with_recording(crew_for(PaperSite(pages)), recording)
    try:
        outcome = await walk(task, edges, rules_for(task), RecordingSink(recorder, recording))
        recorder.seal(outcome.stop_reason.value, {})
    finally:
        recorder.close()
    return outcome


async def test_a_replay_is_equal_event_for_event(tmp_path: Path) -> None:
    outcome = await record(tmp_path / "run")
    report = await replay_run(tmp_path / "run")
    assert report.outcome is not None
    assert report.outcome.answer == outcome.answer
    assert report.outcome.items == outcome.items
    run = read_run(tmp_path / "run")
    assert report.events == sum(not isinstance(event, EdgeCall) for event in run.events)
    assert report.calls == sum(isinstance(event, EdgeCall) for event in run.events)
    assert run.problems == ()


async def test_a_deep_replay_reads_and_decides_again(tmp_path: Path) -> None:
    await record(tmp_path / "run")
    report = await replay_run(tmp_path / "run", deep=True)
    assert report.events > 20


async def test_a_changed_record_is_a_named_divergence(tmp_path: Path) -> None:
    await record(tmp_path / "run")
    log = tmp_path / "run" / "events.jsonl"
    lines = log.read_text().splitlines()
    place = next(number for number, line in enumerate(lines) if json.loads(line)["k"] == "us")
    line = json.loads(lines[place])
    line["d"]["score"] += 1
    lines[place] = json.dumps(line, separators=(",", ":"))
    log.write_text("\n".join(lines) + "\n")
    with pytest.raises(Divergence, match=r"step 1, event \d+ \(us\).*score: expected"):
        await replay_run(tmp_path / "run")
    assert any("altered" in problem for problem in read_run(tmp_path / "run").problems)


async def test_a_changed_threshold_diverges_at_the_gate(tmp_path: Path) -> None:
    await record(tmp_path / "run")
    path = tmp_path / "run" / "run.json"
    manifest = json.loads(path.read_text())
    manifest["settings"]["threshold"] = 5.0
    path.write_text(json.dumps(manifest))
    with pytest.raises(Divergence, match="threshold"):
        await replay_run(tmp_path / "run")


async def test_a_missing_blob_is_named(tmp_path: Path) -> None:
    await record(tmp_path / "run")
    shutil.rmtree(tmp_path / "run" / "blobs")
    with pytest.raises(Exception, match="missing"):
        await replay_run(tmp_path / "run")


async def test_no_run_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no run there"):
        await replay_run(tmp_path / "nothing")


def derived(folder: Path) -> list[tuple[str, int, bytes]]:
    run = read_run(folder)
    return [(e.k, e.step, bytes(e.d)) for e in run.envelopes if e.k not in ("call", "error")]


def remove_unnamed(blobs: Path, log: str) -> None:
    """What was not yet written when the log ended so."""
    for file in [path for path in blobs.rglob("*") if path.is_file()]:
        if file.name.partition("-")[0] not in log:
            file.unlink()


@pytest.mark.parametrize("pages", [PAGES, LONG])
async def test_a_walk_cut_off_anywhere_resumes_to_the_same_end(tmp_path: Path, pages: dict[str, str | Paper]) -> None:
    outcome = await record(tmp_path / "whole", pages=pages)
    whole = (tmp_path / "whole" / "events.jsonl").read_bytes()
    lines = whole.splitlines(keepends=True)
    fetched = sum(b'"browser"' in line for line in lines)
    for kept in range(1, len(lines) - 1):
        folder = tmp_path / f"cut{kept}"
        shutil.copytree(tmp_path / "whole", folder)
        (folder / "seal.json").unlink()
        (folder / "events.jsonl").write_bytes(b"".join(lines[:kept]) + lines[kept][: len(lines[kept]) // 2])
        remove_unnamed(folder / "blobs", b"".join(lines[:kept]).decode())
        site = PaperSite(pages)
        recorder = Recorder.resume(folder, clock=time.time)
        run = read_run(folder)
        recording = Recording(recorded_calls=RecordedCalls(run.events), blobs=run.blobs, recorder=recorder)
        sink = ResumingSink(ComparingSink(run, recording), recorder)
        task = task_of(run)
        resumed = await walk(task, with_recording(crew_for(site), recording), rules_for(task), sink)
        recorder.close()
        assert (resumed.answer, resumed.items, resumed.pages) == (outcome.answer, outcome.items, outcome.pages)
        opened_before = sum(b'"browser"' in line for line in lines[:kept])
        assert len(site.opened) + opened_before == fetched, "nothing that was recorded is fetched again"
        assert [(k, s) for k, s, _ in derived(folder)] == [(k, s) for k, s, _ in derived(tmp_path / "whole")]


async def test_a_cut_off_walk_replays_as_far_as_it_went(tmp_path: Path) -> None:
    await record(tmp_path / "run")
    log = tmp_path / "run" / "events.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[: len(lines) // 2]))
    (tmp_path / "run" / "seal.json").unlink()
    report = await replay_run(tmp_path / "run")
    assert report.outcome is None
    assert "the recording ends here" in report.ended_with


async def test_planted_secrets_stand_nowhere_in_a_run(tmp_path: Path) -> None:
    secret = "hunter2/Zebra&7"
    question = f"How many people are listed on the 'People' page, and what is {secret}?"
    redactor = Redactor((secret,), b"key")
    task = without_secrets(task_for(question, HOME), redactor)
    await record(tmp_path / "run", redactor=redactor, task=task)
    for path in (tmp_path / "run").rglob("*"):
        if path.is_file():
            assert b"hunter2" not in path.read_bytes(), path
    run = read_run(tmp_path / "run")
    assert "<secret:value:" in task_of(run).question


async def test_two_writers_of_one_run_are_refused(tmp_path: Path) -> None:
    await record(tmp_path / "run")
    first = Recorder.resume(tmp_path / "run", clock=time.time)
    with pytest.raises(Exception, match="another process is writing"):
        Recorder.resume(tmp_path / "run", clock=time.time)
    first.close()
