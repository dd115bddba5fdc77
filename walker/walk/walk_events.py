"""What a walk tells of itself: one function for each kind of event, from the value that it is about to plain fields."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from memory.counting.counter import Counter
from memory.findings import Finding, Findings, Item, PageSummary
from memory.url_stack import UrlStack
from perception.grounding.grounding import Grounding
from perception.observation import Observation
from perception.snapshot import Snapshot
from perception.understanding import Understanding
from traces.events import (
    ActionProposed,
    ActionRefused,
    CodeRan,
    CounterMoved,
    ElementLocated,
    FindingsAdded,
    GateDecided,
    Judged,
    MoveTaken,
    PageFailed,
    PageLookedAt,
    PageObserved,
    PageOpened,
    PageRejected,
    PageSummarised,
    PictureAsked,
    PictureCropped,
    PictureNamed,
    StackMoved,
    TaskAnalysed,
    Understood,
    WalkEnded,
    WalkFailed,
    WalkStarted,
)
from traces.session_events import HandedOver, PersonAsked, WalkStopped
from walker.rules.gate import GateDecision
from walker.rules.viability import Rejection
from walker.seams.actions import Action, Enlarge, Move, Open, Refusal, Return
from walker.seams.code_runner import CodeFailure, Ran
from walker.seams.outcome import Outcome
from walker.seams.picture_pages import PictureName
from walker.seams.protocols import Look, PageFailure, Verdict
from walker.seams.search_protocols import QuestionPicture
from walker.seams.task import Task
from walker.seams.task_analysis import TaskAnalysis
from walker.seams.web.asked_person import Picked
from walker.seams.web.handover import Obstacle, Passed

ERROR_CHARS = 500
"""Of an error's text, that are kept."""


def walk_started(task: Task, settings: dict[str, Any]) -> WalkStarted:
    """The task, and the settings that decide."""
    return WalkStarted(
        question=task.question,
        root_url=task.root_url,
        language=task.language,
        requirement=msgspec.to_builtins(task.requirement),
        settings=settings,
    )


def picture_asked(picture: QuestionPicture) -> PictureAsked:
    """The picture of the question; its bytes are in a blob of the run."""
    file = {"$b": f"sha256:{picture.digest}", "n": picture.size, "m": picture.media_type}  # a BlobRef
    return PictureAsked(file=file, width=picture.width, height=picture.height, box=picture.box or ())


def picture_named(step: int, named: PictureName) -> PictureNamed:
    """What the picture of the question shows."""
    return PictureNamed(step=step, name=named.name, by=named.by, url=named.url)


def task_analysed(step: int, analysis: TaskAnalysis) -> TaskAnalysed:
    """What the question asks for."""
    plain = msgspec.to_builtins(analysis)
    return TaskAnalysed(step=step, **plain | {"parts": tuple(plain["parts"]), "names": tuple(plain["names"])})


def page_opened(step: int, page: Snapshot, key: str) -> PageOpened:
    """A page as the browser showed it; `key` is that of the address where it ended."""
    return PageOpened(
        step=step,
        url=page.url,
        final_url=page.final_url,
        key=key,
        status=page.status,
        title=page.title,
        redirects=tuple(f"{hop.status} {hop.url}" for hop in page.redirects),
        notices=tuple(f"{notice.kind}: {notice.text}" for notice in page.notices),
        html_sha256=hashlib.sha256(page.html.encode("utf-8", "surrogatepass")).hexdigest(),
    )


def page_failed(step: int, failure: PageFailure) -> PageFailed:
    """A page that failed to load."""
    return PageFailed(step=step, url=failure.url, kind=failure.kind, message=failure.message)


def page_observed(step: int, observation: Observation) -> PageObserved:
    """A page that was parsed, as counts of what it holds."""
    return PageObserved(
        step=step,
        url=observation.url,
        title=observation.title,
        language=observation.language,
        blocks=len(observation.blocks),
        links=len(observation.links),
        controls=len(observation.controls),
        record_sets=len(observation.record_sets),
        figures=len(observation.figures),
        next_url=observation.pagination.next_url,
        signals=msgspec.to_builtins(observation.signals),
    )


