from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixtures.recorded_walk import PEOPLE, record
from tests.fixtures.scripts import sensible
from tests.recordings.make import FOLDER
from traces.events import CounterMoved, FindingsAdded, Judged, StackMoved
from traces.reading.reader import read_run
from walker.errors import UsageError
from walker.runs.state_at_step import state_at


@pytest.mark.parametrize("kind", ["count", "single", "model"])
async def test_the_state_at_each_step_is_what_the_events_say(kind: str) -> None:
    events = read_run(FOLDER / kind).events
    last = max(event.step for event in events)
    for step in range(1, last + 1):
        state = await state_at(FOLDER / kind, step)
        before = [event for event in events if event.step <= step]
        stack = [event for event in before if isinstance(event, StackMoved) and event.change != "return"][-1]
        assert tuple(frame["url"] for frame in state.stack) == stack.path
        assert len(state.stack[-1]["untried"]) <= stack.untried
        found = [event.found for event in before if isinstance(event, CounterMoved)]
        assert state.counter["found"] == (found[-1] if found else 0)
        assert len(state.findings) == sum(len(event.findings) for event in before if isinstance(event, FindingsAdded))
        verdict = [event for event in before if isinstance(event, Judged)][-1]
        assert (state.answer, state.missing) == (verdict.answer, verdict.missing)
        assert [page["step"] for page in state.pages] == list(range(1, step + 1))
        kinds = [event["event"] for event in state.events]
        assert kinds[0] == "page.open"
        assert "run.end" in kinds if step == last else "move" in kinds
        assert (state.last_step, state.ended_with) == (last, "")


async def test_before_the_first_page_there_is_the_task_alone(tmp_path: Path) -> None:
    state = await state_at(FOLDER / "count", 0)
    assert (state.stack, state.pages, state.answer) == ((), (), "")
    assert state.counter["requirement"]["noun"] == "people"
    assert [event["event"] for event in state.events] == ["run.start"]


async def test_a_walk_that_thought_ahead_has_its_findings_in_the_state(tmp_path: Path) -> None:
    await record(tmp_path / "run", script=sensible)
    state = await state_at(tmp_path / "run", 2)
    assert [finding["text"] for finding in state.findings] == ["18.4 metres"]
    assert state.answer == "18.4 metres"


async def test_a_walk_that_was_cut_off_has_a_state_as_far_as_it_went(tmp_path: Path) -> None:
    await record(tmp_path / "run", PEOPLE)
    log = tmp_path / "run" / "events.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if b'"k":"obs","step":2' in line)
    log.write_bytes(b"".join(lines[:place]))
    state = await state_at(tmp_path / "run", 2)
    assert "the walk was interrupted" in state.ended_with
    assert [event["event"] for event in state.events] == ["page.open", "obs", "stack"]
    assert [frame["title"] for frame in state.stack] == ["Reef Station"], "it was cut off before the page was read"


@pytest.mark.parametrize("step", [-1, 4])
async def test_a_step_that_is_not_there_is_wrong_usage(step: int) -> None:
    with pytest.raises(UsageError, match=r"the recording has 3 steps\. Give a step from 0 to 3"):
        await state_at(FOLDER / "count", step)
