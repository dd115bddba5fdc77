"""The Selenium browser: one Chromium process per instance, driven from a separate thread."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

import msgspec
from playwright.async_api import Error

from perception.element_map import View
from perception.geometry import Box
from perception.snapshot import Notice, NoticeKind, Snapshot
from walker.browser.egress.dialing import EGRESS_MESSAGES, too_large
from walker.browser.egress.egress_proxy import EgressProxy
from walker.browser.launch.chromium import ContextOptions, died_again
from walker.browser.launch.find_chromium import BrowserChoice
from walker.browser.network.context_traffic import LOAD_SECONDS
from walker.browser.page.failures import failure_of
from walker.browser.page.other_route import is_other_route
from walker.browser.page.page_bounds import DIALOGS_A_PAGE, DIALOGS_NOTED, NOTICES_A_PAGE
from walker.browser.page.page_view import take_view
from walker.browser.page.settled_page import LEAN_SETTLINGS, QUIET_MS, RenderedPage, take_rendered, was_left
from walker.browser.scripts.page_functions import page_function, work_scripts
from walker.browser.selenium.chromedriver import find_chromedriver, start_chromedriver
from walker.browser.selenium.selenium_session import SeleniumSession, is_lost
from walker.browser.selenium.selenium_world import RING, ScriptsUnderWay, SeleniumIsolatedWorld
from walker.seams.actions import Click, Fill, Operate, Scroll, ScrollToEnd, TypeText
from walker.seams.protocols import PageFailure
from walker.seams.web.storage_state import NO_STATE, StorageState, StoredOrigin

T = TypeVar("T")

SCRIPT_SECONDS = 10.0
"""Seconds for a snapshot, which takes milliseconds unless the page's script blocks the renderer."""
RELEASE_SECONDS = 2.0
"""Seconds for a navigation to end after its connection was aborted, which takes milliseconds."""
LEAVE_SECONDS = 2.0
"""Seconds for a page to be left, which takes milliseconds."""
ARRIVAL_POLL_SECONDS = 0.05
DEATHS_AT_MOST = 3
"""Consecutive browser crashes without a page in between before the driver gives up."""


