"""Numbers of links in place: where a page's text has a link, the prompt has its number, with what became of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from urllib.parse import urlsplit

import msgspec

from memory.state import WalkMemory
from memory.url_key import BadUrl, key_of
from perception.document.visible import visible_text
from perception.observation import Block, Link, Observation

LABEL_CHARS = 70


class Mark(msgspec.Struct, frozen=True, gc=False):
    """The end of a link's label in its block's text, and the number that goes there."""

    end: int
    text: str


class LinkMarks(msgspec.Struct, frozen=True, kw_only=True):
    """The marks of a page's links. A link to a place on the same page has none: it leads nowhere."""

    by_block: Mapping[int, tuple[Mark, ...]]
    loose: tuple[Link, ...]
    """Links that stand in no text (a picture), by document order."""
    states: Mapping[int, str]
    """By number of the link: "" for one that may be followed, else why not ("seen", "failed", "off-site"); none for a link to a
    place on the same page."""

    def text_of(self, block: Block) -> str:
        """The block's text with the numbers of its links; white space is kept."""
        text, marks = block.text, self.by_block.get(block.id, ())
        if not marks:
            return text
        pieces, done = [], 0
        for mark in marks:
            pieces += [text[done : mark.end], mark.text]
            done = mark.end
        return "".join((*pieces, text[done:]))

    def label_of(self, link: Link) -> str:
        """A link as an entry of a list: its label, or the end of its URL, with its number."""
        label = visible_text(link.label)[:LABEL_CHARS] or end_of(link.url)
        return f"{label} {_numbered(link.id, self.states.get(link.id, ''))}"


def mark_links(observation: Observation, memory: WalkMemory) -> LinkMarks:
    """The marks of an observed page on top of the walk's stack."""
    states = _states(observation, memory)
    by_block: dict[int, list[Mark]] = defaultdict(list)
    loose: list[Link] = []
    for link in observation.links:
        state = states.get(link.id)
        if state is None or link.hidden:
            continue
        text = f" {_numbered(link.id, state)}"
        places = [(link.block, link.end), *((place.block, place.end) for place in link.again)]
        standing = [(block, end) for block, end in places if block]
        for block, end in standing:
            by_block[block].append(Mark(end, text))
        if not standing:
            loose.append(link)
    marks = {block: tuple(sorted(found, key=lambda mark: mark.end)) for block, found in by_block.items()}
    return LinkMarks(by_block=marks, loose=tuple(loose), states=states)


def end_of(url: str) -> str:
    """The last part of a URL's path."""
    return url.rstrip("/").rsplit("/", 1)[-1][:40]


def _numbered(number: int, state: str) -> str:
    return f"[{number} {state}]" if state else f"[{number}]"


def _states(observation: Observation, memory: WalkMemory) -> dict[int, str]:
    top = memory.stack.top
    here = top.key if top is not None else ""
    host = urlsplit(observation.url).netloc
    untried = {link.url.partition("#")[0] for link in top.untried} if top is not None else frozenset()
    failed = {note.key for note in memory.pages if note.outcome not in ("", "read")}
    known: dict[str, str | None] = {}
    states: dict[int, str] = {}
    for link in observation.links:
        base = link.url.partition("#")[0]
        if base not in known:
            known[base] = "" if base in untried else _why_not(base, here, host, memory, failed)
        state = known[base]
        if state is not None:
            states[link.id] = state
    return states


def _why_not(base: str, here: str, host: str, memory: WalkMemory, failed: set[str]) -> str | None:
    try:
        key = key_of(base)
    except BadUrl:
        return None
    if key == here:
        return None
    if key in failed:
        return "failed"
    if memory.stack.has_entered(key):
        return "seen"
    return "off-site" if urlsplit(base).netloc != host else ""
