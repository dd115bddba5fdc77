"""The edges of a walk, one Protocol each. Implementations inherit nothing and pass tests/contracts/.

Everything that is not a function of recorded values happens behind one of these: a recording proxy writes the
result before it is used, a replaying proxy returns it from the recording (walker/recording/recording_proxies.py).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

import msgspec

from memory.findings import Candidate, Citation, Findings, PageSummary
from memory.library.protocol import WholePage
from perception.element_map import View
from perception.geometry import Box
from perception.observation import Observation
from perception.picture_lines import PictureLines
from perception.snapshot import BlindRegion, Snapshot
from traces.events import Event
from walker.seams.actions import Action, Operate, Refusal
from walker.seams.chat import ChatFailure, ChatReply, ChatRequest, Spent
from walker.seams.code_runner import CodeRunner
from walker.seams.web.asked_person import Answerable, Picked
from walker.seams.web.borders import FoundSites
from walker.seams.web.handover import Handover
from walker.seams.web.storage_state import StorageState

if TYPE_CHECKING:
    # Importing the counting words of two languages takes 0.1 s, which crawls need not spend.
    from memory.state import WalkMemory
    from walker.seams.task import Task
    from walker.seams.task_analysis import TaskAnalysis

FailureKind = Literal[
    "unknown_host",  # the name does not resolve
    "refused",  # nobody listens, or the connection was reset
    "proxy",  # the proxy that was named does not answer, or makes no connection
    "tls",  # certificate or handshake
    "timeout",  # no response, or a page that never became readable
    "redirect_loop",  # too many redirects
    "download",  # a file, not a page; it was discarded
    "not_a_page",  # a content type that is not supported
    "blocked_address",  # private, loopback or link-local address, refused by walker/rules/egress.py
    "bad_scheme",  # not http or https
    "crashed",  # the renderer process died
    "empty",  # the server closed without a response
    "unreadable",  # beyond the limits on bytes or elements, or a PDF that is damaged or protected
    "gone",  # the control is not on the page any more
    "other",
]


class PageFailure(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """A page that failed to load. Never fatal to a walk; `message` is one line for a person."""

    url: str
    kind: FailureKind
    message: str
    media_type: str = ""
    """What came instead of a page, where that is known."""


class Browser(Protocol):
    """Opens pages of one walk, one after the other. Whatever goes wrong with a page is a `PageFailure`; only a browser that cannot
    run at all raises (`BrowserUnavailable`)."""

    async def open(self, url: str) -> Snapshot | PageFailure:
        """The settled page at a URL, redirects followed; a response with an error status is a page too. `Snapshot.url` and
        `PageFailure.url` are the requested URL. Raises `BrowserUnavailable` only."""
        ...

    async def act(self, move: Operate) -> Snapshot | PageFailure:
        """The page after a control was clicked, a field filled in and submitted, or the window scrolled; this may be another page.
        Fails with `gone` if no page is open or the control is not on it. Raises `BrowserUnavailable` only."""
        ...

    async def see(self, *, whole: bool = False, box: Box | None = None, scale: float = 1.0) -> View | PageFailure:
        """A screenshot of the open page with its element map: the viewport, the whole page, or one box of the page in CSS pixels,
        rendered at `scale` picture pixels per CSS pixel. The page does not change. Raises `BrowserUnavailable` only."""

    async def fetch_ahead(self, urls: tuple[str, ...]) -> None:
        """Prefetch pages that may be opened next, in the background; GET only. Returns at once. A prefetched page is used by the
        next `open` of exactly that URL, and discarded by the next `open` of another or `act`. If prefetching fails, `open` loads
        the page as usual. Raises nothing."""

    async def close(self) -> None:
        """Close pages, processes and connections; no call may follow. Raises nothing."""
        ...


class ScriptedBrowser(Browser, Protocol):
    """A browser that can run our scripts in a page, as the steps of a crawl script need."""

    async def run(self, function: str, argument: Any, *, seconds: float) -> Any | PageFailure:
        """The result of a JavaScript function of one argument, run in the open page; None if the page navigated meanwhile, and the
        new one is then open. `argument` and result are plain JSON values. Fails with `timeout` if it takes longer than `seconds`
        and the browser's own limit for a page, with `gone` if no page is open. Raises `BrowserUnavailable` only."""

    async def take(self) -> Snapshot | PageFailure:
        """The open page as it is now, without waiting for it to settle. Fails with `gone` if no page is open. Raises
        `BrowserUnavailable` only."""


class StatefulBrowser(Browser, Protocol):
    """A browser whose storage state can be read and replaced."""

    async def state(self) -> StorageState:
        """Its cookies, and the local storage that it can read; empty if it has neither."""

    async def restore(self, state: StorageState) -> None:
        """Replace all cookies and local storage by these, from the next page on."""


