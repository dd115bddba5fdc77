"""The memory of a walk as one frozen value: each step derives the next one from it."""

from __future__ import annotations

import msgspec

from memory.counting.counter import Counter
from memory.findings import CodeRun, Finding
from memory.url_stack import UrlStack


class PageNote(msgspec.Struct, frozen=True, kw_only=True):
    """Summary of a visited page: what a walk remembers of it after leaving."""

    step: int
    url: str
    key: str
    title: str = ""
    heading: str = ""
    """The first heading of its text: pages of an application often share their title."""
    outcome: str = ""
    """"read", or why it was rejected ("soft 404")."""
    around: tuple[int, ...] = ()
    """Marks of what stands around its text, by which it is known again on other pages."""
    relevance: float = 0.0
    gist: str = ""
    """The page's text as it was shown, for when this step is recalled."""
    summary: str = ""
    """What the page says about what it was opened for; "" where the walk makes no summaries."""
    text: str = ""
    """All of its text, where there is a summary."""


UNFOLDED_AT_MOST = 2
PASSING = frozenset(("timeout", "refused", "empty"))
"""Outcomes of a page that may be over a moment later: it was late, or its connection broke. All others are of the page itself, or of a
rule."""
NOTHING_CHANGED = "nothing changed"
END = "answer"
"""How a note says that the walk was to end."""


class MoveNote(msgspec.Struct, frozen=True, kw_only=True):
    """What was done at a step, and what came of it."""

    step: int
    page: str
    """Key of the page on which it was done."""
    what: str
    """In words: "follow [3] “Boats”", "scroll"."""
    outcome: str = ""
    """What an operation changed, `NOTHING_CHANGED` where it had no effect, why it was refused; "" for any other that was done."""
    told: tuple[str, ...] = ()
    """More about the outcome, a line each, for the next step only."""


class WalkMemory(msgspec.Struct, frozen=True, kw_only=True):
    """Stack, counter, findings and visited pages. `step` is the number of the page being read, from 1."""

    step: int = 0
    stack: UrlStack = UrlStack()
    counter: Counter = Counter()
    findings: tuple[Finding, ...] = ()
    pages: tuple[PageNote, ...] = ()
    moves: tuple[MoveNote, ...] = ()
    """What was done and what was refused, in order."""
    unfolded: tuple[int, ...] = ()
    """Parts of the current page that were asked for, in order, of a page too long to be shown whole."""
    hit_sites: tuple[str, ...] = ()
    """Origins of the pages that searches found, where what they find may be opened wherever it lies."""
    runs: tuple[CodeRun, ...] = ()
    """Code that was run, in order."""
    looks: int = 0
    """OCR passes and calls of a vision model so far."""
    missing: tuple[str, ...] = ()
    """What the last verdict found missing, as search phrases; () before the first verdict."""
    answer: str = ""
    """Best answer so far."""
    confidence: float = 0.0

    def may_unfold(self, part: int) -> bool:
        """Whether a part of the page may be asked for: not the one asked for last, and none for the third time. A part asked for
        before that may have had to make room."""
        return self.unfolded[-1:] != (part,) and self.unfolded.count(part) < UNFOLDED_AT_MOST

    @property
    def unanswered(self) -> dict[str, str]:
        """The addresses, by key, of pages that were asked for once and did not come, in the order in which they were asked for: they
        may be asked for once more."""
        keys = [note.key for note in self.pages]
        return {note.key: note.url for note in self.pages if note.outcome in PASSING and keys.count(note.key) == 1}
