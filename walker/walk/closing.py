"""Begins and ends a walk: every exit has a stop reason and leaves a complete recording, a crash included. One without a model that
would end unsure goes back first to pictures of its best pages that nobody has read."""

from __future__ import annotations

import msgspec

from memory.counting.counter import Counter
from memory.findings import Candidate, Finding, Findings
from memory.state import WalkMemory
from memory.url_stack import Frame
from perception.observation import Observation
from walker.errors import Divergence, TraceUnwritable
from walker.rules.budget import pages_opened
from walker.rules.pictures.blindness import Blindness
from walker.rules.pictures.picture_shots import LatePage, pages_to_look_at
from walker.seams.outcome import CUT_SHORT, Conclusion, Outcome, StopReason, Usage, conclude
from walker.seams.searches import is_own_page
from walker.seams.web.asked_person import Answerable
from walker.walk.reading import judge_findings
from walker.walk.vision_cascade import READ_PICTURES
from walker.walk.walk_events import (
    findings_added,
    picture_asked,
    stack_moved,
    walk_ended,
    walk_failed,
    walk_started,
    walk_stopped,
)
from walker.walk.walk_state import Reading, WalkContext, WalkState, count_pause

MOST_ANSWERS = 5
"""That a person is offered: what stands further down is seldom right, and they read them all."""
QUOTE_CHARS = 200
"""Of a quote that is told in place of an answer."""
MAY_GO_BACK = (StopReason.EXHAUSTED, StopReason.GAVE_UP, StopReason.BUDGET, StopReason.DEAD_END)
"""Ends of a walk that may have an answer in a picture yet."""


def begin_walk(context: WalkContext) -> WalkState:
    """The initial state, with the counter set to what the question asks for."""
    task, rules = context.task, context.rules
    context.sink.emit(walk_started(task, rules.described()))
    if task.picture is not None:
        context.sink.emit(picture_asked(task.picture))
    return WalkState(memory=WalkMemory(stack=rules.empty_stack, counter=Counter.start(task.requirement)))


async def look_back(context: WalkContext, state: WalkState, stop: StopReason) -> tuple[WalkState, StopReason]:
    """The state after pictures of the best pages were read too, and why the walk ends; unchanged where an answer is sure, something is
    counted, or the rules forbid it."""
    if stop not in MAY_GO_BACK or not _may_look_back(context, state):
        return state, stop
    often, read = state.often, frozenset(state.read_pictures)
    for page in pages_to_look_at(context.task.question, _pages_read(state), read, often):
        if not _is_unsure(context, state) or _looks_left(context, state) <= 0:
            break
        state = await _look_at(context, state, page)
    return state, StopReason.ANSWERED if state.verdict.sufficient else stop


def _may_look_back(context: WalkContext, state: WalkState) -> bool:
    rules, is_counted = context.rules, state.memory.counter.requirement.mode != "none"
    is_in_time = state.elapsed < rules.budget.limits.seconds
    return rules.looks_back and rules.may_look and state.memory.stack.goes_back and is_in_time and not is_counted


def _is_unsure(context: WalkContext, state: WalkState) -> bool:
    return not state.verdict.answer or state.verdict.confidence < context.rules.sure


def _looks_left(context: WalkContext, state: WalkState) -> int:
    """Looks that the walk may still make."""
    most = context.rules.budget.limits.looks
    return most - state.looks if most else 1


def _pages_read(state: WalkState) -> dict[str, Observation]:
    """The pages of the site as they were opened: what only an operation showed is not there again."""
    return {
        key: page.observation
        for key, page in state.pages.items()
        if not page.operations and not page.observation.signals.challenge and not is_own_page(page.observation.url)
        if any(note.key == key and note.outcome == "read" for note in state.memory.pages)
    }


async def _look_at(context: WalkContext, state: WalkState, page: LatePage) -> WalkState:
    """Go back to a page, read these pictures, and weigh anew what it says."""
    state = _return_to(context, state, page.key)
    observation = state.page.observation
    regions = tuple((1.0, one) for one in page.pictures)
    blindness = Blindness(blind=1.0, pointed=float(page.is_pointed), regions=regions)
    known = Findings(findings=tuple(one for one in state.memory.findings if one.url == observation.url))
    reading = Reading(observation=observation, findings=known, blindness=blindness, threshold=context.rules.threshold)
    state = msgspec.structs.replace(state, reading=reading)
    for stage in READ_PICTURES:
        state = await stage(context, state)
    return await judge_findings(context, _found_anew(context, state, known))


def _return_to(context: WalkContext, state: WalkState, key: str) -> WalkState:
    stack = state.memory.stack
    depth = next((at for at, frame in enumerate(stack.frames, start=1) if frame.key == key), 0)
    if depth:
        stack = stack.return_to(depth)
    else:
        observation = state.pages[key].observation
        stack = stack.push(Frame(url=observation.url, key=key, title=observation.title, reason="its pictures"))
    state = state.remember(stack=stack, step=state.step + 1)
    context.sink.emit(stack_moved(state.step, stack, "return" if depth else "push"))
    return state


