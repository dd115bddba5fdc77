"""The state of a walk as one frozen value that the loop hands from stage to stage, and the context that never changes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec

from memory.findings import Finding, Findings
from memory.state import WalkMemory
from memory.url_stack import Frame, UrlStack
from perception.geometry import Box
from perception.observation import Observation
from walker.rules.budget import Budget
from walker.rules.gate import GateDecision
from walker.rules.pictures.blindness import Blindness
from walker.rules.policy import Policy
from walker.seams.actions import Enlarge, Refusal
from walker.seams.protocols import Edges, Look, LookRequest, TraceSink, Verdict
from walker.seams.task import Task
from walker.seams.web.asked_person import Helped, PauseKind, Picked
from walker.settings import LOOK_THRESHOLD, GateName, GateWeights
from walker.walk.walk_events import page_looked_at, person_asked

STANDS_ON_MANY = 3
"""Pages of a walk from which a picture says nothing of any one of them: a logo, a banner."""

Prefetch = Callable[[Observation, WalkMemory], tuple[int, ...]]


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of a walk: all that decides besides its strategies."""

    policy: Policy
    budget: Budget
    threshold: float
    """Trust in the text, 0..100, below which the built-in OCR runs."""
    look_threshold: float = LOOK_THRESHOLD
    """Trust after the OCR pass, 0..100, below which the vision model is asked."""
    weights: GateWeights = GateWeights()
    may_look: bool = True
    looks_back: bool = False
    """Whether pictures that nobody has read are read before the walk ends unsure."""
    gate: GateName = "walker"
    """`paper`: a page is looked at, as a whole, where its understanding score alone is below the threshold."""
    empty_stack: UrlStack = UrlStack()
    """The URL stack at the start of a walk."""
    side_by_side: bool = False
    """Whether the explorer runs while the critic reads."""
    prefetch: Prefetch | None = None
    """Numbers of the links to prefetch, those with the highest scores; None for no prefetching."""
    similarity: Callable[[str, str], float] | None = None
    """Semantic similarity of two item names, -1..1, for the counter's near-duplicates."""
    sure: float = 0.0
    """Confidence from which the best answer is given, 0..1."""

    def described(self) -> dict[str, Any]:
        """The rules as plain values, for the recording."""
        return {
            "scope": self.policy.scope.kind,
            **({"also": list(self.policy.scope.also)} if self.policy.scope.also else {}),
            **({"opens_hits": True} if self.policy.scope.opens_hits else {}),
            "limits": msgspec.to_builtins(self.budget.limits),
            "threshold": self.threshold,
            "look_threshold": self.look_threshold,
            "weights": msgspec.to_builtins(self.weights),
            "may_look": self.may_look,
            **({"looks_back": True} if self.looks_back else {}),
            **({"gate": self.gate} if self.gate != "walker" else {}),
        }


class WalkContext(msgspec.Struct, frozen=True, kw_only=True):
    """What stays the same from the first page to the last: the question, the edges, the rules, and the sink of events. The task is
    replaced once, by itself with its analysis."""

    task: Task
    edges: Edges
    rules: Rules
    sink: TraceSink


class Fresh(msgspec.Struct, frozen=True):
    """The page on top of the stack was just opened, or changed by an operation, and is to be read."""


class CloserLook(msgspec.Struct, frozen=True):
    """One part of the page on top of the stack is to be enlarged and read."""


class ReadOn(msgspec.Struct, frozen=True):
    """More of the text of the page on top of the stack is to be read."""


class NothingNew(msgspec.Struct, frozen=True):
    """The page on top of the stack was read before, or is not to be read."""


class LettersOnly(msgspec.Struct, frozen=True):
    """One part of the page on top of the stack is to be enlarged and read, by OCR alone."""


class Computed(msgspec.Struct, frozen=True):
    """There is a finding more, of code; the page is as it was."""


Page = Fresh | CloserLook | LettersOnly | ReadOn | Computed | NothingNew
"""What a move leads to."""


