"""Turns a model's reply into an action on a link or a control that it was offered, or says why it cannot."""

from __future__ import annotations

import msgspec

from memory.state import WalkMemory
from perception.document.visible import visible_text
from perception.observation import Control, Observation
from perception.page_pictures import PagePicture
from walker.models.replies import BadReply, StepReply
from walker.seams.actions import Action, Click, Crop, FollowLink, GiveAnswer, GoBack, Jump, NextPage, Scroll, TypeText
from walker.strategies.links.link_candidates import LinkCandidate

TYPED_CHARS = 200


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """The links and controls that a model may choose from at one step."""

    links: tuple[LinkCandidate, ...]
    earlier: tuple[LinkCandidate, ...]
    controls: tuple[Control, ...]
    pictures: tuple[PagePicture, ...] = ()


def action_of(reply: StepReply, observation: Observation, memory: WalkMemory, offer: Offer) -> Action:
    """The action of a reply. Raises `BadReply` for a number that was not offered, and for an answer before a quota is met."""
    reason = visible_text(reply.reason)[:200]
    match reply.action:
        case "follow":
            return _follow(reply.number, offer, reason)
        case "jump":
            return _jump(reply.number, offer, reason)
        case "click" | "type":
            return _operate(reply, offer, reason)
        case "next":
            return _next(observation, reason)
        case "scroll":
            return Scroll(reason=reason)
        case "crop":
            return _crop(reply, offer, reason)
        case "back":
            return GoBack(reason=reason)
        case "answer":
            return _answer(memory, offer, reason)
        case "refocus":
            raise AssertionError("a step that is seen again is no action")


def _follow(number: int, offer: Offer, reason: str) -> Action:
    if all(candidate.link_id != number for candidate in offer.links):
        raise BadReply(f"there is no link {number} in the list of links")
    return FollowLink(link_id=number, reason=reason)


def _jump(number: int, offer: Offer, reason: str) -> Action:
    if not 1 <= number <= len(offer.earlier):
        raise BadReply(f"there is no link {number} among those left behind")
    return Jump(url=offer.earlier[number - 1].url, reason=reason)


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


def _crop(reply: StepReply, offer: Offer, reason: str) -> Action:
    """A crop; the policy decides whether the part exists and may be enlarged."""
    if not offer.pictures:
        raise BadReply("this page has no picture to crop")
    if len(reply.box) != 4:
        raise BadReply('"box" must be four numbers from 0 to 1: left, top, right and lower edge of the part')
    left, top, right, bottom = reply.box
    return Crop(box=(left, top, right, bottom), image_index=reply.number, reason=reason)


def _answer(memory: WalkMemory, offer: Offer, reason: str) -> Action:
    requirement = memory.counter.requirement
    if requirement.mode == "quota" and not memory.counter.done and (offer.links or offer.earlier):
        raise BadReply(f"{memory.counter.found} of {requirement.target} were found: go on")
    return GiveAnswer(reason=reason)
