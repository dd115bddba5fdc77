"""The vocabulary of a walk: one frozen value for each thing that can happen. Progress display, viewer, metrics, replay
and tests are all readers of these. This file is the authority for names and fields of format 1.

Fields hold plain values only (text, numbers, tuples, mappings). `EdgeCall` is the tape: what an edge was asked and what
came back. All others are derived from it and must come out equal in a replay.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

FORMAT = (1, 1)
"""Major, minor. A reader refuses a higher major and skips unknown kinds. 1.1 added `doubt`, `stream`, and `truncated` of `net`."""

WarningKind = Literal[
    "service worker",  # asked for, and blocked in walks and replays alike
    "websocket",
    "event stream",
    "body missing",  # no answer, or one whose content could not be had in time
    "body cut",  # too large to be kept
    "redacted",  # something in it was a secret, and is not on the tape
    "clock",
    "random numbers",
]

StreamKind = Literal["websocket", "event stream"]

Truncated = Literal["", "length", "time", "disconnect", "unspecified"]
"""Why a body is not there (WARC 1.1, 5.13): too long, took too long, the connection ended, anything else; "" where it is."""


class _Event(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What all events have. They hold plain values and make no cycles: a record of 60,000 is read without going through
    them for garbage time and again."""

    step: int = 0
    """Number of the page that was being read, from 1; 0 before the first."""


class WalkStarted(_Event, frozen=True, kw_only=True, tag="run.start"):
    """A walk began: the task as it was understood, and the settings that decide."""

    question: str
    root_url: str
    language: str
    requirement: dict[str, Any]
    settings: dict[str, Any]


class EdgeCall(_Event, frozen=True, kw_only=True, tag="call"):
    """One answer of an edge. `outcome` is JSON-ready or a blob reference; `error` is set where the edge raised."""

    seam: str
    """browser, vision, vision_model, explorer, critic, chat, reader, or picture: a screenshot for the record alone."""
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


class NetworkExchanged(_Event, frozen=True, kw_only=True, tag="net"):
    """A request of a page and what came back, where the network is recorded. Bodies are blob references of their raw bytes. The
    walk does not follow from these: a replay of its decisions passes over them."""

    order: int
    """In which responses were complete, from 0."""
    method: str
    url: str
    resource: str
    request_headers: dict[str, str] = {}
    request_body: Any = None
    status: int = 0
    headers: dict[str, str] = {}
    body: Any = None
    redirect_to: str = ""
    error: str = ""
    at: float = 0.0
    seconds: float = 0.0
    truncated: Truncated = ""
    """Why the body of an answer is not here, "" where it is."""


class StreamHeard(_Event, frozen=True, kw_only=True, tag="stream"):
    """What came and went over a WebSocket or an event stream since the page before. A stream that outlives a page has one of
    these for each page."""

    stream: int
    """Its number, from 0."""
    kind: StreamKind
    url: str
    at: float = 0.0
    """When it was opened, seconds since the epoch, UTC."""
    messages: Any = None
    """Blob reference of a JSON list of `StreamMessage`, None for none."""
    dropped: int = 0
    """Messages beyond the bounds, which were not kept."""
    is_closed: bool = False