class PageReader(Protocol):
    """Parses a snapshot into an observation. A seam, so that a replay need not parse the page again."""

    async def read(self, snapshot: Snapshot) -> Observation:
        """The text, links, controls and lists of the page, in document order. A pure function of the snapshot. Raises nothing:
        whatever is not HTML is parsed as if it were."""
        ...


class ChatModel(Protocol):
    """A language model. Raises `EndpointUnusable` if no call can ever succeed (key, model name, address), and
    `BudgetSpent` if the budget allows no further call."""

    async def complete(self, request: ChatRequest) -> ChatReply | ChatFailure:
        """The model's complete reply with its prompt and completion tokens; or a failure of this call alone, with the reason. Calls
        may run concurrently; a cancelled one raises `CancelledError` at once and costs nothing further. Raises
        `EndpointUnusable` or `BudgetSpent`, as above."""
        ...


class LookRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What to look at on a page, and the question to answer."""

    question: str
    observation: Observation
    view: View
    regions: tuple[Box, ...] = ()
    """Boxes of the page to look at, smallest first; () for all of the view."""
    blind: tuple[BlindRegion, ...] = ()
    """The same boxes as blind regions; () for all of the observation's."""
    language: str = ""
    """Language of the question, for the prompt."""
    thing: str = ""
    """What a vision model is to find all of, in place of an answer to the question; its box is the `answer_box`."""


