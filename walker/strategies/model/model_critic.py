"""The critic with a language model (V-GEMS, appendix D.2): the model extracts findings, code checks that the page has them."""

from __future__ import annotations

import msgspec

from memory.findings import Citation, Finding, Findings, Item
from memory.retrieval import Ranker
from memory.state import WalkMemory
from perception.document.visible import visible_text
from perception.observation import Observation
from walker.models.replies import FindReply, FoundReply, JudgeReply
from walker.seams.protocols import Verdict
from walker.seams.task import Task
from walker.strategies.answers.lists import CountedList, as_items, entry_name
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.model.model_talk import ModelTalk, NoUsableReply
from walker.strategies.model.page_digest import digest_page, gist_of, shown_sets, stands_on

FINDINGS_A_PAGE = 3
FINDINGS_SHOWN = 16
"""Most findings shown in the second stage, those with the highest scores."""
MOST_RELEVANT = 40
QUOTE_CHARS = 600
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
        counted = await self._count(task, observation, memory)
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
        if counted.items:
            found = msgspec.structs.replace(
                found,
                items=counted.items,
                list_total=counted.list_total,
                list_continues=counted.list_continues,
                list_ended=counted.list_ended,
            )
        self._first = (memory.step, found)
        return found

    async def judge(self, task: Task, memory: WalkMemory) -> Verdict:
        """Whether the findings are enough. What code counted needs no model; neither do findings that were judged before."""
        if task.requirement.mode != "none" and memory.counter.items:
            return await self._fallback.judge(task, memory)
        if not memory.findings:
            return Verdict(missing=memory.missing, reason="nothing was found yet")
        if self._judged[0] == memory.findings:
            return self._judged[1]
        try:
            verdict = await self._ask_for_verdict(task, memory)
        except NoUsableReply as failure:
            made = await self._fallback.judge(task, memory)
            return msgspec.structs.replace(made, reason=f"built-in critic: {failure}"[:200])
        self._judged = (memory.findings, verdict)
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
            return Findings(
                relevance=round(relevance, 4),
                findings=tuple(_finding(found, observation.url, memory.step) for found in kept[:FINDINGS_A_PAGE]),
                items=_items_of(reply.list, observation, memory.step) if counting else (),
                gist=gist_of(observation, query, self._ranker) if relevance >= GIST_FROM else "",
                note=f"{dropped} quotes are not on the page" if dropped else "",
            )

        return await self._talk.ask("critic_find", task.language, memory.step, build, FindReply, use)

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

    async def _count(self, task: Task, observation: Observation, memory: WalkMemory) -> Findings:
        """The items that code reads from the page's lists, which take precedence over the model's."""
        if task.requirement.mode == "none":
            return Findings()
        return await self._fallback.find(task, observation, memory)


def _finding(found: FoundReply, url: str, step: int) -> Finding:
    return Finding(
        text=visible_text(found.answer)[:QUOTE_CHARS],
        quote=visible_text(found.quote)[:QUOTE_CHARS],
        url=url,
        step=step,
        score=round(max(0, min(100, found.confidence)) / 100, 4),
    )


def _items_of(number: int, observation: Observation, step: int) -> tuple[Item, ...]:
    """The entries of the list that the model named; their names and number come from the page."""
    records = next((records for records in shown_sets(observation) if records.id == number), None)
    if records is None:
        return ()
    named = tuple(name for record in records.records if (name := entry_name(record, records.kind)))
    return as_items(CountedList(fit=1.0, names=named, records=records.records), observation.url, step)


def _only_seen(observation: Observation) -> Observation:
    """The observation with the text of its pictures only, for reading the page after a look."""
    return msgspec.structs.replace(observation, blocks=(), record_sets=())
