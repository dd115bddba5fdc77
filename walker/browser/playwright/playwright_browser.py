"""The Playwright browser of one walk: one context with one page, reused for all URLs, and tabs for prefetching."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
from playwright.async_api import Error, Locator, Page, Request, Response

from perception.element_map import View
from perception.geometry import Box
from perception.snapshot import Redirect, Snapshot
from walker.browser.egress.dialing import EGRESS_MESSAGES, too_large
from walker.browser.egress.egress_proxy import REFUSED_HEADER, EgressProxy
from walker.browser.http.media_type import media_type_of
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.page.background import Background, bounded
from walker.browser.page.failures import failure_of
from walker.browser.page.other_route import is_other_route
from walker.browser.page.page_view import take_view
from walker.browser.page.settled_page import QUIET_MS, READ_TYPES, as_one_line, take_rendered, was_left
from walker.browser.playwright.prefetch_tabs import Loaded, PrefetchTabs
from walker.browser.playwright.tabs import Tab, Tabs
from walker.browser.playwright.tabs_home import Prepare, TabsHome, with_work_scripts
from walker.browser.scripts.page_functions import page_function
from walker.errors import BrowserUnavailable
from walker.seams.actions import Click, Fill, Operate, Scroll, ScrollToEnd, TypeText
from walker.seams.protocols import FailureKind, PageFailure
from walker.seams.web.storage_state import StorageState, state_of

T = TypeVar("T")

SCRIPT_SECONDS = 10.0
"""Seconds for a snapshot, which takes milliseconds unless the page's script blocks the renderer."""
BROKEN_SECONDS = 1.0
"""Seconds to wait for the parsing of an incomplete document, which mostly never ends."""
DONE = "action done"
"""What the driver's log says of a click or a key once it was carried out: what it leads to may take longer."""
SCROLL_SECONDS, SCROLL_REST_SECONDS, SCROLLS_AT_MOST = 20.0, 3.0, 400
"""Seconds in which a page is scrolled to its end, and for which each screen may load; and most screens."""
LEAVE_SECONDS = 2.0
"""Seconds for a page to be left, which takes milliseconds."""
ATTEMPTS = 3
"""Most tries to open a URL: one, another if the previous page is to blame, and one after a restart of the browser."""


