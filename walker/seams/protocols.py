"""The edges of a walk, one Protocol each. Implementations inherit nothing and pass tests/contracts/.

Everything that is not a function of recorded values happens behind one of these: a recording wrapper writes the
outcome before it is used, a replaying wrapper answers from the record (walker/recording/recording_proxies.py).
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Literal, Protocol

import msgspec

from memory.findings import Citation, Findings
from perception.element_map import View
from perception.geometry import Box
from perception.observation import Observation
from perception.snapshot import BlindRegion, Snapshot
from traces.events import Event
from walker.seams.actions import Action, Operate, Refusal
from walker.seams.chat import ChatFailure, ChatReply, ChatRequest, Spent
from walker.seams.exchange import Heard
from walker.seams.storage_state import StorageState

if TYPE_CHECKING:
    # The words of counting in two languages: 0.1 s, which crawls need not spend.
    from memory.state import WalkMemory
    from walker.seams.task import Task

FailureKind = Literal[
    "unknown_host",  # the name does not resolve
    "refused",  # nobody listens, or the connection was reset
    "tls",  # certificate or handshake
    "timeout",  # no answer, or a page that never became readable
    "redirect_loop",  # too many redirects
    "download",  # a file, not a page; it was not kept
    "not_a_page",  # a PDF or another type that is not read here
    "blocked_address",  # private, loopback or link-local address, refused by walker/rules/egress.py
    "bad_scheme",  # not http or https
    "crashed",  # the renderer died; the page was given up
    "empty",  # the server closed without a response
    "unreadable",  # beyond the bounds that were set, of bytes or of elements
    "gone",  # the control is not on the page any more
    "other",
]


class PageFailure(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A page that could not be had. Never fatal to a walk; `message` is one line for a person."""

    url: str
    kind: FailureKind
    message: str


class Browser(Protocol):
    """Opens pages of one walk, one after the other. What a page does wrong is a `PageFailure`; only a browser that
    cannot be had at all raises (`BrowserUnavailable`)."""

    async def open(self, url: str) -> Snapshot | PageFailure:
        """The page at an address, redirects followed, as it stands when it has settled; an answer with an error status is a page
        too. `Snapshot.url` and `PageFailure.url` are the address that was asked for. Raises `BrowserUnavailable` only."""
        ...

    async def act(self, move: Operate) -> Snapshot | PageFailure:
        """The page that is open after a control was pressed, a field filled in and sent, or a window scrolled; it may be another
        page then. `gone` where no page is open or the control is not on it. Raises `BrowserUnavailable` only."""
        ...

    async def see(self, *, whole: bool = False, box: Box | None = None, scale: float = 1.0) -> View | PageFailure:
        """The page that is open as a picture, and the elements in it: what the window shows, the whole page, or one box of
        the page in CSS pixels, drawn anew at `scale` picture pixels for a CSS pixel. The page stays as it is. Raises
        `BrowserUnavailable` only."""

    async def fetch_ahead(self, urls: tuple[str, ...]) -> None:
        """Load pages in the background that may be opened next; GET only. Returns at once. A page fetched ahead is used by the
        next `open` of exactly that address, and thrown away by the next `open` of another or `act`. What goes wrong ahead is
        not told: `open` then opens as usual. Raises nothing."""

    async def close(self) -> None:
        """Give back what is held: pages, processes, connections. Nothing may follow. Raises nothing."""
        ...


class ScriptedBrowser(Browser, Protocol):
    """A browser in whose page scripts of ours can run: what the steps of a crawl script need."""

    async def run(self, function: str, argument: Any, *, seconds: float) -> Any | PageFailure:
        """The value that a function of one argument gives on the page that is open; None where the page went elsewhere
        meanwhile, and the new one is then open. `argument` and value are plain JSON values. A failure of kind `timeout` where it takes
        longer than `seconds` and what a page may take, `gone` where no page is open. Raises `BrowserUnavailable` only."""

    async def take(self) -> Snapshot | PageFailure:
        """The page that is open, as it is now, without waiting for it to settle; `gone` where none is. Raises
        `BrowserUnavailable` only."""


class StatefulBrowser(Browser, Protocol):
    """A browser that can be told who it is for a site, and tells it."""

    async def state(self) -> StorageState:
        """Its cookies, and the local storage that it can tell; empty where it has neither."""

    async def restore(self, state: StorageState) -> None:
        """Be this from the next page on, and nobody else: what it was before is forgotten."""


class PageReader(Protocol):
    """Reads a snapshot into an observation. A seam so that a replay need not parse the page again."""

    async def read(self, snapshot: Snapshot) -> Observation:
        """What stands on the page: text, links, controls, lists, in the order of the page. A function of the snapshot alone,
        equal for equal ones. Raises nothing, whatever the page is: what is no HTML is read as if it were."""
        ...


class ChatModel(Protocol):
    """A language model. Raises `EndpointUnusable` where no call can ever succeed (key, model name, address), and
    `BudgetSpent` where the budget allows no further call."""

    async def complete(self, request: ChatRequest) -> ChatReply | ChatFailure:
        """The model's whole reply with the tokens that it cost, prompt and reply apart; or a failure, for this call alone, that
        says why. Calls may go on side by side; one that is cancelled raises `CancelledError` at once and costs nothing further.
        Raises `EndpointUnusable` or `BudgetSpent`, as above."""
        ...


class LookRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be looked at, and why."""

    question: str
    observation: Observation
    view: View
    regions: tuple[Box, ...] = ()
    """Rectangles of the page to look at, smallest first; () for all that the view shows."""
    blind: tuple[BlindRegion, ...] = ()
    """The same rectangles with what was found odd about each; () for all of the observation's."""
    language: str = ""
    """Of the question, for the prompt."""


class Seen(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that was seen, and where."""

    text: str
    source: Literal["page", "ocr", "icon", "code", "colour", "width", "model"]
    """Words that the page gives, letters that were read, an icon that was named, a QR code, the colour of a mark, the share
    of a bar that is filled, or a vision model's words."""
    kind: Literal["words", "heading", "row"] = "words"
    cells: tuple[str, ...] = ()
    """Of a row, from left to right."""
    heading: str = ""
    """The heading that it stands under."""
    near: str = ""
    """Words of the page beside it."""
    box: Box | None = None
    confidence: float = 1.0
    element: int = 0
    """Id of the element of the view that it belongs to, 0 for none."""


class Look(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What looking at the picture added to the text, in reading order."""

    seen: tuple[Seen, ...] = ()
    answer: str = ""
    """To the question, "" where the picture does not hold it."""
    answer_box: Box | None = None
    """Where the answer stands."""
    confidence: float = 0.0
    model: str = "built-in"
    regions: int = 0
    """Rectangles that were looked at."""
    notes: tuple[str, ...] = ()
    """What did not work, one line each."""
    disputed: bool = False
    """The page's words or its letters have the answer elsewhere, also after a closer look."""

    @property
    def texts(self) -> tuple[str, ...]:
        """What was seen, as words."""
        return tuple(seen.text for seen in self.seen)

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Where it was seen."""
        return tuple(seen.box for seen in self.seen if seen.box is not None)


class VisionModel(Protocol):
    """Reads what the text of a page does not carry. What it cannot see is an empty `Look`, never an error."""

    async def look(self, request: LookRequest) -> Look:
        """What the picture shows in the rectangles asked for, boxes in CSS pixels of the page, confidence 0..1; why something could
        not be seen stands in `notes`. Raises `EndpointUnusable` where a model behind it can never answer."""
        ...


class Explorer(Protocol):
    """Proposes the next step. It keeps nothing from call to call that its answers depend on: all it goes by is handed in."""

    def propose(
        self, task: Task, observation: Observation, memory: WalkMemory, refused: tuple[Refusal, ...]
    ) -> Coroutine[Any, Any, Action]:
        """One action on the page that is observed, or back to a page of the stack, with a reason in words. `refused` are this
        step's proposals that the policy turned down, with the reasons: one that comes again is turned down again. Raises
        `EndpointUnusable` or `BudgetSpent` where a model stands behind it, else nothing; may be cancelled at any moment."""
        ...


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the findings answer the question, and how. `answer` is the best there is even when not sufficient."""

    sufficient: bool = False
    answer: str = ""
    confidence: float = 0.0
    citations: tuple[Citation, ...] = ()
    missing: tuple[str, ...] = ()
    """What to look for next, as search phrases: parts of the question that nothing answers yet, with what is already
    known put in ("SQLite version released before 2007-12-12")."""
    reason: str = ""


class Critic(Protocol):
    """Keeps what bears on the question (stage 1), and says when it is enough (stage 2)."""

    async def find(self, task: Task, observation: Observation, memory: WalkMemory) -> Findings:
        """What the page says that bears on the question: findings of the page's address and of `memory.step`, each with a quote that
        stands on the page word for word, score and relevance 0..1; for a counted list its items in the order of the page. A page
        that says nothing gives no findings. Raises `EndpointUnusable` or `BudgetSpent` where a model stands behind it."""
        ...

    async def judge(self, task: Task, memory: WalkMemory) -> Verdict:
        """Whether the findings of the memory are enough, and the best answer they give, confidence 0..1; only findings are cited.
        Raises as `find` does."""
        ...


class NetworkSource(Protocol):
    """What the pages of a walk asked for and were given, where that is recorded."""

    async def take(self) -> Heard:
        """What came since the last call, exchanges in the order in which they were complete; bodies on their way are waited for,
        within bounds of time. Raises nothing."""
        ...


class Edges(msgspec.Struct, frozen=True, kw_only=True):
    """The edges of one walk together."""

    browser: Browser
    reader: PageReader
    vision: VisionModel
    """The built-in eye: asked first, and only about what the text does not reach."""
    explorer: Explorer
    critic: Critic
    vision_model: VisionModel | None = None
    """Asked where the page is doubted after a glance still."""
    spent: Callable[[], Spent] = Spent
    """What the minds' model has cost so far."""
    pictures: bool = False
    """Whether the record keeps a screenshot of every page, for people."""
    network: NetworkSource | None = None
    """None where the network is not recorded."""


class TraceSink(Protocol):
    """Takes events in order. When `emit` of a sink that writes returns, the event survives kill -9."""

    def emit(self, event: Event) -> None:
        """Take one event; the order of calls is the order of the walk. Raises `TraceWriteError` where it cannot be kept, and
        `Divergence` where a sink holds a replay to its record; the walk ends then."""
        ...
