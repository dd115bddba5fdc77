"""Prefetches likely next pages in tabs, while the strategy decides where to go."""

from __future__ import annotations

import asyncio

import msgspec
from playwright.async_api import Frame, Response

from walker.browser.page.background import Background
from walker.browser.page.settled_page import LEADS_ON_AT_MOST
from walker.browser.playwright.tabs import Tab, Tabs

TABS_AT_MOST = 2
"""Most pages prefetched per step: to limit unused requests to the site, and as each tab costs a renderer."""
OPEN_SECONDS, STOP_SECONDS = 3.0, 0.5
"""Seconds to wait for an opening tab before closing it, and for a page to stop loading: both take milliseconds, unless the browser
or the renderer hangs."""


class Loaded(msgspec.Struct, frozen=True, kw_only=True):
    """A prefetched page, with the response of its document."""

    tab: Tab
    response: Response


class PrefetchTabs:
    """The tabs for prefetching."""

    def __init__(self, seconds: float, background: Background) -> None:
        """`seconds` is the time limit of a page."""
        self._seconds, self._background = seconds, background
        self._loadings: dict[str, _Loading] = {}
        self._endings: set[asyncio.Task[None]] = set()

    def load(self, tabs: Tabs, urls: tuple[str, ...]) -> None:
        """Start prefetching these URLs, and cancel all others."""
        wanted = tuple(dict.fromkeys(urls))[:TABS_AT_MOST]
        for url in [url for url in self._loadings if url not in wanted]:
            self._end(self._loadings.pop(url))
        for url in wanted:
            if url not in self._loadings:
                self._loadings[url] = _Loading(tabs, url, self._seconds, self._background, tuple(self._endings))

    async def take(self, url: str) -> Loaded | None:
        """The prefetched page of a URL, awaited if it is still loading; None if it failed or was not prefetched. All others are
        cancelled."""
        loading = self._loadings.pop(url, None)
        self.drop()
        if loading is None:
            return None
        loaded = await loading.loaded()
        if loaded is None:
            self._end(loading)
        return loaded

    def drop(self) -> None:
        """Cancel all."""
        for loading in self._loadings.values():
            self._end(loading)
        self._loadings.clear()

    def _end(self, loading: _Loading) -> None:
        ending = self._background.start(loading.give_up())
        self._endings.add(ending)
        ending.add_done_callback(self._endings.discard)


class _Loading:
    """A page being prefetched."""

    def __init__(
        self, tabs: Tabs, url: str, seconds: float, background: Background, before: tuple[asyncio.Task[None], ...]
    ) -> None:
        """`before` are the tasks of closing tabs, which are awaited first."""
        self._tabs, self._url, self._seconds, self._background = tabs, url, seconds, background
        self._tab: Tab | None = None
        self._navigations = 0
        self._is_over = False
        self._task = background.start(self._load(before))
        self._guard: asyncio.Task[None] | None = None

    async def _load(self, before: tuple[asyncio.Task[None], ...]) -> Response | None:
        if before:
            await asyncio.wait(before)
        if self._is_over:
            return None
        self._tab = tab = await self._tabs.open()
        if self._is_over:
            return None
        tab.page.on("framenavigated", self._on_navigated)
        self._guard = self._background.start(self._give_up_when_gone(tab))
        tab.asks_for(self._url)
        return await tab.page.goto(self._url, wait_until="domcontentloaded", timeout=self._seconds * 1000)

    async def loaded(self) -> Loaded | None:
        """The page with its response, awaited up to the time limit; None if it failed."""
        await asyncio.wait((self._task,), timeout=self._seconds)
        if not self._task.done() or self._task.cancelled() or self._task.exception() is not None:
            return None
        tab, response = self._tab, self._task.result()
        if tab is None or response is None or not await tab.answers():
            return None
        if self._guard is not None:
            self._guard.cancel()
        tab.page.remove_listener("framenavigated", self._on_navigated)
        return Loaded(tab=tab, response=response)

    async def give_up(self) -> None:
        """Stop loading and close the tab."""
        if self._guard is not None and self._guard is not asyncio.current_task():
            self._guard.cancel()
        self._is_over = True
        if self._tab is not None:
            await self._tab.stop()
        await asyncio.wait((self._task,), timeout=STOP_SECONDS if self._tab is not None else OPEN_SECONDS)
        # A tab that opens after this is unknown to its context, and closed like a popup.
        self._task.cancel()
        await asyncio.wait((self._task,))
        if self._tab is not None:
            await self._tab.close()

    async def _give_up_when_gone(self, tab: Tab) -> None:
        await tab.gone.wait()
        await self.give_up()

    def _on_navigated(self, frame: Frame) -> None:
        """Cancel a page with endless client-side redirects, which would send requests forever."""
        if self._tab is None or frame != self._tab.page.main_frame:
            return
        self._navigations += 1
        if self._navigations > LEADS_ON_AT_MOST + 1:
            self._tab.gone.set()
