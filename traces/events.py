"""The events of a walk: one frozen value for each thing that can happen. Progress display, viewer, metrics, replay
and tests all read these. This file is the authority for names and fields of format 1.

Fields hold JSON-ready values only (text, numbers, tuples, mappings). `EdgeCall` is the recording: the request to an edge and its
answer. All other events are derived from it and must be equal in a replay.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from traces.event_base import EventBase
from traces.session_events import ActionDone, HandedOver, PersonAsked, SessionCalled, SessionLeft, WalkStopped

FORMAT = (1, 9)
"""Major, minor. A reader refuses a higher major and skips unknown kinds. 1.1 added `doubt`, `stream`, and `truncated` of `net`;
1.2 added `task`, 1.3 `code`, `ground`, `picture`, `pictured`, `passages` and `summary`, 1.4 `fields`,
1.5 `handover`, 1.6 `session.call`, `act` and `session.left`, 1.7 `run.stopped`, 1.8 `tied` of `verdict`, 1.9 `asked`."""

WarningKind = Literal[
    "service worker",  # requested by the page; blocked in walks and replays alike
    "websocket",
    "event stream",
    "body missing",  # no response, or its body did not arrive in time
    "body cut",  # too large to be recorded
    "redacted",  # part of it was a secret, and was not recorded
    "clock",
    "random numbers",
]

StreamKind = Literal["websocket", "event stream"]

Truncated = Literal["", "length", "time", "disconnect", "unspecified"]
"""Why a body is missing (WARC 1.1, 5.13): too long, timed out, the connection ended, anything else; "" where it is complete."""


class WalkStarted(EventBase, frozen=True, kw_only=True, tag="run.start"):
    """A walk began: the parsed task, and the settings that affect decisions."""

    question: str
    root_url: str
    language: str
    requirement: dict[str, Any]
    settings: dict[str, Any]


class PictureAsked(EventBase, frozen=True, kw_only=True, tag="picture"):
    """The question has a picture. Walks of questions without one have no such event."""

    file: dict[str, Any]
    """Reference of the blob that holds it, upright and without metadata."""
    width: int
    height: int
    box: tuple[float, ...] = ()
    """The part that the question is about: left, top, right and lower edge in shares; () for all of it."""


class PictureNamed(EventBase, frozen=True, kw_only=True, tag="pictured"):
    """It was said what the picture of the question shows: its name takes the place of "this" from here on."""

    name: str
    by: Literal["page", "words"]
    """A page that shows the picture too, or words that were read in it."""
    url: str = ""
    """Of that page."""


class TaskAnalysed(EventBase, frozen=True, kw_only=True, tag="task"):
    """What the question asks for, said when the root page was open. Walks of older versions have no such event."""

    by: str
    """rules or model."""
    kind: str
    """Kind of the answer: name, date, number, yes/no, list ..."""
    unit: str
    parts: tuple[dict[str, Any], ...]
    """Each with its `text`, and in `needs` the number of the part that it depends on."""
    operation: str
    """How the answers of the parts are joined."""
    names: tuple[dict[str, Any], ...]
    """Each with its `name` and other `spellings`."""
    requirement: dict[str, Any]
    """What is counted from here on."""
    constraint: str
    picture: str
    """The picture that is meant, "" for none."""
    proof: str
    note: str = ""
    """Why the model's analysis was not used."""
    each: str = ""
    """What is asked of each counted thing besides its name."""


class EdgeCall(EventBase, frozen=True, kw_only=True, tag="call"):
    """One answer of an edge. `outcome` is JSON-ready or a blob reference; `error` is set where the edge raised."""

    seam: str
    """browser, reader, vision, vision_model, analyst, explorer, critic, chat, code, or picture: a screenshot for people."""
    method: str
    fingerprint: str
    """Hex digest of the canonicalised request."""
    occurrence: int
    """Number of earlier calls with this fingerprint in this run."""
    request: Any
    outcome: Any = None
    error: str = ""
    seconds: float = 0.0
    """Duration in seconds; not compared in a replay."""


class NetworkExchanged(EventBase, frozen=True, kw_only=True, tag="net"):
    """An HTTP request of a page and its response, where the network is recorded. Bodies are blob references of their raw bytes.
    The walk does not depend on these: a replay of its decisions skips them."""

    order: int
    """Order in which responses were completed, from 0."""
    method: str
    url: str
    resource: str
    request_headers: dict[str, str] = msgspec.field(default_factory=dict)
    request_body: Any = None
    status: int = 0
    headers: dict[str, str] = msgspec.field(default_factory=dict)
    body: Any = None
    redirect_to: str = ""
    error: str = ""
    at: float = 0.0
    seconds: float = 0.0
    truncated: Truncated = ""
    """Why the response body is missing, "" where it is complete."""


