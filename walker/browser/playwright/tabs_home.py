"""The browser context for tabs: a separate one per browser, or one shared by the browsers of a crawl."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from playwright.async_api import BrowserContext

from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.network.context_traffic import ContextTraffic
from walker.browser.page.background import Background, bounded
from walker.browser.playwright.tabs import Tabs
from walker.browser.scripts.page_functions import work_scripts

CLOSE_SECONDS = 3.0
Prepare = Callable[[BrowserContext], Awaitable[None]]


def with_work_scripts(prepare: Prepare | None, *, lean: bool) -> Prepare:
    """A `Prepare` that injects the scripts by which pages tell what they still have to do, and then calls `prepare`."""

    async def prepare_both(context: BrowserContext) -> None:
        for script in work_scripts(lean=lean):
            await context.add_init_script(script)
        if prepare is not None:
            await prepare(context)

    return prepare_both


class TabsHome:
    """One context at a time: created for the first tab, and again after a browser crash or a change of settings.

    May be shared by several browsers, whose pages then share cookies and cache. Four alternating contexts were measured to start a
    renderer for nearly every page, at 1.8 times the cost of one context with four tabs."""

    def __init__(self, chromium: Chromium) -> None:
        self._chromium = chromium
        self._tabs: Tabs | None = None
        self._settings = ContextOptions()
        self.traffic: ContextTraffic | None = None
        """Receives the network traffic of the context's pages, if it is recorded."""
        self._lock = asyncio.Lock()

    @property
    def alive(self) -> bool:
        """Whether the browser is running."""
        return self._chromium.alive

    async def tabs(self, settings: ContextOptions, background: Background, prepare: Prepare | None = None) -> Tabs:
        """The tabs of a context with these settings. Starts the browser, and restarts it after a crash. `prepare` is called with a
        new context before its first page."""
        async with self._lock:
            if self._tabs is None or not self._chromium.alive or settings != self._settings:
                await self.drop()
                context = await self._chromium.new_context(settings)
                if prepare is not None:
                    await prepare(context)
                if settings.traffic is not None:
                    self.traffic = ContextTraffic(settings.traffic, most_bytes=settings.most_bytes)
                    await self.traffic.watch(context)
                own, borders = settings.own_headers, settings.borders
                self._tabs = Tabs(
                    context, background, file_seconds=settings.file_seconds, own_headers=own, borders=borders
                )
                self._settings = settings
            return self._tabs

    async def drop(self) -> None:
        """Close the context with all its tabs; a hanging one is left until the browser is closed."""
        tabs, self._tabs = self._tabs, None
        traffic, self.traffic = self.traffic, None
        if traffic is not None:
            traffic.drop()
        if tabs is not None:
            await bounded(tabs.context.close(), CLOSE_SECONDS)
