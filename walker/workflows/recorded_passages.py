"""Recording proxy of a `PassageSource`: a replay needs no library."""

from __future__ import annotations

from typing import Any

import msgspec

from memory.library.protocol import WholePage
from walker.recording.recorded_pages import Get, Put, whole_value
from walker.recording.recording import Form, Recording
from walker.seams.passage_critic import OfferedPassage
from walker.workflows.passage_source import PassageSource

SEAM = "passages"


class RecordedPassages:
    """Implements `walker.workflows.passage_source.PassageSource` by another one."""

    def __init__(self, live: PassageSource, recording: Recording) -> None:
        self._live, self._recording = live, recording

    async def search(self, query: str, most: int) -> tuple[OfferedPassage, ...]:
        """As the other one, without secrets."""
        request = {"query": self._recording.clean_text(query), "most": most}
        return await self._recording.answer(
            SEAM, "search", request, lambda: self._live.search(query, most), _form_of(tuple[OfferedPassage, ...])
        )

    async def page(self, url: str) -> WholePage | None:
        """As the other one, without secrets."""
        request = {"url": self._recording.clean_text(url)}
        return await self._recording.answer(
            SEAM, "page", request, lambda: self._live.page(url), _form_of(WholePage | None)
        )

    async def close(self) -> None:
        """Close the other one."""
        await self._live.close()


def _form_of(kind: Any) -> Form:
    def dump(outcome: Any, _put: Put) -> Any:
        return msgspec.to_builtins(outcome)

    def load(plain: Any, get: Get) -> Any:
        return msgspec.convert(whole_value(plain, get), kind)

    return Form(dump, load)
