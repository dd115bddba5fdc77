"""An earlier step seen again in full, as a model may ask before it acts (ReFACT's refocus)."""

from __future__ import annotations

import msgspec

from memory.focus import refocus
from memory.state import WalkMemory
from perception.document.visible import without_unseen
from walker.models.replies import BadReply, FindReply
from walker.strategies.model.digest.page_digest import cut_text

REFOCUSES = 2
"""Most earlier steps that the model may see again before one action."""

AGAIN_SHARE = 0.5
"""Of the tokens of a page, for what is seen again beside it."""


def seen_again(step: int, memory: WalkMemory, again: tuple[str, ...]) -> str:
    """What an earlier step read. Raises `BadReply` for a step that is shown, or is none."""
    here = memory.stack.top
    if here is not None and any(note.step == step and note.key == here.key for note in memory.pages):
        raise BadReply(f"step {step} read this page, which is shown: choose an action")
    if len(again) >= REFOCUSES:
        raise BadReply("enough was seen again: choose an action")
    seen = refocus(memory, step)
    if not seen:
        raise BadReply(f"there is no step {step}")
    if seen in again:
        raise BadReply(f"step {step} is shown already")
    return seen


def with_given(reply: FindReply, given: FindReply | None) -> FindReply:
    """A reply with what an earlier reply about the same page gave besides, behind its own: those keep their numbers."""
    if given is None:
        return reply
    quotes = {found.quote for found in reply.findings}
    names = {item.name for item in reply.items}
    return msgspec.structs.replace(
        reply,
        relevance=max(reply.relevance, given.relevance),
        findings=(*reply.findings, *(found for found in given.findings if found.quote not in quotes)),
        list=reply.list or given.list,
        items=(*reply.items, *(item for item in given.items if item.name not in names)),
    )


def seen_within(again: tuple[str, ...], tokens: int) -> str:
    """What is seen again beside a page of so many tokens: each step gets an equal share of half of them."""
    share = int(AGAIN_SHARE * tokens) // max(1, len(again))
    return "\n".join(cut_text(without_unseen(text), share) for text in again)