def handed_over(step: int, obstacle: Obstacle, passed: Passed) -> HandedOver:
    """What was done about a page that was kept closed."""
    return HandedOver(
        step=step, url=obstacle.url, obstacle=obstacle.kind, by=passed.by, seconds=passed.seconds, note=passed.note
    )


def person_asked(step: int, picked: Picked) -> PersonAsked:
    """What a person was asked, and what they chose."""
    pause, choice = picked.pause, picked.choice
    assert pause is not None, "told only where somebody was asked"
    return PersonAsked(
        step=step,
        about=pause.kind,
        text=pause.text,
        choices=tuple(one.text for one in pause.choices),
        chosen=choice.text if choice is not None else "",
        seconds=picked.seconds,
    )


def page_rejected(step: int, url: str, rejection: Rejection) -> PageRejected:
    """A page that is left before the critic sees it."""
    return PageRejected(step=step, url=url, reason=rejection.reason, detail=rejection.detail)


def stack_moved(step: int, stack: UrlStack, change: Literal["push", "pop", "return", "stay"]) -> StackMoved:
    """The stack as it is after the change."""
    return StackMoved(
        step=step,
        change=change,
        depth=stack.depth,
        path=stack.path,
        untried=len(stack.top.untried) if stack.top else 0,
    )


def understood(step: int, understanding: Understanding) -> Understood:
    """The score of a page's text, with its parts."""
    return Understood(
        step=step,
        score=understanding.score,
        text_quality=understanding.text_quality,
        relevance=understanding.relevance,
        clarity=understanding.clarity,
        special=understanding.special,
        terms=understanding.terms,
    )


def gate_decided(step: int, decision: GateDecision) -> GateDecided:
    """Whether the text is enough, and why."""
    return GateDecided(
        step=step,
        choice=decision.choice,
        score=decision.trust,
        threshold=decision.threshold,
        reason=decision.reason,
        terms=decision.terms,
    )


def page_looked_at(step: int, look: Look) -> PageLookedAt:
    """The result of an OCR pass or a vision-model call, as counts."""
    return PageLookedAt(step=step, model=look.model, texts=len(look.seen), regions=look.regions, notes=look.notes)


def picture_cropped(step: int, part: Enlarge, number: int, failure: str) -> PictureCropped:
    """A part that was enlarged and is picture `number` from here on; `failure` is "" on success."""
    box = part.box
    return PictureCropped(
        step=step,
        image_index=part.image_index,
        number=number,
        box=(box.x, box.y, box.width, box.height),
        scale=part.scale,
        failure=failure,
    )


def code_ran(step: int, code: str, inputs: tuple[str, ...], ran: Ran) -> CodeRan:
    """A run of code over values that were found; `inputs` are these in a line each."""
    failure = ran.failure or CodeFailure(kind="error", message="")
    return CodeRan(
        step=step,
        code=code,
        inputs=inputs,
        value=ran.value,
        printed=ran.printed,
        is_cut=ran.is_cut,
        failure=failure.kind if ran.failure is not None else "",
        message=failure.message,
        line=failure.line,
        column=failure.column,
        seconds=ran.seconds,
    )


def element_located(step: int, words: str, found: Grounding | None, said: str) -> ElementLocated:
    """Where an element is that words describe, and what is told of it; `found` is None for a page that cannot be drawn."""
    box = found.box if found is not None else None
    return ElementLocated(
        step=step,
        words=words,
        element=found.element if found is not None else 0,
        box=(box.x, box.y, box.width, box.height) if box is not None else (),
        confidence=round(found.confidence, 4) if found is not None else 0.0,
        told=said,
    )


