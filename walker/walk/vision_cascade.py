"""Looking at a page that was read: the cascade from its text over the built-in eye to a vision model."""

from __future__ import annotations

import msgspec

from memory.findings import Findings
from memory.state import WalkMemory
from perception.element_map import View
from perception.geometry import Box
from perception.images.image import hash_distance
from perception.observation import Observation
from perception.page_pictures import LETTER_KINDS
from perception.understanding import understand
from traces.events import GateDecided, PictureCropped, Understood
from walker.rules.blindness import Blindness, boxes_of, find_blindness, without_read
from walker.rules.gate import Doubt, GateDecision, decide_glance, decide_look, lowered
from walker.seams.actions import Enlarge
from walker.seams.protocols import Look, LookRequest, PageFailure
from walker.vision.merge_look import only_new, regions_of, with_crop, with_look, with_looked_at, without_unseen
from walker.walk.corroboration import hear_witnesses, with_doubt
from walker.walk.walk_state import Looked, WalkState

CLOSER_FROM, CLOSER_AT_MOST, CLOSER_SCALE, CLOSER_PIXELS = 1.5, 2, 4.0, 8_000_000
"""A picture with so many pixels of its own for a CSS pixel is worth drawing larger; how many of them, how much larger, and how
large at most."""
SMALL_PRINT = 16.0
"""CSS pixels of a line as it is read, its margins included: letters of about 11 pixels."""
PRINT_BITS = 6
"""Bits of 64 in which the perceptual hashes of two pictures of the same thing may differ."""


