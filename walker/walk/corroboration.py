"""An answer that a vision model gives and points at: the page's words and the letters that were read are heard too, and where they
have it elsewhere all of them look closer."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from memory.findings import Findings
from memory.state import WalkMemory
from perception.element_map import ElementMap
from perception.grounding.corroboration import DISPUTED, corroborate_answer, element_at
from perception.grounding.grounding import Evidence, Grounding
from perception.ocr.ocr import Line
from perception.snapshot import BlindRegion
from walker.seams.protocols import Look, LookRequest, Seen
from walker.vision.closer_view import disputed, draw_closer
from walker.walk.walk_state import WalkState


async def hear_witnesses(
    state: WalkState, memory: WalkMemory, request: LookRequest, look: Look, letters: tuple[Seen, ...]
) -> Look:
    """The look with the confidence that the witnesses give it. Those that stand apart are drawn larger, read again, and shown to
    the model again where letters do not settle it; what is apart still is told as disputed."""
    elements = request.view.map
    heard = _hear(look, letters, elements)
    parts = disputed(heard, elements) if heard is not None else ()
    if heard is None or not parts or _are_looks_spent(state):
        return _settled(look, heard)
    view = await draw_closer(state.edges.browser, parts)
    if view is None:
        return _settled(look, heard)
    boxes = tuple(part.box for part in parts if part.box.share_in(view.shown) > 0.9)
    closer_request = msgspec.structs.replace(
        request, view=view, regions=boxes, blind=tuple(BlindRegion(kind="media", box=box) for box in boxes)
    )
    closer = await state.edges.vision.look(closer_request)
    new = tuple(seen for seen in closer.seen if seen.source != "page")
    state.count_look(memory, msgspec.structs.replace(closer, notes=(*closer.notes, _told(heard))))
    letters = (*(seen for seen in letters if seen.box is None or not view.shown.overlap(seen.box)), *new)
    heard = _hear(look, letters, elements)
    if heard is not None and heard.wants_zoom and state.edges.vision_model is not None:
        again = await state.edges.vision_model.look(closer_request)
        state.count_look(memory, again)
        if again.answer:
            look = again
            heard = _hear(look, letters, elements)
    look = _settled(look, heard)
    return msgspec.structs.replace(look, seen=tuple(dict.fromkeys((*look.seen, *new))))


def with_doubt(findings: Findings, look: Look) -> Findings:
    """Findings that rest on an answer which is disputed count half."""
    if not look.disputed:
        return findings
    texts = {seen.text for seen in look.seen if seen.source == "model"} | {look.answer}
    return msgspec.structs.replace(
        findings,
        findings=tuple(
            msgspec.structs.replace(finding, score=round(DISPUTED * finding.score, 4))
            if finding.quote in texts or finding.text == look.answer
            else finding
            for finding in findings.findings
        ),
    )


def lines_of(seen: Iterable[Seen]) -> tuple[Line, ...]:
    """Letters that were read, as lines."""
    return tuple(
        Line(text=part, box=one.box, confidence=one.confidence)
        for one in seen
        if one.source == "ocr" and one.box is not None
        for part in (one.cells or (one.text,))
    )


def _hear(look: Look, letters: Iterable[Seen], elements: ElementMap) -> Grounding | None:
    """What the witnesses say together; None for an answer that the model did not place."""
    if not look.answer or look.answer_box is None:
        return None
    element = element_at(elements, look.answer_box)
    if element is None:
        return None
    picked = Evidence(name="model", element=element.id, score=look.confidence)
    return corroborate_answer(look.answer, elements, lines_of(letters), picked)


def _settled(look: Look, heard: Grounding | None) -> Look:
    if heard is None or not heard.witnesses:
        return look
    if heard.wants_zoom:
        return msgspec.structs.replace(look, confidence=heard.confidence, answer_box=heard.box, disputed=True)
    return msgspec.structs.replace(look, confidence=max(look.confidence, heard.confidence))


def _told(heard: Grounding) -> str:
    places = ", ".join(f"{witness.name} {witness.element}" for witness in heard.witnesses)
    return f"looked closer: {heard.reason} ({places})"


def _are_looks_spent(state: WalkState) -> bool:
    looks = state.rules.budget.limits.looks
    return bool(looks) and state.vision_calls >= looks