def findings_added(step: int, findings: Findings) -> FindingsAdded:
    """What the critic kept of a page."""
    return FindingsAdded(
        step=step,
        findings=tuple(_as_recorded(finding) for finding in findings.findings),
        items=len(findings.items),
        refused=findings.refused,
    )


def _as_recorded(finding: Finding) -> dict[str, Any]:
    """A finding as it is read back from a trace: with lists for tuples."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(finding))
    return plain


def page_summarised(step: int, urls: Sequence[str], summary: PageSummary) -> PageSummarised:
    """A summary of these pages."""
    return PageSummarised(
        step=step,
        urls=tuple(urls),
        goal=summary.goal,
        rationale=summary.rationale,
        evidence=summary.evidence,
        summary=summary.summary,
        by=summary.by,
        note=summary.note,
    )


def counter_moved(step: int, before: Counter, after: Counter) -> CounterMoved:
    """The counter after a page, and what the page added to it."""
    return CounterMoved(
        step=step,
        mode=after.requirement.mode,
        target=after.requirement.target,
        found=after.found,
        added=tuple(_brief(item) for item in after.items[before.found :]),
        merged=tuple(msgspec.to_builtins(merge) for merge in after.merges[len(before.merges) :]),
        done=after.done,
        complete=after.complete,
    )


def judged(step: int, verdict: Verdict) -> Judged:
    """The verdict on all findings so far."""
    return Judged(
        step=step,
        sufficient=verdict.sufficient,
        answer=verdict.answer,
        confidence=verdict.confidence,
        citations=tuple(msgspec.to_builtins(citation) for citation in verdict.citations),
        missing=verdict.missing,
        reason=verdict.reason,
        tied=msgspec.UNSET
        if verdict.tied is msgspec.UNSET
        else tuple(msgspec.to_builtins(candidate) for candidate in verdict.tied),
    )


def action_proposed(step: int, action: Action) -> ActionProposed:
    """What the explorer wants to do."""
    detail = msgspec.to_builtins(action)
    detail.pop("type", None)
    return ActionProposed(step=step, action=type(action).__name__, detail=detail)


def action_refused(step: int, action: Action, refusal: Refusal) -> ActionRefused:
    """A proposal that the policy refused, and why; `action` may name what the proposal amounts to ("Click")."""
    return ActionRefused(step=step, action=type(action).__name__, reason=refusal.reason)


def move_taken(step: int, move: Move) -> MoveTaken:
    """The move that is made; `url` is "" if it opens none."""
    url = move.url if isinstance(move, Open | Return) else ""
    return MoveTaken(step=step, move=type(move).__name__, url=url, reason=move.reason)


def walk_ended(step: int, outcome: Outcome) -> WalkEnded:
    """The answer, and why the walk ended with it."""
    return WalkEnded(
        step=step,
        stop_reason=outcome.stop_reason.value,
        answer=outcome.answer,
        confidence=outcome.confidence,
        items=outcome.items,
        citations=tuple(msgspec.to_builtins(citation) for citation in outcome.citations),
        count=outcome.count,
        pages=outcome.pages,
        steps=outcome.steps,
    )


def walk_stopped(step: int, outcome: Outcome, quoted: str | msgspec.UnsetType = msgspec.UNSET) -> WalkStopped:
    """What was found by a walk that ends before it is over; `quoted` as in a `Verdict`."""
    return WalkStopped(
        step=step,
        answer=outcome.answer,
        confidence=outcome.confidence,
        items=outcome.items,
        citations=tuple(msgspec.to_builtins(citation) for citation in outcome.citations),
        count=outcome.count,
        pages=outcome.pages,
        steps=outcome.steps,
        usage=msgspec.to_builtins(outcome.usage),
        quoted=quoted,
    )


def walk_failed(step: int, error: BaseException) -> WalkFailed:
    """The error that ended the walk without an answer."""
    return WalkFailed(step=step, error=type(error).__name__, message=str(error)[:ERROR_CHARS])


def _brief(item: Item) -> dict[str, str]:
    return {"name": item.name, "url": item.page_url, "quote": item.quote}
