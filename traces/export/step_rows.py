"""The steps of walks as table rows, shared by CSV and Parquet."""

from __future__ import annotations

import msgspec

from traces.reading.steps import Step, Walk


class StepRow(msgspec.Struct, frozen=True, kw_only=True):
    """One step. Numbers are -1 where the stage did not take place."""

    run: str
    question: str
    step: int
    url: str
    title: str
    status: int
    depth: int
    rejected: str
    understanding: float
    trust: float
    gate: str
    looks: int
    findings: int
    counted: int
    sufficient: bool
    answer: str
    confidence: float
    proposal: str
    refusals: int
    move: str
    move_url: str
    model_calls: int
    prompt_tokens: int
    completion_tokens: int
    seconds: float


def rows_of(walk: Walk) -> tuple[StepRow, ...]:
    """A row for each step of a walk."""
    return tuple(_row(walk, step) for step in walk.steps)


def _row(walk: Walk, step: Step) -> StepRow:
    page, gate, verdict, move = (step.last(stage) for stage in ("page", "gate", "verdict", "move"))
    chats = [call.outcome for call in step.calls if call.seam == "chat" and isinstance(call.outcome, dict)]
    stack = step.stages.get("stack", ())
    return StepRow(
        run=walk.name,
        question=walk.start.get("question", ""),
        step=step.number,
        url=step.url,
        title=step.last("observation").get("title") or page.get("title", ""),
        status=page.get("status", -1),
        depth=stack[0]["depth"] if stack else -1,
        rejected=step.last("rejection").get("reason", "") or page.get("kind", ""),
        understanding=step.last("understanding").get("score", -1.0),
        trust=gate.get("score", -1.0),
        gate=gate.get("choice", ""),
        looks=len(step.stages.get("look", ())),
        findings=len(step.last("findings").get("findings", ())),
        counted=step.last("counter").get("found", -1),
        sufficient=verdict.get("sufficient", False),
        answer=verdict.get("answer", ""),
        confidence=verdict.get("confidence", -1.0),
        proposal=step.last("proposal").get("action", ""),
        refusals=len(step.stages.get("refusal", ())),
        move=move.get("move", ""),
        move_url=move.get("url", ""),
        model_calls=len(chats),
        prompt_tokens=sum(chat.get("prompt_tokens", 0) for chat in chats),
        completion_tokens=sum(chat.get("completion_tokens", 0) for chat in chats),
        seconds=step.seconds,
    )