class PlaywrightBrowser:
    """Implements `seams.Browser`. For one task at a time."""

    def __init__(  # noqa: PLR0913 - all but two are usually omitted
        self,
        chromium: Chromium | TabsHome,
        context: ContextOptions,
        *,
        page_seconds: float = 20.0,
        clock: Callable[[], float] = time.time,
        egress: EgressProxy | None = None,
        lean: bool = False,
        undrawn: bool = False,
        prepare: Prepare | None = None,
    ) -> None:
        """`chromium` may be a `TabsHome` shared with other browsers. `egress` is the proxy of this walk, closed with it; without one
        the browser connects directly. `lean` is the mode of crawls (settled_page); `undrawn` is for lean ones only: pages
        get no frames. `prepare` is called with each new context before its first page."""
        self._shares_home = isinstance(chromium, TabsHome)
        self._home = chromium if isinstance(chromium, TabsHome) else TabsHome(chromium)
        self._settings = context
        self._page_seconds, self._clock, self._egress = page_seconds, clock, egress
        self._lean, self._prepare = lean, with_work_scripts(prepare, lean=lean)
        self._undrawn = undrawn
        self.needs_frames = False
        """Whether the page that was opened last is to be opened where it is drawn, for it may be another there."""
        self._tabs: Tabs | None = None
        self._tab: Tab | None = None
        """The tab of the walk's page."""
        self._background = Background()
        self._ahead = PrefetchTabs(page_seconds, self._background)

    async def open(self, url: str) -> Snapshot | PageFailure:
        """Open a URL in the walk's tab, or switch to the tab in which it was prefetched."""
        started = time.monotonic()
        if loaded := await self._ahead.take(url):
            taken = await self._open_loaded(url, loaded, started)
            if taken is not None:
                return taken
        if urlsplit(url).scheme not in ("http", "https"):
            return PageFailure(url=url, kind="bad_scheme", message="only http and https addresses are opened")
        return await self._attempt(url, lambda tab: self._visit(tab, url))

    async def fetch_ahead(self, urls: tuple[str, ...]) -> None:
        """Prefetch pages in separate tabs; the next `open` of one of these URLs takes over its tab."""
        if self._tabs is not None and self._tab is not None:
            self._ahead.load(self._tabs, tuple(url for url in urls if urlsplit(url).scheme in ("http", "https")))

    async def _open_loaded(self, url: str, loaded: Loaded, started: float) -> Snapshot | None:
        """The snapshot of a prefetched page; None if it is not a page, or has been lost."""
        before, self._tab = self._tab, loaded.tab
        if before is not None:
            self._background.start(before.close())
        try:
            taken = await self._within(url, loaded.tab, self._read(loaded.tab, url, loaded.response, started))
        except Error:
            await self._abandon_tab()
            return None
        return taken if isinstance(taken, Snapshot) else None

    async def act(self, move: Operate) -> Snapshot | PageFailure:
        """Click, type or scroll on the open page."""
        # The action may change the content of prefetched pages.
        self._ahead.drop()
        tab = self._tab
        url = tab.page.url if tab is not None else ""
        if tab is None or not url.startswith("http"):
            return PageFailure(url=url, kind="gone", message="no page is open")
        if not tab.is_alive:
            return PageFailure(
                url=url, kind="crashed", message="the page is gone: its renderer crashed or it closed itself"
            )
        return await self._attempt(url, lambda tab: self._operate(tab, move, url))

    async def see(self, *, whole: bool = False, box: Box | None = None, scale: float = 1.0) -> View | PageFailure:
        """Screenshot and element map of the window, the whole page, or one box of it at a scale."""
        return await self._on_open_page(lambda tab, _: take_view(tab.world, whole=whole, box=box, scale=scale))

    async def run(self, function: str, argument: Any, *, seconds: float) -> Any | PageFailure:
        """Run a JavaScript function in the isolated world of the open page; None if the page navigated meanwhile."""
        return await self._on_open_page(lambda tab, _: _run(tab, function, argument), seconds)

    async def take(self) -> Snapshot | PageFailure:
        """A snapshot of the open page."""
        started = time.monotonic()
        return await self._on_open_page(lambda tab, url: self._snapshot(tab, url, started))

    async def _on_open_page(self, work: Callable[[Tab, str], Awaitable[T]], seconds: float = 0.0) -> T | PageFailure:
        tab = self._tab
        if tab is None or not tab.is_alive or not tab.page.url.startswith("http"):
            return PageFailure(url=tab.page.url if tab else "", kind="gone", message="no page is open")
        url = tab.page.url
        try:
            return await self._within(url, tab, work(tab, url), seconds)
        except Error as error:
            return failure_of(url, error.message)

    async def leave(self) -> None:
        """End what the open page does, scripts and requests; none is open then."""
        if self._tab is not None and not await bounded(self._tab.page.goto("about:blank"), LEAVE_SECONDS):
            await self._abandon_tab()

    @property
    def driver_page(self) -> Page | None:
        """The open page as the driver has it, None where none is open."""
        return self._tab.page if self._tab is not None and self._tab.is_alive else None

    async def state(self) -> StorageState:
        """Cookies and local storage of the context; without one, the state set by `restore`."""
        if self._tabs is None:
            return self._settings.state
        return state_of(await self._tabs.context.storage_state())

    async def restore(self, state: StorageState) -> None:
        """Use this state in a new context for the next page."""
        self._settings = msgspec.structs.replace(self._settings, state=state)
        await self._close_context()

    async def _close_context(self) -> None:
        self._ahead.drop()
        tab, self._tabs, self._tab = self._tab, None, None
        if not self._shares_home:
            await self._home.drop()
        elif tab is not None:
            await tab.close()

    async def close(self) -> None:
        """Close the context, its pages and the egress proxy."""
        try:
            await self._close_context()
            await self._background.finish()
        finally:
            if self._egress is not None:
                await self._egress.close()

    async def _attempt(
        self, url: str, work: Callable[[Tab], Awaitable[Snapshot | PageFailure]]
    ) -> Snapshot | PageFailure:
        """Try within the time limit of a page; a hanging or crashed page is discarded."""
        started = time.monotonic()
        for left in reversed(range(ATTEMPTS)):
            before = self._tab.page.url if self._tab is not None else ""
            try:
                tab = await self._ready_tab()
                tab.start_over()
                return await self._within(url, tab, work(tab))
            except Error as error:
                again = left > 0 and await self._blames_the_page_before(error, before)
                # Chromium's own error page would interfere with the next navigation.
                await self._abandon_tab()
                if again:
                    continue
                if _was_closed(error):
                    return self._lost(url)
                if "ERR_INVALID_AUTH_CREDENTIALS" in error.message:
                    return Snapshot(url=url, final_url=url, status=401, html="", fetched_at=round(self._clock(), 3))
                return self._explain(url, failure_of(url, error.message), started)
        raise AssertionError("the last attempt returns or raises")

    async def _blames_the_page_before(self, error: Error, before: str) -> bool:
        """Whether to try a URL again, because the failure was due to the previous page or the browser."""
        if _was_closed(error) or "interrupted by another navigation" in error.message:
            return True
        if "ERR_ABORTED" in error.message:
            # A 204 gives the same error; if it occurs twice, it is one.
            return "Download is starting" not in error.message
        if "Timeout" not in error.message or self._tab is None or not before or self._tab.page.url != before:
            return False
        # A page being replaced responds after the navigation, which did not happen here.
        await self._tab.stop()
        return not await self._tab.answers()

    def _lost(self, url: str) -> PageFailure:
        if not self._home.alive:
            raise BrowserUnavailable("the browser crashed while a page was opened", where=url)
        return PageFailure(url=url, kind="crashed", message="the page closed itself")

    async def _within(self, url: str, tab: Tab, work: Awaitable[T], seconds: float = 0.0) -> T | PageFailure:
        task = asyncio.ensure_future(work)
        gone = asyncio.ensure_future(tab.gone.wait())
        limit = max(self._page_seconds, seconds) + SCRIPT_SECONDS
        if self._egress is not None:
            self._egress.renew()
        try:
            await asyncio.wait((task, gone), timeout=limit, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
        finally:
            gone.cancel()
            if not task.done():
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        crashed = tab.gone.is_set()
        await self._abandon_tab()
        if crashed and tab.is_flooded:
            return PageFailure(url=url, kind="timeout", message="the page opened dialogs without end")
        if crashed:
            return PageFailure(url=url, kind="crashed", message="the page crashed its renderer")
        return PageFailure(url=url, kind="timeout", message=f"the page did not yield within {limit:g} seconds")

    async def _visit(self, tab: Tab, url: str) -> Snapshot | PageFailure:
        started = time.monotonic()
        response = await self._go(tab, url, started)
        if response is None:
            # Only the fragment differs from the open page: a client-side route, without a request.
            return await self._snapshot(tab, url, started)
        return await self._read(tab, url, response, started)

    async def _go(self, tab: Tab, url: str, started: float) -> Response | None:
        """Navigate. Raises `Error` as soon as a document is too large: it was truncated, and would load until the time limit."""
        if is_other_route(tab.page.url, url):
            # The browser would stay in the document, and nobody could tell when the route's content has replaced the one before.
            await tab.page.goto("about:blank")
        tab.asks_for(url)
        going = asyncio.ensure_future(
            tab.page.goto(url, wait_until="domcontentloaded", timeout=self._page_seconds * 1000)
        )
        broken = asyncio.ensure_future(tab.broken.wait())
        try:
            await asyncio.wait((going, broken), return_when=asyncio.FIRST_COMPLETED)
            if not going.done() and self._egress is not None and self._egress.broke_off(started, url, tab.page.url):
                await asyncio.wait((going,), timeout=BROKEN_SECONDS)
                if not going.done():
                    raise Error("net::ERR_CONNECTION_RESET")
            return await going
        finally:
            broken.cancel()
            going.cancel()

    async def _read(self, tab: Tab, url: str, response: Response, started: float) -> Snapshot | PageFailure:
        if failure := self._refused_by_egress(url, response):
            return failure
        kind = media_type_of(response.headers.get("content-type", "")) or "text/html"
        if kind not in READ_TYPES:
            message = f"it is not a web page ({kind}), and was not kept"
            return PageFailure(url=url, kind="not_a_page", message=message, media_type=kind)
        redirects = await _redirects(response.request)
        taken = await self._snapshot(tab, url, started)
        if isinstance(taken, PageFailure):
            return taken
        if taken.final_url.partition("#")[0] == response.url.partition("#")[0] and taken.status == _shown_status(
            response
        ):
            taken = msgspec.structs.replace(
                taken,
                retry_after=response.headers.get("retry-after", ""),
                robots_tag=as_one_line(response.headers.get("x-robots-tag", "")),
                link=as_one_line(response.headers.get("link", "")) if self._lean else "",
                refresh=response.headers.get("refresh", "") if self._lean else "",
            )
        return msgspec.structs.replace(taken, redirects=redirects)

    async def _operate(self, tab: Tab, move: Operate, url: str) -> Snapshot | PageFailure:
        started = time.monotonic()
        await tab.world.enter()
        await tab.world.call(page_function("pending_work.js", "expectWork"))
        if isinstance(move.action, Scroll | ScrollToEnd):
            return await self._scroll_to_end(tab, url, started)
        if failure := await self._perform(tab.page, move, url):
            return failure
        await tab.page.wait_for_load_state("domcontentloaded", timeout=self._page_seconds * 1000)
        return await self._snapshot(tab, url, started)

    async def _scroll_to_end(self, tab: Tab, url: str, started: float) -> Snapshot | PageFailure:
        """The page with all that scrolling shows, in the time of a page; its `scrolls` says whether there may be more."""
        seconds = min(self._page_seconds, SCROLL_SECONDS)
        scroll = page_function("steps/scroll.js", "scrollToEnd")
        done = await tab.world.call(scroll, [SCROLLS_AT_MOST, SCROLL_REST_SECONDS, True, seconds])
        taken = await self._snapshot(tab, url, started)
        if isinstance(taken, PageFailure):
            return taken
        return msgspec.structs.replace(taken, scrolls=done["ended"] == "most")

    async def _perform(self, page: Page, move: Operate, url: str) -> PageFailure | None:
        action = move.action
        place = page.locator(move.selector).first
        if await place.count() == 0:
            return PageFailure(url=url, kind="gone", message="the control is no longer on the page")
        await place.evaluate(page_function("steps/window.js", "keepInWindow"))
        try:
            if isinstance(action, TypeText):
                await place.fill(action.text, timeout=5000)
                await place.press("Enter", timeout=5000)
            elif isinstance(action, Fill):
                await _fill(place, action.text)
            elif isinstance(action, Click):
                await place.click(timeout=5000)
        except Error as error:
            if "Timeout" not in error.message:
                raise
            if DONE not in error.message:
                return PageFailure(url=url, kind="gone", message="the control cannot be reached: hidden or covered")
        await asyncio.sleep(QUIET_MS / 1000)
        return None

    async def _snapshot(self, tab: Tab, url: str, started: float) -> Snapshot | PageFailure:
        lean = self._settings if self._lean else None
        taken = await take_rendered(tab.world, seconds=self._page_seconds, lean=lean, arrivals=tab.arrivals)
        if self._home.traffic is not None:
            await self._home.traffic.settle(tab.page)
        self.needs_frames = taken is not None and taken.needs_frames
        if taken is None:
            await self._abandon_tab()
            return PageFailure(url=url, kind="redirect_loop", message="the page redirects itself without end")
        if taken.banner:
            tab.note("cookie_banner", taken.banner)
        if taken.unsettled:
            tab.note("unsettled", taken.unsettled)
        kind = ""
        if self._egress is not None:
            for place in self._egress.take_blocked():
                tab.note("blocked_request", place)
            kind = self._egress.why_refused(taken.url)
        if kind or not taken.url.startswith("http"):
            await self._abandon_tab()
            message = EGRESS_MESSAGES.get(kind, "it leads to an address that cannot be reached")
            return PageFailure(url=url, kind=_failure_kind(kind) if kind else "bad_scheme", message=message)
        is_cut = self._egress is not None and (
            self._egress.is_overfull(url, taken.url)
            or (tab.broken.is_set() and self._egress.ended_since(started, url, taken.url))
        )
        failure = tab.files.failure(url, taken.url) if tab.files is not None else None
        if failure := failure or taken.why_no_page(url, self._settings, is_cut=is_cut):
            return failure
        snapshot = taken.as_snapshot(
            url, tuple(tab.notices), fetched_at=self._clock(), load_seconds=time.monotonic() - started
        )
        made_from = tab.files.media_type(taken.url) if tab.files is not None else ""
        return msgspec.structs.replace(snapshot, content_type=made_from) if made_from else snapshot

    async def _ready_tab(self) -> Tab:
        if self._tab is not None and self._tab.is_alive:
            return self._tab
        await self._abandon_tab()
        settings = self._settings
        if self._egress is not None:
            settings = msgspec.structs.replace(settings, proxy=await self._egress.start())
        before, self._tabs = self._tabs, await self._home.tabs(settings, self._background, self._prepare)
        if before is not self._tabs:
            self._ahead.drop()
        self._tab = tab = await self._tabs.open(lean=self._lean, undrawn=self._undrawn)
        return tab

    async def _abandon_tab(self) -> None:
        """Close a hanging page; its context may hang too, and is then left until the browser is closed."""
        tab, self._tab = self._tab, None
        if tab is not None and not await tab.close():
            self._tabs = None
            self._ahead.drop()
            await self._home.drop()

    def _refused_by_egress(self, url: str, response: Response) -> PageFailure | None:
        kind = response.headers.get(REFUSED_HEADER, "")
        if not kind or self._egress is None:
            return None
        return PageFailure(url=url, kind=_failure_kind(kind), message=EGRESS_MESSAGES.get(kind, kind))

    def _explain(self, url: str, failure: PageFailure, started: float) -> PageFailure:
        """Replace the failure by the egress proxy's reason if the proxy blocked or truncated the response."""
        if self._egress is not None and self._egress.was_too_much(url, failure.kind, started):
            return PageFailure(url=url, kind="unreadable", message=too_large(self._settings.most_bytes))
        if self._egress is None or failure.kind not in ("refused", "other"):
            return failure
        kind = self._egress.why_refused(url)
        if not kind:
            return failure
        return PageFailure(url=url, kind=_failure_kind(kind), message=EGRESS_MESSAGES.get(kind, kind))


async def _fill(place: Locator, text: str) -> None:
    """Put a text into a field; of a list of options choose the one of this label."""
    if await place.evaluate(page_function("steps/single_elements.js", "isSelect")):
        await place.select_option(label=text, timeout=5000)
    else:
        await place.fill(text, timeout=5000)


def _failure_kind(kind: str) -> FailureKind:
    return kind if kind in EGRESS_MESSAGES else "other"  # type: ignore[return-value]


async def _run(tab: Tab, function: str, argument: Any) -> Any:
    try:
        await tab.world.enter()
        return await tab.world.call(function, argument)
    except Error as error:
        if not was_left(error):
            raise
        await tab.page.wait_for_load_state("domcontentloaded")
        return None


def _shown_status(response: Response) -> int:
    """What a document that came with a response says of it; one that loaded itself anew, as check pages do, came with another."""
    return 200 if response.status == 304 else response.status


async def _redirects(request: Request) -> tuple[Redirect, ...]:
    hops: list[Redirect] = []
    before = request.redirected_from
    while before is not None:
        response = await before.response()
        hops.append(Redirect(url=before.url, status=response.status if response else 0))
        before = before.redirected_from
    return tuple(reversed(hops))


def _was_closed(error: Error) -> bool:
    """Whether the page, its context or the browser is closed."""
    return (
        "has been closed" in error.message or "Browser closed" in error.message or "Connection closed" in error.message
    )
