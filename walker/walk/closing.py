"""How a walk begins and ends: every exit is named and leaves a complete trace, a crash included."""

from __future__ import annotations

from typing import Any

import msgspec

from memory.counting.counter import Counter
from memory.state import WalkMemory
from traces.events import WalkEnded, WalkFailed, WalkStarted
from walker.errors import Divergence, TraceUnwritable
from walker.seams.outcome import Outcome, StopReason, Usage, conclude
from walker.walk.walk_state import Scene


def begin_walk(scene: Scene) -> WalkMemory:
    """An empty memory with the counter set to what the question asks for."""
    task, rules = scene.task, scene.rules
    settings: dict[str, Any] = {
        "scope": rules.policy.scope.kind,
        "limits": msgspec.to_builtins(rules.budget.limits),
        "threshold": rules.threshold,
        "look_threshold": rules.look_threshold,
        "weights": msgspec.to_builtins(rules.weights),
        "may_look": rules.may_look,
    }
    scene.sink.emit(
        WalkStarted(
            question=task.question,
            root_url=task.root_url,
            language=task.language,
            requirement=msgspec.to_builtins(task.requirement),
            settings=settings,
        )
    )
    return WalkMemory(stack=rules.empty_stack, counter=Counter.start(task.requirement))


def end_walk(scene: Scene, memory: WalkMemory, stop: StopReason) -> Outcome:
    """Compose the outcome and record it."""
    conclusion = conclude(memory, scene.verdict)
    count = memory.counter.describe()
    scene.sink.emit(
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
        question=scene.task.question,
        answer=conclusion.answer,
        items=conclusion.items,
        confidence=conclusion.confidence,
        citations=conclusion.citations,
        stop_reason=stop,
        pages=len(memory.pages),
        steps=memory.step,
        count=count,
        usage=_usage(scene),
    )


def _usage(scene: Scene) -> Usage:
    spent = scene.crew.spent()
    return Usage(
        prompt_tokens=spent.prompt_tokens,
        completion_tokens=spent.completion_tokens,
        total_tokens=spent.total_tokens,
        model_calls=spent.calls,
        vision_calls=scene.vision_calls,
        seconds=round(scene.elapsed, 3),
    )


def fail_walk(scene: Scene, memory: WalkMemory, error: BaseException) -> None:
    """Record what ended the walk; the error goes on to whoever asked."""
    if isinstance(error, TraceUnwritable | Divergence):
        return
    scene.sink.emit(WalkFailed(step=memory.step, error=type(error).__name__, message=str(error)[:500]))
