"""A browser that takes pages out of a library where it holds them, and asks the network for others where the walk may."""

from __future__ import annotations

from collections.abc import Callable

from perception.element_map import View
from perception.geometry import Box
from perception.snapshot import Snapshot
from walker.library.library_browser import LibraryBrowser
from walker.seams.actions import Operate
from walker.seams.protocols import Browser, PageFailure


class ShelfFirst:
    """Implements `walker.seams.protocols.Browser` by two others; `may_ask` says which addresses the network may be asked for."""

    def __init__(self, shelf: LibraryBrowser, live: Browser, may_ask: Callable[[str], bool]) -> None:
        self._shelf, self._live, self._may_ask = shelf, live, may_ask
        self._shown: Browser = shelf

    async def open(self, url: str) -> Snapshot | PageFailure:
        """The page as the library holds it, else as the network has it now."""
        self._shown = self._shelf
        held = await self._shelf.open(url)
        if isinstance(held, Snapshot) or not self._may_ask(url):
            return held
        self._shown = self._live
        return await self._live.open(url)

    async def act(self, move: Operate) -> Snapshot | PageFailure:
        """As the browser that shows the page."""
        return await self._shown.act(move)

    async def see(self, *, whole: bool = False, box: Box | None = None, scale: float = 1.0) -> View | PageFailure:
        """As the browser that shows the page."""
        return await self._shown.see(whole=whole, box=box, scale=scale)

    async def fetch_ahead(self, urls: tuple[str, ...]) -> None:
        """No prefetching: the library may hold these."""

    async def close(self) -> None:
        """Close both."""
        await self._shelf.close()
        await self._live.close()
