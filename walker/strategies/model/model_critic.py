"""The critic with a language model (V-GEMS, appendix D.2): the model extracts findings, code checks that the page has them."""

from __future__ import annotations

import msgspec

from memory.findings import Citation, Finding, Findings
from memory.retrieval import Ranker
from memory.state import WalkMemory
from perception.document.visible import visible_text
from perception.observation import Observation
from walker.models.replies import FindReply, FoundReply, JudgeReply
from walker.seams.protocols import Verdict
from walker.seams.task import Task
from walker.strategies.answers.lists import with_items
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.model.model_talk import ModelTalk, NoUsableReply
from walker.strategies.model.named_items import with_chosen_items
from walker.strategies.model.page_digest import digest_page, gist_of, stands_on

FINDINGS_A_PAGE = 3
FINDINGS_SHOWN = 16
"""Most findings shown in the second stage, those with the highest scores."""
MOST_RELEVANT = 40
QUOTE_CHARS = 600
ANSWERS = 0.5
"""Confidence of the model in a finding from which no list that code chose is counted on the page."""
SURE_WITHOUT_MODEL = 0.75
"""Fit from which a list is counted that the model did not choose."""
GIST_FROM = 0.5
"""Relevance from which a gist of the page is stored, for later steps that look back at it."""


class ModelCritic:
    """Implements `walker.seams.protocols.Critic`. If the model gives no usable reply, the built-in critic takes the step."""

    def __init__(self, talk: ModelTalk, ranker: Ranker, fallback: BuiltinCritic) -> None:
        self._talk, self._ranker, self._fallback = talk, ranker, fallback
        self._first = (0, Findings())
        self._judged: tuple[tuple[Finding, ...], Verdict] = ((), Verdict())

    async def find(self, task: Task, observation: Observation, memory: WalkMemory) -> Findings:
        """The page's findings, every quote checked against its text; items come from its lists."""
        seen_before = self._first[1] if self._first[0] == memory.step and observation.seen_text else None
        shown = observation if seen_before is None else _only_seen(observation)
        try:
            found = await self._ask(task, shown, memory)
        except NoUsableReply as failure:
            made = await self._fallback.find(task, observation, memory)
            # The built-in critic reads closed tabs too; the model sees its findings when it judges.
            seen = tuple(found for found in made.findings if stands_on(observation, found.quote))
            return msgspec.structs.replace(made, findings=seen, note=f"built-in critic: {failure}"[:200])
        if seen_before is not None:
            # The text was read before the pictures: its findings are kept beside those of the pictures.
            found = msgspec.structs.replace(
                found,
                relevance=max(found.relevance, seen_before.relevance),
                findings=(*seen_before.findings, *found.findings),
                items=found.items or seen_before.items,
                gist=found.gist or seen_before.gist,
            )
        found = self._count(found, task, observation, memory)
        self._first = (memory.step, found)
        return found

    async def judge(self, task: Task, memory: WalkMemory) -> Verdict:
        """Whether the findings are enough. What was counted to its end needs no model; neither do findings that were judged before."""
        counting = task.requirement.mode != "none" and bool(memory.counter.items)
        if counting and (memory.counter.done or not memory.findings):
            return await self._fallback.judge(task, memory)
        if not memory.findings:
            return Verdict(missing=memory.missing, reason="nothing was found yet")
        try:
            verdict = await self._verdict(task, memory)
        except NoUsableReply as failure:
            made = await self._fallback.judge(task, memory)
            return msgspec.structs.replace(made, reason=f"built-in critic: {failure}"[:200])
        if counting and not verdict.sufficient:
            made = await self._fallback.judge(task, memory)
            return msgspec.structs.replace(made, missing=verdict.missing or made.missing)
        return verdict

    async def _ask(self, task: Task, observation: Observation, memory: WalkMemory) -> Findings:
        counting = task.requirement.mode != "none"
        query = " ".join((task.question, *memory.missing[:3]))

        def build(tokens: int) -> dict[str, object]:
            page = digest_page(observation, query, self._ranker, tokens=tokens, with_lists=counting)
            return {
                "question": task.question,
                "missing": visible_text("; ".join(memory.missing[:3]))[:200],
                "known": visible_text(memory.answer)[:200],
                "page": page,
            }

        def use(reply: FindReply) -> Findings:
            relevance = max(0.0, min(1.0, reply.relevance / MOST_RELEVANT))
            kept = [found for found in reply.findings if stands_on(observation, found.quote) and found.answer.strip()]
            dropped = len(reply.findings) - len(kept)
            found = Findings(
                relevance=round(relevance, 4),
                findings=tuple(_finding(found, observation.url, memory.step) for found in kept[:FINDINGS_A_PAGE]),
                gist=gist_of(observation, query, self._ranker) if relevance >= GIST_FROM else "",
                note=f"{dropped} quotes are not on the page" if dropped else "",
            )
            return with_chosen_items(found, reply, observation, memory.step) if counting else found

        return await self._talk.ask("critic_find", task.language, memory.step, build, FindReply, use)

    async def _verdict(self, task: Task, memory: WalkMemory) -> Verdict:
        if self._judged[0] != memory.findings:
            self._judged = (memory.findings, await self._ask_for_verdict(task, memory))
        return self._judged[1]

    async def _ask_for_verdict(self, task: Task, memory: WalkMemory) -> Verdict:
        best = sorted(memory.findings, key=lambda finding: -finding.score)[:FINDINGS_SHOWN]
        shown = [finding for finding in memory.findings if finding in best]

        def build(_tokens: int) -> dict[str, object]:
            lines = [
                f"[{number}] {visible_text(finding.text)}: “{visible_text(finding.quote)[:300]}” ({finding.url})"
                for number, finding in enumerate(shown, start=1)
            ]
            return {"question": task.question, "findings": "\n".join(lines)}

        def use(reply: JudgeReply) -> Verdict:
            cited = [shown[number - 1] for number in reply.cite if 1 <= number <= len(shown)]
            answer = visible_text(reply.answer)
            # An answer that rests on nothing found is no answer.
            sufficient = reply.sufficient and bool(answer) and bool(cited)
            return Verdict(
                sufficient=sufficient,
                answer=answer,
                confidence=round(max(0, min(100, reply.confidence)) / 100, 3),
                citations=tuple(Citation(url=finding.url, quote=finding.quote) for finding in cited or shown[:1]),
                missing=() if sufficient else tuple(visible_text(phrase)[:120] for phrase in reply.missing[:4]),
                reason="the findings are enough" if sufficient else "something is missing",
            )

        return await self._talk.ask("critic_judge", task.language, memory.step, build, JudgeReply, use)

    def _count(self, found: Findings, task: Task, observation: Observation, memory: WalkMemory) -> Findings:
        """The findings with the items that code reads from the page's lists, where the model chose none and found no answer: what the
        model chose or quoted has precedence over a list that code takes for the right one."""
        if found.items or any(finding.score >= ANSWERS for finding in found.findings):
            return found
        counted = self._fallback.count_list(task, observation, memory, SURE_WITHOUT_MODEL)
        return with_items(found, counted.items, observation) if counted.items else found


def _finding(found: FoundReply, url: str, step: int) -> Finding:
    return Finding(
        text=visible_text(found.answer)[:QUOTE_CHARS],
        quote=visible_text(found.quote)[:QUOTE_CHARS],
        url=url,
        step=step,
        score=round(max(0, min(100, found.confidence)) / 100, 4),
    )


def _only_seen(observation: Observation) -> Observation:
    """The observation with the text of its pictures only, for reading the page after a look."""
    return msgspec.structs.replace(observation, blocks=(), record_sets=())
