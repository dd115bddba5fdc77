"""What the stages of one walk share: the task, the edges, the rules, and the pages that are still on the stack."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from memory.state import WalkMemory
from memory.url_stack import UrlStack
from perception.observation import Observation
from traces.events import PageLookedAt, StackMoved
from walker.rules.budget import Budget
from walker.rules.policy import Policy
from walker.seams.actions import Enlarge
from walker.seams.protocols import Edges, Look, TraceSink, Verdict
from walker.seams.task import Task
from walker.settings import LOOK_THRESHOLD, GateWeights

Scout = Callable[[Observation, WalkMemory], tuple[int, ...]]


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """What decides on a walk besides its minds."""

    policy: Policy
    budget: Budget
    threshold: float
    """Trust in the text, 0..100, below which the built-in eye glances."""
    look_threshold: float = LOOK_THRESHOLD
    """The same after a glance, below which the vision model is asked."""
    weights: GateWeights = GateWeights()
    may_look: bool = True
    empty_stack: UrlStack = UrlStack()
    """What a walk remembers of its way before it begins."""
    side_by_side: bool = False
    """The explorer thinks while the critic reads."""
    scout: Scout | None = None
    """Numbers of the links to load ahead, the most promising; None for no loading ahead."""
    similarity: Callable[[str, str], float] | None = None
    """Meaning of two item names compared, -1..1, for the counter's near-duplicates."""


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """Where the walk stands: the page on top of the stack. `is_new` until it was read or rejected."""

    observation: Observation
    is_new: bool
    part: Enlarge | None = None
    """What of it is to be looked at closely; None for the whole of a page that was just opened."""


class Looked(msgspec.Struct, frozen=True, kw_only=True):
    """What a look at a page saw, and the perceptual hashes of what it looked like."""

    prints: tuple[int, ...]
    look: Look


@dataclass(slots=True)
class WalkState:
    """One walk in progress. Memory is handed from stage to stage and is not kept here."""

    task: Task
    edges: Edges
    rules: Rules
    sink: TraceSink
    observations: dict[str, Observation] = field(default_factory=dict)
    """By page key: what was last seen of every page that is or was on the stack."""
    operations: dict[str, int] = field(default_factory=dict)
    """By page key: presses and scrolls done there."""
    looked: dict[str, Looked] = field(default_factory=dict)
    """By page key: the last look at it."""
    shown_key: str = ""
    """Key of the page that the browser shows; it differs from the top of the stack after going back."""
    verdict: Verdict = field(default_factory=Verdict)
    first_seen: float = 0.0
    last_seen: float = 0.0
    vision_calls: int = 0

    @property
    def elapsed(self) -> float:
        """Seconds between the first and the last page, as their snapshots are dated."""
        return max(0.0, self.last_seen - self.first_seen)

    def saw_time(self, at: float) -> None:
        """Note the date of a snapshot, seconds since the epoch."""
        self.first_seen = self.first_seen or at
        self.last_seen = max(self.last_seen, at)

    def top_observation(self, memory: WalkMemory) -> Observation:
        """The page on top of the stack as last seen."""
        frame = memory.stack.top
        assert frame is not None, "the stack of a walk under way holds its root"
        return self.observations[frame.key]

    def count_look(self, memory: WalkMemory, look: Look) -> None:
        """Charge a look, and emit it."""
        self.vision_calls += 1
        self.sink.emit(
            PageLookedAt(
                step=memory.step, model=look.model, texts=len(look.seen), regions=look.regions, notes=look.notes
            )
        )

    async def bring_back(self, memory: WalkMemory) -> None:
        """Let the browser show the page on top of the stack again, where it was elsewhere in between."""
        frame = memory.stack.top
        if frame is not None and self.shown_key != frame.key:
            await self.edges.browser.open(frame.url)
            self.shown_key = frame.key

    def stack_moved(self, memory: WalkMemory, change: Literal["push", "pop", "return", "stay"]) -> None:
        """Emit the state of the stack after a move."""
        self.sink.emit(
            StackMoved(
                step=memory.step,
                change=change,
                depth=memory.stack.depth,
                path=memory.stack.path,
                untried=len(memory.stack.top.untried) if memory.stack.top else 0,
            )
        )
