"""Recording proxy of a `PictureSearch`: a replay needs none of its answers, a resumed or forked walk takes them from the recording."""

from __future__ import annotations

import msgspec

from walker.recording.recorded_pages import whole_value
from walker.recording.recording import Form, Recording
from walker.seams.search_protocols import PictureHit, PictureSearch, SearchFailure

SEAM = "search"


class RecordedPictureSearch:
    """Implements `walker.seams.search_protocols.PictureSearch` by another one."""

    def __init__(self, live: PictureSearch, recording: Recording) -> None:
        self._live, self._recording = live, recording

    async def find(self, picture: bytes, words: str, most: int) -> tuple[PictureHit, ...] | SearchFailure:
        """As the other one, without secrets; what was searched by is kept in a blob."""

        async def live() -> tuple[PictureHit, ...] | SearchFailure:
            found = await self._live.find(picture, words, most)
            clean = self._recording.clean_json(msgspec.json.encode(found))
            return msgspec.json.decode(clean, type=tuple[PictureHit, ...] | SearchFailure)

        kept = self._recording.keep(picture, media_type_of(picture))
        request = {"picture": kept, "words": self._recording.clean_text(words), "most": most}
        return await self._recording.answer(SEAM, "find", request, live, _FOUND)

    async def close(self) -> None:
        """Close the other one."""
        await self._live.close()


def media_type_of(picture: bytes) -> str:
    """By its first bytes: PNG, JPEG or WebP."""
    if picture[8:12] == b"WEBP":
        return "image/webp"
    return "image/jpeg" if picture[:3] == b"\xff\xd8\xff" else "image/png"


_FOUND = Form(
    lambda outcome, _put: msgspec.to_builtins(outcome),
    lambda plain, get: msgspec.convert(whole_value(plain, get), tuple[PictureHit, ...] | SearchFailure),
)
