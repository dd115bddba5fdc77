"""Plays a flow script in a browser: each step by its locators, each verified by its effect."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Literal
from urllib.parse import urljoin

import msgspec
from rapidfuzz import process

from memory.url_key import same_site
from perception.observation import Observation
from perception.snapshot import Snapshot
from walker.flows.answer_again import Extracted, extract_again
from walker.flows.effects import Judged, Mismatch, effect_of, judge
from walker.flows.script import FlowScript, FlowStep, Locator, filled
from walker.flows.shown_page import ShownPage, Target, address_of, locate, locators_of
from walker.seams.actions import Click, Operate, Scroll, TypeText
from walker.seams.protocols import Browser, PageFailure, PageReader

StepState = Literal["hit", "healed", "miss"]
NEAREST = 5


class StepPlayed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came of one step."""

    number: int
    action: str
    target: str
    state: StepState
    url: str = ""
    """Of the page that it led to."""
    by: str = ""
    """What found its target: the kind of a locator, `opening its address`, or `model`."""
    alike: float = 1.0
    """How like the page is to what it was, 0..1."""
    tried: tuple[str, ...] = ()
    """What did not work, and why, one line each."""
    mismatches: tuple[Mismatch, ...] = ()
    """Of a miss: what is not as expected of the page that the last try led to."""
    healed: FlowStep | None = None
    """The step as it should be now."""


