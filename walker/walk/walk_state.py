"""What a walk knows, as one frozen value that the loop hands from stage to stage, and the context that never changes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec

from memory.findings import Findings
from memory.state import WalkMemory
from memory.url_stack import Frame, UrlStack
from perception.geometry import Box
from perception.observation import Observation
from walker.rules.blindness import Blindness
from walker.rules.budget import Budget
from walker.rules.gate import GateDecision
from walker.rules.policy import Policy
from walker.seams.actions import Enlarge
from walker.seams.protocols import Edges, Look, LookRequest, TraceSink, Verdict
from walker.seams.task import Task
from walker.settings import LOOK_THRESHOLD, GateWeights
from walker.walk.walk_events import page_looked_at

Scout = Callable[[Observation, WalkMemory], tuple[int, ...]]


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """What decides on a walk besides its strategies."""

    policy: Policy
    budget: Budget
    threshold: float
    """Trust in the text, 0..100, below which the built-in OCR pass is made."""
    look_threshold: float = LOOK_THRESHOLD
    """The same after that pass, below which the vision model is asked."""
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

    def described(self) -> dict[str, Any]:
        """What of them a record tells, as plain values."""
        return {
            "scope": self.policy.scope.kind,
            "limits": msgspec.to_builtins(self.budget.limits),
            "threshold": self.threshold,
            "look_threshold": self.look_threshold,
            "weights": msgspec.to_builtins(self.weights),
            "may_look": self.may_look,
        }


class WalkContext(msgspec.Struct, frozen=True, kw_only=True):
    """What stays the same from the first page to the last: the question, the edges to the world, the rules, and who is told."""

    task: Task
    edges: Edges
    rules: Rules
    sink: TraceSink


class Fresh(msgspec.Struct, frozen=True):
    """The page on top of the stack was just opened, or changed by an operation: it is to be read."""


class CloserLook(msgspec.Struct, frozen=True):
    """One part of the page on top of the stack is to be drawn larger and read."""


class NothingNew(msgspec.Struct, frozen=True):
    """The walk stands on a page that it has read, or that it does not read: nothing is new."""


Page = Fresh | CloserLook | NothingNew
"""Where a move leads."""


class Looked(msgspec.Struct, frozen=True, kw_only=True):
    """What was seen in the pictures of a page, and the perceptual hashes of what the page looked like then."""

    prints: tuple[int, ...]
    look: Look


class SeenPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page that is or was on the stack."""

    observation: Observation
    """As last seen, with what was read in its pictures."""
    operations: int = 0
    """Presses and scrolls done there."""
    looked: Looked | None = None
    """None for a page whose pictures nobody looked at."""


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """The page that is being read, as far as it is: each pass makes the next from it."""

    observation: Observation
    findings: Findings | None = None
    """None while the page holds words that the critic has not read."""
    part: Enlarge | None = None
    """What of the page is looked at closely; None for the whole of it."""
    blindness: Blindness = Blindness()
    """Where its text did not reach before its pictures were looked at."""
    request: LookRequest | None = None
    """What is looked at; None while nothing is, or no more."""
    look: Look = Look()
    """All that was seen in this reading."""
    read_boxes: tuple[Box, ...] = ()
    """Where something was read in its pictures, in looks before this reading too."""
    decision: GateDecision | None = None
    """The gate's last; None while something was added since."""
    threshold: float = 0.0
    """Trust, 0..100, below which the page was looked at."""


class WalkState(msgspec.Struct, frozen=True, kw_only=True):
    """One walk between two stages. A stage takes it and returns the next; nobody changes it."""

    memory: WalkMemory
    pages: Mapping[str, SeenPage] = {}
    """By page key."""
    probes: Mapping[str, Observation | None] = {}
    """By folder: what the site says there of an address that cannot exist; None where it said nothing."""
    shown_key: str = ""
    """Key of the page that the browser shows; it differs from the top of the stack after going back."""
    reading: Reading | None = None
    """None until a page was opened."""
    verdict: Verdict = Verdict()
    """The critic's last."""
    looks: int = 0
    """At pictures, by the built-in OCR and the vision model together."""
    first_seen: float = 0.0
    last_seen: float = 0.0
    """Dates of the first and the latest page, seconds since the epoch, as their snapshots say."""

    @property
    def step(self) -> int:
        """Number of the page that is being read, from 1."""
        return self.memory.step

    @property
    def elapsed(self) -> float:
        """Seconds between the first and the latest page."""
        return max(0.0, self.last_seen - self.first_seen)

    @property
    def frame(self) -> Frame:
        """The top of the stack."""
        frame = self.memory.stack.top
        assert frame is not None, "the stack of a walk under way holds its root"
        return frame

    @property
    def page(self) -> SeenPage:
        """The page on top of the stack, as last seen."""
        return self.pages[self.frame.key]

    def remember(self, **changes: Any) -> WalkState:
        """With these fields of its memory changed."""
        return msgspec.structs.replace(self, memory=msgspec.structs.replace(self.memory, **changes))

    def saw_page(self, key: str, observation: Observation, at: float) -> WalkState:
        """With a page as it was observed, and the date of its snapshot."""
        known = self.pages.get(key)
        seen = (
            SeenPage(observation=observation)
            if known is None
            else msgspec.structs.replace(known, observation=observation)
        )
        return msgspec.structs.replace(
            self,
            pages={**self.pages, key: seen},
            first_seen=self.first_seen or at,
            last_seen=max(self.last_seen, at),
        )

    def note_page(self, **changes: Any) -> WalkState:
        """With these fields of the page on top of the stack changed."""
        changed = msgspec.structs.replace(self.page, **changes)
        return msgspec.structs.replace(self, pages={**self.pages, self.frame.key: changed})

    @property
    def under_way(self) -> Reading:
        """The page that is being read."""
        assert self.reading is not None, "a page is read from when it was entered"
        return self.reading

    @property
    def found(self) -> Findings:
        """What the critic found on the page that is being read."""
        findings = self.under_way.findings
        assert findings is not None, "the critic reads before anybody asks what it found"
        return findings

    def read_on(self, **changes: Any) -> WalkState:
        """With these fields of the reading changed; the page keeps what was seen in it."""
        reading = msgspec.structs.replace(self.under_way, **changes)
        state = msgspec.structs.replace(self, reading=reading)
        return (
            state if reading.observation is self.page.observation else state.note_page(observation=reading.observation)
        )


Stage = Callable[[WalkContext, WalkState], Awaitable[WalkState]]
"""One thing that is done with a page. What it changes is what it returns; what it did to the world, it tells the sink."""


async def bring_back(context: WalkContext, state: WalkState) -> WalkState:
    """Let the browser show the page on top of the stack again, where it was elsewhere in between."""
    frame = state.frame
    if state.shown_key == frame.key:
        return state
    await context.edges.browser.open(frame.url)
    return msgspec.structs.replace(state, shown_key=frame.key)


def count_look(context: WalkContext, state: WalkState, look: Look) -> WalkState:
    """Charge a look at a picture, and tell it."""
    context.sink.emit(page_looked_at(state.step, look))
    return msgspec.structs.replace(state, looks=state.looks + 1)
