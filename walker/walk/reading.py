"""The stages after a page was read: findings are stored, items counted, and the critic judges whether they are enough."""

from __future__ import annotations

import msgspec

from memory.state import WalkMemory
from walker.walk.walk_events import counter_moved, findings_added, judged
from walker.walk.walk_state import WalkContext, WalkState


async def keep_findings(context: WalkContext, state: WalkState) -> WalkState:
    """Add the page's findings to the memory, and its gist to the note on the page."""
    findings, memory = state.found, state.memory
    context.sink.emit(findings_added(state.step, findings))
    notes = list(memory.pages)
    at = _place_of_note(memory)
    notes[at] = msgspec.structs.replace(notes[at], relevance=findings.relevance, gist=findings.gist)
    return state.remember(findings=(*memory.findings, *findings.findings), pages=tuple(notes))


async def count_items(context: WalkContext, state: WalkState) -> WalkState:
    """Add this page's items to the symbolic counter."""
    findings, before = state.found, state.memory.counter
    if before.requirement.mode == "none":
        return state
    counter = before.add(findings.items, similarity=context.rules.similarity)
    if findings.list_total:
        counter = counter.saw_total(findings.list_total)
    if findings.list_ended:
        counter = counter.saw_end()
    context.sink.emit(counter_moved(state.step, before, counter))
    return state.remember(counter=counter)


async def judge_findings(context: WalkContext, state: WalkState) -> WalkState:
    """Ask the critic whether the findings are enough; they never are before a quota is met."""
    verdict = await context.edges.critic.judge(context.task, state.memory)
    counter = state.memory.counter
    if counter.requirement.mode == "quota" and not counter.done and verdict.sufficient:
        verdict = msgspec.structs.replace(verdict, sufficient=False, reason="the quota is not met")
    context.sink.emit(judged(state.step, verdict))
    state = state.remember(missing=verdict.missing, answer=verdict.answer, confidence=verdict.confidence)
    return msgspec.structs.replace(state, verdict=verdict)


def _place_of_note(memory: WalkMemory) -> int:
    """Index of the note on the page on top of the stack, which after going back is not the page opened last."""
    key = memory.stack.top.key if memory.stack.top is not None else ""
    return next((at for at in reversed(range(len(memory.pages))) if memory.pages[at].key == key), -1)
