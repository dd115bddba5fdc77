"""Says what the picture of a question shows, once its page was read: the name takes the place of "this" from there on."""

from __future__ import annotations

import msgspec

from walker.rules.question_picture.pictured_name import name_of_picture
from walker.seams.searches import picture_of
from walker.walk.walk_events import picture_named
from walker.walk.walk_state import WalkContext, WalkState


def name_picture(context: WalkContext, state: WalkState) -> WalkContext:
    """The context whose task says what the picture shows; the same for a walk without one, and before its page was read."""
    task, frames = context.task, state.memory.stack.frames
    if task.picture is None or task.pictured or not frames or not picture_of(frames[0].url):
        return context
    first = state.pages[frames[0].key]
    named = name_of_picture(first.observation, first.looked.look.seen if first.looked is not None else ())
    if named is None:
        return context
    context.sink.emit(picture_named(state.step, named))
    return msgspec.structs.replace(context, task=msgspec.structs.replace(task, pictured=named.name))
