"""Events that plain walks do not have: those of sessions of programs, of a person or a browser that helps a walk on, and that of a
walk that is ended before it is over."""

from __future__ import annotations

from typing import Any

import msgspec

from traces.event_base import EventBase


class SessionCalled(EventBase, frozen=True, kw_only=True, tag="session.call"):
    """A program called a session. What follows is derived from its arguments, and from the answers of edges."""

    call: str
    """open, observe, act, extract, ask, look or close."""
    arguments: dict[str, Any]
    at: float
    """Seconds since the session began, by which its budget is judged."""


class ActionDone(EventBase, frozen=True, kw_only=True, tag="act"):
    """What a session did on its page."""

    kind: str
    """followed, pressed, typed, searched, scrolled or returned."""
    target: str
    """Name of the link or control, "" for none."""
    locators: tuple[dict[str, Any], ...]
    """What finds the target again, the most telling first; () where nothing has to be found."""
    before: str
    """Address of the page before,"""
    after: str
    """and after."""
    changed: tuple[str, ...] = ()
    """Texts that came with it, the first ones."""
    refused: tuple[str, ...] = ()
    """Requests that were not let through: method and address."""


class SessionLeft(EventBase, frozen=True, kw_only=True, tag="session.left"):
    """A program took the driver's page: what it does there is not recorded."""

    url: str


class WalkStopped(EventBase, frozen=True, kw_only=True, tag="run.stopped"):
    """The walk was ended before it was over, by a person, a time limit or an error: what it had found until then."""

    answer: str
    """The best so far, however sure it is; "" for none."""
    is_answer: bool = True
    """Whether it is one where it is sure enough; false for a schema that lacks a required field."""
    confidence: float
    items: tuple[str, ...]
    citations: tuple[dict[str, str], ...]
    count: dict[str, Any]
    pages: int
    steps: int
    usage: dict[str, Any]
    quoted: str | msgspec.UnsetType = msgspec.UNSET
    """What of the answer stands on a page, where it is a model's words; unset where it is not."""


class HandedOver(EventBase, frozen=True, kw_only=True, tag="handover"):
    """Something was done about a page that a check or a login kept closed. Of a person only that they acted, and how long it took."""

    url: str
    obstacle: str
    by: str
    """`chrome` or `headed`: the browser in which the walk goes on; `person`; `nobody`, with the reason in `note`."""
    seconds: float
    note: str = ""


class PersonAsked(EventBase, frozen=True, kw_only=True, tag="asked"):
    """The walk was not sure, and asked a person."""

    about: str
    """`answer` or `next step`."""
    text: str
    choices: tuple[str, ...]
    chosen: str
    """One of them, "" where nobody chose before the time was over."""
    seconds: float
