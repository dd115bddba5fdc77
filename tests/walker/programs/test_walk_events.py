"""A walk as a stream: typed events, the outcome at the end, and a walk that is left can be resumed."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.sites.pages_on_loopback import serve
from tests.walker.cli.program import closed_address
from traces.events import PageOpened, WalkStarted
from walker import WalkBegan, WalkConcluded, WalkerError, stream, stream_sync
from walker.errors import LoginNeeded, NotAnswered, OutOfBudget, SiteBlocked
from walker.runs.replay import resume_run
from walker.seams.outcome import Outcome, StopReason
from walker.settings import Settings

PAGES = {
    "/": "<html lang=en><title>Reef</title><h1>Reef</h1><p>A long reef.</p><a href=/crew>The crew of the reef</a>",
    "/crew": "<html lang=en><title>Crew</title><h1>The crew of the reef</h1><p>The crew is led by Ana Ruiz.</p>",
}
WHO = "Who leads the crew of the reef?"


@pytest.mark.usefixtures("kept_chromium")
async def test_a_walk_is_told_from_its_folder_to_its_outcome(tmp_path: Path) -> None:
    with serve(PAGES) as home:
        events = [event async for event in stream(home, WHO, runs=tmp_path, no_scout=True)]
    first, second, last = events[0], events[1], events[-1]
    assert isinstance(first, WalkBegan)
    assert isinstance(second, WalkStarted)
    assert isinstance(last, WalkConcluded)
    assert last.outcome.answer == "Ana Ruiz"
    assert last.outcome.trace == first.run
    assert [event.final_url for event in events if isinstance(event, PageOpened)] == [f"{home}/", f"{home}/crew"]
    assert last.outcome.required() is last.outcome


@pytest.mark.usefixtures("kept_chromium")
async def test_a_walk_that_is_left_can_be_resumed(tmp_path: Path) -> None:
    run = ""
    with serve(PAGES) as home:
        told = stream(home, WHO, runs=tmp_path, no_scout=True)
        async for event in told:
            run = event.run if isinstance(event, WalkBegan) else run
            if isinstance(event, PageOpened):
                break
        await told.aclose()
        outcome = await resume_run(Path(run), settings=Settings(runs_folder=tmp_path))
    assert outcome.answer == "Ana Ruiz"


@pytest.mark.usefixtures("kept_chromium")
async def test_without_await_and_with_an_error_after_its_events(tmp_path: Path) -> None:
    with serve(PAGES) as home:
        events = list(stream_sync(home, WHO, no_record=True, no_scout=True))
        assert isinstance(events[-1], WalkConcluded)
        assert events[-1].outcome.answer == "Ana Ruiz"
        started = time.monotonic()
        for event in stream_sync(home, WHO, no_record=True, no_scout=True):
            if isinstance(event, WalkStarted):
                break
        assert time.monotonic() - started < 20, "the walk ends with the loop"
    with pytest.raises(WalkerError, match=r"127\.0\.0\.1"):
        list(stream_sync(closed_address(), WHO, runs=tmp_path, no_scout=True))


@pytest.mark.parametrize(
    ("reason", "kind", "advice"),
    [
        (StopReason.BLOCKED, SiteBlocked, "in a browser of your own"),
        (StopReason.NEEDS_LOGIN, LoginNeeded, "walker login"),
        (StopReason.BUDGET, OutOfBudget, "max_pages"),
        (StopReason.EXHAUSTED, NotAnswered, "walker why"),
    ],
)
def test_what_is_not_answered_is_raised_by_its_kind_where_it_is_required(
    reason: StopReason, kind: type[NotAnswered], advice: str
) -> None:
    outcome = Outcome(
        question=WHO,
        answer="",
        nearest="Ben",
        items=(),
        confidence=0.2,
        citations=(),
        stop_reason=reason,
        pages=3,
        steps=4,
        count={},
        answered=False,
    )
    with pytest.raises(kind, match=advice) as told:
        outcome.required()
    assert (type(told.value), told.value.stop_reason, told.value.exit_code) == (kind, reason.value, 3)
    assert "the nearest is 'Ben'" in str(told.value)
