"""Recording proxy of a `PictureSearch`: a replay needs none of its answers, a resumed or forked walk takes them from the recording."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from traces.store.blobs import BlobRef
from walker.recording.recorded_pages import Get, Put, whole_value
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
            if isinstance(found, SearchFailure):
                return msgspec.structs.replace(found, message=self._recording.clean_text(found.message))
            bare = tuple(msgspec.structs.replace(hit, preview=b"") for hit in found)
            clean = self._recording.clean_json(msgspec.json.encode(bare))
            return _with_previews(
                msgspec.json.decode(clean, type=tuple[PictureHit, ...]), [hit.preview for hit in found]
            )

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


def _dump(outcome: tuple[PictureHit, ...] | SearchFailure, put: Put) -> Any:
    """Previews in blobs of their own: the same picture is found by the whole and by its parts."""
    if isinstance(outcome, SearchFailure):
        return msgspec.to_builtins(outcome)
    return [
        msgspec.to_builtins(msgspec.structs.replace(hit, preview=b""))
        | ({"preview": msgspec.to_builtins(put(hit.preview, media_type_of(hit.preview)))} if hit.preview else {})
        for hit in outcome
    ]


def _load(plain: Any, get: Get) -> tuple[PictureHit, ...] | SearchFailure:
    plain = whole_value(plain, get)
    if isinstance(plain, dict):
        return msgspec.convert(plain, SearchFailure)
    previews = [get(msgspec.convert(hit["preview"], BlobRef)) if "preview" in hit else b"" for hit in plain]
    bare = [{name: value for name, value in hit.items() if name != "preview"} for hit in plain]
    return _with_previews(msgspec.convert(bare, tuple[PictureHit, ...]), previews)


def _with_previews(hits: Sequence[PictureHit], previews: Sequence[bytes]) -> tuple[PictureHit, ...]:
    return tuple(msgspec.structs.replace(hit, preview=data) for hit, data in zip(hits, previews, strict=True))


_FOUND = Form(_dump, _load)
