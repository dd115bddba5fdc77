"""The calls of a session, over its edges: what a replay feeds again. What is not an answer of an edge is derived here."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, cast
from urllib.parse import urljoin

import msgspec

from memory.findings import Finding, Findings
from memory.url_key import key_or, same_site
from perception.observation import Observation
from perception.snapshot import Snapshot
from traces.events import (
    ActionRefused,
    ElementLocated,
    Event,
    Judged,
    MoveTaken,
    StackMoved,
    WalkEnded,
)
from traces.session_events import ActionDone, SessionCalled, SessionLeft
from walker.errors import BudgetSpent, NoSuchTarget, NotAllowed, PageNotOpened, UsageError
from walker.extraction.schemas.typed_answers import TypedOutcome
from walker.flows.script import Locator
from walker.flows.shown_page import ShownPage, locators_of, one_form
from walker.rules.scope import WalkScope, check_root
from walker.seams.outcome import Outcome
from walker.seams.protocols import PageFailure, TraceSink
from walker.seams.task import Task
from walker.session.edges import Question, SessionEdges, refused_in
from walker.session.one_page import PageExtraction, extract_from_page
from walker.session.plans import Plan, Wish, plan_of
from walker.session.secret import plain_text, text_again
from walker.session.targets import PERMISSIONS, ActionTarget, Permission, find_targets
from walker.settings import Settings
from walker.walk.walk_events import (
    findings_added,
    page_failed,
    page_observed,
    page_opened,
    walk_started,
)

TEXTS_KEPT, TEXT_CHARS = 8, 160
"""Of what came with an act."""
PATH_KEPT = 12
"""Of the addresses that the session has been to, in an event."""


class Acted(msgspec.Struct, frozen=True, kw_only=True):
    """What a call of `act` did.

    done = await session.act("open the second result")
    print(done.kind, done.before, done.after, done.changed)
    """

    kind: str
    """followed, pressed, typed, searched, scrolled or returned."""
    target: ActionTarget | None
    """The link or control, None where there is none."""
    locators: tuple[Locator, ...]
    """What finds it again, the most telling first; as in scripts of `walker export --to script`."""
    before: str
    """Address of the page before,"""
    after: str
    """and after."""
    changed: tuple[str, ...] = ()
    """Texts that can be seen since, the first ones."""
    refused: tuple[str, ...] = ()
    """Requests that were not let through because the call does not allow `post`: method and address."""


class SessionCalls:
    """One session. Its calls come one after the other."""

    def __init__(
        self,
        task: Task,
        edges: SessionEdges,
        settings: Settings,
        sink: TraceSink,
        clock: Callable[[], float],
        scope: WalkScope,
    ) -> None:
        """`clock` tells the seconds that its calls took so far."""
        self._task, self._edges, self._settings, self._sink = task, edges, settings, sink
        self._clock, self._scope = clock, scope
        self.step = 0
        """Of the page that is open; 0 before the first."""
        self.pages = 0
        """Pages that were opened, those of its walks too."""
        self._here: ShownPage | None = None
        self._trail: list[str] = []
        self._answer = ""
        self._at = 0.0

    @property
    def page(self) -> Observation:
        """What was read of the page that is open. Raises `UsageError` where none is."""
        return self._present.observation

    def begin(self, told: dict[str, Any]) -> None:
        """Tell that it begins, and with which settings."""
        self._emit(walk_started(self._task, told))

    async def repeat(self, call: str, arguments: Mapping[str, Any]) -> None:
        """Do a recorded call again. Raises what it raised."""
        match call:
            case "open":
                await self.open(arguments["url"], allow=arguments["allow"])
            case "observe":
                await self.observe(arguments["words"])
            case "act":
                what = arguments["what"]
                wish = Wish(
                    what=what if isinstance(what, str) else msgspec.convert(what, ActionTarget),
                    text=text_again(arguments["text"]),
                    submit=arguments["submit"],
                )
                await self.act(wish, allow=arguments["allow"])
            case "extract":
                await self.extract(arguments["schema"], about=arguments["about"])
            case "ask":
                await self.ask(arguments["question"])
            case "look":
                await self.look()
            case "leave":
                self.leave()
            case _:
                self.close()

    async def open(self, url: str, *, allow: Collection[Permission]) -> Observation:
        """The page at an address, from the root on. Raises `NotAUrl`, `PageNotOpened`, `BudgetSpent`, `NotAllowed`."""
        self._tell("open", url=url, allow=sorted(allow))
        address = check_root(urljoin(self._task.root_url, url))
        self._check(allow)
        self._check_address(address, allow)
        page = await self._opened(address, "asked for", frozenset(allow))
        self._check_documents(page.snapshot, "the page", allow)
        return page.observation

    async def observe(self, words: str) -> tuple[ActionTarget, ...]:
        """The links and controls that words mean, the best first."""
        self._tell("observe", words=words)
        found = find_targets(self.page, words, self._scope, self.step)
        self._located(words, found)
        return found

    async def act(self, wish: Wish, *, allow: Collection[Permission]) -> Acted:
        """Do one thing on the page. Raises `NoSuchTarget`, `NotAllowed`, `PageNotOpened`, `BudgetSpent` and `UsageError`."""
        what = wish.what if isinstance(wish.what, str) else msgspec.to_builtins(wish.what)
        self._tell("act", what=what, text=plain_text(wish.text), submit=wish.submit, allow=sorted(allow))
        before = self._present
        self._check(allow)
        previous = self._trail[-2] if len(self._trail) > 1 else ""
        words = wish.what if isinstance(wish.what, str) else wish.what.name
        try:
            plan = plan_of(wish, before, self._scope, self.step, previous)
        except NoSuchTarget:
            self._located(words, ())
            raise
        if plan.target is not None:
            self._located(words, (plan.target,))
        self._check_needs(plan, allow)
        locators = _locators(before, plan.target, self._task.root_url)
        allowed = frozenset(allow)
        if plan.kind == "returned":
            self._trail.pop()
        if plan.address:
            after = await self._opened(plan.address, f"{plan.kind}: {plan.told}", allowed)
        else:
            after = await self._operated(plan, allowed)
        refused, _ = refused_in(after.snapshot)
        done = Acted(
            kind=plan.kind,
            target=plan.target,
            locators=locators,
            before=before.url,
            after=after.url,
            changed=_new_texts(before, after),
            refused=refused,
        )
        self._emit(_as_event(self.step, done))
        self._check_documents(after.snapshot, plan.told, allow)
        await self._check_border(before, after, allowed)
        return done

    async def extract(self, schema: Mapping[str, Any], *, about: str) -> TypedOutcome[Any]:
        """The fields of a schema from the page that is open."""
        self._tell("extract", schema=json.loads(json.dumps(schema)), about=about)
        page = self._present
        task = msgspec.structs.replace(self._task, question=about or self._task.question)
        asked = PageExtraction(task=task, page=page, schema=schema, step=self.step, sink=self._sink)
        return await extract_from_page(asked, self._edges, self._settings)

    async def ask(self, question: str) -> Outcome:
        """The outcome of a walk that begins at the page that is open, with what is left of the budget."""
        self._tell("ask", question=question)
        url = self._present.url
        self._check(())
        limits = self._settings.limits
        left = msgspec.structs.replace(
            limits, pages=limits.pages - self.pages, seconds=round(limits.seconds - self._at, 3)
        )
        outcome = await self._edges.ask(Question(question=question, url=url, limits=left))
        self.pages += outcome.pages
        self._answer = outcome.answer or self._answer
        found = tuple(
            Finding(text=outcome.answer or one.quote, quote=one.quote, url=one.url, step=self.step, score=1.0)
            for one in outcome.citations
        )
        self._emit(findings_added(self.step, Findings(findings=found)))
        self._emit(
            Judged(
                step=self.step,
                sufficient=outcome.answered,
                answer=outcome.answer,
                confidence=outcome.confidence,
                citations=tuple(msgspec.to_builtins(one) for one in outcome.citations),
                reason=f"asked {question!r}; recorded in {outcome.trace or 'no run'}",
            )
        )
        return outcome

    async def look(self) -> Observation:
        """The page that is open as it is now: after the driver's page was used, or some time."""
        self._tell("look")
        self._check(())
        self._emit(MoveTaken(step=self.step, move="Operate", url="", reason="looked again"))
        self.step += 1
        return (await self._arrived(await self._edges.take())).observation

    def leave(self) -> None:
        """Note that the driver's page was taken."""
        self._tell("leave")
        self._emit(SessionLeft(step=self.step, url=self._here.url if self._here is not None else ""))

    def close(self) -> None:
        """Tell that the session ends."""
        self._tell("close")
        self._emit(
            WalkEnded(
                step=self.step,
                stop_reason="closed",
                answer=self._answer,
                confidence=0.0,
                items=(),
                citations=(),
                count={"mode": "none", "found": 0},
                pages=self.pages,
                steps=self.step,
            )
        )

    @property
    def _present(self) -> ShownPage:
        if self._here is None:
            raise UsageError("no page is open", where="session", advice="Open one: await session.open()")
        return self._here

    async def _opened(self, address: str, reason: str, allowed: frozenset[Permission]) -> ShownPage:
        self._emit(MoveTaken(step=self.step, move="Open", url=address, reason=reason))
        self.step += 1
        self._edges.permit(allowed)
        return await self._arrived(await self._edges.browser.open(address))

    async def _operated(self, plan: Plan, allowed: frozenset[Permission]) -> ShownPage:
        assert plan.operate is not None, "a plan opens an address, or operates the page"
        self._emit(MoveTaken(step=self.step, move="Operate", url="", reason=f"{plan.kind}: {plan.told}"))
        self.step += 1
        self._edges.permit(allowed)
        return await self._arrived(await self._edges.browser.act(plan.operate))

    async def _arrived(self, came: Snapshot | PageFailure) -> ShownPage:
        """The page that a call led to, told and kept. Raises `PageNotOpened`."""
        self.pages += 1
        if isinstance(came, PageFailure):
            self._emit(page_failed(self.step, came))
            if came.kind != "gone":
                self._here = None
            raise PageNotOpened(came.message, where=came.url, advice=_ADVICE.get(came.kind, ""))
        self._emit(page_opened(self.step, came, key_or(came.final_url, came.final_url)))
        observation = await self._edges.reader.read(came)
        self._emit(page_observed(self.step, observation))
        is_elsewhere = not self._trail or self._trail[-1] != came.final_url
        if is_elsewhere:
            self._trail.append(came.final_url)
        path = tuple(self._trail[-PATH_KEPT:])
        self._emit(
            StackMoved(step=self.step, change="push" if is_elsewhere else "stay", depth=len(path), path=path, untried=0)
        )
        self._here = ShownPage(came, observation)
        return self._here

    def _check(self, allow: Collection[str]) -> None:
        """Raises `UsageError` for a permission that is none, and `BudgetSpent`."""
        unknown = sorted(set(allow) - set(PERMISSIONS))
        if unknown:
            raise UsageError(
                f"{unknown[0]!r} is no permission", where="allow", advice=f"Known: {', '.join(PERMISSIONS)}"
            )
        limits = self._settings.limits
        if self.pages >= limits.pages:
            raise BudgetSpent(f"{limits.pages} pages are opened", where="session", advice="Allow more: max_pages=...")
        if self._at >= limits.seconds:
            advice = "Allow more: max_seconds=..."
            raise BudgetSpent(f"its calls took {limits.seconds:g} seconds", where="session", advice=advice)

    def _check_address(self, address: str, allow: Collection[Permission]) -> None:
        """Raises `NotAllowed` for another site, which takes the same word as a link to it."""
        near = (self._task.root_url, *((self._here.url,) if self._here is not None else ()))
        if "leave" in allow or any(same_site(address, one) for one in near) or not self._scope.why_outside(address):
            return
        what = "an address of another site needs leave"
        self._emit(ActionRefused(step=self.step, action="open", reason=what))
        raise NotAllowed(what, where=address, advice=_allow_advice((*allow, "leave")), needs=("leave",))

    def _check_needs(self, plan: Plan, allow: Collection[Permission]) -> None:
        needs = tuple(one for one in plan.needs if one not in allow)
        if needs:
            what = f"{plan.told} needs {' and '.join(needs)}"
            self._emit(ActionRefused(step=self.step, action=plan.kind, reason=what))
            raise NotAllowed(what, where=self._present.url, advice=_allow_advice((*allow, *needs)), needs=needs)

    def _check_documents(self, snapshot: Snapshot, told: str, allow: Collection[Permission]) -> None:
        """Raises `NotAllowed` where a form was to be sent that the call does not allow: the page is open, and nothing was sent."""
        _, document = refused_in(snapshot)
        if document:
            what = f"{told} would send {document}, which was not let through"
            self._emit(ActionRefused(step=self.step, action="request", reason=what))
            raise NotAllowed(what, where=snapshot.final_url, advice=_allow_advice((*allow, "post")), needs=("post",))

    async def _check_border(self, before: ShownPage, after: ShownPage, allowed: frozenset[Permission]) -> None:
        """Go back from another site that an act led to. Raises `NotAllowed`."""
        if "leave" in allowed or same_site(before.url, after.url) or not self._scope.why_outside(after.url):
            return
        what = f"it led to another site, {after.url}; the page before is open again"
        self._emit(ActionRefused(step=self.step, action="leave", reason=what))
        await self._opened(before.url, "back from another site", frozenset())
        raise NotAllowed(what, where=before.url, advice=_allow_advice((*allowed, "leave")), needs=("leave",))

    def _located(self, words: str, found: tuple[ActionTarget, ...]) -> None:
        names = "; ".join(f"{one.kind} {one.name!r}" for one in found[:5])
        self._emit(
            ElementLocated(
                step=self.step,
                words=words,
                element=found[0].number if found else 0,
                box=(),
                confidence=found[0].score if found else 0.0,
                told=f"{len(found)} found: {names}" if found else "nothing on the page is called that",
            )
        )

    def _tell(self, call: str, **arguments: Any) -> None:
        self._at = round(self._clock(), 3)
        self._emit(SessionCalled(step=self.step, call=call, arguments=arguments, at=self._at))

    def _emit(self, event: Event) -> None:
        self._sink.emit(event)


