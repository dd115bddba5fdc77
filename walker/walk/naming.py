"""Says what the picture of a question shows, once its page was read: the name takes the place of "this" from there on."""

from __future__ import annotations

import msgspec

from walker.rules.pictured_name import name_of_picture
from walker.seams.searches import picture_of
from walker.walk.walk_events import picture_named
from walker.walk.walk_state import WalkContext, WalkState


def name_picture(context: WalkContext, state: WalkState) -> WalkContext:
    """The context whose task says what the picture shows; the same for any page but the first of a walk with a picture."""
    task = context.task
    if task.picture is None or task.pictured or not picture_of(state.page.observation.url):
        return context
    looked = state.page.looked
    named = name_of_picture(state.page.observation, looked.look.seen if looked is not None else ())
    if named is None:
        return context
    context.sink.emit(picture_named(state.step, named))
    return msgspec.structs.replace(context, task=msgspec.structs.replace(task, pictured=named.name))
