"""Recording proxy of a `TextSearch`: a replay needs none of its answers, a resumed or forked walk takes them from the recording."""

from __future__ import annotations

import msgspec

from walker.recording.recorded_pages import whole_value
from walker.recording.recording import Form, Recording
from walker.seams.search_protocols import SearchFailure, TextHit, TextSearch

SEAM = "search"


class RecordedTextSearch:
    """Implements `walker.seams.search_protocols.TextSearch` by another one."""

    def __init__(self, live: TextSearch, recording: Recording) -> None:
        self._live, self._recording = live, recording

    async def search(self, query: str, most: int) -> tuple[TextHit, ...] | SearchFailure:
        """As the other one, without secrets."""

        async def live() -> tuple[TextHit, ...] | SearchFailure:
            found = await self._live.search(query, most)
            clean = self._recording.clean_json(msgspec.json.encode(found))
            return msgspec.json.decode(clean, type=tuple[TextHit, ...] | SearchFailure)

        request = {"query": self._recording.clean_text(query), "most": most}
        return await self._recording.answer(SEAM, "search", request, live, _FOUND)

    async def close(self) -> None:
        """Close the other one."""
        await self._live.close()


_FOUND = Form(
    lambda outcome, _put: msgspec.to_builtins(outcome),
    lambda plain, get: msgspec.convert(whole_value(plain, get), tuple[TextHit, ...] | SearchFailure),
)