class Played(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came of a play."""

    steps: tuple[StepPlayed, ...]
    answer: Extracted
    """`none` where a step was missed."""

    @property
    def is_whole(self) -> bool:
        """Whether no step was missed."""
        return all(step.state != "miss" for step in self.steps)

    @property
    def healed(self) -> dict[int, FlowStep]:
        """The steps as they should be, by their numbers."""
        return {step.number: step.healed for step in self.steps if step.healed is not None}


Choose = Callable[[FlowStep, tuple[Target, ...], ShownPage], Awaitable[Target | str]]
"""Says which of a page's targets a step means that no locator finds, or why none; raises nothing."""


class _Place(msgspec.Struct, frozen=True, kw_only=True):
    """A page, and how a browser comes to it again."""

    page: ShownPage
    opened: str
    moves: tuple[Operate, ...] = ()


class _Try(msgspec.Struct, frozen=True, kw_only=True):
    by: str
    target: Target | None
    """None: its address is opened."""
    address: str = ""


class Player:
    """Plays one script once."""

    def __init__(
        self,
        script: FlowScript,
        browser: Browser,
        reader: PageReader,
        *,
        values: Mapping[str, str],
        heals: bool = True,
        choose: Choose | None = None,
    ) -> None:
        """`values` of the variables, `start` among them; `heals`: other locators than the first are tried, and `choose` where none
        finds the target."""
        self._script, self._browser, self._reader = script, browser, reader
        self._values, self._heals, self._choose = values, heals, choose
        self._start = values["start"]
        self._places: dict[int, _Place] = {}
        self._here: _Place | None = None

    async def play(self, told: Callable[[StepPlayed, ShownPage | None], None]) -> Played:
        """Play to the end, or to the first miss; `told` is called with each step and the page that it led to."""
        done: list[StepPlayed] = []
        for number, step in enumerate(self._script.steps, start=1):
            played = await self._step(number, step)
            done.append(played)
            told(played, self._here.page if self._here is not None and played.state != "miss" else None)
            if played.state == "miss":
                return Played(steps=tuple(done), answer=Extracted(state="none", was=self._script.answer.value))
            assert self._here is not None, "a step that is no miss has led to a page"
            self._places[number] = self._here
        pages: dict[int, Observation] = {number: place.page.observation for number, place in self._places.items()}
        return Played(steps=tuple(done), answer=extract_again(self._script.answer, pages))

    async def _step(self, number: int, step: FlowStep) -> StepPlayed:
        match step.action:
            case "open":
                came = await self._open(self._address(step.open))
                return self._told(number, step, came, by="")
            case "back":
                came = await self._return_to(self._places[step.back])
                return self._told(number, step, came, by="")
            case "scroll":
                came = await self._operate(Operate(action=Scroll()))
                return self._told(number, step, came, by="")
            case _:
                return await self._located(number, step)

    async def _located(self, number: int, step: FlowStep) -> StepPlayed:
        """Try the locators in turn, until one leads to what is expected."""
        assert self._here is not None, "the first step opens a page"
        before, tried, last = self._here, list[str](), None
        been: set[str] = set()
        for one in self._tries(step, before.page, tried):
            identity = (one.target.url or one.target.selector) if one.target is not None else one.address
            if identity in been:
                continue
            been.add(identity)
            last = await self._attempt(number, step, one, before)
            if last.state == "hit":
                return (
                    last
                    if one.by == step.find[0].kind and not tried
                    else self._healed(last, step, one, before.page, tried)
                )
            if last.state == "healed" and self._heals:
                return msgspec.structs.replace(self._healed(last, step, one, before.page, tried), alike=last.alike)
            tried.append(f"{one.by}: {'; '.join(found.line for found in last.mismatches) or 'it leads to no page'}")
            await self._return_to(before)
            if not self._heals:
                break
        if self._heals and self._choose is not None and (last is None or last.by != "model"):
            chosen = await self._chosen(number, step, before, tried, been)
            if chosen is not None:
                return chosen
        missed = last or self._missed(number, step)
        nearest = _nearest(step, before.page)
        return msgspec.structs.replace(
            missed, state="miss", tried=(*tried, *([nearest] if nearest else [])), healed=None
        )

    def _tries(self, step: FlowStep, page: ShownPage, tried: list[str]) -> Iterator[_Try]:
        """What the locators find, the reasons of those that find nothing into `tried`; of a link at last its address."""
        is_link = step.action == "follow"
        for locator in step.find if self._heals else step.find[:1]:
            filled_in = self._filled(locator)
            found = locate(page, filled_in, is_link=is_link, start=self._start)
            if isinstance(found, Target):
                yield _Try(by=locator.kind, target=found)
            else:
                tried.append(f"{locator.kind}: {found}")
        addresses = [one.address for one in step.find if one.address]
        if is_link and self._heals and addresses:
            yield _Try(by="opening its address", target=None, address=self._address(addresses[0]))

    async def _attempt(self, number: int, step: FlowStep, one: _Try, before: _Place) -> StepPlayed:
        if why := self._why_outside(step, one.target.url if one.target is not None else one.address):
            return self._told(number, step, PageFailure(url="", kind="other", message=why), by=one.by)
        if one.target is None:
            came = await self._open(one.address)
        elif step.action == "follow":
            came = await self._open(one.target.url)
        else:
            action = Click(control_id=one.target.number)
            typed = TypeText(control_id=one.target.number, text=filled(step.text, self._values))
            came = await self._operate(
                Operate(action=typed if step.action == "type" else action, selector=one.target.selector), before
            )
        return self._told(number, step, came, by=one.by)

    async def _chosen(
        self, number: int, step: FlowStep, before: _Place, tried: list[str], been: set[str]
    ) -> StepPlayed | None:
        """The step by the model's choice; None where it chooses nothing, or what does not lead there."""
        assert self._choose is not None, "asked only where there is one"
        targets = before.page.links if step.action == "follow" else before.page.controls
        found = await self._choose(step, targets, before.page)
        if isinstance(found, str):
            tried.append(f"model: {found}")
            return None
        if (found.url or found.selector) in been:
            tried.append(f"model: {found.name!r} was tried already")
            return None
        one = _Try(by="model", target=found)
        played = await self._attempt(number, step, one, before)
        if played.state == "miss":
            tried.append(f"model: {found.name!r}: {'; '.join(each.line for each in played.mismatches)}")
            await self._return_to(before)
            return None
        return self._healed(played, step, one, before.page, tried)

    def _told(self, number: int, step: FlowStep, came: ShownPage | PageFailure, *, by: str) -> StepPlayed:
        """What a step came to, with the page that it led to as the place that the play is at."""
        if isinstance(came, PageFailure):
            failure = Mismatch(what="page", expected=filled(step.expect.url, self._values), got=came.message)
            return msgspec.structs.replace(self._missed(number, step, by), url=came.url, mismatches=(failure,))
        judged = judge(step, came, self._values, self._start)
        played = StepPlayed(
            number=number,
            action=step.action,
            target=filled(step.target, self._values),
            state="hit" if judged.is_met else "miss",
            url=came.url,
            by=by,
            alike=judged.alike,
            mismatches=judged.mismatches,
        )
        if not judged.is_met and judged.is_moved and self._heals:
            return self._moved(played, step, came, judged)
        return played

    def _moved(self, played: StepPlayed, step: FlowStep, page: ShownPage, judged: Judged) -> StepPlayed:
        """A page that is the same but for its address or its heading."""
        now = effect_of(page, self._start)
        what = judged.mismatches[0].what
        expect = msgspec.structs.replace(
            step.expect, **({"url": now.url} if what == "address" else {"heading": now.heading})
        )
        healed = msgspec.structs.replace(step, expect=expect, page=page.fingerprint)
        return msgspec.structs.replace(
            played, state="healed", healed=healed, tried=(judged.mismatches[0].line,), mismatches=()
        )

    def _healed(self, played: StepPlayed, step: FlowStep, one: _Try, before: ShownPage, tried: list[str]) -> StepPlayed:
        """With the locators that find the target now."""
        base = played.healed or step
        if one.target is not None:
            find = tuple(map(self._with_variables, locators_of(before, one.target, self._start)))
            base = msgspec.structs.replace(base, find=find or step.find, **_named(step, one.target))
        elif one.by == "opening its address":
            base = FlowStep(open=address_of(one.address, self._start), expect=base.expect, page=base.page)
        is_as_it_was = one.by == step.find[0].kind and played.healed is None and base == step
        return msgspec.structs.replace(
            played,
            state="hit" if is_as_it_was else "healed",
            healed=None if is_as_it_was else base,
            tried=(*tried, *played.tried),
        )

    def _missed(self, number: int, step: FlowStep, by: str = "") -> StepPlayed:
        return StepPlayed(
            number=number, action=step.action, target=filled(step.target, self._values), state="miss", by=by, alike=0.0
        )

    async def _open(self, address: str) -> ShownPage | PageFailure:
        came = await self._shown(await self._browser.open(address))
        if isinstance(came, ShownPage):
            self._here = _Place(page=came, opened=address)
        return came

    async def _operate(self, move: Operate, at: _Place | None = None) -> ShownPage | PageFailure:
        at = at or self._here
        assert at is not None, "the first step opens a page"
        came = await self._shown(await self._browser.act(move))
        if isinstance(came, ShownPage):
            self._here = _Place(page=came, opened=at.opened, moves=(*at.moves, move))
        return came

    async def _return_to(self, place: _Place) -> ShownPage | PageFailure:
        """The state of a page once more: its address opened, and all done again that was done there."""
        came = await self._open(place.opened)
        for move in place.moves:
            if isinstance(came, PageFailure):
                return came
            came = await self._operate(move)
        return came

    async def _shown(self, opened: Snapshot | PageFailure) -> ShownPage | PageFailure:
        if isinstance(opened, PageFailure):
            return opened
        return ShownPage(opened, await self._reader.read(opened))

    def _why_outside(self, step: FlowStep, url: str) -> str:
        """Why a link may not be followed, "" if it may: a page may name any address."""
        expected = filled(step.expect.url, self._values)
        if not url or same_site(url, self._start) or ("://" in expected and same_site(url, expected)):
            return ""
        return f"{url} is off the script's site"

    def _address(self, written: str) -> str:
        """An address of the script as the browser takes it: on the site of the start, where it names none."""
        return urljoin(self._start, filled(written, self._values, in_address=True))

    def _filled(self, locator: Locator) -> Locator:
        return msgspec.structs.replace(
            locator,
            name=filled(locator.name, self._values),
            text=filled(locator.text, self._values),
            address=filled(locator.address, self._values, in_address=True),
        )

    def _with_variables(self, locator: Locator) -> Locator:
        """A value of this play is nothing that a script keeps."""
        changed = dict[str, str]()
        for name in self._script.variables:
            value = self._values.get(name, "")
            for field in ("name", "text", "address"):
                text = changed.get(field, getattr(locator, field))
                if value and value in text:
                    changed[field] = text.replace(value, f"{{{name}}}")
        return msgspec.structs.replace(locator, **changed)


def _named(step: FlowStep, target: Target) -> dict[str, str]:
    return {step.action: target.name} if target.name else {}


def _nearest(step: FlowStep, page: ShownPage) -> str:
    """The names of targets that are most like the one that was wanted."""
    names = {one.name for one in (page.links if step.action == "follow" else page.controls) if one.name}
    found = process.extract(step.target, sorted(names), limit=NEAREST)
    return f"nearest on the page: {', '.join(repr(name) for name, _, _ in found)}" if found else ""
