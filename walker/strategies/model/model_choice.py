"""Turns a model's reply into an action on a link or a control that it was offered, or says why it cannot."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from memory.findings import Finding
from memory.state import WalkMemory
from memory.words import lazy_re
from perception.document.visible import visible_text
from perception.observation import Observation
from walker.models.replies import BadReply, StepReply
from walker.seams.actions import (
    Action,
    Click,
    CodeInput,
    Crop,
    FollowLink,
    GiveAnswer,
    GoBack,
    Ground,
    Jump,
    NextPage,
    ReadLetters,
    ReadPart,
    RunCode,
    Scroll,
    Search,
    SearchPicture,
    TypeText,
)
from walker.strategies.model.prompt_values import Offer

TYPED_CHARS = 200
BETWEEN_QUERIES = "|"
_PLAIN: dict[str, type[Scroll | GoBack | GiveAnswer]] = {"scroll": Scroll, "back": GoBack, "answer": GiveAnswer}
ITEMS = "items"
_NAMES = lazy_re.compile(rf"\b(?:f(\d{{1,3}})|t(\d{{1,4}})|({ITEMS}))(?:_value)?\b")


class Numbered(msgspec.Struct, frozen=True, kw_only=True):
    """The findings that a reply may name by number, and those of the walk once the reply's own are among them."""

    named: tuple[Finding | None, ...]
    every: tuple[Finding, ...]


def action_of(
    reply: StepReply, observation: Observation, memory: WalkMemory, offer: Offer, numbered: Numbered
) -> Action:
    """The action of a reply. Raises `BadReply` for a number that was not offered. `numbered`: the findings that its code may name."""
    reason = visible_text(reply.reason)[:200]
    match reply.action:
        case "follow":
            return _follow(reply.number, observation, offer, reason)
        case "jump":
            return _jump(reply.number, offer, reason)
        case "click" | "type":
            return _operate(reply, offer, reason)
        case "next":
            return _next(observation, reason)
        case "read":
            return _read(reply.number, memory, reason)
        case "search":
            return _search(reply, offer, reason)
        case "crop" | "ocr" | "run" | "ground" | "search_picture":
            return _look_or_run(reply, observation, offer, numbered, reason)
        case "scroll" | "back" | "answer":
            # Whether the walk may end is for the policy to say.
            return _PLAIN[reply.action](reason=reason)
        case "refocus":
            raise AssertionError("a step that is seen again is no action")


def _follow(number: int, observation: Observation, offer: Offer, reason: str) -> Action:
    link, state = observation.link(number), offer.marks.states.get(number)
    if link is None:
        raise BadReply(f"there is no link {number} on this page: choose a number in brackets")
    if state is None:
        raise BadReply(f"link {number} leads to a place on this page, which is shown already: choose another")
    if state:
        raise BadReply(f"link {number} is marked {state}: choose another")
    return FollowLink(link_id=number, reason=reason)


def _read(number: int, memory: WalkMemory, reason: str) -> Action:
    if number < 1:
        raise BadReply('"number" must be that of a part that was left out')
    if not memory.may_unfold(number):
        raise BadReply(f"part {number} is shown already: choose another")
    return ReadPart(part=number, reason=reason)


def _jump(number: int, offer: Offer, reason: str) -> Action:
    if not 1 <= number <= len(offer.jumps):
        raise BadReply(f"there is no link {number} among those left behind")
    return Jump(url=offer.jumps[number - 1], reason=reason)


def _next(observation: Observation, reason: str) -> Action:
    if not observation.pagination.next_url and not observation.pagination.next_control:
        raise BadReply("this page has no next page")
    return NextPage(reason=reason)


def _operate(reply: StepReply, offer: Offer, reason: str) -> Action:
    if all(control.id != reply.number for control in offer.controls):
        raise BadReply(f"there is no control {reply.number} in the list of controls")
    if reply.action == "click":
        return Click(control_id=reply.number, reason=reason)
    text = visible_text(reply.text)[:TYPED_CHARS]
    if not text:
        raise BadReply("there is no text to type")
    return TypeText(control_id=reply.number, text=text, reason=reason)


