"""All that can be set, with its default; only the command line reads the environment and passes it in here."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any, Literal

import msgspec

Scope = Literal["host", "path"]
Order = Literal["combined", "in-turn", "side-by-side"]
AnalysisName = Literal["rules", "model"]
Thinking = Literal["off", "on", "low", "medium", "high"]
GateName = Literal["walker", "paper"]
TextReaderName = Literal["rapidocr", "tesseract", "none"]
Weigher = Literal["score", "model"]
WorkflowName = Literal["walk", "direct", "retrieval", "agentic", "extract"]

GLANCE_THRESHOLD = 70.0
"""Trust in a page's text, 0..100, below which OCR reads what the text does not contain; `--tau` sets another. On the
pages of bench/gate.py all that need it go through OCR, and none of the others; at 60 (V-GEMS section 3.3) as well."""
PAPER_THRESHOLD = 60.0
"""Understanding score, 0..100, below which the paper's gate looks (V-GEMS section 3.3)."""
LOOK_THRESHOLD = 50.0
"""The same after OCR, below which the vision model is asked; `--tau2` sets another."""


SCOUT_PAGES = 60
SURE = 0.5
"""Chance that the best answer is right, 0..1, from which it is given; below, the question is not answered."""


class GateWeights(msgspec.Struct, frozen=True, kw_only=True):
    """Weights of the chance that the text is enough, as a logistic function; fitted by `walker calibrate`."""

    intercept: float = 3.7
    understanding: float = 0.5
    """Times the understanding score, 0..1."""
    answered: float = 3.2
    """Times the confidence in the best answer that the text gives, 0..1."""
    blind: float = -8.0
    """Times the chance that the answer is where the text does not reach, 0..1."""
    gap: float = -0.6
    """Times the share of the question's words that the text never says, 0..1."""
    pointed: float = -9.0
    """Where the question points plainly to a picture that is there: more than all that speaks for the text, so that the picture is
    looked at whatever the text says. Where the words may mean something else, about a tenth of it."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Where a walk ends at the latest."""

    pages: int = 30
    seconds: float = 600.0
    """From the first page to the last, as the snapshots are dated."""
    looks: int = 15
    """Looks at pictures that lower the gate's thresholds once they are half used up (V-GEMS: at most 15); 0 for no limit."""
    depth: int = 12
    """Frames on the stack; a trap that goes ever deeper ends here."""


BrowserKind = Literal["shell", "chrome", "headed"]
WindowPlace = Literal["shown", "virtual", "none"]
CodeKind = Literal["monty", "pyodide", "http"]
SwitchedTool = Literal["ocr", "ground"]
ChosenTool = Literal["run", "ocr", "ground", "search_picture"]


def code_kind(code: str) -> CodeKind | None:
    """Which interpreter a setting names, None for none that is known.

    >>> code_kind("pyodide:folder"), code_kind("http://127.0.0.1:8080/run"), code_kind("bash")
    ('pyodide', 'http', None)
    """
    if code == "monty":
        return "monty"
    if code == "pyodide" or code.startswith("pyodide:"):
        return "pyodide"
    return "http" if code == "http" or code.startswith(("http://", "https://")) else None


def kind_of_browser(browser: BrowserKind | None, *, headed: bool) -> BrowserKind | None:
    """Which browser is meant where a window may be asked for besides: `--headed` is `--browser headed`.

    >>> kind_of_browser("chrome", headed=True), kind_of_browser("chrome", headed=False)
    ('headed', 'chrome')
    """
    return "headed" if headed else browser


class Components(msgspec.Struct, frozen=True, kw_only=True):
    """The three modules of V-GEMS, each of which may be left out. All three off is the WebWalker baseline: explorer and
    critic without memory."""

    vision: bool = True
    """The gate may look at pictures."""
    url_stack: bool = True
    """The walk remembers where it was, never enters a page twice, and goes back."""
    counter: bool = True
    """Code counts; off, the number is the model's."""


