"""The state of a recorded walk at any step, derived by replaying it up to there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from memory.counting.counter import Counter
from memory.state import WalkMemory
from traces.events import Event, Judged, WalkFailed
from traces.reading.steps import STAGE_OF
from traces.session_events import WalkStopped
from walker.assembly import WalkResources
from walker.errors import Divergence, UsageError, WalkerError
from walker.recording.recording import RecordingEnded
from walker.rules.budget import Budget
from walker.run_setup import Tee, walk_and_close
from walker.runs.recorded_run import open_run
from walker.runs.replay import Replay
from walker.seams.protocols import Critic, TraceSink


class StateAtStep(msgspec.Struct, frozen=True, kw_only=True):
    """All that a walk knew at the end of a step, before moving to the next page, and what it did in that step."""

    run: str
    step: int
    last_step: int
    question: str
    root_url: str
    stack: tuple[dict[str, Any], ...] = ()
    """Frames from the root down, with the links that are not followed yet."""
    counter: dict[str, Any] = {}
    """Items, merges, what the site states, and whether the count is complete."""
    findings: tuple[dict[str, Any], ...] = ()
    pages: tuple[dict[str, Any], ...] = ()
    answer: str = ""
    confidence: float = 0.0
    missing: tuple[str, ...] = ()
    events: tuple[dict[str, Any], ...] = ()
    """Of this step, in order, each with its kind as `event`."""
    ended_with: str = ""
    """What interrupted the walk in this step, "" if it went on or ended."""


async def state_at(folder: Path, step: int, *, progress: TraceSink | None = None) -> StateAtStep:
    """The state of a recorded walk when its step `step` was done; 0 is before the first page.

    Raises `UsageError` for a step that the recording does not have, and `Divergence` where the replay differs before it.
    """
    replay = Replay(open_run(folder))
    last = max((event.step for event in replay.run.events), default=0)
    if not 0 <= step <= last:
        raise UsageError(f"the recording has {last} steps", where=str(folder), advice=f"Give a step from 0 to {last}")
    watch, ended_with = _Watch(step, WalkMemory(counter=Counter.start(replay.task.requirement))), ""
    async with WalkResources(replay.settings) as resources:
        edges, rules = replay.edges(resources)
        edges = msgspec.structs.replace(edges, critic=_WatchedCritic(edges.critic, watch.saw))
        rules = msgspec.structs.replace(rules, budget=_WatchedBudget(limits=rules.budget.limits, saw=watch.saw))
        try:
            await walk_and_close(replay.task, edges, rules, Tee(replay.sink, watch, progress))
        except (_Arrived, RecordingEnded) as end:
            ended_with = end.what if isinstance(end, RecordingEnded) else ""
        except Divergence:
            raise
        except WalkerError as error:
            ended_with = str(error)
    return _state(str(folder), replay, watch, last, ended_with)


class _Arrived(Exception):
    """The requested step is complete."""


class _Watch:
    """Keeps the last state of the memory within the step, and the step's events."""

    def __init__(self, step: int, memory: WalkMemory) -> None:
        self.step, self.memory = step, memory
        self.events: list[Event] = []

    def saw(self, memory: WalkMemory) -> None:
        if memory.step <= self.step:
            self.memory = memory

    def emit(self, event: Event) -> None:
        if isinstance(event, WalkStopped | WalkFailed):
            return
        if event.step > self.step:
            raise _Arrived
        if event.step == self.step:
            self.events.append(event)
        if isinstance(event, Judged):
            self.memory = msgspec.structs.replace(
                self.memory, missing=event.missing, answer=event.answer, confidence=event.confidence
            )


class _WatchedBudget(Budget, frozen=True, kw_only=True):
    saw: Callable[[WalkMemory], None]

    def why_spent(self, memory: WalkMemory, elapsed: float) -> str:
        self.saw(memory)
        return Budget.why_spent(self, memory, elapsed)


class _WatchedCritic:
    def __init__(self, critic: Critic, saw: Callable[[WalkMemory], None]) -> None:
        self._critic, self._saw = critic, saw

    async def find(self, task: Any, observation: Any, memory: WalkMemory) -> Any:
        self._saw(memory)
        return await self._critic.find(task, observation, memory)

    async def judge(self, task: Any, memory: WalkMemory) -> Any:
        self._saw(memory)
        return await self._critic.judge(task, memory)


def _state(run: str, replay: Replay, watch: _Watch, last: int, ended_with: str) -> StateAtStep:
    memory, counter = watch.memory, watch.memory.counter
    plain: dict[str, Any] = msgspec.to_builtins(memory)
    counted = plain["counter"] | {"found": counter.found, "done": counter.done, "complete": counter.complete}
    return StateAtStep(
        run=run,
        step=watch.step,
        last_step=last,
        question=replay.task.question,
        root_url=replay.task.root_url,
        stack=tuple(plain["stack"]["frames"]),
        counter=counted,
        findings=tuple(plain["findings"]),
        pages=tuple(plain["pages"]),
        answer=memory.answer,
        confidence=memory.confidence,
        missing=memory.missing,
        events=tuple(_named(event) for event in watch.events),
        ended_with=ended_with,
    )


def _named(event: Event) -> dict[str, Any]:
    kind = str(event.__struct_config__.tag)
    fields: dict[str, Any] = msgspec.to_builtins(event)
    return {"event": kind, "stage": STAGE_OF.get(kind, "")} | {
        name: value for name, value in fields.items() if name not in ("type", "step")
    }
