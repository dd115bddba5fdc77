"""A reader that knows evidence and ways, and answers each prompt only from what the prompt holds: what it does not reach, the
runtime has withheld."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from answers.comparing import as_shown
from answers.label_match import targets_of
from answers.prompt_reading import Offered, Shown, read_request, reply_with
from answers.reader_state import FAR, ReaderState
from answers.walks import Recognised, Walk
from walker.testing.chat_server import Asked, Reply

PATIENCE_S, TICK_S = 2.0, 0.05
"""How long the choice of a step waits for the reading of the same page, where both are asked side by side."""
READS = 6
"""Parts that are asked for on one page."""
PART_CHARS = 900
PRESSES = 4
"""Controls that are pressed on one page."""
CROPS = 3
_ONWARD = re.compile(
    r"next|more|older|forward|»|›|→|下一|次|다음|weiter|nächste|suivant|volgende|próxim|siguiente|avanti|наступн|следующ",
    re.IGNORECASE,
)
_FINDING = re.compile(r"^\[(\d+)\] ")
_OPENER = re.compile(r"menu|expand|collapse|toggle|more|show|open|nav|all|summary|tab|菜单|展开|更多", re.IGNORECASE)


class IdealReader:
    """A script for `walker.testing.chat_server.Endpoint`."""

    def __init__(self, walks: Sequence[Walk], states: dict[str, ReaderState]) -> None:
        self._recognised, self.states = Recognised(walks), states

    async def __call__(self, asked: Asked) -> Reply:
        """Answer one request."""
        walk = self._recognised.walk_of(asked.prompt)
        shown = read_request(asked)
        said: dict[str, Any] = {}
        if walk is not None:
            state = self.states[walk.id]
            if shown.is_reading or shown.is_step:
                state.arrive(shown.address)
            if shown.has_image:
                said |= look(state)
            if shown.is_reading:
                said |= read(state, shown)
            if shown.is_judging:
                said |= judge(state, shown)
            if shown.is_step:
                await _until_read(state)
                said |= step(state, shown)
        return Reply(text=json.dumps(reply_with(asked, said), ensure_ascii=False))


async def _until_read(state: ReaderState) -> None:
    for _ in range(int(PATIENCE_S / TICK_S)):
        if state.here not in state.sources or state.here in state.read:
            return
        await asyncio.sleep(TICK_S)


def look(state: ReaderState) -> dict[str, Any]:
    """What is seen in a picture of the page: the answer, where the page has the picture that holds it."""
    seen = state.question.kind == "visual" and state.here in state.sources
    state.looked = state.looked or seen
    if not seen:
        return {"found": False}
    return {"found": True, "answer": state.question.answer, "texts": [state.question.answer]}


def read(state: ReaderState, shown: Shown) -> dict[str, Any]:
    """The evidence that the prompt shows, quoted; the list that holds the items."""
    state.read.add(state.here)
    pieces, items = state.pieces_in(shown.page), state.items_in(shown.page)
    state.told.update(number for number, _ in pieces)
    state.items.update(items)
    findings = [{"answer": _found(state, piece, items), "quote": piece, "confidence": 95} for _, piece in pieces]
    relevance = 40 if pieces else 30 if items else 10
    number = _list_of(state, shown) if items else 0
    named = [{"name": item, "quote": as_shown(shown.page, item)} for item in items] if not number else []
    return {"relevance": relevance, "findings": findings, "list": number, "items": named}


def _found(state: ReaderState, piece: str, items: list[str]) -> str:
    question = state.question
    match question.kind:
        case "multi":
            return piece[:120]
        case "quota":
            return "; ".join(items[: question.n])
        case "exhaustive":
            return str(len(items))
    return question.answer


def _list_of(state: ReaderState, shown: Shown) -> int:
    """The list whose names are all items; of a count, one that has as many entries as there are items."""
    question = state.question
    known = " ; ".join(question.items).casefold()
    for one in shown.lists:
        fits = all(name.casefold().strip() in known for name in one.names)
        if question.items and fits and (question.kind == "quota" or one.count == len(question.items)):
            return one.number
    return 0


def judge(state: ReaderState, shown: Shown) -> dict[str, Any]:
    """Enough, once every piece of evidence stands in the prompt, and enough items were shown."""
    question = state.question
    findings = [one for one in shown.above.splitlines() if _FINDING.match(one)]
    held = {number for number, _ in state.pieces_in("\n".join((*findings, shown.page)))}
    needed = set(range(len(question.evidence)))
    if not needed or held < needed or (question.items and not state.has_items):
        return {"sufficient": False, "answer": "", "confidence": 20, "missing": [question.text[:100]]}
    state.judged_enough = True
    numbers = [int(_FINDING.findall(one)[0]) for one in findings]
    if shown.is_reading:  # one call for all: what it finds is numbered on
        numbers += range(shown.next_number, shown.next_number + len(held))
    shown_items = [item for item in question.items if item in state.items]
    answer = "; ".join(shown_items[: question.n]) if question.kind == "quota" else question.answer
    return {"sufficient": True, "answer": answer, "confidence": 95, "cite": numbers, "missing": []}


def step(state: ReaderState, shown: Shown) -> dict[str, Any]:
    """The way on: a link that leads nearer, else whatever may show one, else back."""
    if shown.refused and state.leads_nearer:
        state.refusals.append(shown.refused.splitlines()[-1])
    state.leads_nearer = False
    here = [number for number in state.open_goals if state.sources[number] == state.here]
    if here and (try_ := _on_source(state, shown, here)):
        return try_
    state.given_up.update(here)
    if not state.open_goals:
        return _action("answer", reason="nothing more is to be had")
    nearer = tuple(_nearer(state, shown))
    for kind, name, number in (*nearer, *_around(state, shown)):
        if _is_possible(shown, kind) and not state.tried[state.here, kind, name]:
            state.tried[state.here, kind, name] += 1
            state.leads_nearer = (kind, name, number) in nearer
            state.aim = (state.here, number) if kind == "follow" else None
            return _action(kind, number)
    return _action("back" if _is_possible(shown, "back") else "answer")


def _on_source(state: ReaderState, shown: Shown, here: Sequence[int]) -> dict[str, Any] | None:
    """On a source whose evidence was not shown: look closer, once each."""
    wanted = state.question.picture.rsplit("/", 1)[-1]
    pictures = [one.number for one in sorted(shown.pictures, key=lambda one: wanted not in one.said) if one.number]
    ways = [("crop", str(number), number) for number in pictures[:CROPS]] if state.question.kind == "visual" else []
    parts = [way for one in here for way in _reads(state, shown, state.question.evidence[one])]
    for kind, name, number in (*ways, *parts, *_presses(state, shown), ("scroll", "", 0)):
        if _is_possible(shown, kind) and not state.tried[state.here, kind, name]:
            state.tried[state.here, kind, name] += 1
            return _action(kind, number, box=[0.0, 0.0, 1.0, 1.0] if kind == "crop" else None)
    return None


def _nearer(state: ReaderState, shown: Shown) -> Iterator[tuple[str, str, int]]:
    """Links that lead nearer to a source, the nearest first."""
    clicks = state.clicks_from(state.here)
    ways = sorted(_ways(state, shown))
    found = [(kind, target, number) for away, kind, target, number in ways if away < clicks]
    if not found and clicks < FAR:
        state.not_offered.append(f"{state.here}: {_needed(state, clicks)}")
    yield from found


def _around(state: ReaderState, shown: Shown) -> Iterator[tuple[str, str, int]]:
    """Where no link leads nearer: the next page of a list, the rest of the page, back to a page that is nearer, a closed menu, a
    detour."""
    clicks = state.clicks_from(state.here)
    if any(_ONWARD.search(label) for label in _labels_nearer(state, clicks)):
        yield "next", "", 0
    for label in _labels_nearer(state, clicks)[:1]:
        yield from _reads(state, shown, label)
    if any(state.clicks_from(page) < clicks for page in state.above):
        yield "back", "", 0
    yield from _presses(state, shown)
    yield "scroll", "", 0
    for away, kind, target, number in sorted(_ways(state, shown)):
        if away < FAR and target not in state.been:
            yield kind, target, number


def _reads(state: ReaderState, shown: Shown, wanted: str) -> list[tuple[str, str, int]]:
    """Parts of the page that were left out, the one first that a text likely stands in: the page's own order of headings tells."""
    page = state.map.pages.get(state.here)
    spent = sum(count for (path, kind, _), count in state.tried.items() if path == state.here and kind == "read")
    if page is None or spent >= READS:
        return []
    place = max(0, page.whole.find(wanted))
    likely: list[tuple[int, int]] = []
    for one in shown.left_out:
        heading = max(0, page.whole.rfind(one.about.rsplit(" > ", 1)[-1], 0, place + 1))
        number = min(one.last, one.first + (place - heading) // PART_CHARS)
        likely.append((place - heading, number))
    return [("read", str(number), number) for _, number in sorted(likely)]


def _is_possible(shown: Shown, kind: str) -> bool:
    return not shown.possible or kind in shown.possible


def _ways(state: ReaderState, shown: Shown) -> Iterator[tuple[int, str, str, int]]:
    """Clicks that are left, kind of action, target and number, of each link that is offered."""
    page = state.map.pages.get(state.here)
    behind = [state.map.pages[path] for path in dict.fromkeys(state.been) if path in state.map.pages]
    known, named = state.led_to.get(state.here), state.map.named
    links = targets_of(shown.links, [page] if page is not None else [], known=known, named=named)
    earlier = targets_of(shown.earlier, behind, named=named)
    earlier |= {one.number: state.at(one.path) for one in shown.earlier if one.path}
    closed = {one.number for one in shown.links if one.state}
    links = {number: target for number, target in links.items() if number not in closed}
    for kind, targets in (("follow", links), ("jump", earlier)):
        for number, target in targets.items():
            yield state.clicks_from(target), kind, target, number


def _presses(state: ReaderState, shown: Shown) -> list[tuple[str, str, int]]:
    """Controls that may open something; those whose name says so first."""
    spent = sum(count for (page, kind, _), count in state.tried.items() if page == state.here and kind == "click")
    likely: list[Offered] = sorted(shown.controls, key=lambda one: _OPENER.search(one.said) is None)
    presses = [("click", f"{one.number} {one.said}", one.number) for one in likely if not _is_field(one)]
    return presses if spent < PRESSES else []


def _is_field(one: Offered) -> bool:
    return one.said.partition(" ")[0] in ("text", "search", "field", "input", "select", "textarea", "email", "password")


def _labels_nearer(state: ReaderState, clicks: int) -> list[str]:
    page = state.map.pages.get(state.here)
    links = page.links if page is not None else ()
    return [
        label
        for link in links
        if state.clicks_from(state.map.named(link.target)) < clicks
        for label in (*link.labels[:1], link.target)
    ]


def _needed(state: ReaderState, clicks: int) -> str:
    labels = _labels_nearer(state, clicks)
    return f"“{labels[0][:60]}” ({labels[1] if len(labels) > 1 else ''})" if labels else "no link"


def _action(kind: str, number: int = 0, *, box: list[float] | None = None, reason: str = "nearer") -> dict[str, Any]:
    return {"action": kind, "number": number, "text": "", "box": box or [], "reason": reason}