class StreamRecorded(EventBase, frozen=True, kw_only=True, tag="stream"):
    """Messages of a WebSocket or an event stream since the previous page. A stream that outlives a page has one of these events
    for each page."""

    stream: int
    """Number of the stream, from 0."""
    kind: StreamKind
    url: str
    at: float = 0.0
    """Time of opening, seconds since the epoch, UTC."""
    messages: Any = None
    """Blob reference of a JSON list of `StreamMessage`, None for none."""
    dropped: int = 0
    """Number of messages beyond the limits, which were not recorded."""
    is_closed: bool = False


class StreamMessage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One message of a stream, text or binary."""

    at: float
    """Seconds since the epoch, UTC."""
    is_sent: bool = False
    """Sent by the page, rather than received by it."""
    text: str = ""
    data: bytes | None = None
    event: str = "message"
    """Its event type, in an event stream."""
    id: str = ""


class ReplayWarning(EventBase, frozen=True, kw_only=True, tag="doubt"):
    """Why this page may not replay exactly in a browser that is served the recorded network. The walk does not depend on these
    either."""

    kind: WarningKind
    url: str
    """URL of the page, or of the request."""
    detail: str = ""


class PageOpened(EventBase, frozen=True, kw_only=True, tag="page.open"):
    """The browser loaded a page."""

    url: str
    final_url: str
    key: str
    status: int
    title: str
    redirects: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    html_sha256: str = ""


class PageFailed(EventBase, frozen=True, kw_only=True, tag="page.fail"):
    """A page could not be loaded; the walk continues."""

    url: str
    kind: str
    message: str


class PageObserved(EventBase, frozen=True, kw_only=True, tag="obs"):
    """A page was parsed; counts of its contents."""

    url: str
    title: str
    language: str
    blocks: int
    links: int
    controls: int
    record_sets: int
    figures: int
    next_url: str = ""
    signals: dict[str, Any] = msgspec.field(default_factory=dict)


class PageRejected(EventBase, frozen=True, kw_only=True, tag="page.reject"):
    """A page was rejected before it reached the critic, and why."""

    url: str
    reason: str
    detail: str = ""


class Understood(EventBase, frozen=True, kw_only=True, tag="us"):
    """Understanding score 0..100 and its parts; each part is a list of named terms that add up to it."""

    score: float
    text_quality: float
    relevance: float
    clarity: float
    special: float
    terms: dict[str, float]


class GateDecided(EventBase, frozen=True, kw_only=True, tag="gate"):
    """The gate's decision: read the text only ("read"), run built-in OCR ("glance"), or ask a vision model ("look")."""

    choice: Literal["read", "glance", "look"]
    score: float
    """Confidence in the text, 0..100."""
    threshold: float
    reason: str
    terms: dict[str, float] = msgspec.field(default_factory=dict)
    """Contribution of each input to the log odds of the confidence."""


class PageLookedAt(EventBase, frozen=True, kw_only=True, tag="look"):
    """Vision (built-in or a vision model) added text to the page."""

    model: str
    texts: int
    regions: int = 0
    """Number of regions that were read."""
    notes: tuple[str, ...] = ()
    """Failures, one line each."""


class PictureCropped(EventBase, frozen=True, kw_only=True, tag="crop"):
    """A crop of one of the page's pictures was rendered larger; the text that vision read in it follows."""

    image_index: int
    """Index of the picture that it was cropped from."""
    number: int
    """Index of the crop itself."""
    box: tuple[float, ...]
    """Left and upper edge, width and height on the page, in CSS pixels."""
    scale: float
    """Picture pixels per CSS pixel."""
    failure: str = ""
    """Why it could not be rendered."""


class CodeRan(EventBase, frozen=True, kw_only=True, tag="code"):
    """Code that a model wrote was run over values that were found, or a sum of an answer was checked."""

    code: str
    inputs: tuple[str, ...]
    """What each variable was, a line each."""
    value: str = ""
    printed: str = ""
    is_cut: bool = False
    failure: str = ""
    """Kind of the failure, "" where there was none."""
    message: str = ""
    line: int = 0
    """Where in the code it failed, from 1; 0 where that is not known."""
    column: int = 0
    seconds: float = 0.0


class ElementLocated(EventBase, frozen=True, kw_only=True, tag="ground"):
    """An element was looked for on the page by words."""

    words: str
    element: int
    """Its number in the view's element map, 0 for none."""
    box: tuple[float, ...]
    """Left and upper edge, width and height on the page, in CSS pixels; () for none."""
    confidence: float
    told: str
    """What the explorer was told."""


class FindingsAdded(EventBase, frozen=True, kw_only=True, tag="findings"):
    """The critic extracted findings from a page."""

    findings: tuple[dict[str, Any], ...]
    items: int
    refused: tuple[str, ...] = ()
    """What a model named and was not taken, and why."""


