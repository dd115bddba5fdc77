"""The critic with a language model (V-GEMS, appendix D.2): the model extracts findings, code checks that the page has them."""

from __future__ import annotations

import msgspec

from memory.counting.answer_names import names_in
from memory.findings import Finding, Findings
from memory.retrieval import Ranker
from memory.state import WalkMemory
from perception.observation import Observation
from walker.models.replies import FindReply, JudgeReply
from walker.seams.protocols import Verdict
from walker.seams.searches import picture_of
from walker.seams.task import Task
from walker.strategies.answers.lists import with_items
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.model.judged_lines import judged_values
from walker.strategies.model.model_talk import ModelTalk, NoUsableReply
from walker.strategies.model.named_items import with_finding
from walker.strategies.model.one_call import OneCall
from walker.strategies.model.page_findings import FINDINGS_A_PAGE, PageFindings, verdict_of
from walker.strategies.model.picture_news import brings_news
from walker.strategies.model.prompt_values import PromptValues, finding_lines, question_values, shown_findings
from walker.strategies.model.quotes import stands_on
from walker.strategies.question.task_words import task_lines

ANSWERS = 0.5
"""Confidence of the model in a finding from which no list that code chose is counted on the page."""
SURE_WITHOUT_MODEL = 0.75
"""Fit from which a list is counted that the model did not choose."""
SURE_AGAINST_MODEL = 0.8
"""The same where the model finds the page beside the point."""
RELEVANT = 0.75
"""Relevance from which a page holds useful facts, or names the place of the answer."""


