"""Reading a page: the critic keeps what bears on the question, the gate decides whether to look, items are counted."""

from __future__ import annotations

import msgspec

from memory.findings import Findings, Item
from memory.state import WalkMemory
from perception.element_map import View
from perception.geometry import Box
from perception.observation import Observation
from perception.understanding import understand
from traces.events import CounterMoved, FindingsAdded, GateDecided, Judged, PageLookedAt, Understood
from walker.gate import decide_modality
from walker.scene import Page, Scene
from walker.seams import LookRequest, PageFailure


class Reading:
    """What becomes of a viable page."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    async def read_page(self, memory: WalkMemory, page: Page) -> Findings:
        """Findings of the text, and of the picture too where the text does not carry the page.

        The semantic part of the understanding score comes with the critic's reading, so the text is read first; a look
        adds what it saw to the observation, which is then read again.
        """
        scene, observation = self._scene, page.observation
        findings = await scene.crew.critic.find(scene.task, observation, memory)
        if not self._wants_look(memory, observation, findings.relevance):
            return findings
        view = await scene.crew.browser.see(whole=True)
        if isinstance(view, PageFailure):
            view = View(url=observation.url, picture=b"", width=0, height=0, shown=Box(x=0, y=0, width=0, height=0))
        look = await scene.crew.vision.look(
            LookRequest(question=scene.task.question, observation=observation, view=view, language=scene.task.language)
        )
        scene.vision_calls += 1
        scene.sink.emit(PageLookedAt(step=memory.step, model=look.model, texts=len(look.texts)))
        if not look.texts:
            return findings
        seen = msgspec.structs.replace(observation, seen_text=look.texts)
        frame = memory.stack.top
        if frame is not None:
            scene.observations[frame.key] = seen
        return await scene.crew.critic.find(scene.task, seen, memory)

    def keep_findings(self, memory: WalkMemory, findings: Findings) -> WalkMemory:
        """Add what was learned to the memory."""
        self._scene.sink.emit(
            FindingsAdded(
                step=memory.step,
                findings=tuple(msgspec.to_builtins(finding) for finding in findings.findings),
                items=len(findings.items),
            )
        )
        *before, last = memory.pages
        noted = msgspec.structs.replace(last, relevance=findings.relevance, gist=findings.gist)
        return msgspec.structs.replace(memory, findings=(*memory.findings, *findings.findings), pages=(*before, noted))

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
        scene = self._scene
        verdict = await scene.crew.critic.judge(scene.task, memory)
        if memory.counter.requirement.mode == "quota" and not memory.counter.done and verdict.sufficient:
            verdict = msgspec.structs.replace(verdict, sufficient=False, reason="the quota is not met")
        scene.verdict = verdict
        scene.sink.emit(
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

    def _wants_look(self, memory: WalkMemory, observation: Observation, relevance: float) -> bool:
        scene = self._scene
        understanding = understand(observation, relevance)
        scene.sink.emit(
            Understood(
                step=memory.step,
                score=understanding.score,
                text_quality=understanding.text_quality,
                relevance=understanding.relevance,
                clarity=understanding.clarity,
                special=understanding.special,
                terms=understanding.terms,
            )
        )
        decision = decide_modality(
            understanding.score,
            scene.rules.threshold,
            has_pictures=bool(observation.figures) or observation.signals.media_area > 0,
            may_look=scene.rules.may_look,
        )
        scene.sink.emit(
            GateDecided(
                step=memory.step,
                choice=decision.choice,
                score=decision.score,
                threshold=decision.threshold,
                reason=decision.reason,
            )
        )
        return decision.choice == "look"


def _brief(item: Item) -> dict[str, str]:
    return {"name": item.name, "url": item.page_url, "quote": item.quote}
