"""The tab of a Selenium browser whose pages get no frames: they are loaded and run, and not drawn."""

from __future__ import annotations

from typing import Any

from perception.snapshot import Snapshot
from walker.browser.selenium.selenium_browser import SeleniumBrowser
from walker.seams.protocols import PageFailure
from walker.seams.web.storage_state import StorageState


class UndrawnTab:
    """Opens pages there; all else is its browser's, which has one page open at a time."""

    def __init__(self, browser: SeleniumBrowser) -> None:
        self._browser = browser

    @property
    def needs_frames(self) -> bool:
        """Whether the page that was opened last may be another one where it is drawn."""
        return self._browser.needs_frames

    async def open(self, url: str) -> Snapshot | PageFailure:
        """Open a URL."""
        return await self._browser.open_undrawn(url)

    async def run(self, function: str, argument: Any, *, seconds: float) -> Any | PageFailure:
        """Run a JavaScript function on the open page."""
        return await self._browser.run(function, argument, seconds=seconds)

    async def leave(self) -> None:
        """End what the open page does."""
        await self._browser.leave()

    async def state(self) -> StorageState:
        """Storage state of the browser."""
        return await self._browser.state()

    async def restore(self, state: StorageState) -> None:
        """Set that of the browser."""
        await self._browser.restore(state)

    async def close(self) -> None:
        """Close the browser."""
        await self._browser.close()
