"""The tabs of a walk, with guards against dialogs, downloads and popups; every other page of its context is a popup, and is closed."""

from __future__ import annotations

import asyncio
import contextlib

from playwright.async_api import BrowserContext, Dialog, Download, Error, Page, Request, Route

from perception.snapshot import Notice, NoticeKind
from walker.browser.page.background import Background, bounded
from walker.browser.page.isolated_world import IsolatedWorld
from walker.browser.page.page_bounds import DIALOGS_A_PAGE, DIALOGS_NOTED, NOTICES_A_PAGE
from walker.browser.playwright.file_responses import FileResponses
from walker.browser.playwright.guarded_documents import GuardedDocuments
from walker.browser.playwright.own_header_requests import OwnHeaderRequests
from walker.browser.playwright.requests_under_way import AWAITED, SCRIPTS, RequestsUnderWay
from walker.browser.playwright.undrawn_pages import UndrawnPages
from walker.seams.web.borders import Borders
from walker.seams.web.own_headers import NO_HEADERS, OwnHeaders

PING_SECONDS = 1.0
"""Seconds; a responsive page answers within a few milliseconds."""
STOP_SECONDS, STOP_AGAIN_SECONDS, CLOSE_SECONDS = 1.0, 0.05, 3.0


class Tab:
    """A page whose dialogs are dismissed, downloads refused and popups closed, each with a notice."""

    def __init__(
        self, page: Page, background: Background, files: FileResponses | None = None, *, lean: bool = False
    ) -> None:
        """`files` are the documents and pictures that it was sent, None where these are not read; `lean` as in settled_page."""
        self.page, self._background, self.files = page, background, files
        self.arrivals = RequestsUnderWay(page, SCRIPTS if lean else AWAITED, learns=lean)
        self.guard: GuardedDocuments | None = None
        self.world = IsolatedWorld(page)
        self.notices: list[Notice] = []
        self.gone = asyncio.Event()
        """Set when the page crashed or opened dialogs without end."""
        self.broken = asyncio.Event()
        """Set when the connection was closed before the document arrived."""
        self._dialogs = 0
        page.on("requestfailed", self._on_request_failed)
        page.on("dialog", self._on_dialog)
        page.on("download", self._on_download)
        page.on("popup", self._on_popup)
        page.on("crash", lambda _: self.gone.set())

    @property
    def is_alive(self) -> bool:
        """Whether the page is still open."""
        return not self.page.is_closed() and not self.gone.is_set()

    @property
    def is_flooded(self) -> bool:
        """Whether it opened dialogs without end."""
        return self._dialogs > DIALOGS_A_PAGE

    async def answers(self) -> bool:
        """Whether it is open and responsive."""
        return self.is_alive and await bounded(self.page.evaluate("1"), PING_SECONDS)

    def asks_for(self, url: str) -> None:
        """Take note of the address that the walk asks for, before it does."""
        if self.guard is not None:
            self.guard.asked = url

    def start_over(self) -> None:
        """Clear the notices, before another page is opened here or an action is performed."""
        self.notices, self._dialogs = [], 0
        self.broken.clear()

    def note(self, kind: NoticeKind, text: str) -> None:
        """Add a notice for the snapshot."""
        if len(self.notices) < NOTICES_A_PAGE:
            self.notices.append(Notice(kind=kind, text=" ".join(text.split())))

    async def stop(self) -> None:
        """Stop loading."""
        await bounded(self._stop_loading(for_good=False), STOP_SECONDS)

    async def close(self) -> bool:
        """Close the tab; whether that succeeded. Chromium may never close a page if a response arrives at that moment (a tenth of
        self-reloading pages; none of 200 that were stopped and prevented from loading again)."""
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
                # The page is being replaced by a navigation.
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

    def __init__(
        self,
        context: BrowserContext,
        background: Background,
        *,
        file_seconds: float = 0.0,
        own_headers: OwnHeaders = NO_HEADERS,
        borders: Borders | None = None,
    ) -> None:
        """`file_seconds`: time limit for a document (PDF, Word, CSV ...) to become a page; 0 where none are read.
        `own_headers` are added over https; documents come from within `borders`."""
        self.context, self._background, self._file_seconds = context, background, file_seconds
        self._own_headers, self._borders = own_headers, borders
        self._mine: set[Page] = set()
        self._strangers: list[Page] = []
        self._opening = 0
        self._is_routed = False
        self._undrawn = UndrawnPages(context)
        context.on("page", self._on_page)

    async def open(self, *, lean: bool = False, undrawn: bool = False) -> Tab:
        """A new tab, `lean` as in settled_page, `undrawn` one without frames where the browser has such. The context's event for it
        comes first, just as for a popup."""
        self._opening += 1
        try:
            page = await (self._new_undrawn_page() if undrawn else self.context.new_page())
            self._mine.add(page)
        finally:
            self._opening -= 1
            self._close_strangers()
        page.on("close", self._on_close)
        if self._borders is not None and not self._is_routed:
            self._is_routed = True
            await self.context.route("**/*", self._refuse_strangers)
        if self._own_headers:
            await OwnHeaderRequests(page, self._background, self._own_headers).watch()
        files = None
        if self._file_seconds:
            files = FileResponses(page, self._background, seconds=self._file_seconds)
            await files.watch()
        tab = Tab(page, self._background, files, lean=lean)
        if self._borders is not None:
            tab.guard = GuardedDocuments(page, self._background, self._borders)
            await tab.guard.watch()
        return tab

    async def _new_undrawn_page(self) -> Page:
        try:
            return await self._undrawn.new_page()
        except Error:
            return await self.context.new_page()

    async def _refuse_strangers(self, route: Route) -> None:
        """Refuse what a popup asks for: its first request leaves before it can be closed."""
        with contextlib.suppress(Error):
            await (route.fallback() if self._is_mine(route.request) else route.abort("blockedbyclient"))

    def _is_mine(self, request: Request) -> bool:
        try:
            return request.service_worker is not None or request.frame.page in self._mine
        except Error:
            # The page of a popup is not known yet; that of a tab is before it opens anything.
            return False

    def _on_page(self, page: Page) -> None:
        """Close popups of tabs that are closed already, and tabs whose opening was cancelled; an open tab closes its own popups."""
        self._strangers.append(page)
        self._close_strangers()

    def _on_close(self, page: Page) -> None:
        self._mine.discard(page)

    def _close_strangers(self) -> None:
        if self._opening:
            # Unknown as yet.
            return
        strangers, self._strangers = self._strangers, []
        for stranger in strangers:
            if stranger not in self._mine:
                self._background.answer(stranger.close())
