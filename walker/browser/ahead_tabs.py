"""Tabs that load pages before the walk asks for them, while somebody thinks about where to go."""

from __future__ import annotations

import asyncio

from playwright.async_api import BrowserContext, Dialog, Download, Error, Page, Response

from walker.browser.background import bounded, in_background

TABS_AT_MOST = 2
"""Pages loaded ahead of one step: a site is asked for little that is not used, and each tab costs a renderer."""
CLOSE_SECONDS = 3.0


class _Tab:
    """One address on its way."""

    def __init__(self, context: BrowserContext, url: str, seconds: float, others: AheadTabs) -> None:
        self._context, self._url, self._seconds, self._others = context, url, seconds, others
        self.page: Page | None = None
        self._is_dropped = False
        self.loading = asyncio.create_task(self._load())

    async def _load(self) -> Response | None:
        self.page = page = await self._others.open_page(self._context)
        page.on("dialog", _dismiss)
        page.on("download", _cancel)
        if self._is_dropped:
            return None
        return await page.goto(self._url, wait_until="domcontentloaded", timeout=self._seconds * 1000)

    async def loaded(self) -> tuple[Page, Response] | None:
        """The page with its answer, when it is there; None where it came to nothing."""
        try:
            response = await self.loading
        except Error:
            response = None
        if self.page is None or response is None or self.page.is_closed():
            await self.close()
            return None
        self.page.remove_listener("dialog", _dismiss)
        self.page.remove_listener("download", _cancel)
        return self.page, response

    async def close(self) -> None:
        """Give up what was loaded. What is being loaded comes to its end first: a page that is closed in the moment in which its
        answer arrives may never be closed by Chromium."""
        self._is_dropped = True
        await asyncio.wait((self.loading,))
        if self.loading.cancelled():
            return
        self.loading.exception()
        if self.page is not None:
            await bounded(self.page.close(), CLOSE_SECONDS)

    def cancel(self) -> None:
        """Stop loading; the page goes with its context."""
        self.loading.cancel()


class AheadTabs:
    """The tabs of one context that are not the walk's own page."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._tabs: dict[str, _Tab] = {}
        self._dropped: dict[_Tab, asyncio.Future[None]] = {}
        self._pages: set[Page] = set()
        self._opening = 0
        self._strangers: list[Page] = []

    def load(self, context: BrowserContext, urls: tuple[str, ...]) -> None:
        """Begin to load these, and give up the others."""
        wanted = tuple(dict.fromkeys(urls))[:TABS_AT_MOST]
        for url in [url for url in self._tabs if url not in wanted]:
            self._drop(self._tabs.pop(url))
        for url in wanted:
            if url not in self._tabs:
                self._tabs[url] = _Tab(context, url, self._seconds, self)

    async def take(self, url: str) -> tuple[Page, Response] | None:
        """The page at an address that was loaded ahead, waited for if it is still on its way; the others are given up."""
        tab = self._tabs.pop(url, None)
        others = tuple(self._tabs.values())
        self._tabs.clear()
        for other in others:
            self._drop(other)
        return await tab.loaded() if tab is not None else None

    async def close(self) -> None:
        """Give up all; the context is about to be closed."""
        for tab in self._tabs.values():
            self._drop(tab)
        self._tabs.clear()
        for tab in self._dropped:
            tab.cancel()
        await asyncio.gather(*self._dropped.values(), return_exceptions=True)

    def _drop(self, tab: _Tab) -> None:
        closing = self._dropped[tab] = asyncio.ensure_future(tab.close())
        closing.add_done_callback(lambda _: self._dropped.pop(tab, None))

    async def open_page(self, context: BrowserContext) -> Page:
        """A new tab of ours. Its context tells of it before it is here, as it tells of a popup."""
        self._opening += 1
        try:
            page = await context.new_page()
            self._pages.add(page)
            page.on("close", lambda _: self._pages.discard(page))
        finally:
            self._opening -= 1
            if not self._opening:
                strangers, self._strangers = self._strangers, []
                for stranger in strangers:
                    if stranger not in self._pages:
                        in_background(stranger.close(), CLOSE_SECONDS)
        return page

    def knows(self, page: Page) -> bool:
        """Whether a page is one of these tabs. While one is being opened nobody can tell; what proves to be a popup is closed
        then."""
        if page in self._pages:
            return True
        if self._opening:
            self._strangers.append(page)
        return self._opening > 0


def _dismiss(dialog: Dialog) -> None:
    in_background(dialog.accept() if dialog.type == "beforeunload" else dialog.dismiss(), CLOSE_SECONDS)


def _cancel(download: Download) -> None:
    in_background(download.cancel(), CLOSE_SECONDS)