class ModelSettings(msgspec.Struct, frozen=True, kw_only=True):
    """A language model behind the explorer and the critic."""

    name: str
    base_url: str = ""
    """Of an OpenAI-compatible endpoint, "" for the openai package's own."""
    key: str = ""
    """Never recorded."""
    seconds: float = 60.0
    """Time-out in seconds between two chunks of a streamed reply."""
    page_tokens: int = 6000
    """Tokens of a page's text that one call may send; a longer page is shown by its best parts and an outline of the rest."""
    step_tokens: int = 10_000
    """Tokens that one call may send in all; the page shrinks to fit."""
    reply_tokens: int = 1200
    """Tokens of a reply; four times as many on the second try, for models that reason first."""
    temperature: float = 0.0
    """Of the model's sampling, from 0: at 0 the same request mostly gets the same reply."""
    top_p: float | None = None
    """Share 0..1 of the probability mass that is sampled from; None for the server's own."""
    thinking: Thinking | None = None
    """Whether, or how much, the model reasons before a reply, by what the documentation of its family names; None for the server's
    own."""
    max_tokens: int = 0
    """Tokens a walk may spend, prompts and replies together; 0 for no limit."""
    max_calls: int = 0
    """Calls a walk may make; 0 for no limit."""
    max_money: float = 0.0
    """What a walk may cost, in the unit of the prices; 0 for no limit. Needs both prices."""
    prompt_price: float = 0.0
    """Of a million tokens of prompt; 0 for unknown."""
    completion_price: float = 0.0
    """Of a million tokens of reply; 0 for unknown."""
    order: Order = "combined"
    """Whether one call of the model reads a page, judges and chooses (`combined`), the explorer is asked after the critic
    (`in-turn`), or beside it (`side-by-side`)."""
    analysis: AnalysisName = "model"
    """Who says what the question asks for: one call of the model at the start of a walk, or rules."""
    fetch_ahead: int = 2
    """Pages prefetched while the model works, by link score; 0 for none."""
    at_once: int = 0
    """Requests side by side where many passages are weighed; 0: as many as the server gains by, up to 8."""
    prompts: dict[str, str] = {}
    """Texts that replace shipped prompts, by file name (`explorer.en`)."""


class VisionSettings(msgspec.Struct, frozen=True, kw_only=True):
    """A vision model for what built-in vision leaves open."""

    name: str
    base_url: str = ""
    """Of an OpenAI-compatible endpoint, "" for the openai package's own."""
    key: str = ""
    """Never recorded."""
    seconds: float = 60.0
    """Time-out in seconds between two chunks of a streamed reply."""
    most_pixels: int = 1_310_720
    """Of a picture that is sent; 1280 x 1024."""
    reply_tokens: int = 600
    folder: str = ""
    """Of an exported model that runs on this machine instead of at an endpoint; never recorded."""


class WorkflowSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How a question is answered, and the limits of the ways that do not walk (`docs/design/workflows.md`)."""

    name: WorkflowName = "walk"
    turns: int = 8
    """Of the agentic workflow: calls of the model, that with the answer included."""
    hits: int = 10
    """Pages of one search (WebWatcher: 10)."""
    passages: int = 20
    """Passages of one search (ReAG: k = 20)."""
    keep_from: float = 0.1
    """Chance 0..1 that a passage bears on the question, from which it is kept (ReAG, equation 4); 0 keeps all unweighed."""
    weigh_by: Weigher = "score"
    """Who weighs passages: a fitted score, or the model, asked yes or no of each."""


class ExtractionSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What the workflow `extract` fills in (`docs/design/typed-answers.md`)."""

    schema: str
    """A JSON Schema as JSON text."""
    boxes: bool = True
    """Whether pages are drawn, so that each value has its place on the page."""


