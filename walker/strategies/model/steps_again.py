"""An earlier step seen again in full, as a model may ask before it acts (ReFACT's refocus)."""

from __future__ import annotations

from memory.focus import refocus
from memory.state import WalkMemory
from walker.models.replies import BadReply

REFOCUSES = 2
"""Most earlier steps that the model may see again before one action."""


def seen_again(step: int, memory: WalkMemory, again: tuple[str, ...]) -> str:
    """What an earlier step read. Raises `BadReply` for a step that is shown or is none."""
    if len(again) >= REFOCUSES:
        raise BadReply("enough was seen again: choose an action")
    seen = refocus(memory, step)
    if not seen:
        raise BadReply(f"there is no step {step}")
    if seen in again:
        raise BadReply(f"step {step} is shown already")
    return seen
