"""Recording proxy of a passage critic: a replay takes its weights from the recording, and asks nobody."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec

from memory.library.passages import encodable
from walker.recording.recording import Form, Recording
from walker.seams.passage_critic import OfferedPassage, PassageCritic, Weight

_WEIGHTS = Form(
    lambda outcome, _put: msgspec.to_builtins(outcome), lambda plain, _get: msgspec.convert(plain, tuple[Weight, ...])
)


class RecordedPassageCritic:
    """Implements `seams.passage_critic.PassageCritic`. Passages are known by their number and a digest of all."""

    def __init__(self, live: PassageCritic, recording: Recording) -> None:
        self._live, self._recording = live, recording

    async def weigh(
        self, question: str, passages: Sequence[OfferedPassage], language: str = "en"
    ) -> tuple[Weight, ...]:
        """The recorded weights of these very passages, or live ones."""
        request = {
            "question": encodable(question),
            "language": language,
            "passages": len(passages),
            "digest": _digest_of(passages),
        }
        return await self._recording.answer(
            "passage_critic", "weigh", request, lambda: self._live.weigh(question, passages, language), _WEIGHTS
        )


def _digest_of(passages: Sequence[OfferedPassage]) -> str:
    told = repr([(one.text, one.title, one.headings, one.url, one.place) for one in passages])
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]
