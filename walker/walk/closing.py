"""How a walk begins and ends: every exit is named and leaves a complete trace, a crash included."""

from __future__ import annotations

from typing import Any

import msgspec

from memory.counting.counter import Counter
from memory.state import WalkMemory
from traces.events import WalkEnded, WalkFailed, WalkStarted
from walker.errors import Divergence, TraceUnwritable
from walker.seams.outcome import Outcome, StopReason, Usage, conclude
from walker.walk.walk_state import WalkState


def begin_walk(state: WalkState) -> WalkMemory:
    """An empty memory with the counter set to what the question asks for."""
    task, rules = state.task, state.rules
    settings: dict[str, Any] = {
        "scope": rules.policy.scope.kind,
        "limits": msgspec.to_builtins(rules.budget.limits),
        "threshold": rules.threshold,
        "look_threshold": rules.look_threshold,
        "weights": msgspec.to_builtins(rules.weights),
        "may_look": rules.may_look,
    }
    state.sink.emit(
        WalkStarted(
            question=task.question,
            root_url=task.root_url,
            language=task.language,
            requirement=msgspec.to_builtins(task.requirement),
            settings=settings,
        )
    )
    return WalkMemory(stack=rules.empty_stack, counter=Counter.start(task.requirement))


def end_walk(state: WalkState, memory: WalkMemory, stop: StopReason) -> Outcome:
    """Compose the outcome and record it."""
    conclusion = conclude(memory, state.verdict)
    count = memory.counter.describe()
    state.sink.emit(
        WalkEnded(
            step=memory.step,
            stop_reason=stop.value,
            answer=conclusion.answer,
            confidence=conclusion.confidence,
            items=conclusion.items,
            citations=tuple(msgspec.to_builtins(citation) for citation in conclusion.citations),
            count=count,
            pages=len(memory.pages),
            steps=memory.step,
        )
    )
    return Outcome(
        question=state.task.question,
        answer=conclusion.answer,
        items=conclusion.items,
        confidence=conclusion.confidence,
        citations=conclusion.citations,
        stop_reason=stop,
        pages=len(memory.pages),
        steps=memory.step,
        count=count,
        usage=_usage(state),
    )


def _usage(state: WalkState) -> Usage:
    spent = state.edges.spent()
    return Usage(
        prompt_tokens=spent.prompt_tokens,
        completion_tokens=spent.completion_tokens,
        total_tokens=spent.total_tokens,
        model_calls=spent.calls,
        vision_calls=state.vision_calls,
        seconds=round(state.elapsed, 3),
    )


def fail_walk(state: WalkState, memory: WalkMemory, error: BaseException) -> None:
    """Record what ended the walk; the error goes on to whoever asked."""
    if isinstance(error, TraceUnwritable | Divergence):
        return
    state.sink.emit(WalkFailed(step=memory.step, error=type(error).__name__, message=str(error)[:500]))