_ADVICE = {
    "gone": "Observe the page again: it has changed",
    "blocked_address": "Name the host when the session is made: also=['host:port']",
    "unknown_host": "Check the address",
}


def _allow_advice(needs: Iterable[str]) -> str:
    return f"Allow it for this call: allow={sorted(set(needs))}"


def _locators(page: ShownPage, target: ActionTarget | None, start: str) -> tuple[Locator, ...]:
    """What finds a target again; of what scripts never press (forms that post, passwords) its place in the page."""
    if target is None:
        return ()
    is_listed = target.url or any(one.selector == target.selector for one in page.controls)
    return locators_of(page, target, start) if is_listed else (Locator(css=target.selector),)


def _new_texts(before: ShownPage, after: ShownPage) -> tuple[str, ...]:
    """Lines that can be seen on the page after, and not on the one before."""
    lines = (
        " ".join(block.text.split()) for block in after.observation.blocks if not block.hidden and not block.opener
    )
    new = (line[:TEXT_CHARS] for line in lines if line and one_form(line[:TEXT_CHARS]) not in before.visible)
    return tuple(list(dict.fromkeys(new))[:TEXTS_KEPT])


def _as_event(step: int, done: Acted) -> ActionDone:
    return ActionDone(
        step=step,
        kind=done.kind,
        target=done.target.name if done.target is not None else "",
        locators=tuple(cast("dict[str, Any]", msgspec.to_builtins(one)) for one in done.locators),
        before=done.before,
        after=done.after,
        changed=done.changed,
        refused=done.refused,
    )
