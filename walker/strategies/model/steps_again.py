"""An earlier step seen again in full, as a model may ask before it acts (ReFACT's refocus)."""

from __future__ import annotations

import re

import msgspec

from memory.findings import Finding, Findings
from memory.focus import refocus
from memory.state import MoveNote, WalkMemory
from perception.document.visible import without_unseen
from walker.models.replies import BadReply, FindReply
from walker.strategies.model.digest.link_marks import LINK_NUMBER
from walker.strategies.model.digest.page_digest import cut_text
from walker.strategies.model.prompt_values import REFOCUSES, Offer

AGAIN_SHARE, AGAIN_LEAST = 0.5, 0.25
"""Of the tokens of a page, for what is seen again beside it: at most, and where the page has few."""
KEPT_FOR_PAGE = 450
"""Tokens that the open page keeps, for its head, a part of it and what is left out."""


class SeenAgain(msgspec.Struct, frozen=True, kw_only=True):
    """An earlier step in full, and what may be chosen once it is seen."""

    text: str
    offer: Offer


def seen_again(step: int, memory: WalkMemory, again: tuple[str, ...], offer: Offer) -> SeenAgain:
    """What an earlier step read; each of its page's links that nobody followed has a number to jump to. Raises `BadReply` for a step
    that is shown, or is none."""
    here = memory.stack.top
    if here is not None and any(note.step == step and note.key == here.key for note in memory.pages):
        raise BadReply(f"step {step} read this page, which is shown: choose an action")
    if len(again) >= REFOCUSES:
        raise BadReply("enough was seen again: choose an action")
    seen = refocus(memory, step)
    if not seen:
        raise BadReply(f"there is no step {step}")
    # The first line tells which step it is: numbers of links change with what was seen before.
    if any(text.partition("\n")[0] == seen.partition("\n")[0] for text in again):
        raise BadReply(f"step {step} is shown already")
    return _with_jumps(seen, step, memory, offer)


def _with_jumps(seen: str, step: int, memory: WalkMemory, offer: Offer) -> SeenAgain:
    """The text with numbers to jump to: those of its own page mean other links here."""
    note = next(note for note in reversed(memory.pages) if note.step == step)
    page = memory.stack.page(note.key)
    untried = {link.number: link.url for link in page.untried if link.number} if page is not None else {}
    urls = list(offer.jumps)

    def numbered(found: re.Match[str]) -> str:
        url = untried.get(int(found[1]))
        if url is None:
            return ""
        if url not in urls:
            urls.append(url)
        return f" [jump {urls.index(url) + 1}]"

    findings, gist, text = seen.rpartition(note.gist) if note.gist else (seen, "", "")
    text = f"{findings}{LINK_NUMBER.sub(numbered, gist)}{text}"
    return SeenAgain(
        text=text,
        offer=msgspec.structs.replace(offer, again=tuple(urls[len(offer.earlier) :]), seen_again=offer.seen_again + 1),
    )


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """What a reply gave that wanted to see a step again before it acts: nothing of it need be said twice."""

    reply: FindReply = FindReply(relevance=0)
    findings: Findings = Findings()
    """What code made of it."""
    numbered: tuple[Finding, ...] = ()
    """Those of them that have a number in the next request, in this order: all but the one that tells what was named, which is
    numbered once no more is named."""

    def shown_in(self, memory: WalkMemory) -> WalkMemory:
        """The memory as the next request tells it: with what was named, and why something was not taken. What is counted once the page
        is left is not told as counted before: it stands in no finding yet."""
        named = (f"named here already: {one.text}" for one in self.findings.findings if one not in self.numbered)
        told = (*self.findings.refused, *named)
        top = memory.stack.top
        if not told or top is None:
            return memory
        note = MoveNote(step=memory.step, page=top.key, what="findings", told=told)
        return msgspec.structs.replace(memory, moves=(*memory.moves, note))


def with_given(reply: FindReply, given: FindReply) -> FindReply:
    """A reply with the list and the items that an earlier reply about the same page named besides."""
    names = {item.name for item in reply.items}
    return msgspec.structs.replace(
        reply,
        relevance=max(reply.relevance, given.relevance),
        list=reply.list or given.list,
        items=(*reply.items, *(item for item in given.items if item.name not in names)),
    )


def seen_within(again: tuple[str, ...], tokens: int) -> str:
    """What is seen again beside a page of so many tokens: each step gets an equal share of half of them, or, where the page
    has few, of what it can spare."""
    most = max(int(AGAIN_LEAST * tokens), min(int(AGAIN_SHARE * tokens), tokens - KEPT_FOR_PAGE))
    share = most // max(1, len(again))
    return "\n".join(cut_text(without_unseen(text), share) for text in again)