class PassagesFound(EventBase, frozen=True, kw_only=True, tag="passages"):
    """A workflow searched; what it found, best first."""

    queries: tuple[str, ...]
    passages: tuple[dict[str, Any], ...]
    """Each with its `url`, `title`, `text`, the `heading` above it, whether it was `kept`, and the `chance` that it bears on the
    question, where it was weighed."""
    note: str = ""
    """How the chances came about, "" where nothing was weighed."""


class PageSummarised(EventBase, frozen=True, kw_only=True, tag="summary"):
    """A page, or all pages of a search, summarised for a goal."""

    urls: tuple[str, ...]
    """Of the pages."""
    goal: str
    rationale: str
    evidence: tuple[str, ...]
    """Quotes from the pages."""
    summary: str
    by: str
    """sentences or model."""
    note: str = ""


class FieldsExtracted(EventBase, frozen=True, kw_only=True, tag="fields"):
    """Fields of a schema were filled in from a page."""

    url: str
    fields: tuple[dict[str, Any], ...]
    """Each with its `path`, and its `value`, `quote`, `source` and `label`, or the `reason` why it has none."""
    records: int = 0
    """Of a list: how many were new."""
    refused: tuple[str, ...] = ()
    """What a model named and was not taken, and why."""


class CounterMoved(EventBase, frozen=True, kw_only=True, tag="counter"):
    """The symbolic counter after a page: what was added and what was merged."""

    mode: str
    target: int
    found: int
    added: tuple[dict[str, Any], ...]
    merged: tuple[dict[str, Any], ...]
    done: bool
    complete: bool


class Judged(EventBase, frozen=True, kw_only=True, tag="verdict"):
    """The verdict on all findings so far; `tied` are other answers that are about as likely, each with its citations."""

    sufficient: bool
    answer: str
    confidence: float
    citations: tuple[dict[str, str], ...]
    missing: tuple[str, ...] = ()
    reason: str = ""
    tied: tuple[dict[str, Any], ...] | msgspec.UnsetType = msgspec.UNSET


class ActionProposed(EventBase, frozen=True, kw_only=True, tag="proposal"):
    """The explorer proposed an action."""

    action: str
    detail: dict[str, Any]


class ActionRefused(EventBase, frozen=True, kw_only=True, tag="refusal"):
    """The policy refused an action, and why."""

    action: str
    reason: str


class MoveTaken(EventBase, frozen=True, kw_only=True, tag="move"):
    """The walk made a move."""

    move: str
    url: str
    reason: str


class StackMoved(EventBase, frozen=True, kw_only=True, tag="stack"):
    """`path` is the stack after the move, as URLs from the root down."""

    change: Literal["push", "pop", "return", "stay"]
    depth: int
    path: tuple[str, ...]
    untried: int


class WalkEnded(EventBase, frozen=True, kw_only=True, tag="run.end"):
    """The walk ended with an answer."""

    stop_reason: str
    answer: str
    confidence: float
    items: tuple[str, ...]
    citations: tuple[dict[str, str], ...]
    count: dict[str, Any]
    pages: int
    steps: int


class WalkFailed(EventBase, frozen=True, kw_only=True, tag="error"):
    """An error ended the walk."""

    error: str
    message: str


class Forked(EventBase, frozen=True, kw_only=True, tag="fork"):
    """The run is a fork: it repeats another run up to a step."""

    parent_run: str
    after_step: int


Event = (
    WalkStarted
    | PictureAsked
    | PictureNamed
    | TaskAnalysed
    | EdgeCall
    | NetworkExchanged
    | StreamRecorded
    | ReplayWarning
    | PageOpened
    | PageFailed
    | PageObserved
    | PageRejected
    | HandedOver
    | PersonAsked
    | Understood
    | GateDecided
    | PageLookedAt
    | PictureCropped
    | CodeRan
    | ElementLocated
    | FindingsAdded
    | PassagesFound
    | PageSummarised
    | FieldsExtracted
    | CounterMoved
    | Judged
    | ActionProposed
    | ActionRefused
    | MoveTaken
    | StackMoved
    | WalkEnded
    | WalkStopped
    | WalkFailed
    | SessionCalled
    | ActionDone
    | SessionLeft
    | Forked
)

OUTSIDE_THE_WALK = (EdgeCall, NetworkExchanged, StreamRecorded, ReplayWarning, Forked, WalkStopped, WalkFailed)
"""Events that a replay does not derive."""


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


msgspec.json.Decoder(Envelope)  # described at import: docs/design/msgspec.md
msgspec.json.Decoder(StreamMessage)  # described at import: docs/design/msgspec.md
