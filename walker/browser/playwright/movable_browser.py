"""The browser of one walk that can go on in another one, with its cookies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.async_api import Page

from perception.element_map import View
from perception.geometry import Box
from perception.snapshot import Snapshot
from walker.browser.playwright.playwright_browser import PlaywrightBrowser
from walker.seams.actions import Operate
from walker.seams.protocols import PageFailure
from walker.seams.web.storage_state import StorageState
from walker.settings import BrowserKind


class MovableBrowser:
    """Implements `seams.Browser`, and what crawls need of one."""

    def __init__(self, make: Callable[[BrowserKind | None], PlaywrightBrowser]) -> None:
        """`make` makes the browser of a kind; None for the first."""
        self._make = make
        self._now = make(None)

    async def move_to(self, kind: BrowserKind) -> None:
        """Go on in another browser, from the next page on; cookies and local storage come along."""
        state = await self._now.state()
        await self._now.close()
        self._now = self._make(kind)
        await self._now.restore(state)

    @property
    def driver_page(self) -> Page | None:
        """The open page as the driver has it, None where none is open."""
        return self._now.driver_page

    async def open(self, url: str) -> Snapshot | PageFailure:
        """Open a URL."""
        return await self._now.open(url)

    async def act(self, move: Operate) -> Snapshot | PageFailure:
        """Click, type or scroll on the open page."""
        return await self._now.act(move)

    async def see(self, *, whole: bool = False, box: Box | None = None, scale: float = 1.0) -> View | PageFailure:
        """Screenshot and element map."""
        return await self._now.see(whole=whole, box=box, scale=scale)

    async def fetch_ahead(self, urls: tuple[str, ...]) -> None:
        """Prefetch pages."""
        await self._now.fetch_ahead(urls)

    async def run(self, function: str, argument: Any, *, seconds: float) -> Any | PageFailure:
        """Run a JavaScript function in the open page."""
        return await self._now.run(function, argument, seconds=seconds)

    async def take(self) -> Snapshot | PageFailure:
        """A snapshot of the open page."""
        return await self._now.take()

    async def state(self) -> StorageState:
        """Cookies and local storage."""
        return await self._now.state()

    async def restore(self, state: StorageState) -> None:
        """Use this state from the next page on."""
        await self._now.restore(state)

    async def close(self) -> None:
        """Close what is open."""
        await self._now.close()