class SearchService(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A service that finds pages by words and answers in JSON. Paths are names and numbers with dots between ("web.results.0")."""

    name: str
    """For messages: its host, or the file that describes it."""
    url: str
    """The address of a search, with {query}, and {most} or {key} where it wants these."""
    results: str = "results"
    """Path to the list of hits, "" where the answer is that list."""
    title: str = "title"
    """Paths within a hit."""
    link: str = "url"
    snippet: str = "content"
    source: str = ""
    header: str = ""
    """`Name: value with {key}`, "" for none."""
    key: str = ""
    """Never recorded."""
    key_name: str = ""
    """Of the environment variable that holds the key."""
    kind: Literal["searxng", "json"] = "json"


class PictureService(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A service that finds pictures by a picture. Paths are names and numbers with dots between ("web.results.0")."""

    url: str
    """To which the picture is sent, as multipart/form-data."""
    upload: str = "picture"
    """Name of the form's field that holds the picture."""
    words: str = "words"
    """Of the field that holds the words of the search, "" for none."""
    most: str = "most"
    """Of the field that says how many hits are wanted, "" for none."""
    results: str = "results"
    """Path to the list of hits, "" where the answer is that list."""
    link: str = "url"
    """Paths within a hit: the page's address, its title, the picture's address, what is said of it, and a score 0..1."""
    title: str = "title"
    picture: str = "picture"
    told: str = "words"
    score: str = "score"
    header: str = ""
    """`Name: value with {key}`, "" for none."""
    key: str = ""
    """In a file the name of an environment variable, then its value. Never recorded."""


class Beyond(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a walk may reach beyond the sites of its roots."""

    search: SearchService | None = None
    also: tuple[str, ...] = ()
    """Further hosts whose pages may be opened, `host` or `host:port`."""
    open: bool = False
    """Whether what a search finds may be opened on any public host."""
    pictures: bool = False
    """Whether pages can be searched by a picture."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """One walk's settings."""

    limits: Limits = Limits()
    threshold: float = GLANCE_THRESHOLD
    look_threshold: float = LOOK_THRESHOLD
    weights: GateWeights = GateWeights()
    """Of the gate; `walker calibrate` fits others."""
    gate: GateName = "walker"
    """`walker`: the chance that the text is enough, picture by picture; `paper`: the understanding score alone against the
    threshold (V-GEMS, equation 1), and the page as a whole."""
    sure: float = SURE
    """Confidence from which an answer is given, 0..1; one below is the nearest that was found. 0 gives any."""
    ocr: TextReaderName = "rapidocr"
    scope: Scope = "host"
    """`host`: any page of the root's host; `path`: only below the root's folder."""
    beyond: Beyond = Beyond()
    language: str = ""
    """Language of the question, "" to find out."""
    library: Path | None = None
    """File of a library: a walk from a root adds the pages that it opens; a question without a root is answered from it. Never
    recorded."""
    scout_pages: int | None = None
    """Most pages that are read over HTTP beside a walk, to find those that the browser opens; 0 for none. None: `SCOUT_PAGES` for the
    built-in strategy; none with a model, whose prompts would name one action more, and none without the stack that keeps hits."""
    picture_search: PictureService | None = None
    """Who is sent the picture of a question, and parts of it, to find pages that show it, instead of the library; None for nobody.
    Never recorded, and so named again when a walk is resumed."""
    picture_model: Path | None = None
    """Folder of an encoder that the pictures of the library are compared by too. Never recorded."""
    workflow: WorkflowSettings = WorkflowSettings()
    extraction: ExtractionSettings | None = None
    """The schema of a typed answer; None for an answer in words."""
    summaries: bool | None = None
    """Whether pages are summarised for what is missing. None: in workflows, not in walks."""
    runs_folder: Path = Path("runs")
    record: bool = True
    pictures: bool = False
    """Keep a screenshot of every page in the recording, for people; walks and replays do not depend on it."""
    network: bool = False
    """Record the pages' network traffic too."""
    pinned_at: float = 0.0
    """Where the clock of every page starts, in seconds since the epoch: it advances only when it is read, and random numbers are
    seeded, so that a browser shows the same pages again from the recording. 0 leaves pages as they are."""
    durability: Literal["process", "step"] = "process"
    """When an event is safe: after kill -9 (`process`), or after a power failure too (`step`, one sync a page)."""
    chromium: str = ""
    """Path of a browser; "" to find one."""
    page_seconds: float = 20.0
    """How long one page may take."""
    headed: bool = False
    model: ModelSettings | None = None
    """None for the built-in strategy."""
    vision: VisionSettings | None = None
    """None for built-in vision only."""
    code: str = ""
    """What runs a model's code: `monty`, `pyodide:FOLDER`, or the http address of a sandbox server; "" for nothing, and no code is
    offered. Only its kind is recorded."""
    tools: tuple[SwitchedTool, ...] = ()
    """Tools that a model is offered besides: `ocr` reads the letters of a part of a picture, `ground` says where an element is."""
    components: Components = Components()
    seed: str = msgspec.field(default_factory=lambda: secrets.token_hex(8))
    """Of the markers that fence page content in prompts: different in every walk, so that no page can know one."""
    secrets: tuple[str, ...] = ()
    """Values that must never reach a trace."""
    headers: tuple[tuple[str, str], ...] = ()
    """Header fields (name, value) for the root's site, and no others. Never recorded."""
    proxy: str = ""
    """`http://user:password@host:port` or `socks5://...`, through which pages are fetched; "" for none. Never recorded."""
    session: dict[str, Any] = {}
    """Cookies and local storage of a person who has logged in, in Playwright's form (`StorageState`). Never recorded."""
    profile: str = ""
    """Name of the saved login that `session` comes from, for messages; "" for none. Never recorded."""
    browser: BrowserKind | None = None
    """`shell`: the light browser without a window; `chrome`: the whole browser without one; `headed`: with one; None: any."""
    windows: WindowPlace = "none"
    """Where the window of a fuller browser can be: shown to a person, on a virtual display (Xvfb), or nowhere. Never recorded."""
    cdp: str = ""
    """Address of a Chromium that runs already (`http://127.0.0.1:9222`), for its pages; "" to start one. Never recorded."""
    hand_over: bool = True
    """Whether a page that a check keeps closed is opened once more in a fuller browser."""
    ask_me: bool = False
    """Whether a person is asked: to act where a check page or a login is in the way, and to choose where the walk is not sure."""

    @property
    def model_sees(self) -> bool:
        """Whether the language model takes pictures: it is the vision model too, at the same endpoint."""
        model, vision = self.model, self.vision
        return (
            model is not None
            and vision is not None
            and not vision.folder
            and (model.name, model.base_url) == (vision.name, vision.base_url)
        )

    @property
    def may_look(self) -> bool:
        """Whether a walk can look at pictures: it may, and something reads them."""
        return self.components.vision and (self.ocr != "none" or self.vision is not None)

    @property
    def browser_kind(self) -> BrowserKind | None:
        """Which browser opens pages, of `headed` and `browser`."""
        return kind_of_browser(self.browser, headed=self.headed)

    @property
    def chosen_tools(self) -> frozenset[ChosenTool]:
        """The tools that are switched on."""
        code: tuple[ChosenTool, ...] = ("run",) if self.code else ()
        by_picture: tuple[ChosenTool, ...] = ("search_picture",) if self.beyond.pictures else ()
        return frozenset((*code, *by_picture, *self.tools))

    @property
    def scouts(self) -> int:
        """Most pages that are read over HTTP beside a walk."""
        if self.scout_pages is not None:
            return self.scout_pages
        if self.workflow.name != "walk":
            return SCOUT_PAGES
        return SCOUT_PAGES if self.model is None and self.components.url_stack else 0

    @property
    def summarises(self) -> bool:
        """Whether pages are summarised."""
        return self.workflow.name != "walk" if self.summaries is None else self.summaries


msgspec.json.Decoder(Settings)  # described at import: docs/design/msgspec.md
msgspec.json.Decoder(GateWeights)  # described at import: docs/design/msgspec.md
msgspec.json.Decoder(PictureService)  # described at import: docs/design/msgspec.md
