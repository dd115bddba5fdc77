"""A walk that is ended before it is over says what it had found, and whoever listens keeps it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.fixtures.paper import HOME, crew_for, page, rules_for, task_for
from traces.events import WalkFailed
from traces.session_events import WalkStopped
from walker.errors import TraceUnwritable, WalkerError
from walker.run_setup import StopKeeper
from walker.seams.outcome import StopReason
from walker.testing.fakes import EventList, PaperSite
from walker.walk.loop import walk

ENTRIES = "".join(
    f"<li><a href='/{name}.html'>RV {name}</a>, built in 1981</li>" for name in ("Mantis", "Squid", "Orca")
)
SITE = {
    HOME: page("Boats", f"<h2>Research boats</h2><ul>{ENTRIES}</ul><p><a rel='next' href='/2.html'>Next page</a></p>"),
    f"{HOME}2.html": page("Boats, page 2", "<h2>Research boats</h2><ul><li>RV Heron, built in 1983</li></ul>"),
}
TASK = task_for("How many research boats does the station have?")


class Stopping(EventList):
    """Raises an error at the first move, as a cancellation does."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error

    def emit(self, event: object) -> None:
        super().emit(event)  # type: ignore[arg-type]
        if type(event).__name__ == "MoveTaken":
            raise self.error


@pytest.mark.parametrize("error", [asyncio.CancelledError(), KeyboardInterrupt(), WalkerError("it broke")])
async def test_what_was_found_comes_before_the_error_that_ended_it(error: BaseException) -> None:
    events = Stopping(error)
    kept = StopKeeper(events)
    kept.began(Path("runs/one"))
    with pytest.raises(type(error)):
        await walk(TASK, crew_for(PaperSite(SITE)), rules_for(TASK), kept)
    stopped, failed = events.events[-2:]
    assert isinstance(stopped, WalkStopped)
    assert isinstance(failed, WalkFailed)
    outcome = kept.so_far(0.99, error="stopped")
    assert outcome is not None
    assert (outcome.question, outcome.trace, outcome.error) == (TASK.question, "runs/one", "stopped")
    assert (outcome.stop_reason, outcome.partial, outcome.pages) == (StopReason.STOPPED, True, 1)
    assert (outcome.answered, outcome.answer) == (False, "")
    assert "RV Mantis; RV Squid; RV Orca" in outcome.nearest
    assert [one.url for one in outcome.citations] == [HOME]
    sure = kept.so_far(0.0)
    assert sure is not None
    assert (sure.answered, sure.partial, sure.answer) == (True, True, outcome.nearest)


async def test_a_record_that_cannot_be_written_is_not_written_to_again() -> None:
    events = Stopping(TraceUnwritable("the disk is full"))
    with pytest.raises(TraceUnwritable):
        await walk(TASK, crew_for(PaperSite(SITE)), rules_for(TASK), events)
    assert not any(isinstance(event, WalkStopped | WalkFailed) for event in events.events)
    assert StopKeeper().so_far(0.0) is None


async def test_a_walk_that_ends_by_itself_is_whole_and_one_whose_budget_is_spent_is_not() -> None:
    whole = await walk(TASK, crew_for(PaperSite(SITE)), rules_for(TASK), EventList())
    assert not whole.partial
    short = await walk(TASK, crew_for(PaperSite(SITE)), rules_for(TASK, pages=1), EventList())
    assert (short.stop_reason, short.partial) == (StopReason.BUDGET, True)