class Looked(msgspec.Struct, frozen=True, kw_only=True):
    """What was seen in the pictures of a page, and the perceptual hashes of the page at that time."""

    prints: tuple[int, ...]
    look: Look


class ReadPicture(msgspec.Struct, frozen=True, kw_only=True):
    """What was read of a picture, and its box on the page where it was, to which the boxes of the look refer."""

    box: Box
    look: Look


class SeenPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page that is or was on the stack."""

    observation: Observation
    """The latest, with the text read in its pictures."""
    operations: int = 0
    """Clicks and scrolls on this page so far."""
    looked: Looked | None = None
    """None for a page whose pictures were not looked at."""


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """The progress in reading a page; each pass makes a new one."""

    observation: Observation
    findings: Findings | None = None
    """None while the page holds text that the critic has not read."""
    part: Enlarge | None = None
    """The part of the page that is enlarged; None for the whole page."""
    blindness: Blindness = Blindness()
    """The blind regions of the page before its pictures were looked at."""
    requests: tuple[LookRequest, ...] = ()
    """What was drawn for the OCR pass, those most likely to hold the answer first; () if there was none."""
    prints: tuple[int, ...] = ()
    """Perceptual hashes of all that was drawn."""
    look: Look = Look()
    """All that was seen in this reading."""
    read_boxes: tuple[Box, ...] = ()
    """Boxes of the texts read in its pictures, those of earlier readings included."""
    shown: tuple[Finding, ...] = ()
    """What pictures show that do not answer the question, as a vision model says."""
    decision: GateDecision | None = None
    """The gate's latest; None if something was added since."""
    threshold: float = 0.0
    """The threshold of the OCR pass, 0..100."""


class WalkState(msgspec.Struct, frozen=True, kw_only=True):
    """A walk between two stages. A stage takes it and returns the next; it is never changed in place."""

    memory: WalkMemory
    pages: Mapping[str, SeenPage] = {}
    """By page key."""
    probes: Mapping[str, Observation | None] = {}
    """The site's answer to a URL that cannot exist, by folder; None if it failed to load."""
    goal: str = ""
    """What the page that was opened last was opened for, "" for the question."""
    shown_key: str = ""
    """Key of the page that the browser shows; after going back it is not the top of the stack."""
    reading: Reading | None = None
    """None until a page was opened."""
    verdict: Verdict = Verdict()
    """The critic's latest."""
    read_pictures: Mapping[str, ReadPicture] = {}
    """What was read of pictures of the site, by the address of the file, and by the digest of what was drawn."""
    standing: Mapping[str, int] = {}
    """Pages on which each picture's file stands."""
    was_led: bool = False
    """Whether the page that was asked for last led to another address."""
    walls: frozenset[str] = frozenset()
    """Keys of pages that ask for a login."""
    is_checked: bool = False
    """Whether a check page came in place of a root."""
    is_kept_out: bool = False
    """Whether one of them came in place of a page that was wanted."""
    refused: tuple[Refusal, ...] = ()
    """What the last move came to nothing for, told to the explorer as if it had been refused."""
    first_seen: float = 0.0
    last_seen: float = 0.0
    """Times of the first and the latest snapshot, seconds since the epoch; the latter without `waited` until then."""
    waited: float = 0.0
    """Seconds in which a person was asked."""
    helped: tuple[Helped, ...] = ()
    """What a person chose or did so far."""

    @property
    def often(self) -> frozenset[str]:
        """Files of pictures that stand on many pages."""
        return frozenset(source for source, pages in self.standing.items() if pages >= STANDS_ON_MANY)

    @property
    def step(self) -> int:
        """Number of the page that is being read, from 1."""
        return self.memory.step

    @property
    def elapsed(self) -> float:
        """Seconds between the first and the latest page, without those of a person who was asked."""
        return max(0.0, self.last_seen - self.first_seen)

    @property
    def frame(self) -> Frame:
        """The top of the stack."""
        frame = self.memory.stack.top
        assert frame is not None, "the stack of a walk under way holds its root"
        return frame

    @property
    def page(self) -> SeenPage:
        """The page on top of the stack."""
        return self.pages[self.frame.key]

    @property
    def looks(self) -> int:
        """OCR passes and vision-model calls so far."""
        return self.memory.looks

    def remember(self, **changes: Any) -> WalkState:
        """With these fields of its memory changed."""
        return msgspec.structs.replace(self, memory=msgspec.structs.replace(self.memory, **changes))

    def saw_page(self, key: str, observation: Observation, at: float) -> WalkState:
        """With a page's observation, and the time of its snapshot."""
        known = self.pages.get(key)
        standing = self.standing if known is not None else _counted(self.standing, observation)
        seen = (
            SeenPage(observation=observation)
            if known is None
            else msgspec.structs.replace(known, observation=observation)
        )
        return msgspec.structs.replace(
            self,
            pages={**self.pages, key: seen},
            standing=standing,
            first_seen=self.first_seen or at,
            last_seen=max(self.last_seen, at - self.waited),
        )

    def note_page(self, **changes: Any) -> WalkState:
        """With these fields of the page on top of the stack changed."""
        changed = msgspec.structs.replace(self.page, **changes)
        return msgspec.structs.replace(self, pages={**self.pages, self.frame.key: changed})

    def with_outcome(self, outcome: str) -> WalkState:
        """With what came of its last move."""
        *earlier, last = self.memory.moves
        return self.remember(moves=(*earlier, msgspec.structs.replace(last, outcome=outcome)))

    @property
    def under_way(self) -> Reading:
        """The reading of the current page."""
        assert self.reading is not None, "a reading begins when a page is entered"
        return self.reading

    @property
    def found(self) -> Findings:
        """What the critic found on the current page."""
        findings = self.under_way.findings
        assert findings is not None, "the critic has read the page before its findings are used"
        return findings

    def read_on(self, **changes: Any) -> WalkState:
        """With these fields of the reading changed; a changed observation is stored with the page too."""
        reading = msgspec.structs.replace(self.under_way, **changes)
        state = msgspec.structs.replace(self, reading=reading)
        return (
            state if reading.observation is self.page.observation else state.note_page(observation=reading.observation)
        )


