"""The built-in vision model: it looks at nothing but the words that a page gives for its pictures and controls."""

from __future__ import annotations

from perception.observation import Observation
from walker.seams import Look

MODEL_NAME = "built-in (alt text, captions, labels)"


class BuiltinVision:
    """Reads alt text, captions and labels of figures, in the page's order."""

    async def look(self, observation: Observation, question: str) -> Look:  # noqa: ARG002 (the seam's signature)
        """The words given for pictures; each once."""
        texts: dict[str, None] = {}
        for figure in observation.figures:
            words = [figure.label, figure.alt, figure.caption]
            said = " ".join(dict.fromkeys(word for word in words if word))
            if said:
                texts.setdefault(f"{figure.heading}: {said}" if figure.heading else said)
        return Look(texts=tuple(texts), model=MODEL_NAME)
