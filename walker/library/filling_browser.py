"""A browser that adds the pages that it opens to a library, beside a walk that knows nothing of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from perception.element_map import View
from perception.geometry import Box
from perception.snapshot import Snapshot
from walker.library.walk_library import WalkLibrary
from walker.seams.actions import Operate
from walker.seams.protocols import Browser, PageFailure
from walker.walk.arrival import PROBE_NAME


class HeardPictures(Protocol):
    """What listens to the traffic of a browser."""

    async def pictures(self) -> Mapping[str, bytes]:
        """The picture files that the page loaded which has just been shown, by their addresses."""
        ...


class FillingBrowser:
    """Implements `walker.seams.protocols.Browser` by another one."""

    def __init__(self, live: Browser, library: WalkLibrary, heard: HeardPictures | None = None) -> None:
        """`heard`: what has the pictures of pages, where these are to be added too."""
        self._live, self._library, self._heard = live, library, heard

    async def open(self, url: str) -> Snapshot | PageFailure:
        """As the other one, and the page is in the library when this returns. Raises `BrowserUnavailable` if it cannot be added."""
        opened = await self._live.open(url)
        if PROBE_NAME not in url:
            await self._add(opened)
        return opened

    async def act(self, move: Operate) -> Snapshot | PageFailure:
        """As the other one; the page that it leads to is added, or takes the place of what it was before."""
        shown = await self._live.act(move)
        await self._add(shown)
        return shown

    async def see(self, *, whole: bool = False, box: Box | None = None, scale: float = 1.0) -> View | PageFailure:
        """As the other one."""
        return await self._live.see(whole=whole, box=box, scale=scale)

    async def fetch_ahead(self, urls: tuple[str, ...]) -> None:
        """As the other one: what is only fetched is not added."""
        await self._live.fetch_ahead(urls)

    async def close(self) -> None:
        """Close both."""
        self._library.close()
        await self._live.close()

    async def _add(self, page: Snapshot | PageFailure) -> None:
        if not isinstance(page, Snapshot):
            return
        if self._heard is not None and self._library.is_file and (files := await self._heard.pictures()):
            await self._library.add_pictured(page, files)
        else:
            self._library.add(page)
