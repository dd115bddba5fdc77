"""Walks a case with the current code, without browser or network; recorded replies stand in for the model."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping

import msgspec

from memory.counting.requirement import Requirement, read_requirement
from perception.element_map import View
from perception.geometry import Box
from perception.snapshot import Snapshot
from traces.events import Event, GateDecided, Judged, MoveTaken, PageOpened, WalkEnded
from walker.assembly import WalkResources, make_rules
from walker.browser.page.live_reader import LiveReader
from walker.errors import WalkerError
from walker.run_setup import restored_settings
from walker.runs.compare import page_key
from walker.runs.shrinking.case import Case, CasePage, Decision, DecisionKind
from walker.seams.actions import Operate
from walker.seams.chat import ChatFailure, ChatReply, ChatRequest
from walker.seams.code_runner import CodeFailure, CodeValue, Ran
from walker.seams.protocols import Edges, Look, LookRequest, PageFailure, TraceSink
from walker.seams.task import Task
from walker.search.walk_scope import may_search
from walker.settings import Settings
from walker.testing.fakes import EventList
from walker.walk.loop import walk


async def decides_the_same(case: Case, resources: WalkResources | None = None) -> bool:
    """Whether the walk still makes the case's decision, and its pages contain the texts to keep."""
    if not all(case.holds(text) for text in case.keep):
        return False
    decision = case.decision
    return decision.value == (await rehearse(case, resources)).get(decision.page, {}).get(decision.kind)


async def rehearse(
    case: Case, resources: WalkResources | None = None, sink: TraceSink | None = None
) -> dict[str, dict[str, str]]:
    """Every decision of the walk, by the key of its page and by kind; the end of the walk is under ""."""
    resources = resources or WalkResources(restored_settings(case.settings, Settings(record=False)))
    events = EventList()
    task = task_of_case(case, resources.settings)
    rules = make_rules(task, resources.settings, resources)
    rules = msgspec.structs.replace(rules, prefetch=None, side_by_side=False, looks_back=False)
    try:
        await walk(task, edges_of_case(case, resources), rules, events if sink is None else sink)
    except WalkerError:
        return {}
    return decisions_in(events.events)


def task_of_case(case: Case, settings: Settings) -> Task:
    """The task, with its requirement parsed by the current code."""
    counts = settings.components.counter
    requirement = read_requirement(case.question, case.language) if counts else Requirement()
    return Task(
        question=case.question,
        root_url=case.root_url,
        language=case.language,
        requirement=requirement,
        picture=case.picture,
    )


def edges_of_case(case: Case, resources: WalkResources) -> Edges:
    """The edges of a walk of the case."""
    chat = _SaidBefore(case) if resources.settings.model is not None else None
    explorer, critic = resources.strategies(
        chat, may_search=may_search(task_of_case(case, resources.settings), resources.settings)
    )
    site = _PaperPages(case)
    return Edges(
        browser=site,
        reader=LiveReader(),
        vision=_SeenBefore(case),
        explorer=explorer,
        critic=critic,
        analyst=resources.analyst(chat),
        code=_RanBefore(case) if case.runs else None,
    )


def decisions_in(events: list[Event]) -> dict[str, dict[str, str]]:
    """What was decided on each page; of several decisions of one kind on a page, the last."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    page = ""
    for event in events:
        match event:
            case PageOpened():
                page = event.key
            case GateDecided():
                found[page].setdefault("gate", event.choice)
            case Judged():
                found[page]["verdict"] = f"{'enough' if event.sufficient else 'not enough'}: {event.answer}"
            case MoveTaken():
                found[page].setdefault("move", f"{event.move} {event.url}".strip())
            case WalkEnded():
                found[""] = {
                    "answer": event.answer,
                    "stop": event.stop_reason,
                    "count": str(event.count.get("found", 0)),
                }
    return dict(found)


def decision_of(events: list[Event], kind: DecisionKind, step: int = 0) -> Decision | None:
    """The decision of a recorded walk, at its end or in a step; None where there was none."""
    page = next((event.key for event in events if isinstance(event, PageOpened) and event.step == step), "")
    value = decisions_in(events).get(page, {}).get(kind) if bool(page) == bool(step) else None
    return None if value is None else Decision(kind=kind, value=value, page=page)


class _PaperPages:
    """A browser over the pages of a case; an address that is not there answers 404."""

    def __init__(self, case: Case) -> None:
        self._opened: dict[str, CasePage] = {}
        self._operated: dict[tuple[str, int], CasePage] = {}
        for page in case.pages:
            if page.operation:
                self._operated[page.url, page.before] = page
            else:
                self._opened.setdefault(page_key(page.url), page)
        self._url, self._before, self._time = "", 0, 0.0

    async def open(self, url: str) -> Snapshot | PageFailure:
        self._url, self._before = url, 0
        return self._shown(self._opened.get(page_key(url)), url)

    async def act(self, move: Operate) -> Snapshot | PageFailure:  # noqa: ARG002 - the seam's signature
        page = self._operated.get((self._url, self._before))
        self._before += 1
        if page is None:
            return PageFailure(url=self._url, kind="gone", message="the control is no longer on the page")
        return self._shown(page, self._url)

    async def see(self, *, whole: bool = False, box: Box | None = None, scale: float = 1.0) -> View | PageFailure:  # noqa: ARG002
        return View(url=self._url, picture=b"", width=0, height=0, shown=Box(x=0, y=0, width=0, height=0))

    async def fetch_ahead(self, urls: tuple[str, ...]) -> None: ...

    async def close(self) -> None: ...

    def _shown(self, page: CasePage | None, url: str) -> Snapshot | PageFailure:
        self._time += 1.0
        if page is None or (page.snapshot is None and page.failure is None):
            html = "<title>Not found</title><h1>Not found</h1>"
            return Snapshot(url=url, final_url=url, status=404, html=html, fetched_at=self._time)
        if page.snapshot is None:
            assert page.failure is not None, "a page without a snapshot failed"
            return page.failure
        return msgspec.structs.replace(page.snapshot, url=url, fetched_at=self._time)


class _SeenBefore:
    """Vision that returns what was recorded for each page, call by call."""

    def __init__(self, case: Case) -> None:
        self._looks = {page_key(_shown_at(page)): deque(page.looks) for page in case.pages if page.looks}

    async def look(self, request: LookRequest) -> Look:
        left = self._looks.get(page_key(request.observation.url))
        return left.popleft() if left else Look()


class _SaidBefore:
    """A model that repeats its recorded replies, each kind in order; then it fails, and the built-in strategy takes over."""

    def __init__(self, case: Case) -> None:
        self._left: dict[str, deque[ChatReply]] = defaultdict(deque)
        for reply in case.replies:
            self._left[reply.schema_name].append(reply.reply)

    async def complete(self, request: ChatRequest) -> ChatReply | ChatFailure:
        left = self._left[request.schema_name]
        return left.popleft() if left else ChatFailure(kind="bad_request", message="it says nothing more")


class _RanBefore:
    """An interpreter that repeats what was recorded of each piece of code."""

    def __init__(self, case: Case) -> None:
        self._ran = {run.code: run.ran for run in case.runs}

    async def run(self, code: str, inputs: Mapping[str, CodeValue]) -> Ran:
        del inputs
        unknown = CodeFailure(kind="unavailable", message="this code was not run in the recorded walk")
        return self._ran.get(code, Ran(failure=unknown))

    async def close(self) -> None: ...


def _shown_at(page: CasePage) -> str:
    return page.snapshot.final_url if page.snapshot is not None else page.url