class Seen(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing seen in a picture, and its place."""

    text: str
    source: Literal["page", "ocr", "icon", "code", "colour", "width", "model"]
    """The page's own description, OCR, the name of an icon, a QR code, the colour of a mark, the filled share of a bar, or a vision
    model's words."""
    kind: Literal["words", "heading", "row"] = "words"
    cells: tuple[str, ...] = ()
    """Cells of a table row, from left to right."""
    heading: str = ""
    """The heading above it."""
    near: str = ""
    """Text of the page beside it."""
    picture: str = ""
    """The picture that it was read in: what the page calls it (alternative text, label, caption), else the name of its file."""
    box: Box | None = None
    confidence: float = 1.0
    element: int = 0
    """Id of the element of the view that it belongs to, 0 for none."""


class Look(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The result of an OCR pass or a vision-model call; `seen` is in reading order."""

    seen: tuple[Seen, ...] = ()
    lines: tuple[PictureLines, ...] = ()
    """The lines that OCR read in each picture, where they stand."""
    answer: str = ""
    """Answer to the question, "" if it is not in the picture."""
    shows: str = ""
    """What a vision model says that the picture shows, whether it answers or not; one of `seen`."""
    answer_box: Box | None = None
    """Place of the answer."""
    confidence: float = 0.0
    model: str = "built-in"
    regions: int = 0
    """Number of regions that were looked at."""
    notes: tuple[str, ...] = ()
    """What failed, one line each."""
    disputed: bool = False
    """Whether the page's text or the OCR places the answer elsewhere, also in an enlarged view."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of all that was seen."""
        return tuple(seen.text for seen in self.seen)

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The boxes of all that was seen and has a place."""
        return tuple(seen.box for seen in self.seen if seen.box is not None)


class VisionModel(Protocol):
    """Reads content of a page that is not in its text. If it sees nothing the result is an empty `Look`, never an error."""

    async def look(self, request: LookRequest) -> Look:
        """What the picture shows in the requested regions, boxes in CSS pixels of the page, confidence 0..1; `notes` say what
        failed. Raises `EndpointUnusable` if the model behind it can never answer."""
        ...


class Explorer(Protocol):
    """Proposes the next action. Stateless: its answers depend on the arguments only."""

    def propose(
        self, task: Task, observation: Observation, memory: WalkMemory, refused: tuple[Refusal, ...]
    ) -> Coroutine[Any, Any, Action]:
        """One action on the observed page, or back to a page of the stack, with a reason in words. `refused` are this step's
        proposals that the policy refused, with the reasons: it will refuse them again. Raises `EndpointUnusable` or `BudgetSpent`
        if it uses a model, else nothing; may be cancelled at any time."""
        ...


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the findings answer the question, and the answer: the best guess if they are not sufficient."""

    sufficient: bool = False
    answer: str = ""
    confidence: float = 0.0
    citations: tuple[Citation, ...] = ()
    missing: tuple[str, ...] = ()
    """What to look for next, as search phrases: the open parts of the question, with what is already known filled in ("SQLite
    version released before 2007-12-12")."""
    reason: str = ""
    quoted: str | msgspec.UnsetType = msgspec.UNSET
    """What stands on a page, and is told where an answer in a model's words is not sure enough; "" for nothing. Unset where that is
    the answer itself, which is not in the recorded form."""
    tied: tuple[Candidate, ...] | msgspec.UnsetType = msgspec.UNSET
    """Other answers that are about as likely; unset where there is none, which is not in the recorded form."""


class Critic(Protocol):
    """Extracts findings relevant to the question (stage 1), and judges whether they are enough (stage 2)."""

    async def find(self, task: Task, observation: Observation, memory: WalkMemory) -> Findings:
        """What the page says about the question: findings with the page's URL and `memory.step`, each with a verbatim quote, score and
        relevance 0..1; for a counted list its items in document order. An irrelevant page gives no findings. Raises
        `EndpointUnusable` or `BudgetSpent` if it uses a model."""
        ...

    async def judge(self, task: Task, memory: WalkMemory) -> Verdict:
        """Whether the findings in the memory are enough, and the best answer that they give, confidence 0..1; cites findings only.
        Raises as `find` does."""
        ...


class Analyst(Protocol):
    """Says what a question asks for, once at the start of a walk."""

    async def analyse(self, task: Task, observation: Observation) -> TaskAnalysis:
        """The analysis of the task's question; `observation` is the first page of the site. Where a model fails, the analysis is that
        of rules, with a note. Raises `EndpointUnusable` or `BudgetSpent` if it uses a model."""
        ...


class Summariser(Protocol):
    """Summarises what was read. Both methods raise `EndpointUnusable` or
    `BudgetSpent` if they use a model."""

    async def summarise(self, task: Task, goal: str, page: WholePage, step: int) -> PageSummary:
        """The page for this goal: every quote of the evidence stands on it, and the summary has at most `SENTENCES` sentences. `step`
        is that of the walk."""
        ...

    async def join(self, task: Task, goal: str, summaries: Sequence[PageSummary], step: int) -> PageSummary:
        """The summaries of several pages as one for this goal; its evidence is theirs. An empty one for none."""
        ...


class Person(Protocol):
    """Whoever is asked where a walk is not sure. Both methods ask only where that is worth a person's time."""

    async def pick_answer(self, question: str, found: Sequence[Answerable], confidence: float) -> Picked:
        """Which of the answers that were found is right, the likeliest first; the choices are these in their order, and one behind
        them that none is. `confidence` is that in the first one."""
        ...

    async def pick_step(self, task: Task, observation: Observation, memory: WalkMemory, action: Action) -> Picked:
        """What is done next, where the explorer proposes `action`: the first choice is that; of the others those with an
        address are pages, and the one without is to end the walk."""
        ...


class Edges(msgspec.Struct, frozen=True, kw_only=True):
    """The edges of one walk: all that the loop calls outside the pure core."""

    browser: Browser
    reader: PageReader
    vision: VisionModel
    """Built-in vision: asked first, and about the blind regions only."""
    explorer: Explorer
    critic: Critic
    analyst: Analyst | None = None
    """None: the task is taken as it is, as in walks that were recorded before there were analyses."""
    vision_model: VisionModel | None = None
    """Asked if the page is still not trusted after the OCR pass."""
    code: CodeRunner | None = None
    """Runs code that the explorer proposes; None where it may propose none."""
    summariser: Summariser | None = None
    """None: pages are not summarised."""
    spent: Callable[[], Spent] = Spent
    """Costs of the strategies' model so far."""
    found_sites: FoundSites = msgspec.field(default_factory=FoundSites)
    """Told of the sites that searches name, so that the browser lets one of them redirect to another."""
    handover: Handover | None = None
    """Gets past check pages and logins; None where they are left, as in walks that were recorded before there was one."""
    person: Person | None = None
    """Who is asked where the walk is not sure; None where nobody is, as in walks that were recorded before anybody was."""
    ahead: Callable[[asyncio.Event], Explorer] | None = None
    """Makes the explorer for a speculative call, given the event that is set once its answer is needed; None if `explorer` serves
    for these calls too."""

    def explorer_ahead(self, needed: asyncio.Event) -> Explorer:
        """The explorer for a speculative call; `needed` is set once its proposal is needed."""
        return self.explorer if self.ahead is None else self.ahead(needed)


class TraceSink(Protocol):
    """Takes events in order. When `emit` of a sink that writes returns, the event survives kill -9."""

    def emit(self, event: Event) -> None:
        """Take one event; the order of calls is the order of the walk. Raises `TraceWriteError` if it cannot be stored, and
        `Divergence` if the sink checks a replay against its recording and they differ; either ends the walk."""
        ...


msgspec.json.Decoder(Look)  # described at import: docs/design/msgspec.md
msgspec.json.Decoder(PageFailure)  # described at import: docs/design/msgspec.md
msgspec.json.Decoder(Verdict)  # described at import: docs/design/msgspec.md
