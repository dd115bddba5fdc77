"""Reading a page: the critic keeps what bears on the question, the gate decides whether to look, items are counted."""

from __future__ import annotations

import msgspec

from memory.findings import Findings, Item
from memory.state import WalkMemory
from traces.events import CounterMoved, FindingsAdded, Judged
from walker.walk.vision_cascade import VisionCascade
from walker.walk.walk_state import Page, WalkState


class Reading:
    """What becomes of a viable page."""

    def __init__(self, state: WalkState) -> None:
        self._scene = state
        self._sight = VisionCascade(state)

    async def read_page(self, memory: WalkMemory, page: Page) -> Findings:
        """Findings of the text, and of the picture too where the text is not trusted; or of one part looked at closely.

        The semantic part of the understanding score comes with the critic's reading, so the text is read first.
        """
        state = self._scene
        if page.part is not None:
            return await self._sight.look_closely(memory, page.part)
        findings = await state.edges.critic.find(state.task, page.observation, memory)
        return await self._sight.improve(memory, page.observation, findings)

    def keep_findings(self, memory: WalkMemory, findings: Findings) -> WalkMemory:
        """Add what was learned to the memory."""
        self._scene.sink.emit(
            FindingsAdded(
                step=memory.step,
                findings=tuple(msgspec.to_builtins(finding) for finding in findings.findings),
                items=len(findings.items),
            )
        )
        notes = list(memory.pages)
        at = _place_of_note(memory)
        notes[at] = msgspec.structs.replace(notes[at], relevance=findings.relevance, gist=findings.gist)
        return msgspec.structs.replace(memory, findings=(*memory.findings, *findings.findings), pages=tuple(notes))

    def count_items(self, memory: WalkMemory, findings: Findings) -> WalkMemory:
        """Move the symbolic counter by this page's items."""
        before = memory.counter
        if before.requirement.mode == "none":
            return memory
        counter = before.add(findings.items, similarity=self._scene.rules.similarity)
        if findings.list_total:
            counter = counter.saw_total(findings.list_total)
        if findings.list_ended:
            counter = counter.saw_end()
        self._scene.sink.emit(
            CounterMoved(
                step=memory.step,
                mode=counter.requirement.mode,
                target=counter.requirement.target,
                found=counter.found,
                added=tuple(_brief(item) for item in counter.items[before.found :]),
                merged=tuple(msgspec.to_builtins(merge) for merge in counter.merges[len(before.merges) :]),
                done=counter.done,
                complete=counter.complete,
            )
        )
        return msgspec.structs.replace(memory, counter=counter)

    async def judge_findings(self, memory: WalkMemory) -> WalkMemory:
        """Ask the critic whether it is enough. While a quota is not met, nothing is."""
        state = self._scene
        verdict = await state.edges.critic.judge(state.task, memory)
        if memory.counter.requirement.mode == "quota" and not memory.counter.done and verdict.sufficient:
            verdict = msgspec.structs.replace(verdict, sufficient=False, reason="the quota is not met")
        state.verdict = verdict
        state.sink.emit(
            Judged(
                step=memory.step,
                sufficient=verdict.sufficient,
                answer=verdict.answer,
                confidence=verdict.confidence,
                citations=tuple(msgspec.to_builtins(citation) for citation in verdict.citations),
                missing=verdict.missing,
                reason=verdict.reason,
            )
        )
        return msgspec.structs.replace(
            memory, missing=verdict.missing, answer=verdict.answer, confidence=verdict.confidence
        )


def _place_of_note(memory: WalkMemory) -> int:
    """Of the page that stands on top: after going back it is not the last that was opened."""
    key = memory.stack.top.key if memory.stack.top is not None else ""
    return next((at for at in reversed(range(len(memory.pages))) if memory.pages[at].key == key), -1)


def _brief(item: Item) -> dict[str, str]:
    return {"name": item.name, "url": item.page_url, "quote": item.quote}
