"""Checks the answer of a vision model, and the place it points at, against the page's text and the OCR. If these place the answer
elsewhere, the disputed elements are enlarged and read again."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from memory.findings import Findings
from perception.element_map import ElementMap
from perception.grounding.answer_place import DISPUTED, corroborate_answer, element_at
from perception.grounding.grounding import Evidence, Grounding
from perception.ocr.ocr import Line
from perception.snapshot import BlindRegion
from walker.seams.protocols import Look, LookRequest, Seen
from walker.vision.closer_view import disputed, draw_closer
from walker.walk.walk_state import WalkContext, WalkState, count_look


async def corroborate_look(
    context: WalkContext, state: WalkState, request: LookRequest, look: Look, ocr_seen: tuple[Seen, ...]
) -> tuple[WalkState, Look]:
    """The look with its confidence adjusted by the page's text and the OCR. If they disagree with the model, the elements that
    they name are enlarged and read again, and shown to the model again if OCR does not decide it; an answer that is still in
    dispute is marked `disputed`."""
    elements = request.view.map
    grounding = _corroborate(look, ocr_seen, elements)
    parts = disputed(grounding, elements) if grounding is not None else ()
    if grounding is None or not parts or _are_looks_spent(context, state):
        return state, _with_confidence(look, grounding)
    view = await draw_closer(context.edges.browser, parts)
    if view is None:
        return state, _with_confidence(look, grounding)
    boxes = tuple(part.box for part in parts if part.box.share_in(view.shown) > 0.9)
    closer_request = msgspec.structs.replace(
        request, view=view, regions=boxes, blind=tuple(BlindRegion(kind="media", box=box) for box in boxes)
    )
    closer = await context.edges.vision.look(closer_request)
    new = tuple(seen for seen in closer.seen if seen.source != "page")
    state = count_look(context, state, msgspec.structs.replace(closer, notes=(*closer.notes, _describe(grounding))))
    ocr_seen = (*(seen for seen in ocr_seen if seen.box is None or not view.shown.overlap(seen.box)), *new)
    grounding = _corroborate(look, ocr_seen, elements)
    if grounding is not None and grounding.wants_zoom and context.edges.vision_model is not None:
        again = await context.edges.vision_model.look(closer_request)
        state = count_look(context, state, again)
        if again.answer:
            look = again
            grounding = _corroborate(look, ocr_seen, elements)
    look = _with_confidence(look, grounding)
    return state, msgspec.structs.replace(look, seen=tuple(dict.fromkeys((*look.seen, *new))))


def halve_disputed(findings: Findings, look: Look) -> Findings:
    """The findings, with the score halved of those that rest on a disputed answer."""
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
    """The texts that OCR read, with their boxes, as lines; a table row gives one line per cell."""
    return tuple(
        Line(text=part, box=one.box, confidence=one.confidence)
        for one in seen
        if one.source == "ocr" and one.box is not None
        for part in (one.cells or (one.text,))
    )


def _corroborate(look: Look, ocr_seen: Iterable[Seen], elements: ElementMap) -> Grounding | None:
    """The grounding of the answer by all sources of evidence; None for an answer without a place."""
    if not look.answer or look.answer_box is None:
        return None
    element = element_at(elements, look.answer_box)
    if element is None:
        return None
    picked = Evidence(name="model", element=element.id, score=look.confidence)
    return corroborate_answer(look.answer, elements, lines_of(ocr_seen), picked)


def _with_confidence(look: Look, grounding: Grounding | None) -> Look:
    if grounding is None or not grounding.witnesses:
        return look
    if grounding.wants_zoom:
        return msgspec.structs.replace(look, confidence=grounding.confidence, answer_box=grounding.box, disputed=True)
    return msgspec.structs.replace(look, confidence=max(look.confidence, grounding.confidence))


def _describe(grounding: Grounding) -> str:
    places = ", ".join(f"{witness.name} {witness.element}" for witness in grounding.witnesses)
    return f"looked closer: {grounding.reason} ({places})"


def _are_looks_spent(context: WalkContext, state: WalkState) -> bool:
    looks = context.rules.budget.limits.looks
    return bool(looks) and state.looks >= looks
