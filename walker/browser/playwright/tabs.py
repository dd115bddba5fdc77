"""The pages that a walk opened itself, each with its guards; every other page of its context is a popup, and is closed."""

from __future__ import annotations

import asyncio
import contextlib

from playwright.async_api import BrowserContext, Dialog, Download, Error, Page, Request

from perception.snapshot import Notice, NoticeKind
from walker.browser.page.background import Background, bounded
from walker.browser.page.isolated_world import IsolatedWorld
from walker.browser.page.page_bounds import DIALOGS_A_PAGE, DIALOGS_NOTED, NOTICES_A_PAGE

PING_SECONDS = 1.0
"""A page whose scripts yield answers within a few milliseconds."""
STOP_SECONDS, STOP_AGAIN_SECONDS, CLOSE_SECONDS = 1.0, 0.05, 3.0


class Tab:
    """A page whose dialogs are dismissed, downloads refused and popups closed. What it did is noted with it."""

    def __init__(self, page: Page, background: Background) -> None:
        self.page, self._background = page, background
        self.world = IsolatedWorld(page)
        self.notices: list[Notice] = []
        self.gone = asyncio.Event()
        """Set when the page crashed or opened dialogs without end."""
        self.broken = asyncio.Event()
        """Set when the connection ended before a document was there."""
        self._dialogs = 0
        page.on("requestfailed", self._on_request_failed)
        page.on("dialog", self._on_dialog)
        page.on("download", self._on_download)
        page.on("popup", self._on_popup)
        page.on("crash", lambda _: self.gone.set())

    @property
    def is_alive(self) -> bool:
        """Whether the page is there still."""
        return not self.page.is_closed() and not self.gone.is_set()

    @property
    def is_flooded(self) -> bool:
        """Whether it opened dialogs without end."""
        return self._dialogs > DIALOGS_A_PAGE

    async def answers(self) -> bool:
        """Whether it is there, and its scripts yield."""
        return self.is_alive and await bounded(self.page.evaluate("1"), PING_SECONDS)

    def start_over(self) -> None:
        """Forget what the page before did: another is to be opened here, or this one operated."""
        self.notices, self._dialogs = [], 0
        self.broken.clear()

    def note(self, kind: NoticeKind, text: str) -> None:
        """Keep what the page did, for the snapshot."""
        if len(self.notices) < NOTICES_A_PAGE:
            self.notices.append(Notice(kind=kind, text=" ".join(text.split())))

    async def stop(self) -> None:
        """Stop what is being loaded."""
        await bounded(self._stop_loading(for_good=False), STOP_SECONDS)

    async def close(self) -> bool:
        """Whether it is closed. Chromium may never close a page that is closed in the moment in which an answer arrives (a
        tenth of those that reload themselves; none of 200 that were stopped and kept from loading again)."""
        await bounded(self._stop_loading(for_good=True), STOP_SECONDS)
        return await bounded(self.page.close(), CLOSE_SECONDS)

    async def _stop_loading(self, *, for_good: bool) -> None:
        session = await self.page.context.new_cdp_session(self.page)
        if for_good:
            await session.send("Emulation.setScriptExecutionDisabled", {"value": True})
        while not self.page.is_closed():
            try:
                await session.send("Page.stopLoading")
            except Error:
                # The page is giving way to its successor.
                await asyncio.sleep(STOP_AGAIN_SECONDS)
            else:
                return

    def _on_request_failed(self, request: Request) -> None:
        with contextlib.suppress(Error):
            if request.is_navigation_request() and request.frame == self.page.main_frame:
                self.broken.set()

    def _on_dialog(self, dialog: Dialog) -> None:
        self._dialogs += 1
        if dialog.type == "beforeunload":
            self._background.answer(dialog.accept())
            return
        if self._dialogs <= DIALOGS_NOTED:
            self.note("dialog", f"{dialog.type}: {dialog.message[:120]}")
        if self.is_flooded:
            self.gone.set()
        self._background.answer(dialog.dismiss())

    def _on_download(self, download: Download) -> None:
        self.note("download", f"{download.suggested_filename[:120]}: refused")
        self._background.answer(download.cancel())

    def _on_popup(self, page: Page) -> None:
        self.note("popup", page.url or "a new window")
        self._background.answer(page.close())


class Tabs:
    """The tabs of one context."""

    def __init__(self, context: BrowserContext, background: Background) -> None:
        self.context, self._background = context, background
        self._mine: set[Page] = set()
        self._strangers: list[Page] = []
        self._opening = 0
        context.on("page", self._on_page)

    async def open(self) -> Tab:
        """A new tab. Its context tells of it before it is here, as it tells of a popup."""
        self._opening += 1
        try:
            page = await self.context.new_page()
            self._mine.add(page)
        finally:
            self._opening -= 1
            self._close_strangers()
        page.on("close", self._on_close)
        return Tab(page, self._background)

    def _on_page(self, page: Page) -> None:
        """A tab closes its own popups; here come those of tabs that are closed already, and tabs that nobody waited for."""
        self._strangers.append(page)
        self._close_strangers()

    def _on_close(self, page: Page) -> None:
        self._mine.discard(page)

    def _close_strangers(self) -> None:
        if self._opening:
            # Nobody can tell yet.
            return
        strangers, self._strangers = self._strangers, []
        for stranger in strangers:
            if stranger not in self._mine:
                self._background.answer(stranger.close())
