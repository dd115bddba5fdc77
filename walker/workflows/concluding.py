"""From a model's answer to the outcome of a workflow: what it cites is checked against the passages that it was shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from types import MappingProxyType

import msgspec

from memory.findings import ComputedFinding, Finding, Findings, citations_of
from traces.session_events import WalkStopped
from walker.seams.chat import Spent
from walker.seams.outcome import CUT_SHORT, Conclusion, Outcome, StopReason, Usage
from walker.seams.passage_critic import OfferedPassage
from walker.seams.protocols import Verdict
from walker.strategies.model.quotes import is_within, quoted_instead
from walker.walk.walk_events import findings_added, judged, walk_ended, walk_stopped
from walker.workflows.replies import AnswerReply
from walker.workflows.workflow_run import WorkflowRun

QUOTE_CHARS = 200
"""Of a passage, where the model quoted nothing that stands in it."""
_NOTHING_COMPUTED: Mapping[int, ComputedFinding] = MappingProxyType({})


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """How a workflow ended."""

    conclusion: Conclusion
    stop: StopReason
    has_evidence: bool = True
    reason: str = ""
    findings: tuple[Finding, ...] = ()
    """What the answer rests on."""
    error: str = ""


NOTHING = Conclusion(answer="", items=(), confidence=0.0, citations=())


def conclude_reply(
    reply: AnswerReply,
    shown: Sequence[OfferedPassage],
    step: int,
    computed: Mapping[int, ComputedFinding] = _NOTHING_COMPUTED,
) -> Ended:
    """What a reply answers. Numbers of passages that were not shown are left out; a quote is taken if its passage has it, else the
    passage's beginning stands for it. `computed` are passages that code gave, by number: what it was run over is cited."""
    answer = reply.answer.strip()
    confidence = max(0, min(100, reply.confidence)) / 100
    quotes: dict[int, str] = {}
    for number, quote in zip_longest(reply.cite, reply.quotes[: len(reply.cite)], fillvalue=""):
        if isinstance(number, int) and 1 <= number <= len(shown) and number not in quotes:
            quotes[number] = _quote(shown[number - 1], str(quote))
    findings = tuple(
        msgspec.structs.replace(computed[number], score=confidence)
        if number in computed
        else Finding(
            text=answer,
            quote=quote,
            url=shown[number - 1].url,
            step=step,
            score=confidence,
            heading=" > ".join(shown[number - 1].headings),
        )
        for number, quote in quotes.items()
    )
    conclusion = Conclusion(
        answer=answer,
        items=reply.items,
        confidence=confidence,
        citations=citations_of(findings),
        quoted=quoted_instead(answer, findings),
    )
    return Ended(
        conclusion=conclusion,
        stop=StopReason.ANSWERED if answer else StopReason.DEAD_END,
        reason=_reason(answer, findings),
        findings=findings,
    )


def end_run(run: WorkflowRun, ended: Ended) -> Outcome:
    """The outcome, told as events: the best answer however sure it is; what is returned keeps to the settings."""
    conclusion = ended.conclusion
    verdict = Verdict(
        sufficient=ended.stop is StopReason.ANSWERED,
        answer=conclusion.answer,
        confidence=conclusion.confidence,
        citations=conclusion.citations,
        reason=ended.reason,
        quoted=conclusion.quoted,
        tied=conclusion.tied or msgspec.UNSET,
    )
    run.emit(findings_added(run.step, Findings(findings=ended.findings)))
    run.emit(judged(run.step, verdict))
    outcome = _outcome(run, ended)
    run.emit(walk_ended(run.step, outcome))
    return outcome.kept_to(run.settings.sure, conclusion.quoted)


def stopped_run(run: WorkflowRun) -> WalkStopped:
    """What a workflow that ends before it is over has come to: pages and costs, and no answer, which only its end gives."""
    return walk_stopped(run.step, _outcome(run, Ended(conclusion=NOTHING, stop=StopReason.STOPPED)))


def _outcome(run: WorkflowRun, ended: Ended) -> Outcome:
    conclusion, spent = ended.conclusion, run.edges.spent()
    return Outcome(
        question=run.task.question,
        answer=conclusion.answer,
        items=conclusion.items,
        confidence=conclusion.confidence,
        citations=conclusion.citations,
        tied=conclusion.tied,
        stop_reason=ended.stop,
        partial=ended.stop in CUT_SHORT,
        pages=len(run.seen),
        steps=run.turns,
        count={},
        evidence=ended.has_evidence,
        usage=_usage(spent),
        error=ended.error,
    )


def _usage(spent: Spent) -> Usage:
    return Usage(
        prompt_tokens=spent.prompt_tokens,
        completion_tokens=spent.completion_tokens,
        total_tokens=spent.total_tokens,
        model_calls=spent.calls,
    )


def _quote(passage: OfferedPassage, quote: str) -> str:
    return quote.strip() if is_within(passage.text, quote) else passage.text[:QUOTE_CHARS]


def _reason(answer: str, findings: Sequence[Finding]) -> str:
    if not answer:
        return "the model gave no answer"
    return f"the model answers from {len(findings)} of the passages" if findings else "the model names no passage"
