"""Arriving at a page: the move is made, the page observed, and left at once where it is not worth the critic's time."""

from __future__ import annotations

import hashlib
from typing import assert_never
from urllib.parse import urljoin

import msgspec

from memory.retrieval import tokens
from memory.state import PageNote, WalkMemory
from memory.url_key import BadUrl, key_of
from memory.url_stack import Frame, UntriedLink
from perception.observation import Observation
from perception.snapshot import Snapshot
from traces.events import PageFailed, PageObserved, PageOpened, PageRejected
from walker.errors import RootUnreachable
from walker.rules.viability import (
    OFF_TOPIC_LINKS,
    Rejection,
    matches_probe,
    needs_probe,
    off_topic,
    reject_by_structure,
)
from walker.seams.actions import Enlarge, Finish, Move, Open, Operate, Pop, Return
from walker.seams.protocols import PageFailure
from walker.walk.walk_state import Page, WalkState

PROBES_A_WALK = 4
"""Looks at an address that cannot exist; one for each folder that shows a suspiciously short page."""


class Arrival:
    """Makes moves. A page that cannot be had or is not viable leaves the walk on the page below it."""

    def __init__(self, state: WalkState) -> None:
        self._scene = state
        self._probes: dict[str, Observation | None] = {}

    async def take_move(self, memory: WalkMemory, move: Move) -> tuple[WalkMemory, Page]:
        """Carry out a move; the page that the walk stands on then."""
        match move:
            case Open(url=url, reason=reason):
                return await self._open(memory, url, reason)
            case Return(depth=depth, url=url, reason=reason):
                memory = msgspec.structs.replace(memory, stack=memory.stack.return_to(depth))
                self._scene.stack_moved(memory, "return")
                return await self._open(memory, url, reason)
            case Pop():
                memory = msgspec.structs.replace(memory, stack=memory.stack.pop())
                self._scene.stack_moved(memory, "pop")
                return memory, self._standing(memory)
            case Operate():
                return await self._operate(memory, move)
            case Enlarge():
                return memory, Page(observation=self._scene.top_observation(memory), is_new=True, part=move)
            case Finish():
                raise AssertionError("the loop ends before a finish is carried out")
            case _:
                assert_never(move)

    async def check_viability(self, memory: WalkMemory, page: Page) -> tuple[WalkMemory, Page]:
        """Leave a page that is an error, a wall or off topic; the root is never left, nor a page that is looked at closely."""
        if page.part is not None:
            return memory, page
        rejection = await self._reject(memory, page.observation)
        if rejection is None:
            return memory, page
        observation = page.observation
        self._emit_rejection(memory, observation.url, rejection)
        if memory.stack.depth <= 1:
            if rejection.reason == "http error" and memory.step == 1:
                raise RootUnreachable(
                    f"the server answered with {rejection.detail}",
                    where=self._scene.task.root_url,
                    advice="Check the address in a browser, and give a page that exists as the root",
                )
            return memory, msgspec.structs.replace(page, is_new=False)
        memory = msgspec.structs.replace(memory, stack=memory.stack.pop())
        self._scene.stack_moved(memory, "pop")
        return memory, self._standing(memory)

    async def _open(self, memory: WalkMemory, url: str, reason: str) -> tuple[WalkMemory, Page]:
        key = key_of(url)
        page_number = memory.stack.top.page_number + 1 if memory.stack.top and reason == "next page" else 1
        memory = msgspec.structs.replace(memory, step=memory.step + 1, stack=memory.stack.enter(key))
        opened = await self._scene.edges.browser.open(url)
        if isinstance(opened, PageFailure):
            return self._stay_below(memory, opened, key)
        self._scene.shown_key = final_key = _key_or(opened.final_url, key)
        self._emit_opened(memory, opened, final_key)
        rejection = self._reject_landing(memory, opened, key, final_key)
        if rejection is not None:
            memory = _note(memory, opened.final_url, key, opened.title, rejection.reason)
            self._emit_rejection(memory, opened.final_url, rejection)
            return memory, self._standing(memory)
        observation = await self._observe(memory, opened, final_key)
        frame = Frame(
            url=opened.final_url, key=final_key, title=observation.title, reason=reason, page_number=page_number
        )
        stack = memory.stack.enter(final_key).push(frame).offer(self._ways_on(observation))
        memory = _note(msgspec.structs.replace(memory, stack=stack), opened.final_url, final_key, observation.title)
        self._scene.stack_moved(memory, "push")
        return memory, Page(observation=observation, is_new=True)

    async def _operate(self, memory: WalkMemory, move: Operate) -> tuple[WalkMemory, Page]:
        frame = memory.stack.top
        assert frame is not None, "an operation needs a page"
        self._scene.operations[frame.key] = self._scene.operations.get(frame.key, 0) + 1
        memory = msgspec.structs.replace(memory, step=memory.step + 1)
        await self._scene.bring_back(memory)
        opened = await self._scene.edges.browser.act(move)
        if isinstance(opened, PageFailure):
            self._scene.sink.emit(
                PageFailed(step=memory.step, url=opened.url, kind=opened.kind, message=opened.message)
            )
            return memory, self._standing(memory)
        self._scene.shown_key = final_key = _key_or(opened.final_url, frame.key)
        self._emit_opened(memory, opened, final_key)
        if final_key == frame.key:
            observation = await self._observe(memory, opened, final_key)
            stack = memory.stack.offer(self._ways_on(observation))
            memory = msgspec.structs.replace(memory, stack=stack)
            self._scene.stack_moved(memory, "stay")
            return memory, Page(observation=observation, is_new=True)
        return await self._landed_elsewhere(memory, opened, final_key, move.reason)

    async def _landed_elsewhere(
        self, memory: WalkMemory, opened: Snapshot, key: str, reason: str
    ) -> tuple[WalkMemory, Page]:
        """An operation that led to another address is an entry like any other."""
        rejection = self._reject_landing(memory, opened, "", key)
        if rejection is not None:
            self._emit_rejection(memory, opened.final_url, rejection)
            return memory, self._standing(memory)
        observation = await self._observe(memory, opened, key)
        frame = Frame(url=opened.final_url, key=key, title=observation.title, reason=reason)
        stack = memory.stack.push(frame).offer(self._ways_on(observation))
        memory = _note(msgspec.structs.replace(memory, stack=stack), opened.final_url, key, observation.title)
        self._scene.stack_moved(memory, "push")
        return memory, Page(observation=observation, is_new=True)

    def _stay_below(self, memory: WalkMemory, failure: PageFailure, key: str) -> tuple[WalkMemory, Page]:
        state = self._scene
        state.shown_key = ""
        state.sink.emit(PageFailed(step=memory.step, url=failure.url, kind=failure.kind, message=failure.message))
        if memory.stack.depth == 0:
            raise RootUnreachable(
                failure.message, where=failure.url, advice=_ADVICE.get(failure.kind, _ADVICE["other"])
            )
        return _note(memory, failure.url, key, "", failure.kind), self._standing(memory)

    def _standing(self, memory: WalkMemory) -> Page:
        return Page(observation=self._scene.top_observation(memory), is_new=False)

    async def _observe(self, memory: WalkMemory, snapshot: Snapshot, key: str) -> Observation:
        state = self._scene
        state.saw_time(snapshot.fetched_at)
        observation = await state.edges.reader.read(snapshot)
        state.observations[key] = observation
        state.sink.emit(
            PageObserved(
                step=memory.step,
                url=observation.url,
                title=observation.title,
                language=observation.language,
                blocks=len(observation.blocks),
                links=len(observation.links),
                controls=len(observation.controls),
                record_sets=len(observation.record_sets),
                figures=len(observation.figures),
                next_url=observation.pagination.next_url,
                signals=msgspec.to_builtins(observation.signals),
            )
        )
        return observation

    def _ways_on(self, observation: Observation) -> tuple[UntriedLink, ...]:
        """Links of the page that the scope allows, in the page's order."""
        scope = self._scene.rules.policy.scope
        ways = []
        for link in observation.links:
            try:
                if scope.why_outside(link.url):
                    continue
                key = key_of(link.url)
            except BadUrl:
                continue
            ways.append(
                UntriedLink(
                    url=link.url,
                    key=key,
                    label=link.label,
                    context=link.context,
                    heading=link.heading,
                    region=link.region,
                )
            )
        return tuple(ways)

    def _reject_landing(self, memory: WalkMemory, opened: Snapshot, key: str, final_key: str) -> Rejection | None:
        if memory.stack.depth and final_key != key and memory.stack.has_entered(final_key):
            return Rejection(reason="already visited", detail=f"leads to {opened.final_url}")
        if memory.stack.depth and (why := self._scene.rules.policy.scope.why_outside(opened.final_url)):
            return Rejection(reason="off site", detail=f"leads to {opened.final_url}: {why}")
        return None

    async def _reject(self, memory: WalkMemory, observation: Observation) -> Rejection | None:
        if rejection := reject_by_structure(observation):
            return rejection
        if memory.stack.depth <= 1:
            return None
        if needs_probe(observation):
            probe = await self._probe(observation.url)
            if probe is not None and matches_probe(observation, probe):
                return Rejection(reason="soft 404", detail="the page reads like one that cannot exist")
        frame = memory.stack.top
        ways_on = len(frame.untried) if frame else 0
        if ways_on > OFF_TOPIC_LINKS or self._may_show_more(observation):
            return None
        words = frozenset(tokens(self._scene.task.question)) | frozenset(tokens(" ".join(memory.missing)))
        text = " ".join((observation.title, *(block.text for block in observation.blocks)))
        shared = words.intersection(tokens(text[:20_000]))
        return off_topic(len(shared), ways_on)

    def _may_show_more(self, observation: Observation) -> bool:
        """Whether its pictures may say what its text does not."""
        return self._scene.rules.may_look and any(not region.declared for region in observation.blind)

    async def _probe(self, url: str) -> Observation | None:
        """What the site says of an address in the same folder that cannot exist; asked once a folder."""
        address = urljoin(url, "walker-probe-" + hashlib.sha256(url.encode()).hexdigest()[:12])
        folder = address.rsplit("/", 1)[0]
        if folder not in self._probes:
            if len(self._probes) >= PROBES_A_WALK:
                return None
            self._probes[folder] = None
            opened = await self._scene.edges.browser.open(address)
            self._scene.shown_key = ""
            if isinstance(opened, Snapshot):
                self._probes[folder] = await self._scene.edges.reader.read(opened)
        return self._probes[folder]

    def _emit_opened(self, memory: WalkMemory, opened: Snapshot, key: str) -> None:
        self._scene.sink.emit(
            PageOpened(
                step=memory.step,
                url=opened.url,
                final_url=opened.final_url,
                key=key,
                status=opened.status,
                title=opened.title,
                redirects=tuple(f"{hop.status} {hop.url}" for hop in opened.redirects),
                notices=tuple(f"{notice.kind}: {notice.text}" for notice in opened.notices),
                html_sha256=hashlib.sha256(opened.html.encode("utf-8", "surrogatepass")).hexdigest(),
            )
        )

    def _emit_rejection(self, memory: WalkMemory, url: str, rejection: Rejection) -> None:
        self._scene.sink.emit(PageRejected(step=memory.step, url=url, reason=rejection.reason, detail=rejection.detail))


_ADVICE = {
    "unknown_host": "Check the spelling of the host name, and that this machine reaches the network",
    "refused": "Check that the site is up and the port is right",
    "tls": "Open the site in a browser to see what is wrong with its certificate, or use its http address",
    "timeout": "Try again later, or give it more time with --page-seconds",
    "redirect_loop": "Give the address that the site really shows, without the redirects",
    "download": "Give a web page as the root; files are not read",
    "not_a_page": "Give a web page as the root; files are not read",
    "blocked_address": "Private addresses may only be walked from a root that is there itself",
    "unreadable": "Give a smaller page of the site as the root",
    "bad_scheme": "Give an http or https address",
    "other": "Check the address in a browser",
}


def _note(memory: WalkMemory, url: str, key: str, title: str, outcome: str = "read") -> WalkMemory:
    note = PageNote(step=memory.step, url=url, key=key, title=title, outcome=outcome)
    return msgspec.structs.replace(memory, pages=(*memory.pages, note))


def _key_or(url: str, fallback: str) -> str:
    try:
        return key_of(url)
    except BadUrl:
        return fallback
