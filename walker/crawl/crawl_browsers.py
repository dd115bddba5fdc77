"""The browsers of one crawl, and its HTTP client for pages that need no browser."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING

from playwright.async_api import BrowserContext

from walker.browser.egress.egress_proxy import EgressProxy
from walker.browser.http.http_browser import HttpBrowser
from walker.browser.http.http_client import HttpClient
from walker.browser.launch.browser_kinds import BrowserKinds
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.page.shared_cookies import SharedCookies
from walker.browser.playwright.playwright_browser import PlaywrightBrowser
from walker.browser.playwright.tabs_home import TabsHome
from walker.crawl.fetch.safe_presses import guard_script
from walker.crawl.fetch.user_agent import agent_of
from walker.crawl.login import LoginBrowser, log_in
from walker.crawl.output.warc_traffic import WarcTraffic
from walker.crawl.rendering.auto_driver import AutoDriver
from walker.crawl.rendering.render_decisions import RenderDecisions
from walker.crawl.rendering.sparing_driver import DrawnPages, SparingDriver
from walker.crawl.script.spec import CrawlSpec
from walker.crawl.script.way_out_of_script import way_out_of
from walker.crawl.traps.templates import template_of
from walker.errors import UsageError
from walker.seams.protocols import StatefulBrowser
from walker.seams.web.storage_state import NO_STATE, StorageState, read_state, write_state
from walker.seams.web.traffic import Traffic
from walker.settings import BrowserKind, WindowPlace

if TYPE_CHECKING:
    from walker.browser.selenium.selenium_browser import SeleniumBrowser


class CrawlBrowsers:
    """An async context manager with as many browsers as the script allows concurrent pages; closes them in any case. A browser
    process starts with its first page."""

    def __init__(
        self,
        spec: CrawlSpec,
        *,
        chromium: str = "",
        browser: BrowserKind | None = None,
        windows: WindowPlace = "shown",
        environment: Mapping[str, str] = MappingProxyType({}),
        state: StorageState = NO_STATE,
    ) -> None:
        """`chromium` is the path of a program, "" to find one; `browser` its kind, None for the lightest that is there, and `windows`
        where one with a window has it. `environment` has the values of `${NAME}` in the script. `state` is of a person who has logged
        in. Raises `UsageError` where a value is missing, and for a window of Selenium's, which has none."""
        self._state, self._kinds = state, BrowserKinds(path=chromium, kind=browser, windows=windows)
        self._spec, self._environment = spec, environment
        if spec.driver == "selenium" and browser == "headed":
            raise UsageError(
                "driver: selenium opens no window", advice="Leave --browser headed out, or use --driver playwright"
            )
        self._way_out = way_out_of(spec, environment)
        self._open = contextlib.AsyncExitStack()
        named = [*spec.start, *(f"http://{host}/" for host in spec.scope.hosts if "*" not in host)]
        self._roots = tuple(dict.fromkeys(named if spec.login is None else [*named, spec.login.url]))
        warc = spec.output.warc
        self._traffic = WarcTraffic(warc, spec) if warc is not None else None
        if self._traffic is not None:
            self._open.callback(self._traffic.close)
        self.client = HttpClient(
            *self._roots,
            headers={"User-Agent": agent_of(spec.polite)},
            page_bytes=spec.page_bytes,
            page_seconds=spec.page_seconds,
            traffic=self._traffic,
            way_out=self._way_out,
        )
        self._cookies = SharedCookies(self.client.cookies)
        self.choices = RenderDecisions(template_of)
        """Decisions of the `auto` driver: which pages are read over HTTP, which are rendered, and why."""
        self._drawn = DrawnPages(template_of)
        self.browsers: tuple[StatefulBrowser, ...] = ()

    async def __aenter__(self) -> CrawlBrowsers:
        await self._open.enter_async_context(self.client)
        self.browsers = tuple(self._make() for _ in range(self._spec.concurrency))
        for browser in self.browsers:
            self._open.push_async_callback(browser.close)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._open.aclose()

    async def log_in(self) -> None:
        """Load the script's saved storage state into every browser, then log in.

        Raises:
            UsageError: the saved state cannot be read.
            LoginFailed: the steps did not log in.
        """
        spec = self._spec
        state = read_state(spec.state_in) if spec.state_in is not None else NO_STATE
        state = self._state.over(state)
        if spec.login is not None:
            # What is typed there is not recorded.
            person = self._rendered(None, alone=True)
            try:
                await person.restore(state)
                state = await log_in(person, spec.login, self._environment)
            finally:
                await person.close()
        if state != NO_STATE:
            self.client.restore(state)
            for browser in self.browsers:
                await browser.restore(state)

    async def save_state(self) -> None:
        """Write the current storage state to the file that the script names."""
        if self._spec.state_out is not None:
            state = self.client.state()
            for browser in self.browsers:
                state = (await browser.state()).over(state)
            write_state(self._spec.state_out, state)

    def _make(self) -> StatefulBrowser:
        if self._spec.driver == "http":
            return HttpBrowser(self.client)
        if self._spec.driver == "playwright" and self._spares_drawing:
            return SparingDriver(self._in_tabs(undrawn=True), self._in_tabs(), self._drawn)
        if self._spec.driver == "selenium" and self._spares_drawing:
            return self._sparing_selenium()
        rendered = self._rendered(self._traffic)
        if self._spec.driver != "auto":
            return rendered
        return AutoDriver(HttpBrowser(self.client), rendered, self.choices, self._cookies)

    def _rendered(self, traffic: Traffic | None, *, alone: bool = False) -> LoginBrowser:
        if self._spec.driver == "selenium":
            return self._selenium(traffic, alone=alone)
        return self._in_tabs(traffic, alone=alone)

    def _selenium(self, traffic: Traffic | None, *, alone: bool = False) -> SeleniumBrowser:
        # Selenium takes 0.2 s to import, and most crawls do not use it.
        selenium = importlib.import_module("walker.browser.selenium.selenium_browser")
        browser: SeleniumBrowser = selenium.SeleniumBrowser(
            self._kinds.choice,
            self._context(traffic),
            egress=self._new_egress(),
            page_seconds=self._spec.page_seconds,
            lean=True,
            scripts=(guard_script(),) if self._spec.press and not alone else (),
        )
        return browser

    def _sparing_selenium(self) -> SparingDriver:
        browser = self._selenium(self._traffic)
        undrawn = importlib.import_module("walker.browser.selenium.undrawn_tab").UndrawnTab(browser)
        return SparingDriver(undrawn, browser, self._drawn)

    @property
    def _spares_drawing(self) -> bool:
        """Whether pages are opened where nothing is drawn first. What is recorded would be recorded twice where they are opened again,
        and pages with steps would be."""
        has_steps = self._spec.press or any(rule.steps for rule in self._spec.pages)
        return self._kinds.choice.is_shell and not (has_steps or self._traffic is not None)

    def _context(self, traffic: Traffic | None) -> ContextOptions:
        spec = self._spec
        return ContextOptions(
            user_agent=agent_of(spec.polite),
            traffic=traffic,
            most_bytes=spec.page_bytes,
            most_elements=spec.page_elements,
            own_headers=self._way_out.headers,
        )

    def _in_tabs(
        self, traffic: Traffic | None = None, *, alone: bool = False, undrawn: bool = False
    ) -> PlaywrightBrowser:
        home, egress = self._new_home() if alone else self._shared_home
        return PlaywrightBrowser(
            home,
            self._context(traffic),
            page_seconds=self._spec.page_seconds,
            egress=egress,
            lean=True,
            undrawn=undrawn,
            prepare=None if alone else self._prepare,
        )

    async def _prepare(self, context: BrowserContext) -> None:
        """Prepare a context for the pages of the crawl."""
        if self._spec.press:
            await context.add_init_script(guard_script())
        if self._spec.driver == "auto":
            await self._cookies.watch(context)

    @cached_property
    def _shared_home(self) -> tuple[TabsHome, EgressProxy]:
        """The context shared by the crawl's pages: alternating contexts cost nearly twice as much as one (bench/crawl.py)."""
        return self._new_home()

    def _new_home(self) -> tuple[TabsHome, EgressProxy]:
        home = TabsHome(self._chromium)
        self._open.push_async_callback(home.drop)
        return home, self._new_egress()

    def _new_egress(self) -> EgressProxy:
        return EgressProxy(*self._roots, most_bytes=self._spec.page_bytes, way_out=self._way_out)

    @cached_property
    def _chromium(self) -> Chromium:
        chromium = self._kinds.first
        self._open.push_async_callback(chromium.close)
        return chromium
