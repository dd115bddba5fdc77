"""Logs in, by a person in a window or by a script, and checks whether a saved login still is one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import urlsplit

import msgspec
from playwright.async_api import BrowserContext, Error, Page

from perception.snapshot import Snapshot
from walker.browser.egress.egress_proxy import EgressProxy
from walker.browser.launch.browser_kinds import BrowserKinds
from walker.browser.launch.chromium import ContextOptions
from walker.browser.page.live_reader import LiveReader
from walker.browser.playwright.playwright_browser import PlaywrightBrowser
from walker.crawl.errors import LoginFailed
from walker.crawl.fetch.page_steps import StepsFailed, take_steps
from walker.crawl.login import log_in
from walker.crawl.script.spec import Login, Step
from walker.logins.login_store import SavedLogin
from walker.logins.login_use import kept_to_hosts
from walker.rules.viability import reject_by_structure
from walker.seams.protocols import PageFailure
from walker.seams.web.storage_state import NO_STATE, StorageState, state_of
from walker.seams.web.way_out import way_out_of_walk

LOOK_SECONDS = 0.5
"""Between two looks at a window in which a person logs in."""
CHECK_SECONDS = 5.0
_SELECTOR_MARKS = ("#", ".", "[", "//", "css=", "xpath=")


class Signing(msgspec.Struct, frozen=True, kw_only=True):
    """How a login is made, beside who makes it."""

    url: str
    hosts: tuple[str, ...] = ()
    """Further hosts whose cookies are kept."""
    check: str = ""
    """A text, or a selector (which begins with # . [ // css= or xpath=), that shows who is logged in."""
    chromium: str = ""
    proxy: str = ""
    seconds: float = 600.0
    """For a person, in all."""

    @property
    def all_hosts(self) -> tuple[str, ...]:
        """The host of `url`, and the further ones."""
        return tuple(dict.fromkeys((urlsplit(self.url).hostname or "", *self.hosts)))


async def by_script(signing: Signing, login: Login, environment: Mapping[str, str]) -> tuple[StorageState, str]:
    """The state after the steps of a script, and the address where they ended. Raises `LoginFailed`, or `BrowserUnavailable`."""
    kinds = BrowserKinds(path=signing.chromium)
    browser = _browser(signing, kinds, login.url)
    try:
        state = await log_in(browser, login, environment)
        shown = await browser.take()
        page = shown.final_url if isinstance(shown, Snapshot) else ""
        if signing.check and isinstance(shown, Snapshot) and not await _shows(browser, shown, signing.check):
            raise LoginFailed(
                f"the page after the login does not show {signing.check!r}",
                where=page,
                advice="Correct the script or --check",
            )
    finally:
        await browser.close()
        await kinds.close()
    return kept_to_hosts(state, signing.all_hosts), _without_query(page)


async def by_person(signing: Signing, done: Callable[[], Awaitable[object]]) -> tuple[StorageState, str]:
    """The state after a person has logged in, in a window, and the address where they ended: when `done` returns, what is to be
    checked shows, or the window is closed. Raises `LoginFailed` where the time is over, or `BrowserUnavailable`."""
    kinds = BrowserKinds(path=signing.chromium, kind="headed")
    egress = EgressProxy(signing.url, way_out=way_out_of_walk((signing.url,), (), signing.proxy))
    try:
        context = await kinds.first.new_context(ContextOptions(proxy=await egress.start()))
        page = await context.new_page()
        try:
            await page.goto(signing.url, wait_until="domcontentloaded")
        except Error as error:
            reason = error.message.splitlines()[0][:120]
            raise LoginFailed(
                f"the page cannot be opened ({reason})", where=signing.url, advice="Check the address"
            ) from None
        state, ended = await _watched(signing, context, page, done)
    finally:
        await kinds.close()
        await egress.close()
    return kept_to_hosts(state, signing.all_hosts), _without_query(ended)


async def is_logged_in(login: SavedLogin, *, chromium: str = "", proxy: str = "") -> str:
    """Why a saved login is none any more, in one line; "" while it is one. Raises `BrowserUnavailable`."""
    signing = Signing(url=login.page or login.url, chromium=chromium, proxy=proxy)
    kinds = BrowserKinds(path=chromium)
    browser = _browser(signing, kinds, signing.url, login.state)
    try:
        opened = await browser.open(signing.url)
        if isinstance(opened, PageFailure):
            return f"{signing.url} cannot be opened: {opened.message}"
        if login.check:
            return "" if await _shows(browser, opened, login.check) else f"{signing.url} does not show {login.check!r}"
        rejection = reject_by_structure(await LiveReader().read(opened))
        return f"{signing.url} gives a {rejection.reason}" if rejection is not None else ""
    finally:
        await browser.close()
        await kinds.close()


def _browser(signing: Signing, kinds: BrowserKinds, other: str, state: StorageState = NO_STATE) -> PlaywrightBrowser:
    egress = EgressProxy(signing.url, other, way_out=way_out_of_walk((signing.url,), (), signing.proxy))
    return PlaywrightBrowser(kinds.first, ContextOptions(state=state), egress=egress, lean=True)


async def _shows(browser: PlaywrightBrowser, shown: Snapshot, check: str) -> bool:
    """Whether the open page has the element, or says the text."""
    if check.startswith(_SELECTOR_MARKS):
        selector = check.removeprefix("css=").removeprefix("xpath=")
        done = await take_steps(browser, (Step(wait_for=selector, seconds=CHECK_SECONDS),), {})
        return not isinstance(done, StepsFailed | PageFailure)
    observation = await LiveReader().read(shown)
    said = " ".join(
        [*(block.text for block in observation.blocks), *(link.label for link in observation.links)]
        + [control.name for control in observation.controls]
    )
    return " ".join(check.split()).casefold() in " ".join(said.split()).casefold()


async def _watched(
    signing: Signing, context: BrowserContext, page: Page, done: Callable[[], Awaitable[object]]
) -> tuple[StorageState, str]:
    """The latest state of a window until it is done with."""
    told = asyncio.ensure_future(done())
    state, ended, until = NO_STATE, signing.url, time.monotonic() + signing.seconds
    try:
        while time.monotonic() < until:
            try:
                state, ended = state_of(await context.storage_state()), page.url
                if signing.check and await _is_visible(page, signing.check):
                    return state, ended
            except Error:  # the window was closed, or is between two pages
                if page.is_closed():
                    return state, ended
            if told.done() and not told.cancelled() and told.exception() is None:
                return state, ended
            await asyncio.wait((told,), timeout=LOOK_SECONDS) if not told.done() else await asyncio.sleep(LOOK_SECONDS)
    finally:
        told.cancel()
    raise LoginFailed(
        f"nobody logged in within {signing.seconds:.0f} seconds",
        where=signing.url,
        advice="Give more time with --seconds",
    )


async def _is_visible(page: Page, check: str) -> bool:
    place = page.locator(check) if check.startswith(_SELECTOR_MARKS) else page.get_by_text(check)
    return await place.count() > 0 and await place.first.is_visible()


def _without_query(url: str) -> str:
    """Queries after a login may hold what logs in."""
    return urlsplit(url)._replace(query="", fragment="").geturl() if url.startswith("http") else ""
