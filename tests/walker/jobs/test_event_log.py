"""Events in a file: their ids, what a kill leaves of the last, and what a repeated walk does not tell again."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from walker.jobs.event_log import MOST_BYTES, EventLog, EventReader
from walker.jobs.kept_jobs import JobProgress


def test_an_event_that_a_kill_cut_off_was_never_told(tmp_path: Path) -> None:
    path = tmp_path / "a.events"
    with closing(EventLog(path)) as log:
        log.add("job.started", {}, 1.0)
        log.add("page.open", {"url": "http://one.example/"}, 2.0)
    with path.open("ab") as file:
        file.write(b'{"event":"mov')
    reader = EventReader(path, 0)
    assert [(number, one.event) for number, one in reader.more()] == [(1, "job.started"), (2, "page.open")]
    with closing(EventLog(path)) as log:
        assert log.told == 1
        log.add("move", {"url": "é"}, 3.0)
    assert [(number, one.event, one.data) for number, one in reader.more()] == [(3, "move", {"url": "é"})]
    assert [number for number, _ in EventReader(path, 2).more()] == [3]


def test_what_a_walk_repeats_is_told_once_unless_it_begins_again(tmp_path: Path) -> None:
    path, walk = tmp_path / "a.events", ("run.start", "page.open", "move")
    with closing(EventLog(path)) as log:
        JobProgress(log=log).tell("job.started", {})
        JobProgress(log=log).tell(walk[0], {})
    with closing(EventLog(path)) as log:
        again = JobProgress(log=log)
        again.tell("job.started", {})
        again.repeats()
        for kind in walk:
            again.tell(kind, {})
        again.restarts()
        again.tell(walk[0], {})
        assert log.told == 1
    kinds = [one.event for _, one in EventReader(path, 0).more()]
    assert kinds == ["job.started", "run.start", "job.started", "page.open", "move", "job.restarted", "run.start"]


def test_a_huge_event_is_told_by_its_kind(tmp_path: Path) -> None:
    with closing(EventLog(tmp_path / "a.events")) as log:
        log.add("findings", {"text": "x" * MOST_BYTES}, 1.0)
    ((_, one),) = EventReader(tmp_path / "a.events", 0).more()
    assert one.event == "findings"
    assert list(one.data) == ["omitted"]


def test_how_a_walk_was_cut_off_is_no_part_of_what_it_repeats(tmp_path: Path) -> None:
    path, walk = tmp_path / "a.events", ("run.start", "page.open")
    with closing(EventLog(path)) as log:
        first = JobProgress(log=log)
        for kind in (*walk, "run.stopped", "error"):
            first.tell(kind, {})
        assert log.told == len(walk)
    with closing(EventLog(path)) as log:
        again = JobProgress(log=log)
        again.repeats()
        for kind in (*walk, "move", "run.end"):
            again.tell(kind, {})
    told = [one.event for _, one in EventReader(path, 0).more()]
    assert told == [*walk, "run.stopped", "error", "move", "run.end"], "the first event after it goes on is told too"
