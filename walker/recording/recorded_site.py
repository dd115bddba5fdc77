"""Recording proxy of a `SiteReader`: a replay needs none of its answers, a resumed or forked walk takes them from the recording."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from perception.snapshot import Snapshot
from traces.store.blobs import BlobRef
from walker.recording.clean_pages import clean_page
from walker.recording.recorded_pages import Get, PageDump, Put, load_page, whole_value
from walker.recording.recording import Form, Recording
from walker.seams.protocols import PageFailure
from walker.seams.site_reader import SiteFile, SiteReader

SEAM = "scout"


class RecordedSite:
    """Implements `walker.seams.site_reader.SiteReader` by another one."""

    def __init__(self, live: SiteReader, recording: Recording, *, root: str = "") -> None:
        """`root`: of the site, where the walk reads several."""
        self._live, self._recording, self._root = live, recording, root
        self._page_form = Form(PageDump(), load_page, is_large=True)

    async def page(self, url: str) -> Snapshot | PageFailure:
        """As the other one, without secrets."""

        async def live() -> Snapshot | PageFailure:
            return await asyncio.to_thread(clean_page, await self._live.page(url), self._recording)

        return await self._recording.answer(SEAM, "page", self._asked(url), live, self._page_form)

    async def file(self, url: str, most_bytes: int) -> SiteFile | PageFailure:
        """As the other one, without secrets."""

        async def live() -> SiteFile | PageFailure:
            answer = await self._live.file(url, most_bytes)
            if isinstance(answer, PageFailure):
                return answer
            return msgspec.structs.replace(
                answer, url=self._recording.clean_text(answer.url), body=self._recording.clean(answer.body)
            )

        request = {**self._asked(url), "most_bytes": most_bytes}
        return await self._recording.answer(SEAM, "file", request, live, _FILE)

    async def sitemaps(self) -> tuple[str, ...]:
        """As the other one."""
        asked = {"root": self._recording.clean_text(self._root)} if self._root else {}
        return await self._recording.answer(SEAM, "sitemaps", asked, self._live.sitemaps, _ADDRESSES)

    async def close(self) -> None:
        """Close the other one."""
        await self._live.close()

    def _asked(self, url: str) -> dict[str, Any]:
        return {"url": self._recording.clean_text(url)}


def _dump_file(outcome: SiteFile | PageFailure, put: Put) -> Any:
    if isinstance(outcome, PageFailure):
        return {"failure": msgspec.to_builtins(outcome)}
    bare = {"url": outcome.url, "status": outcome.status, "content_type": outcome.content_type}
    return {"file": bare, "body": msgspec.to_builtins(put(outcome.body, "application/octet-stream"))}


def _load_file(plain: Any, get: Get) -> SiteFile | PageFailure:
    plain = whole_value(plain, get)
    if "failure" in plain:
        return msgspec.convert(plain["failure"], PageFailure)
    return SiteFile(**plain["file"], body=get(msgspec.convert(plain["body"], BlobRef)))


_FILE = Form(_dump_file, _load_file, is_large=True)
_ADDRESSES = Form(lambda outcome, _put: list(outcome), lambda plain, get: tuple(whole_value(plain, get)))
