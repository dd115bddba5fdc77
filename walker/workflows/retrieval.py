"""One search, the passages of it that bear on the question, and an answer from these (ReAG)."""

from __future__ import annotations

from collections.abc import Sequence

from memory.counting.counter import Counter
from memory.findings import Finding
from memory.state import WalkMemory
from perception.document.reading import observe
from walker.library.page_passages import snapshot_of_text
from walker.models.token_count import count_tokens
from walker.seams.outcome import StopReason, conclude
from walker.seams.passage_critic import OfferedPassage
from walker.strategies.model.model_talk import ModelTalk
from walker.strategies.pictured.pictured_question import asked_words
from walker.workflows.concluding import NOTHING, Ended, conclude_reply
from walker.workflows.direct import ask_alone, picture_values
from walker.workflows.replies import AnswerReply
from walker.workflows.searching import Searcher, in_page_order, listed
from walker.workflows.weighing import weighed_passages
from walker.workflows.workflow_run import WorkflowRun, as_kept


async def answer_from_search(run: WorkflowRun, talk: ModelTalk | None) -> Ended:
    """Search for the question, and answer from what is kept; without a model the built-in critic does. Raises as the edges do, and
    `NoUsableReply`."""
    question = run.task.question
    run.turns = 1
    searcher = Searcher(run)
    pictured = await searcher.pages_with_picture()
    asked = asked_words(run.task)
    found = await searcher.search((asked,), "the question")
    weighed = await weighed_passages(run, found)
    run.found((asked,), (*map(as_kept, pictured), *weighed.passages), weighed.note)
    kept = weighed.kept
    if run.limits.keep_from:
        kept = in_page_order(kept)
    if talk is None:
        return await _answer_without_model(run, kept)
    kept = (*pictured, *kept)
    if not kept and run.limits.keep_from:
        return conclude_reply(await ask_alone(run, talk), (), run.step, has_evidence=False)
    shown: tuple[OfferedPassage, ...] = ()

    def build(tokens: int) -> dict[str, object]:
        nonlocal shown
        shown = _within(kept, tokens)
        return {**picture_values(run.task), "question": question, "passages": listed(shown)}

    reply = await talk.ask("retrieval", run.task.language, run.step, build, AnswerReply, lambda one: one)
    return conclude_reply(reply, shown, run.step)


def _within(kept: Sequence[OfferedPassage], tokens: int) -> tuple[OfferedPassage, ...]:
    """As many passages as fit."""
    shown: list[OfferedPassage] = []
    for one in kept:
        tokens -= count_tokens(one.text) + count_tokens(one.title) + count_tokens(one.url) + 8
        if tokens < 0 and shown:
            break
        shown.append(one)
    return tuple(shown)


async def _answer_without_model(run: WorkflowRun, kept: Sequence[OfferedPassage]) -> Ended:
    """The built-in critic reads the kept passages of each page as one page, and judges what it found."""
    task, critic = run.task, run.edges.critic
    memory = WalkMemory(step=run.step, counter=Counter.start(task.requirement))
    findings: tuple[Finding, ...] = ()
    for url in dict.fromkeys(one.url for one in kept):
        here = [one for one in kept if one.url == url]
        text = "\n".join(one.text for one in here)
        page = observe(snapshot_of_text((url, url), here[0].title, text, 0.0))
        found = await critic.find(task, page, memory)
        findings = (*findings, *found.findings)
        counter = memory.counter.add(found.items) if found.items else memory.counter
        memory = WalkMemory(step=run.step, counter=counter, findings=findings)
    if not findings and not memory.counter.items:
        return Ended(conclusion=NOTHING, stop=StopReason.DEAD_END, has_evidence=bool(kept), reason="nothing was found")
    verdict = await critic.judge(task, memory)
    conclusion = conclude(memory, verdict)
    return Ended(
        conclusion=conclusion,
        stop=StopReason.ANSWERED if conclusion.answer else StopReason.DEAD_END,
        reason=verdict.reason,
        findings=findings,
        count=memory.counter.describe(),
    )