class SeleniumBrowser:
    """Implements `seams.Browser`. For one task at a time. Chromium is started for the first page; after a hang or crash it is killed,
    and the next page opens in a new one with the same cookies."""

    def __init__(  # noqa: PLR0913 - all but two are usually omitted
        self,
        choice: BrowserChoice,
        context: ContextOptions,
        *,
        egress: EgressProxy | None = None,
        page_seconds: float = 20.0,
        clock: Callable[[], float] = time.time,
        lean: bool = False,
        scripts: tuple[str, ...] = (),
    ) -> None:
        """`egress` is the proxy of this walk, closed with it; without one the browser connects directly. `lean` is the mode of crawls
        (settled_page). `scripts` run before those of each page."""
        self._scripts = (*work_scripts(lean=lean), *scripts)
        self._choice, self._settings, self._egress = choice, context, egress
        self._page_seconds, self._clock = page_seconds, clock
        self._lean = lean
        self._thread: ThreadPoolExecutor | None = None
        self._world: SeleniumIsolatedWorld | None = None
        self._state = context.state
        """Cookies after the last page; local storage as far as known."""
        self._notices: list[Notice] = []
        self._deaths = 0
        self._began = 0.0
        """Time of the last navigation or action."""
        self.needs_frames = False
        """Whether the page that was opened last got no frames, and may be another one where it is drawn."""

    async def open(self, url: str) -> Snapshot | PageFailure:
        """Open a URL."""
        return await self._open(url, drawn=True)

    async def open_undrawn(self, url: str) -> Snapshot | PageFailure:
        """Open a URL, in the mode of crawls, in a tab whose pages get no frames where the browser has such."""
        return await self._open(url, drawn=False)

    async def leave(self) -> None:
        """End what the open page does, scripts and requests; none is open then."""
        if (world := self._world) is None:
            return
        leaving = asyncio.ensure_future(_leave_page(world))
        await asyncio.wait((leaving,), timeout=LEAVE_SECONDS)
        if not leaving.done() or leaving.exception() is not None:
            await self._give_up()
        await asyncio.gather(leaving, return_exceptions=True)

    async def _open(self, url: str, *, drawn: bool) -> Snapshot | PageFailure:
        self.needs_frames = False
        if url.partition(":")[0].lower() not in ("http", "https"):
            return PageFailure(url=url, kind="bad_scheme", message="only http and https addresses are opened")
        self._began = time.monotonic()
        for _ in range(2):
            try:
                world = await self._ready()
                if world.session.is_drawn != drawn:
                    await world.do(partial(world.session.show, drawn=drawn))
                self._notices = []
                return await self._within(url, self._visit(world, url))
            except Error as error:
                if not is_lost(error):
                    return self._explain(url, failure_of(url, error.message))
                await self._give_up()
                self._deaths += 1
                if self._deaths >= DEATHS_AT_MOST:
                    raise died_again(self._choice) from None
        return PageFailure(url=url, kind="crashed", message="the page crashed its renderer")

    async def act(self, move: Operate) -> Snapshot | PageFailure:
        """Click, type or scroll on the open page."""
        self._notices = []
        return await self._on_open_page(lambda world, url: self._operate(world, move, url))

    async def see(self, *, whole: bool = False, box: Box | None = None, scale: float = 1.0) -> View | PageFailure:
        """Screenshot and element map; cross-origin frames are in the screenshot only."""
        return await self._on_open_page(lambda world, _: take_view(world, whole=whole, box=box, scale=scale))

    async def run(self, function: str, argument: Any, *, seconds: float) -> Any | PageFailure:
        """Run a JavaScript function in the isolated world of the open page; None if the page navigated meanwhile."""
        return await self._on_open_page(lambda world, _: self._call(world, function, argument), seconds)

    async def take(self) -> Snapshot | PageFailure:
        """A snapshot of the open page."""
        started = time.monotonic()
        return await self._on_open_page(lambda world, url: self._snapshot(world, url, started))

    async def _on_open_page(
        self, work: Callable[[SeleniumIsolatedWorld, str], Awaitable[T]], seconds: float = 0.0
    ) -> T | PageFailure:
        world = self._world
        if world is None or not world.url.startswith("http"):
            return PageFailure(url="", kind="gone", message="no page is open")
        url, self._began, world.is_fresh = world.url, time.monotonic(), False
        try:
            return await self._within(url, work(world, url), seconds)
        except Error as error:
            if is_lost(error):
                await self._give_up()
                return PageFailure(url=url, kind="crashed", message="the page crashed its renderer")
            return self._explain(url, failure_of(url, error.message))

    async def _call(self, world: SeleniumIsolatedWorld, function: str, argument: Any) -> Any:
        try:
            await world.enter()
            return await world.call(function, argument)
        except Error as error:
            if not was_left(error):
                raise
        await self._parsed(world)
        return None

    async def state(self) -> StorageState:
        """Cookies, and local storage of the current origin and of those set by `restore`."""
        world = self._world
        if world is not None and world.url.startswith("http"):
            with contextlib.suppress(Error):
                await self._keep_cookies(world)
                await world.enter()
                here = msgspec.json.decode(
                    await world.call(page_function("local_storage.js", "takeStorage")), type=StoredOrigin
                )
                if here.local_storage:
                    self._state = StorageState(origins=(here,)).over(self._state)
        return self._state

    async def restore(self, state: StorageState) -> None:
        """Use this state in a new browser for the next page."""
        await self._give_up()
        self._state = state

    async def fetch_ahead(self, urls: tuple[str, ...]) -> None:
        """No prefetching: chromedriver handles one command at a time."""

    async def close(self) -> None:
        """Close the browser and the egress proxy, and delete the profile."""
        try:
            await self._give_up()
        finally:
            if self._egress is not None:
                await self._egress.close()

    async def _visit(self, world: SeleniumIsolatedWorld, url: str) -> Snapshot | PageFailure:
        started = time.monotonic()
        if is_other_route(world.url, url):
            await _leave_page(world)
        going = asyncio.ensure_future(world.send("Page.navigate", {"url": url}))
        done, _ = await asyncio.wait((going,), timeout=self._page_seconds)
        if not done:
            await self._cut_off(going)
            return PageFailure(url=url, kind="timeout", message="the page was not readable in time")
        gone = going.result()
        if gone.get("isDownload"):
            return PageFailure(url=url, kind="download", message="it is a file to download, which was refused")
        if reason := gone.get("errorText"):
            if "ERR_INVALID_AUTH_CREDENTIALS" in reason:
                return Snapshot(url=url, final_url=url, status=401, html="", fetched_at=round(self._clock(), 3))
            return self._explain(url, failure_of(url, str(reason)))
        await self._parsed(world)
        happened = await world.do(world.session.happened)
        taken = await self._snapshot(world, url, started)
        if isinstance(taken, PageFailure):
            return taken
        headers = happened.headers
        return msgspec.structs.replace(
            taken,
            redirects=happened.redirects,
            retry_after=headers.retry_after,
            robots_tag=headers.robots_tag,
            link=headers.link if self._lean else "",
            refresh=headers.refresh if self._lean else "",
        )

    async def _parsed(self, world: SeleniumIsolatedWorld) -> None:
        try:
            await world.wait_loaded(self._page_seconds, partial(self._is_too_much, world))
        except Error as error:
            if RING in error.message:
                # Otherwise it would continue during the next page.
                await self._give_up()
            elif not is_lost(error):
                await world.send("Page.stopLoading")
            raise

    async def _is_too_much(self, world: SeleniumIsolatedWorld) -> bool:
        """Whether the document was truncated because it is too large; it would load until the time limit."""
        if self._egress is None or not self._egress.broke_off(self._began, world.url):
            return False
        await world.do(world.session.happened)
        return world.session.is_broken

    async def _operate(self, world: SeleniumIsolatedWorld, move: Operate, url: str) -> Snapshot | PageFailure:
        started = time.monotonic()
        session, action = world.session, move.action
        if isinstance(action, Fill):
            return PageFailure(url=url, kind="other", message="this driver fills in no field without submitting it")
        await world.do(session.happened)
        await world.enter()
        await world.call(page_function("pending_work.js", "expectWork"))
        if isinstance(action, Scroll | ScrollToEnd):
            await world.call(page_function("steps/window.js", "scrollByWindow"))
        else:
            place = await world.do(session.find, move.selector)
            if place is None:
                return PageFailure(url=url, kind="gone", message="the control is no longer on the page")
            reached = True
            if isinstance(action, TypeText):
                reached = await world.do(session.fill, place, action.text)
            elif isinstance(action, Click):
                reached = await world.do(session.press, place)
            if not reached:
                return PageFailure(url=url, kind="gone", message="the control cannot be reached: hidden or covered")
        await asyncio.sleep(QUIET_MS / 1000)
        deadline = time.monotonic() + self._page_seconds
        while (await world.do(session.happened)).is_leaving:
            if time.monotonic() > deadline:
                await world.send("Page.stopLoading")
                return PageFailure(url=url, kind="timeout", message="the page was not readable in time")
            await asyncio.sleep(ARRIVAL_POLL_SECONDS)
        await self._parsed(world)
        return await self._snapshot(world, url, started)

    async def _snapshot(self, world: SeleniumIsolatedWorld, url: str, started: float) -> Snapshot | PageFailure:
        taken = await self._take_with_scripts(world)
        if taken is None:
            await self._give_up()
            return PageFailure(url=url, kind="redirect_loop", message="the page redirects itself without end")
        self.needs_frames = taken.needs_frames
        if taken.unsettled:
            self._note("unsettled", taken.unsettled)
        await self._tell_traffic(world)
        if sum(notice.kind == "dialog" for notice in self._notices) > DIALOGS_A_PAGE:
            return PageFailure(url=url, kind="timeout", message="the page opened dialogs without end")
        refusal = self._egress.why_refused(taken.url) if self._egress is not None else ""
        if refusal or not taken.url.startswith("http"):
            message = EGRESS_MESSAGES.get(refusal, "it leads to an address that cannot be reached")
            return PageFailure(url=url, kind=refusal or "bad_scheme", message=message)  # type: ignore[arg-type]
        is_cut = await self._is_too_much(world)
        is_cut = is_cut or (self._egress is not None and self._egress.is_overfull(url, taken.url))
        if failure := taken.why_no_page(url, self._settings, is_cut=is_cut):
            return failure
        self._deaths = 0
        return taken.as_snapshot(
            url, self._shown_notices(), fetched_at=self._clock(), load_seconds=time.monotonic() - started
        )

    async def _take_with_scripts(self, world: SeleniumIsolatedWorld) -> RenderedPage | None:
        """The page, in crawls once no script is under way that may bring some of it. None for an endless client-side redirect."""
        lean = self._settings if self._lean else None
        for left in reversed(range(LEAN_SETTLINGS)):
            arrivals = ScriptsUnderWay(world) if self._lean else None
            taken = await take_rendered(world, seconds=self._page_seconds, lean=lean, arrivals=arrivals)
            if taken is None:
                return None
            await self._note_what_happened(world, taken.banner)
            if not self._lean or taken.needs_frames or not left or not world.session.scripts:
                return taken
        raise AssertionError("the last page is returned")

    async def _note_what_happened(self, world: SeleniumIsolatedWorld, banner: str) -> None:
        for asked in await world.take_dialogs():
            self._note("dialog", asked)
        for file in (await world.do(world.session.happened)).downloads:
            self._note("download", f"{file[:120]}: refused")
        for place in await world.do(world.session.close_popups):
            self._note("popup", place or "a new window")
        for place in self._egress.take_blocked() if self._egress is not None else ():
            self._note("blocked_request", place)
        if banner:
            self._note("cookie_banner", banner)
        await self._keep_cookies(world)

    async def _tell_traffic(self, world: SeleniumIsolatedWorld) -> None:
        """Report the network traffic of the page until its load event, or a time limit."""
        if (traffic := self._settings.traffic) is not None:
            with contextlib.suppress(Error):
                loaded = page_function("snapshot/loading.js", "waitUntilLoaded")
                await world.call(loaded, round(LOAD_SECONDS * 1000))
                await world.do(world.session.happened)
            for exchange in await world.do(world.session.take_traffic):
                traffic.add(exchange)

    async def _keep_cookies(self, world: SeleniumIsolatedWorld) -> None:
        self._state = msgspec.structs.replace(self._state, cookies=await world.do(world.session.cookies))

    def _note(self, kind: NoticeKind, text: str) -> None:
        if len(self._notices) < NOTICES_A_PAGE:
            self._notices.append(Notice(kind=kind, text=" ".join(text.split())[:200]))

    def _shown_notices(self) -> tuple[Notice, ...]:
        dialogs = [notice for notice in self._notices if notice.kind == "dialog"][:DIALOGS_NOTED]
        return (*dialogs, *(notice for notice in self._notices if notice.kind != "dialog"))

    async def _within(self, url: str, work: Awaitable[T], seconds: float = 0.0) -> T | PageFailure:
        """Run within the time limit of a page; a browser with a hanging page is killed."""
        task = asyncio.ensure_future(work)
        limit = max(self._page_seconds * 2, seconds) + SCRIPT_SECONDS
        if self._egress is not None:
            self._egress.renew()
        try:
            await asyncio.wait((task,), timeout=limit)
            if task.done():
                return task.result()
        finally:
            if not task.done():
                await self._give_up()
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        return PageFailure(url=url, kind="timeout", message=f"the page did not yield within {limit:g} seconds")

    async def _cut_off(self, going: asyncio.Future[Any]) -> None:
        """Abort a navigation without a response: by closing its connection, else by killing the browser."""
        if self._egress is not None:
            await self._egress.cut_connections()
            await asyncio.wait((going,), timeout=RELEASE_SECONDS)
        if not going.done():
            await self._give_up()
        await asyncio.gather(going, return_exceptions=True)

    async def _ready(self) -> SeleniumIsolatedWorld:
        if self._world is not None:
            return self._world
        settings = self._settings
        if self._egress is not None:
            settings = msgspec.structs.replace(settings, proxy=await self._egress.start())
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="selenium")
        loop = asyncio.get_running_loop()
        starting = loop.run_in_executor(self._thread, self._start, settings)
        try:
            session = await asyncio.shield(starting)
        except asyncio.CancelledError:
            # The thread continues to start it, and nothing else would kill it.
            (started,) = await asyncio.gather(starting, return_exceptions=True)
            if isinstance(started, SeleniumSession):
                await asyncio.to_thread(started.kill)
            raise
        self._world = world = SeleniumIsolatedWorld(session, self._thread)
        for script in self._scripts:
            await world.do(session.add_script, script)
        if self._state != NO_STATE:
            await world.do(session.restore, self._state)
        return world

    def _start(self, settings: ContextOptions) -> SeleniumSession:
        driver = start_chromedriver(find_chromedriver(self._choice))
        with driver.watched():
            return SeleniumSession(driver, self._choice, settings, seconds=self._page_seconds)

    async def _give_up(self) -> None:
        """Kill the browser."""
        world, self._world = self._world, None
        thread, self._thread = self._thread, None
        if world is not None:
            await asyncio.to_thread(world.session.kill)
        if thread is not None:
            await asyncio.to_thread(thread.shutdown)
        if world is not None and self._settings.traffic is not None:
            for exchange in world.session.leave_traffic():
                self._settings.traffic.add(exchange)

    def _explain(self, url: str, failure: PageFailure) -> PageFailure:
        """Replace the failure by the egress proxy's reason if the proxy blocked or truncated the response."""
        if self._egress is not None and self._egress.was_too_much(url, failure.kind, self._began):
            return PageFailure(url=url, kind="unreadable", message=too_large(self._settings.most_bytes))
        kind = self._egress.why_refused(url) if self._egress is not None else ""
        if not kind or failure.kind not in ("refused", "other"):
            return failure
        return PageFailure(url=url, kind=kind, message=EGRESS_MESSAGES.get(kind, kind))  # type: ignore[arg-type]


async def _leave_page(world: SeleniumIsolatedWorld) -> None:
    """Open the empty page. It is waited for: a navigation that begins before it is there does not answer."""
    await world.send("Page.navigate", {"url": "about:blank"})
    await world.wait_loaded(LEAVE_SECONDS)