class StreamMessage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One message of a stream, of text or of bytes."""

    at: float
    """Seconds since the epoch, UTC."""
    is_sent: bool = False
    """By the page, rather than to it."""
    text: str = ""
    data: bytes | None = None
    event: str = "message"
    """Its kind, in an event stream."""
    id: str = ""


class ReplayWarning(_Event, frozen=True, kw_only=True, tag="doubt"):
    """Why this page may not come out exactly when a browser is served the recorded network. The walk does not follow from
    these either."""

    kind: WarningKind
    url: str
    """Of the page, or of what it asked for."""
    detail: str = ""


class PageOpened(_Event, frozen=True, kw_only=True, tag="page.open"):
    """The browser showed a page."""

    url: str
    final_url: str
    key: str
    status: int
    title: str
    redirects: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    html_sha256: str = ""


class PageFailed(_Event, frozen=True, kw_only=True, tag="page.fail"):
    """A page could not be had; the walk goes on."""

    url: str
    kind: str
    message: str


class PageObserved(_Event, frozen=True, kw_only=True, tag="obs"):
    """A page was read; counts of what it holds."""

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


class PageRejected(_Event, frozen=True, kw_only=True, tag="page.reject"):
    """A page was left before the critic saw it, and why."""

    url: str
    reason: str
    detail: str = ""


class Understood(_Event, frozen=True, kw_only=True, tag="us"):
    """Understanding score 0..100 and its parts; each part is a list of named terms that add up to it."""

    score: float
    text_quality: float
    relevance: float
    clarity: float
    special: float
    terms: dict[str, float]


class GateDecided(_Event, frozen=True, kw_only=True, tag="gate"):
    """Whether the text is read, or its picture glanced at, or shown to a vision model."""

    choice: Literal["read", "glance", "look"]
    score: float
    """Trust in the text, 0..100."""
    threshold: float
    reason: str
    terms: dict[str, float] = {}
    """What each input adds to the log odds of the trust."""


class PageLookedAt(_Event, frozen=True, kw_only=True, tag="look"):
    """A vision model added what it saw."""

    model: str
    texts: int
    regions: int = 0
    """Rectangles that were looked at."""
    notes: tuple[str, ...] = ()
    """What did not work."""


class PictureCropped(_Event, frozen=True, kw_only=True, tag="crop"):
    """A part of a picture of the page was drawn larger; what was read in it follows."""

    image_index: int
    """Number of the picture that it is a part of."""
    number: int
    """Number that it has itself from here on."""
    box: tuple[float, ...]
    """Left and upper edge, width and height on the page, in CSS pixels."""
    scale: float
    """Picture pixels for a CSS pixel."""
    failure: str = ""
    """Why it could not be drawn."""


class FindingsAdded(_Event, frozen=True, kw_only=True, tag="findings"):
    """What the critic kept of a page."""

    findings: tuple[dict[str, Any], ...]
    items: int


class CounterMoved(_Event, frozen=True, kw_only=True, tag="counter"):
    """The symbolic counter after a page: what was added and what was merged."""

    mode: str
    target: int
    found: int
    added: tuple[dict[str, Any], ...]
    merged: tuple[dict[str, Any], ...]
    done: bool
    complete: bool


class Judged(_Event, frozen=True, kw_only=True, tag="verdict"):
    """The verdict on all findings so far."""

    sufficient: bool
    answer: str
    confidence: float
    citations: tuple[dict[str, str], ...]
    missing: tuple[str, ...] = ()
    reason: str = ""


class ActionProposed(_Event, frozen=True, kw_only=True, tag="proposal"):
    """What the explorer wants to do."""

    action: str
    detail: dict[str, Any]


class ActionRefused(_Event, frozen=True, kw_only=True, tag="refusal"):
    """The policy said no, and why."""

    action: str
    reason: str


class MoveTaken(_Event, frozen=True, kw_only=True, tag="move"):
    """The move that is made."""

    move: str
    url: str
    reason: str


class StackMoved(_Event, frozen=True, kw_only=True, tag="stack"):
    """`path` is the stack after the move, as URLs from the root down."""

    change: Literal["push", "pop", "return", "stay"]
    depth: int
    path: tuple[str, ...]
    untried: int


class WalkEnded(_Event, frozen=True, kw_only=True, tag="run.end"):
    """The walk came to its end; the answer."""

    stop_reason: str
    answer: str
    confidence: float
    items: tuple[str, ...]
    citations: tuple[dict[str, str], ...]
    count: dict[str, Any]
    pages: int
    steps: int


class WalkFailed(_Event, frozen=True, kw_only=True, tag="error"):
    """An error ended the walk."""

    error: str
    message: str


class Forked(_Event, frozen=True, kw_only=True, tag="fork"):
    """The run follows another one up to a step."""

    parent_run: str
    after_step: int


Event = (
    WalkStarted
    | EdgeCall
    | NetworkExchanged
    | StreamHeard
    | ReplayWarning
    | PageOpened
    | PageFailed
    | PageObserved
    | PageRejected
    | Understood
    | GateDecided
    | PageLookedAt
    | PictureCropped
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


OUTSIDE_THE_WALK = (EdgeCall, NetworkExchanged, StreamHeard, ReplayWarning, Forked, WalkFailed)
"""Kinds that a replay does not derive again."""


class Envelope(msgspec.Struct, frozen=True, kw_only=True, gc=False):
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
