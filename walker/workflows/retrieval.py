"""One search, the passages of it that bear on the question, and an answer from these (ReAG)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from memory.findings import Finding
from walker.models.token_count import count_tokens
from walker.seams.outcome import Conclusion, StopReason
from walker.seams.passage_critic import OfferedPassage
from walker.strategies.model.model_talk import ModelTalk
from walker.strategies.model.quotes import quoted_instead
from walker.strategies.passages.builtin_answer import answer_by_rules
from walker.strategies.passages.kept_passages import KeptAnswer, KeptPassage, kept_of
from walker.strategies.passages.model_answer import answer_by_model
from walker.strategies.pictured.pictured_question import asked_words
from walker.workflows.concluding import Ended, conclude_reply
from walker.workflows.direct import picture_values
from walker.workflows.replies import AnswerReply
from walker.workflows.searching import Searcher, listed
from walker.workflows.weighing import Weighed, weighed_passages
from walker.workflows.workflow_run import WorkflowRun, as_kept


async def answer_from_search(run: WorkflowRun, talk: ModelTalk | None) -> Ended:
    """Search for the question, and answer from what is kept; without a model the built-in critic does. Passages that nobody weighed
    are given to the model as they were found, best first. Raises as the edges do, and `NoUsableReply`."""
    run.turns = 1
    searcher = Searcher(run)
    pictured = await searcher.pages_with_picture()
    asked = asked_words(run.task)
    weighed = await weighed_passages(run, await searcher.search((asked,), "the question"))
    run.found((asked,), (*map(as_kept, pictured), *weighed.passages), weighed.note)
    if talk is not None and not run.limits.keep_from:
        return await _answer_from_all(run, talk, (*pictured, *weighed.kept))
    kept, task = _kept(weighed), msgspec.structs.replace(run.task, question=asked)
    if talk is None:
        return _ended(run, await answer_by_rules(task, kept, run.edges.critic), has_kept=bool(kept))
    given = (*(KeptPassage(passage=one, chance=1.0) for one in pictured), *kept)
    return _ended(run, await answer_by_model(task, given, talk), has_kept=bool(given), is_models=True)


def _kept(weighed: Weighed) -> tuple[KeptPassage, ...]:
    """What is kept, page by page in the order of each; unweighed passages are as likely as can be."""
    return kept_of([one.passage for one in weighed.passages], weighed.weights, weighed.least)


async def _answer_from_all(run: WorkflowRun, talk: ModelTalk, passages: Sequence[OfferedPassage]) -> Ended:
    shown: tuple[OfferedPassage, ...] = ()

    def build(tokens: int) -> dict[str, object]:
        nonlocal shown
        shown = _within(passages, tokens)
        return {**picture_values(run.task), "question": run.task.question, "passages": listed(shown)}

    reply = await talk.ask("retrieval", run.task.language, run.step, build, AnswerReply, lambda one: one)
    return conclude_reply(reply, shown, run.step)


def _within(passages: Sequence[OfferedPassage], tokens: int) -> tuple[OfferedPassage, ...]:
    """As many passages as fit."""
    shown: list[OfferedPassage] = []
    for one in passages:
        tokens -= count_tokens(one.text) + count_tokens(one.title) + count_tokens(one.url) + 8
        if tokens < 0 and shown:
            break
        shown.append(one)
    return tuple(shown)


def _ended(run: WorkflowRun, found: KeptAnswer, *, has_kept: bool, is_models: bool = False) -> Ended:
    """How the workflow ends; `is_models`: the answer is in a model's words."""
    findings = tuple(
        Finding(text=found.answer, quote=one.quote, url=one.url, step=run.step, score=found.confidence)
        for one in found.citations
    )
    reasons = {
        True: f"it rests on {len(findings)} of the kept passages",
        False: "it rests on none of the kept passages",
    }
    reason = reasons[found.evidence] if has_kept else "nothing was found that bears on the question"
    return Ended(
        conclusion=Conclusion(
            answer=found.answer,
            items=found.items,
            confidence=found.confidence,
            citations=found.citations,
            quoted=quoted_instead(found.answer, findings) if is_models else msgspec.UNSET,
            tied=found.tied,
        ),
        stop=StopReason.ANSWERED if found.answer else StopReason.DEAD_END,
        has_evidence=found.evidence,
        reason=reason,
        findings=findings,
    )
