"""The built-in vision model: it looks at nothing but the words that a page gives for its pictures and controls."""

from __future__ import annotations

from walker.seams import Look, LookRequest, Seen

MODEL_NAME = "built-in (alt text, captions, labels)"


class BuiltinVision:
    """Reads alt text, captions and labels of figures, in the page's order."""

    async def look(self, request: LookRequest) -> Look:
        """The words given for pictures; each once."""
        texts: dict[str, None] = {}
        for figure in request.observation.figures:
            words = [figure.label, figure.alt, figure.caption]
            said = " ".join(dict.fromkeys(word for word in words if word))
            if said:
                texts.setdefault(f"{figure.heading}: {said}" if figure.heading else said)
        return Look(seen=tuple(Seen(text=text, source="page") for text in texts), model=MODEL_NAME)
