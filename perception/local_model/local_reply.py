"""The protocol of a vision model on this machine, and its reply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec

from perception.images.image import Picture


class LocalReply(msgspec.Struct, frozen=True, kw_only=True):
    """A model's reply, and its tokens."""

    text: str
    prompt_tokens: int
    completion_tokens: int
    device: str
    notes: tuple[str, ...] = ()


class PictureModel(Protocol):
    """A model that answers questions about pictures. Thread-safe: calls run one at a time."""

    @property
    def device(self) -> str:
        """Where it runs: cpu or cuda."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """Fallbacks after a GPU or a file failed, and known limitations."""
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
        """Ask about pictures (uint8, height x width x 3, blue-green-red). With `choices` the reply is one of them; with a JSON Schema
        it follows that, unless the schema has unsupported features. Raises `ModelUnusable` if the model fails, `PromptTooLong` if
        the prompt exceeds its context, `ValueError` for an unusable picture."""
        ...
