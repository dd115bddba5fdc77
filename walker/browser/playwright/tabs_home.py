"""Where a browser's tabs are: in a context of its own, or in one that the browsers of a crawl share."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from playwright.async_api import BrowserContext

from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.page.background import Background, bounded
from walker.browser.playwright.tabs import Tabs
from walker.browser.scripts.page_functions import init_script, page_function
from walker.seams.traffic import ContextTraffic

CLOSE_SECONDS = 3.0
Prepare = Callable[[BrowserContext], Awaitable[None]]


def telling_pending_work(prepare: Prepare | None) -> Prepare:
    """Have the pages of a context tell what they still have to do, and prepare it as well."""

    async def prepare_both(context: BrowserContext) -> None:
        await context.add_init_script(init_script(page_function("page_world/pending_work.js", "watchPendingWork")))
        if prepare is not None:
            await prepare(context)

    return prepare_both


class TabsHome:
    """One context at a time: made when a tab is first wanted, and anew where the browser died or other settings are asked for.

    Several browsers may have one home: their pages are of one visitor, with one cache. Four contexts that take turns were seen to
    start a renderer for nearly every page, at 1.8 times the cost of one context with four tabs."""

    def __init__(self, chromium: Chromium) -> None:
        self._chromium = chromium
        self._tabs: Tabs | None = None
        self._settings = ContextOptions()
        self.traffic: ContextTraffic | None = None
        """Tells what the context's pages fetch, where somebody keeps it."""
        self._lock = asyncio.Lock()

    @property
    def alive(self) -> bool:
        """Whether the browser runs."""
        return self._chromium.alive

    async def tabs(self, settings: ContextOptions, background: Background, prepare: Prepare | None = None) -> Tabs:
        """The tabs of the context that has these settings. Starts the browser, and again when it died. `prepare` is handed a new
        context before a page is opened in it."""
        async with self._lock:
            if self._tabs is None or not self._chromium.alive or settings != self._settings:
                await self.drop()
                context = await self._chromium.new_context(settings)
                if prepare is not None:
                    await prepare(context)
                if settings.traffic is not None:
                    self.traffic = ContextTraffic(settings.traffic, most_bytes=settings.most_bytes)
                    await self.traffic.watch(context)
                self._tabs = Tabs(context, background)
                self._settings = settings
            return self._tabs

    async def drop(self) -> None:
        """Close the context with all its tabs; one that hangs is left to the end of the browser."""
        tabs, self._tabs = self._tabs, None
        traffic, self.traffic = self.traffic, None
        if traffic is not None:
            traffic.drop()
        if tabs is not None:
            await bounded(tabs.context.close(), CLOSE_SECONDS)
