"""Finds the element that a phrase means by three sources of evidence; if they disagree, it asks again with an enlarged view."""

from __future__ import annotations

import msgspec

from perception.element_map import View
from perception.geometry import Box
from perception.grounding.answer_place import element_at
from perception.grounding.discrepancy import Discrepancies
from perception.grounding.grounding import Evidence, Grounding
from perception.observation import Observation
from walker.seams.protocols import Browser, LookRequest, VisionModel
from walker.vision.builtin_vision import BuiltinVision
from walker.vision.closer_view import disputed, draw_closer

PICKED_SCORE = 0.9
"""Score 0..1 of a vision model's choice: enough to find an element without other evidence
(`perception.grounding.grounding.FOUND_FROM`)."""
_ASKED = {
    "en": "Which mark would you press for: {phrase}? Answer with its words, or with its number.",
    "zh": "要找“{phrase}”，应当按哪一个编号？用它的文字或编号回答。",
}


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """The element that a phrase means on a page, with the evidence."""

    grounding: Grounding
    differ: Discrepancies
    """Discrepancies between OCR and the page's text."""
    closer: Box | None = None
    """The part that was enlarged because the evidence named different elements, None if it did not."""
    disputed_by: tuple[Evidence, ...] = ()
    """The evidence before the part was enlarged."""
    notes: tuple[str, ...] = ()


class Pointing:
    """Finds elements on the page that a browser shows."""

    def __init__(
        self, browser: Browser, builtin_vision: BuiltinVision, model: VisionModel | None, language: str
    ) -> None:
        self._browser, self._builtin_vision, self._model = browser, builtin_vision, model
        self._language = language if language in _ASKED else "en"

    async def find(self, phrase: str, view: View, observation: Observation) -> Found:
        """The element that a phrase means. Raises `PictureUnreadable`."""
        picked, notes = await self._pick(phrase, view, observation, ())
        found, differ = await self._builtin_vision.find(phrase, view, picked=picked)
        parts = disputed(found, view.map)
        closer = await draw_closer(self._browser, parts) if parts else None
        if closer is None:
            return Found(grounding=found, differ=differ, notes=notes)
        again, differ = await self._builtin_vision.find(phrase, view, closer=closer, picked=picked)
        if again.wants_zoom and picked is not None:
            picked, more = await self._pick(phrase, closer, observation, tuple(part.box for part in parts))
            notes = (*notes, *more)
            again, differ = await self._builtin_vision.find(phrase, view, closer=closer, picked=picked)
        return Found(grounding=again, differ=differ, closer=closer.shown, disputed_by=found.witnesses, notes=notes)

    async def _pick(
        self, phrase: str, view: View, observation: Observation, regions: tuple[Box, ...]
    ) -> tuple[Evidence | None, tuple[str, ...]]:
        """The vision model's choice, and notes on what failed."""
        if self._model is None:
            return None, ()
        look = await self._model.look(
            LookRequest(
                question=_ASKED[self._language].format(phrase=phrase),
                observation=observation,
                view=view,
                regions=regions,
                language=self._language,
            )
        )
        element = element_at(view.map, look.answer_box) if look.answer_box is not None else None
        if element is None:
            return None, look.notes
        return Evidence(name="model", element=element.id, score=PICKED_SCORE), look.notes
