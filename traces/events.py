"""The vocabulary of a walk: one frozen value for each thing that can happen. Progress display, viewer, metrics, replay
and tests are all readers of these. This file is the authority for names and fields of format 1.

Fields hold plain values only (text, numbers, tuples, mappings). `Called` is the tape: what an edge was asked and what
came back. All others are derived from it and must come out equal in a replay.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

FORMAT = (1, 0)
"""Major, minor. A reader refuses a higher major and skips unknown kinds."""


class _Event(msgspec.Struct, frozen=True, kw_only=True):
    step: int = 0
    """Number of the page that was being read, from 1; 0 before the first."""


class WalkStarted(_Event, tag="run.start"):
    question: str
    root_url: str
    language: str
    requirement: dict[str, Any]
    settings: dict[str, Any]


class Called(_Event, tag="call"):
    """One answer of an edge. `outcome` is JSON-ready or a blob reference; `error` is set where the edge raised."""

    seam: str
    """browser, vision, explorer, critic, chat or reader."""
    method: str
    fingerprint: str
    """Hex digest of the canonical request."""
    occurrence: int
    """How often this fingerprint was asked before in this run."""
    request: Any
    outcome: Any = None
    error: str = ""
    seconds: float = 0.0
    """Wall time; not compared in a replay."""


class PageOpened(_Event, tag="page.open"):
    url: str
    final_url: str
    key: str
    status: int
    title: str
    redirects: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    html_sha256: str = ""


class PageFailed(_Event, tag="page.fail"):
    url: str
    kind: str
    message: str


class PageObserved(_Event, tag="obs"):
    url: str
    title: str
    language: str
    blocks: int
    links: int
    controls: int
    record_sets: int
    figures: int
    next_url: str = ""
    signals: dict[str, Any] = {}


class PageRejected(_Event, tag="page.reject"):
    url: str
    reason: str
    detail: str = ""


class Understood(_Event, tag="us"):
    """Understanding score 0..100 and its parts; each part is a list of named terms that add up to it."""

    score: float
    text_quality: float
    relevance: float
    clarity: float
    special: float
    terms: dict[str, float]


class GateDecided(_Event, tag="gate"):
    choice: Literal["read", "look"]
    score: float
    threshold: float
    reason: str


class PageLookedAt(_Event, tag="look"):
    model: str
    texts: int


class FindingsAdded(_Event, tag="findings"):
    findings: tuple[dict[str, Any], ...]
    items: int


class CounterMoved(_Event, tag="counter"):
    mode: str
    target: int
    found: int
    added: tuple[dict[str, Any], ...]
    merged: tuple[dict[str, Any], ...]
    done: bool
    complete: bool


class Judged(_Event, tag="verdict"):
    sufficient: bool
    answer: str
    confidence: float
    citations: tuple[dict[str, str], ...]
    missing: tuple[str, ...] = ()
    reason: str = ""


class ActionProposed(_Event, tag="proposal"):
    action: str
    detail: dict[str, Any]


class ActionRefused(_Event, tag="refusal"):
    action: str
    reason: str


class MoveTaken(_Event, tag="move"):
    move: str
    url: str
    reason: str


class StackMoved(_Event, tag="stack"):
    """`path` is the stack after the move, as URLs from the root down."""

    change: Literal["push", "pop", "return", "stay"]
    depth: int
    path: tuple[str, ...]
    untried: int


class WalkEnded(_Event, tag="run.end"):
    stop_reason: str
    answer: str
    confidence: float
    items: tuple[str, ...]
    citations: tuple[dict[str, str], ...]
    count: dict[str, Any]
    pages: int
    steps: int


class WalkFailed(_Event, tag="error"):
    error: str
    message: str


class Forked(_Event, tag="fork"):
    parent_run: str
    after_step: int


Event = (
    WalkStarted
    | Called
    | PageOpened
    | PageFailed
    | PageObserved
    | PageRejected
    | Understood
    | GateDecided
    | PageLookedAt
    | FindingsAdded
    | CounterMoved
    | Judged
    | ActionProposed
    | ActionRefused
    | MoveTaken
    | StackMoved
    | WalkEnded
    | WalkFailed
    | Forked
)


class Envelope(msgspec.Struct, frozen=True, kw_only=True):
    """One line of events.jsonl."""

    seq: int
    t: int
    """Microseconds since the run started."""
    wall: float
    """Seconds since the epoch, UTC."""
    k: str
    step: int
    d: msgspec.Raw
    """The event's own fields, without step."""
    p: str
    """First 16 hex digits of the SHA-256 of the previous line."""