class VisionCascade:
    """The eyes of a walk."""

    def __init__(self, state: WalkState) -> None:
        self._scene = state

    async def improve(self, memory: WalkMemory, observation: Observation, findings: Findings) -> Findings:
        """Findings of the page with what its pictures say, where its text is not trusted; else those of its text."""
        state = self._scene
        blindness = find_blindness(observation, state.task.question)
        left = self._left(memory)
        doubt = self._doubt(memory, observation, findings, blindness)
        decision = decide_glance(
            doubt, state.rules.weights, lowered(state.rules.threshold, left), may_look=state.rules.may_look
        )
        self._emit(memory, decision)
        if decision.choice == "read":
            return findings
        view = await self._view(memory, observation)
        request = _request(state, observation, view, blindness)
        if (before := self._unchanged(memory, view)) is not None:
            observation = self._show(memory, with_look(observation, before))
            return await state.edges.critic.find(state.task, observation, memory)
        # What only machines would read is kept from the minds from here on.
        observation, hidden = without_unseen(observation, view.map)
        request = msgspec.structs.replace(request, observation=observation)
        glance = await state.edges.vision.look(request)
        state.count_look(memory, msgspec.structs.replace(glance, notes=(*glance.notes, *hidden)))
        letters = tuple(region.box for region in request.blind if region.kind in LETTER_KINDS and view.picture)
        observation = with_looked_at(with_look(observation, glance), letters, view.frame.scale, glance)
        observation = self._show(memory, observation)
        if glance.seen or hidden:
            findings = await state.edges.critic.find(state.task, observation, memory)
        decision = self._second(memory, observation, findings, without_read(blindness, glance.boxes))
        # Drawing larger costs what a glance costs, so it is held to the glance's threshold.
        doubted = decision.trust < lowered(state.rules.threshold, left) or _has_small_print(glance, blindness)
        drawn = await self._look_closer(memory, request) if doubted else []
        closer = Look(seen=tuple(seen for _, _, look in drawn for seen in look.seen))
        observation = with_look(observation, closer)
        for box, scale, look in drawn:
            observation = with_looked_at(observation, (box,), scale, look)
        self._show(memory, observation)
        if closer.seen:
            glance = msgspec.structs.replace(glance, seen=(*glance.seen, *closer.seen))
            findings = await state.edges.critic.find(state.task, observation, memory)
            decision = self._second(memory, observation, findings, without_read(blindness, glance.boxes))
        self._emit(memory, decision)
        if decision.choice == "look" and view.picture:
            request = msgspec.structs.replace(request, observation=observation, regions=boxes_of(blindness))
            look = await self._ask_model(memory, request, glance)
            glance = msgspec.structs.replace(look, seen=(*glance.seen, *look.seen))
            if look.seen or look.answer:
                observation = self._show(memory, with_look(observation, look))
                findings = with_doubt(await state.edges.critic.find(state.task, observation, memory), look)
        self._remember(memory, view, glance)
        return findings

    async def look_closely(self, memory: WalkMemory, part: Enlarge) -> Findings:
        """What one part of the page adds to what is known, drawn larger and read; the vision model is shown it where letters
        do not settle it. Findings that the walk has already are left out."""
        state = self._scene
        observation = state.top_observation(memory)
        known = _known(memory, observation)
        await state.bring_back(memory)
        view = await state.edges.browser.see(box=part.box, scale=part.scale)
        failure = view.message if isinstance(view, PageFailure) else "" if view.shown.area else "nothing is drawn there"
        self._emit_crop(memory, part, len(observation.pictures), failure)
        if isinstance(view, PageFailure) or failure:
            # The part is noted all the same, so that it is not asked for again.
            self._show(memory, with_crop(observation, part, part.scale, Look()))
            return msgspec.structs.replace(known, findings=())
        blindness = find_blindness(observation, state.task.question)
        request = msgspec.structs.replace(
            _request(state, observation, view, blindness), regions=(part.box,), blind=regions_of(observation, part)
        )
        look = only_new(await state.edges.vision.look(request), view)
        state.count_look(memory, look)
        observation = with_crop(with_look(observation, look), part, view.frame.scale, look)
        self._show(memory, observation)
        findings = await state.edges.critic.find(state.task, observation, memory) if look.seen else known
        before = state.looked.get(memory.stack.top.key) if memory.stack.top is not None else None
        read = (*look.boxes, *(before.look.boxes if before is not None else ()))
        decision = self._second(memory, observation, findings, without_read(blindness, read))
        self._emit(memory, decision)
        if decision.choice == "look":
            asked = await self._ask_model(memory, msgspec.structs.replace(request, observation=observation), look)
            look = msgspec.structs.replace(asked, seen=(*look.seen, *asked.seen))
            if asked.seen or asked.answer:
                observation = self._show(memory, with_look(observation, asked))
                findings = with_doubt(await state.edges.critic.find(state.task, observation, memory), asked)
        self._add_to_look(memory, look)
        return _without_known(findings, memory)

    async def _ask_model(self, memory: WalkMemory, request: LookRequest, letters: Look) -> Look:
        """The vision model's look, held against the letters that were read and the page's own words."""
        state = self._scene
        assert state.edges.vision_model is not None, "the gate decides for a look only where there is a model"
        look = await state.edges.vision_model.look(request)
        state.count_look(memory, look)
        return await hear_witnesses(state, memory, request, look, letters.seen)

    def _second(
        self, memory: WalkMemory, observation: Observation, findings: Findings, rest: Blindness
    ) -> GateDecision:
        """Whether what was read is enough, or the vision model is asked."""
        rules = self._scene.rules
        return decide_look(
            self._doubt(memory, observation, findings, rest),
            rules.weights,
            lowered(rules.look_threshold, self._left(memory)),
            has_model=self._scene.edges.vision_model is not None,
        )

    async def _look_closer(self, memory: WalkMemory, request: LookRequest) -> list[tuple[Box, float, Look]]:
        """Pictures that the page shows smaller than they are, drawn at their own size and read again: where, how much larger,
        and what was seen."""
        state = self._scene
        small = [region for region in request.blind if region.detail >= CLOSER_FROM][:CLOSER_AT_MOST]
        drawn: list[tuple[Box, float, Look]] = []
        for region in small if request.view.picture else ():
            scale = min(region.detail, CLOSER_SCALE, (CLOSER_PIXELS / max(1.0, region.box.area)) ** 0.5)
            view = await state.edges.browser.see(box=region.box, scale=round(scale, 2))
            if isinstance(view, PageFailure):
                continue
            look = await state.edges.vision.look(
                msgspec.structs.replace(request, view=view, regions=(region.box,), blind=(region,))
            )
            state.count_look(memory, look)
            seen = tuple(one for one in look.seen if one.source != "page")
            drawn.append((region.box, view.frame.scale, msgspec.structs.replace(look, seen=seen)))
        return drawn

    def _doubt(self, memory: WalkMemory, observation: Observation, findings: Findings, blindness: Blindness) -> Doubt:
        understanding = understand(observation, findings.relevance)
        self._scene.sink.emit(
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
        answered = max((finding.score for finding in findings.findings), default=0.0)
        return Doubt(
            understanding=understanding.score,
            answered=1.0 if findings.items else answered,
            blind=blindness.blind,
            gap=blindness.gap,
            has_pictures=bool(observation.blind) or any(figure.is_described for figure in observation.figures),
            challenge=observation.signals.challenge,
        )

    async def _view(self, memory: WalkMemory, observation: Observation) -> View:
        """The page drawn whole; a view without a picture where it cannot be drawn, or need not be."""
        state = self._scene
        nothing = View(url=observation.url, picture=b"", width=0, height=0, shown=Box(x=0, y=0, width=0, height=0))
        if not observation.blind:
            return nothing
        # The browser was elsewhere in between, to see what an address looks like that cannot exist.
        await state.bring_back(memory)
        view = await state.edges.browser.see(whole=True)
        return nothing if isinstance(view, PageFailure) else view

    def _show(self, memory: WalkMemory, observation: Observation) -> Observation:
        """Keep the page with what was seen of it."""
        if memory.stack.top is not None:
            self._scene.observations[memory.stack.top.key] = observation
        return observation

    def _unchanged(self, memory: WalkMemory, view: View) -> Look | None:
        """What an earlier look at this page saw, if it looks the same now."""
        frame = memory.stack.top
        before = self._scene.looked.get(frame.key) if frame is not None else None
        if before is None or not view.prints or len(before.prints) != len(view.prints):
            return None
        pairs = zip(before.prints, view.prints, strict=True)
        return before.look if all(hash_distance(one, other) <= PRINT_BITS for one, other in pairs) else None

    def _remember(self, memory: WalkMemory, view: View, look: Look) -> None:
        if memory.stack.top is not None:
            self._scene.looked[memory.stack.top.key] = Looked(prints=view.prints, look=look)

    def _add_to_look(self, memory: WalkMemory, look: Look) -> None:
        """What a closer look saw is seen again with the page, as long as that looks the same."""
        key = memory.stack.top.key if memory.stack.top is not None else ""
        if (before := self._scene.looked.get(key)) is not None:
            whole = msgspec.structs.replace(before.look, seen=(*before.look.seen, *look.seen))
            self._scene.looked[key] = msgspec.structs.replace(before, look=whole)

    def _emit_crop(self, memory: WalkMemory, part: Enlarge, number: int, failure: str) -> None:
        self._scene.sink.emit(
            PictureCropped(
                step=memory.step,
                image_index=part.image_index,
                number=number,
                box=(part.box.x, part.box.y, part.box.width, part.box.height),
                scale=part.scale,
                failure=failure,
            )
        )

    def _left(self, memory: WalkMemory) -> float:
        """Share of the budget that is left: of pages, or of what the models may cost, whichever is less."""
        state = self._scene
        limits = state.rules.budget.limits
        looks = 1 - state.vision_calls / limits.looks if limits.looks else 1.0
        return max(0.0, min(state.rules.budget.share_left(memory), looks))

    def _emit(self, memory: WalkMemory, decision: GateDecision) -> None:
        self._scene.sink.emit(
            GateDecided(
                step=memory.step,
                choice=decision.choice,
                score=decision.trust,
                threshold=decision.threshold,
                reason=decision.reason,
                terms=decision.terms,
            )
        )


def _known(memory: WalkMemory, observation: Observation) -> Findings:
    """What the walk has of a page already."""
    note = next((note for note in reversed(memory.pages) if note.url == observation.url), None)
    return Findings(
        relevance=note.relevance if note is not None else 0.0,
        gist=note.gist if note is not None else "",
        findings=tuple(finding for finding in memory.findings if finding.url == observation.url),
    )


def _without_known(findings: Findings, memory: WalkMemory) -> Findings:
    known = {(finding.text, finding.quote, finding.part) for finding in memory.findings}
    new = tuple(found for found in findings.findings if (found.text, found.quote, found.part) not in known)
    return msgspec.structs.replace(findings, findings=new)


def _has_small_print(look: Look, blindness: Blindness) -> bool:
    """Whether letters were read that are small, in a picture that has them larger: they may be misread."""
    boxes = [
        seen.box
        for seen in look.seen
        if seen.source == "ocr" and seen.box is not None and seen.box.height < SMALL_PRINT
    ]
    large = [region.box for _, region in blindness.regions if region.detail >= CLOSER_FROM]
    return any(box.share_in(region) > 0.5 for box in boxes for region in large)


def _request(state: WalkState, observation: Observation, view: View, blindness: Blindness) -> LookRequest:
    return LookRequest(
        question=state.task.question,
        observation=observation,
        view=view,
        regions=boxes_of(blindness),
        blind=tuple(region for _, region in blindness.regions),
        language=state.task.language,
    )
