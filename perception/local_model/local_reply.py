"""What a model on this machine says, and the seam behind which each kind of folder stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec

from perception.images.image import Picture


class LocalReply(msgspec.Struct, frozen=True, kw_only=True):
    """What the model said, and what it cost."""

    text: str
    prompt_tokens: int
    completion_tokens: int
    device: str
    notes: tuple[str, ...] = ()


class PictureModel(Protocol):
    """A model that answers questions about pictures; safe to use from several threads, one at a time."""

    @property
    def device(self) -> str:
        """Where it runs now: cpu or cuda."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What was done about a GPU or a file that failed, and what is known to be missing."""
        ...

    def answer(
        self,
        pictures: Sequence[Picture],
        question: str,
        *,
        system: str = "",
        choices: Sequence[str] = (),
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 200,
    ) -> LocalReply:
        """Ask about pictures (uint8, height x width x 3, blue-green-red). With `choices` the reply is one of them; with a
        JSON Schema it follows that, unless the schema says more than can be held. Raises `ModelUnusable` where the model
        fails, `PromptTooLong` for more than it takes, `ValueError` for a picture of no use."""
        ...