Stage = Callable[[WalkContext, WalkState], Awaitable[WalkState]]
"""One stage of a step: returns the changed state, and emits what it did as events."""


def _counted(standing: Mapping[str, int], observation: Observation) -> Mapping[str, int]:
    """With one page more for each picture that stands on it."""
    sources = {one.source for one in (*observation.blind, *observation.described) if one.source}
    return {**standing, **{source: standing.get(source, 0) + 1 for source in sorted(sources)}} if sources else standing


async def bring_back(context: WalkContext, state: WalkState) -> WalkState:
    """Open the page on top of the stack again if the browser shows another one."""
    frame = state.frame
    if state.shown_key == frame.key:
        return state
    await context.edges.browser.open(frame.url)
    return msgspec.structs.replace(state, shown_key=frame.key)


def count_look(context: WalkContext, state: WalkState, look: Look) -> WalkState:
    """Count an OCR pass or a vision-model call against the budget, and emit its event."""
    context.sink.emit(page_looked_at(state.step, look))
    return state.remember(looks=state.looks + 1)


def count_pause(context: WalkContext, state: WalkState, picked: Picked) -> WalkState:
    """Emit what a person was asked, and leave the time that it took out of the budget; nothing where nobody was asked."""
    if picked.pause is None:
        return state
    context.sink.emit(person_asked(state.step, picked))
    waited = msgspec.structs.replace(state, waited=state.waited + picked.seconds)
    choice = picked.choice
    return waited if choice is None else note_help(waited, picked.pause.kind, choice.text, choice.url)


def note_help(state: WalkState, about: PauseKind, chosen: str, url: str) -> WalkState:
    """The state with one more thing that a person did."""
    return msgspec.structs.replace(state, helped=(*state.helped, Helped(about=about, chosen=chosen, url=url)))
