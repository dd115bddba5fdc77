"""Says at the start of a walk what its question asks for, and sets the counter to it."""

from __future__ import annotations

import msgspec

from memory.counting.counter import Counter
from walker.walk.choosing import load_ahead
from walker.walk.naming import name_picture
from walker.walk.walk_events import task_analysed
from walker.walk.walk_state import WalkContext, WalkState


async def analyse_task(context: WalkContext, state: WalkState) -> tuple[WalkContext, WalkState]:
    """The context with the task analysed, once: when the root page is open, which shows the language of the site, while the pages that
    are likely next are loading. Nothing was counted before. The picture of a question is named as soon as anything tells its name."""
    context = name_picture(context, state)
    analyst, task = context.edges.analyst, context.task
    if analyst is None or task.analysis.by != "nobody":
        return context, state
    state = await load_ahead(context, state)
    analysis = await analyst.analyse(task, state.page.observation)
    context.sink.emit(task_analysed(state.step, analysis))
    if analysis.requirement != task.requirement:
        state = state.remember(counter=Counter.start(analysis.requirement))
    return msgspec.structs.replace(context, task=task.analysed(analysis)), state