def _search(reply: StepReply, offer: Offer, reason: str) -> Action:
    query = visible_text(reply.text)[:TYPED_CHARS]
    if not offer.may_search:
        raise BadReply("this walk has nothing to search")
    if not query:
        raise BadReply('"text" must be the words to search for')
    if offer.may_search != "web":
        return Search(query=query, reason=reason)
    queries = tuple(dict.fromkeys(" ".join(one.split()) for one in query.split(BETWEEN_QUERIES) if one.strip()))
    if not queries:
        raise BadReply('"text" must be the words to search for')
    return Search(query=queries[0], reason=reason, **({"further": queries[1:]} if len(queries) > 1 else {}))


def _crop(reply: StepReply, offer: Offer, reason: str) -> Action:
    """A crop; the policy decides whether the part exists and may be enlarged."""
    if not offer.pictures:
        raise BadReply("this page has no picture to crop")
    if len(reply.box) != 4:
        raise BadReply('"box" must be four numbers from 0 to 1: left, top, right and lower edge of the part')
    left, top, right, bottom = reply.box
    kind = Crop if reply.action == "crop" else ReadLetters
    return kind(box=(left, top, right, bottom), image_index=reply.number, reason=reason)


def _look_or_run(reply: StepReply, observation: Observation, offer: Offer, numbered: Numbered, reason: str) -> Action:
    """What is done on the open page without changing it; a tool that is not switched on is not possible."""
    if reply.action == "crop":
        return _crop(reply, offer, reason)
    if reply.action not in offer.tools:
        raise BadReply(f"{reply.action} is not possible: choose another")
    if reply.action == "ocr":
        return _crop(reply, offer, reason)
    if reply.action == "search_picture":
        return _search_picture(reply, offer, reason)
    if reply.action == "ground":
        return Ground(words=visible_text(reply.text)[:TYPED_CHARS], reason=reason)
    code = reply.text.strip("\n")
    if not code.strip():
        raise BadReply('"text" must be the code to run')
    return RunCode(code=code, inputs=inputs_of(code, numbered, observation), reason=reason)


def _search_picture(reply: StepReply, offer: Offer, reason: str) -> Action:
    """A search by a picture or a part of it, the whole where no part is named; the policy decides whether it may be made."""
    if not offer.pictures:
        raise BadReply("this page has no picture to search by")
    if len(reply.box) not in (0, 4):
        raise BadReply('"box" must be four numbers from 0 to 1, or [] for the whole picture')
    left, top, right, bottom = reply.box or (0.0, 0.0, 1.0, 1.0)
    return SearchPicture(box=(left, top, right, bottom), image_index=reply.number, reason=reason)


def inputs_of(code: str, numbered: Numbered, observation: Observation) -> tuple[CodeInput, ...]:
    """The values that code uses, each once: findings (`f1`), what was counted (`items`), and lists of the page (`t1`). Raises
    `BadReply` for a name that stands for nothing."""
    found: dict[str, CodeInput] = {}
    for match in _NAMES.finditer(code):
        finding, table, _ = match.groups()
        name = match[0].removesuffix("_value")
        if finding is not None:
            found[name] = CodeInput(name=name, of="finding", number=_place_of(int(finding), numbered))
        elif table is not None:
            if all(one.id != int(table) for one in observation.record_sets):
                raise BadReply(f"there is no table {name}: code may use the tables that are listed")
            found[name] = CodeInput(name=name, of="table", number=int(table))
        else:
            found[name] = CodeInput(name=name, of="items")
    return tuple(found.values())


def _place_of(number: int, numbered: Numbered) -> int:
    """The place of a finding among those of the walk, from 1."""
    named: Sequence[Finding | None] = numbered.named
    wanted = named[number - 1] if 1 <= number <= len(named) else None
    if wanted is None:
        raise BadReply(f"there is no finding {number}: f{number} stands for nothing")
    same = (wanted.text, wanted.quote, wanted.address)
    for place, one in enumerate(numbered.every, start=1):
        if (one.text, one.quote, one.address) == same:
            return place
    raise BadReply(f"finding {number} is not kept: f{number} stands for nothing")
