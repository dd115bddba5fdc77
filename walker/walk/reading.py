"""The stages after a page was read: findings are stored, items counted, and the critic judges whether they are enough."""

from __future__ import annotations

import re

import msgspec

from memory.counting.answer_names import names_in
from memory.counting.requirement import may_be_stated
from memory.library.protocol import PageLine, WholePage
from memory.state import MoveNote, WalkMemory
from perception.observation import Observation
from walker.rules.counted_list import is_insisted_on
from walker.seams.protocols import Verdict
from walker.walk.walk_events import counter_moved, findings_added, judged, page_summarised
from walker.walk.walk_state import WalkContext, WalkState

REASONS_AT_MOST, REASON_CHARS = 2, 60
TEXT_CHARS = 24_000
"""Of a page's text, kept for later steps that look back at it."""
_BEHIND_NAME = re.compile(r"^(?:[^“”]*“.*?”|[^“”:]*): ")
"""What a line on something that was not taken is about."""


async def keep_findings(context: WalkContext, state: WalkState) -> WalkState:
    """Add the page's findings to the memory, and its gist to the note on the page."""
    findings, memory = state.found, state.memory
    context.sink.emit(findings_added(state.step, findings))
    notes = list(memory.pages)
    at = _place_of_note(memory)
    notes[at] = msgspec.structs.replace(notes[at], relevance=findings.relevance, gist=findings.gist)
    moves = memory.moves
    if (findings.note or findings.refused) and memory.stack.top is not None:
        # Whoever wrote the findings is told what became of them.
        outcome = findings.note or f"{len(findings.refused)} not taken: {_reasons(findings.refused)}"
        key = memory.stack.top.key
        note = MoveNote(step=state.step, page=key, what="findings", outcome=outcome, told=findings.refused)
        moves = (*moves, note)
    return state.remember(findings=(*memory.findings, *findings.findings), pages=tuple(notes), moves=moves)


def whole_page(observation: Observation) -> WholePage:
    """The text of an observed page, that read in its pictures included."""
    lines = tuple(
        PageLine(text=block.text, headings=block.headings, is_heading=block.kind == "heading", anchor=block.anchor)
        for block in observation.blocks
        if not block.hidden and block.text.strip()
    )
    return WholePage(url=observation.url, title=observation.title, lines=lines)


async def summarise_page(context: WalkContext, state: WalkState) -> WalkState:
    """Keep a summary of the page for what it was opened for, and all its text for when it is recalled; once a page, where the walk
    summarises."""
    summariser, memory = context.edges.summariser, state.memory
    at = _place_of_note(memory)
    if summariser is None or memory.pages[at].summary:
        return state
    page = whole_page(state.under_way.observation)
    goal = state.goal or context.task.question
    summary = await summariser.summarise(context.task, goal, page, state.step)
    context.sink.emit(page_summarised(state.step, (page.url,), summary))
    notes = list(memory.pages)
    notes[at] = msgspec.structs.replace(notes[at], summary=summary.summary, text=page.text[:TEXT_CHARS])
    return state.remember(pages=tuple(notes))


def _reasons(refused: tuple[str, ...]) -> str:
    """Why, in a few words: what each line says behind what it is about, without what the page says instead."""
    said = (_BEHIND_NAME.sub("", line).partition(", ")[0].partition(": ")[0][:REASON_CHARS] for line in refused)
    return "; ".join(list(dict.fromkeys(said))[:REASONS_AT_MOST])


async def count_items(context: WalkContext, state: WalkState) -> WalkState:
    """Add this page's items to the symbolic counter. The end of a list is not all of it where the walk came in behind its first
    page."""
    findings, before = state.found, state.memory.counter
    if before.requirement.mode == "none":
        return state
    counter = before.add(findings.items, similarity=context.rules.similarity)
    if findings.list_total:
        counter = counter.saw_total(findings.list_total)
    place = state.under_way.observation.pagination
    is_whole = bool(before.items) or max(place.current, place.shown_from) <= 1
    if findings.list_ended and is_whole:
        counter = counter.saw_end()
    context.sink.emit(counter_moved(state.step, before, counter))
    return state.remember(counter=counter)


async def judge_findings(context: WalkContext, state: WalkState) -> WalkState:
    """Ask the critic whether the findings are enough; they never are before a quota is met, or while the counted list goes on."""
    verdict = await context.edges.critic.judge(context.task, state.memory)
    if verdict.sufficient and (why := _why_not_enough(context, state, verdict)):
        verdict = msgspec.structs.replace(verdict, sufficient=False, reason=why)
    context.sink.emit(judged(state.step, verdict))
    state = state.remember(missing=verdict.missing, answer=verdict.answer, confidence=verdict.confidence)
    return msgspec.structs.replace(state, verdict=verdict)


def _why_not_enough(context: WalkContext, state: WalkState, verdict: Verdict) -> str:
    """What the counter has against a sufficient verdict, "" if nothing."""
    counter = state.memory.counter
    if counter.requirement.mode == "none" or counter.done:
        return ""
    if counter.requirement.mode == "quota":
        enough = len(names_in(verdict.answer)) >= counter.requirement.target or is_insisted_on(state.memory)
        return "" if enough else "the quota is not met"
    goes_on = bool(state.found.items) and state.found.list_continues
    return "the counted list goes on" if goes_on and not may_be_stated(context.task.question) else ""


def _place_of_note(memory: WalkMemory) -> int:
    """Index of the note on the page on top of the stack, which after going back is not the page opened last."""
    key = memory.stack.top.key if memory.stack.top is not None else ""
    return next((at for at in reversed(range(len(memory.pages))) if memory.pages[at].key == key), -1)
