"""Where the subject of a question stands in a view: by the page's elements, or as a vision model points to it on a photograph."""

from __future__ import annotations

from perception.element_map import View
from perception.errors import PictureUnreadable
from perception.geometry import Box
from perception.observation import Observation
from walker.seams.protocols import LookRequest, VisionModel
from walker.vision.builtin_vision import BuiltinVision

_ASKED = {
    "en": "Where is the {subject}? Answer with its name, and point to all of it.",
    "zh": "“{subject}”在哪里？回答它的名称，并指出它的完整位置。",
}


class SubjectPlace:
    """Finds the box of a phrase; built-in grounding reads pages, and only a vision model photographs."""

    def __init__(self, builtin_vision: BuiltinVision, model: VisionModel | None, language: str) -> None:
        self._builtin_vision, self._model = builtin_vision, model
        self._language = language if language in _ASKED else "en"

    async def find(self, subject: str, view: View) -> Box | None:
        """The box in CSS pixels of the page, None where the subject is not found, or nobody can tell."""
        if not view.picture:
            return None
        if view.map.elements:
            try:
                found, _ = await self._builtin_vision.find(subject, view)
            except PictureUnreadable:
                return None
            return found.box
        if self._model is None:
            return None
        look = await self._model.look(
            LookRequest(
                question=_ASKED[self._language].format(subject=subject),
                observation=Observation(url=view.url, status=200),
                view=view,
                language=self._language,
            )
        )
        return look.answer_box