class ModelCritic:
    """Implements `walker.seams.protocols.Critic`. If the model gives no usable reply, the built-in critic takes the step."""

    def __init__(
        self,
        talk: ModelTalk,
        ranker: Ranker,
        fallback: BuiltinCritic,
        *,
        values: PromptValues | None = None,
        one_call: OneCall | None = None,
    ) -> None:
        """`values` and `one_call`: shared with the explorer; with the latter a page is read, judged and left with one call of the
        model."""
        self._talk, self._fallback, self._one_call = talk, fallback, one_call
        self._values = values or PromptValues(ranker)
        self._first: tuple[tuple[int, tuple[int, ...]], Findings] = ((0, ()), Findings())
        self._judged: tuple[tuple[Finding, ...], Verdict] = ((), Verdict())

    async def find(self, task: Task, observation: Observation, memory: WalkMemory) -> Findings:
        """The page's findings, every quote checked against its text; items come from its lists."""
        seen_before = self._first[1] if self._first[0] == _place(memory) and observation.seen_text else None
        try:
            if seen_before is not None and not brings_news(observation, task):
                found = seen_before
            else:
                found = await self._read(task, observation, memory, only_seen=seen_before is not None)
        except NoUsableReply as failure:
            made = await self._fallback.find(task, observation, memory)
            # The built-in critic reads closed tabs too; the model sees its findings when it judges.
            seen = tuple(found for found in made.findings if stands_on(observation, found.quote))
            return msgspec.structs.replace(made, findings=seen, note=f"built-in critic: {failure}"[:200])
        if seen_before is not None and found is not seen_before:
            # The text was read before the pictures: its findings are kept beside those of the pictures.
            found = msgspec.structs.replace(
                found,
                relevance=max(found.relevance, seen_before.relevance),
                findings=(*seen_before.findings, *found.findings),
                items=found.items or seen_before.items,
                gist="\n".join(text for text in (seen_before.gist, found.gist) if text),
            )
            found = self._count(found, task, observation, memory)
        self._first = (_place(memory), found)
        return found

    async def judge(self, task: Task, memory: WalkMemory) -> Verdict:
        """Whether the findings are enough. What was counted to its end needs no model; neither do findings that were judged before."""
        counting = task.requirement.mode != "none" and bool(memory.counter.items)
        known = self._one_call.verdict(memory) if self._one_call is not None else None
        if counting and (not memory.findings or (memory.counter.done and not _has_more_to_say(task, memory, known))):
            return await self._fallback.judge(task, memory)
        if known is None and all(finding.is_shown for finding in memory.findings):
            # What pictures show is no answer: there is nothing to judge.
            return Verdict(missing=memory.missing, reason="nothing was found yet")
        try:
            verdict = known or await self._verdict(task, memory)
        except NoUsableReply as failure:
            made = await self._fallback.judge(task, memory)
            return msgspec.structs.replace(made, reason=f"built-in critic: {failure}"[:200])
        if counting and not verdict.sufficient and not memory.counter.done:
            made = await self._fallback.judge(task, memory)
            return msgspec.structs.replace(made, missing=verdict.missing or made.missing)
        return verdict

    async def _read(self, task: Task, observation: Observation, memory: WalkMemory, *, only_seen: bool) -> Findings:
        """What the model finds on the page, or only in what was seen in its pictures. Raises `NoUsableReply`."""
        shown = _only_seen(observation) if only_seen else observation
        offer = self._values.offer(task, shown, memory)

        def count(findings: Findings) -> Findings:
            return self._count(findings, task, observation, memory)

        found = PageFindings(shown, memory.step, task, None if only_seen else count)
        if self._one_call is not None and not only_seen:
            return await self._one_call.read(task, observation, memory, offer, found)

        text = ""

        def build(tokens: int) -> dict[str, object]:
            nonlocal text
            page = self._values.digest(task, shown, memory, offer, tokens)
            text = page.main
            found_before = judged_values(task, shown_findings(memory), memory)
            values = {**question_values(task, memory), **self._values.bounds(task, memory), **found_before}
            return {**values, "page": page.text, "most": FINDINGS_A_PAGE}

        built = self._talk.with_picture(build) if picture_of(observation.url) else build
        return await self._talk.ask(
            "critic_find", task.language, memory.step, built, FindReply, lambda reply: found.read(reply, text)[0]
        )

    async def _verdict(self, task: Task, memory: WalkMemory) -> Verdict:
        if self._judged[0] != memory.findings:
            self._judged = (memory.findings, await self._ask_for_verdict(task, memory))
        return self._judged[1]

    async def _ask_for_verdict(self, task: Task, memory: WalkMemory) -> Verdict:
        shown = shown_findings(memory)

        def build(_tokens: int) -> dict[str, object]:
            return {
                "question": task.question,
                "task": task_lines(task),
                "findings": finding_lines(shown, task.question),
                **judged_values(task, shown, memory),
            }

        return await self._talk.ask(
            "critic_judge", task.language, memory.step, build, JudgeReply, lambda reply: verdict_of(reply, task, shown)
        )

    def _count(self, found: Findings, task: Task, observation: Observation, memory: WalkMemory) -> Findings:
        """The findings with the items that code reads from the page's lists, where the model chose none and found no answer: what the
        model chose or quoted has precedence over a list that code takes for the right one."""
        if found.items or any(finding.score >= ANSWERS for finding in found.findings):
            return found
        least = SURE_WITHOUT_MODEL if found.relevance >= RELEVANT else SURE_AGAINST_MODEL
        counted = self._fallback.count_list(task, observation, memory, least)
        if not counted.items:
            return found
        return with_finding(with_items(found, counted.items, observation), counted.items)


def _has_more_to_say(task: Task, memory: WalkMemory, known: Verdict | None) -> bool:
    """Whether the model is heard though all was counted: other parts of the question count nothing, something is asked of each thing
    that is not known yet, or it was asked already and names as many things as are wanted itself."""
    if len(task.analysis.parts) > 1 or (task.analysis.each and not all(item.value for item in memory.counter.items)):
        return True
    wanted = memory.counter.requirement.target
    return known is not None and known.sufficient and 0 < wanted <= len(names_in(known.answer))


def _place(memory: WalkMemory) -> tuple[int, tuple[int, ...]]:
    """What is read: the step, and the parts of the page that were asked for."""
    return memory.step, memory.unfolded


def _only_seen(observation: Observation) -> Observation:
    """The observation with the text of its pictures only, for reading the page after a look."""
    pictured = tuple(block for block in observation.blocks if block.pictured)
    return msgspec.structs.replace(observation, blocks=pictured, record_sets=(), links=(), own=())