def _found_anew(context: WalkContext, state: WalkState, known: Findings) -> WalkState:
    """The state with what the page says now in the place of what it said before."""
    found, url = state.found, state.page.observation.url
    before = {(one.text, one.quote, one.part) for one in known.findings}
    news = tuple(one for one in found.findings if (one.text, one.quote, one.part) not in before)
    context.sink.emit(findings_added(state.step, msgspec.structs.replace(found, findings=news)))
    others = tuple(one for one in state.memory.findings if one.url != url)
    return state.remember(findings=(*others, *found.findings))


async def end_walk(context: WalkContext, state: WalkState, stop: StopReason) -> Outcome:
    """Compose the outcome and record it, with the best answer however sure it is; what is returned keeps to the rules. A person may
    choose the answer first."""
    made = _conclusion(context, state, stop)
    state, chosen = await _as_person_answers(context, state, made)
    conclusion = chosen or made
    outcome = msgspec.structs.replace(_outcome(context, state, stop, conclusion), by_person=chosen is not None)
    context.sink.emit(walk_ended(state.step, outcome))
    return outcome.kept_to(context.rules.sure, conclusion.quoted)


def fail_walk(context: WalkContext, state: WalkState, error: BaseException) -> None:
    """Record what was found so far and the error that ended the walk; the caller raises it again."""
    if not isinstance(error, TraceUnwritable | Divergence):
        if state.memory.pages:
            conclusion = _conclusion(context, state, StopReason.STOPPED)
            outcome = _outcome(context, state, StopReason.STOPPED, conclusion)
            context.sink.emit(walk_stopped(state.step, outcome, conclusion.quoted))
        context.sink.emit(walk_failed(state.step, error))


def _conclusion(context: WalkContext, state: WalkState, stop: StopReason) -> Conclusion:
    """What the walk has come to; of findings that nobody had time to judge the likeliest quote."""
    made = conclude(state.memory, state.verdict, len(context.task.analysis.parts))
    unjudged = [one for one in state.memory.findings if not one.is_shown]
    if made.answer or stop not in CUT_SHORT or not unjudged:
        return made
    likely = max(unjudged, key=lambda one: one.score)
    return msgspec.structs.replace(made, citations=likely.citations, quoted=likely.quote[:QUOTE_CHARS])


def _outcome(context: WalkContext, state: WalkState, stop: StopReason, conclusion: Conclusion) -> Outcome:
    memory, spent, analysis = state.memory, context.edges.spent(), context.task.analysis
    return Outcome(
        question=context.task.question,
        answer=conclusion.answer,
        items=conclusion.items,
        confidence=conclusion.confidence,
        citations=conclusion.citations,
        tied=conclusion.tied,
        stop_reason=stop,
        partial=stop in CUT_SHORT,
        pages=pages_opened(memory),
        steps=memory.step,
        count=memory.counter.describe(),
        helped=state.helped,
        analysis=msgspec.to_builtins(analysis) if analysis.by != "nobody" else {},
        usage=Usage(
            prompt_tokens=spent.prompt_tokens,
            completion_tokens=spent.completion_tokens,
            total_tokens=spent.total_tokens,
            model_calls=spent.calls,
            vision_calls=state.looks,
            seconds=round(state.elapsed, 3),
        ),
    )


async def _as_person_answers(
    context: WalkContext, state: WalkState, made: Conclusion
) -> tuple[WalkState, Conclusion | None]:
    """The conclusion that a person chose, among what was found or that none of it is right; None where nobody was asked, or chose."""
    person = context.edges.person
    if person is None or not (found := answerables(made, state.memory)):
        return state, None
    picked = await person.pick_answer(context.task.question, found, made.confidence)
    state = count_pause(context, state, picked)
    if not picked.number:
        return state, None
    if picked.number > len(found):
        return state, Conclusion(answer="", items=(), confidence=0.0, citations=())
    one = found[picked.number - 1]
    items = made.items if one.answer == made.answer else ()
    return state, Conclusion(answer=one.answer, items=items, confidence=1.0, citations=one.citations)


def answerables(made: Conclusion, memory: WalkMemory) -> tuple[Answerable, ...]:
    """What may be the answer, the likeliest first, each once: the conclusion, what is about as likely, then other findings. Of what a
    model wrote only what a page says is offered."""
    said = made.answer if made.quoted is msgspec.UNSET else made.quoted
    first = [Answerable(answer=said, citations=made.citations)] if said and made.citations else []
    found = sorted(memory.findings, key=lambda one: -one.score)
    once: dict[str, Answerable] = {}
    for one in (*first, *map(_answerable, made.tied), *map(_answerable, found)):
        if key := " ".join(one.answer.casefold().split()):
            once.setdefault(key, one)
    return tuple(once.values())[:MOST_ANSWERS]


def _answerable(one: Candidate | Finding) -> Answerable:
    return Answerable(answer=one.answer if isinstance(one, Candidate) else one.text, citations=one.citations)
