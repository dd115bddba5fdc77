"""A Chromium session through chromedriver, with blocking calls, which `SeleniumBrowser` makes in a separate thread."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from playwright.async_api import Error
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    InvalidElementStateException,
    StaleElementReferenceException,
    TimeoutException,
    WebDriverException,
)
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chromium.remote_connection import ChromiumRemoteConnection
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.common.proxy import Proxy
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.command import Command
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement
from urllib3.exceptions import HTTPError

from perception.snapshot import Redirect
from walker.browser.launch.chromium import FLAGS, ContextOptions
from walker.browser.launch.find_chromium import BrowserChoice
from walker.browser.network.cdp_traffic import OBSERVED_EVENTS, CdpTraffic, with_body
from walker.browser.page.page_bounds import DIALOGS_A_PAGE
from walker.browser.page.settled_page import as_one_line
from walker.browser.scripts.page_functions import init_script, page_function, undrawn_script
from walker.browser.selenium.chromedriver import Chromedriver, started_browser
from walker.browser.selenium.protocol_tap import PATTERNS, ProtocolTap
from walker.errors import BrowserUnavailable
from walker.seams.web.exchange import Exchange
from walker.seams.web.storage_state import StorageState, StoredCookie, state_of
from walker.seams.web.traffic import without_body
from walker.seams.web.way_out import CAN_HAND_OVER_PIPES

WORLD = "walker"
BUFFERED_BODIES = 4
"""Number of bodies of the largest size that the browser buffers."""
GIVEN_UP = "its page was closed"
DIALOGS_PASSED = 20
LOST = "the browser is gone"
_LEAVING = ("Page.frameStartedNavigating", "Page.frameScheduledNavigation", "Page.frameRequestedNavigation")
_ARRIVED = ("Page.frameNavigated", "Page.frameStoppedLoading", "Page.frameClearedScheduledNavigation")
_OBSERVED_EVENTS = frozenset(
    (
        *_LEAVING,
        *_ARRIVED,
        "Network.requestWillBeSent",
        "Network.responseReceived",
        "Network.loadingFailed",
        "Network.loadingFinished",
        "Page.downloadWillBegin",
    )
)
_GONE = (
    "invalid session id",
    "not connected",
    "not reachable",
    "disconnected",
    "crashed",
    "no such window",
    "Max retries",
)

START_SECONDS = 30
"""Seconds for chromedriver to notice that a browser is gone, which it reports only after a minute."""


class PageHeaders(msgspec.Struct, frozen=True, kw_only=True):
    """The headers of a page that a snapshot holds, several of a name joined by commas; "" without one."""

    retry_after: str = ""
    robots_tag: str = ""
    link: str = ""
    refresh: str = ""


class Happened(msgspec.Struct, kw_only=True):
    """Events of the browser since the last call."""

    redirects: tuple[Redirect, ...] = ()
    """Redirects of the last navigation."""
    downloads: tuple[str, ...] = ()
    """Names of files that were refused."""
    headers: PageHeaders = PageHeaders()
    """Of the last response that became the page."""
    is_leaving: bool = False
    """The page is navigating."""


class _Frame(msgspec.Struct):
    id: str


class _Response(msgspec.Struct):
    headers: dict[str, str] = {}


class _EventParams(msgspec.Struct, rename="camel"):
    """What is read of the events below; each has some of it."""

    request_id: str = ""
    loader_id: str = ""
    frame_id: str = ""
    type: str = ""
    navigation_type: str = ""
    suggested_filename: str = ""
    redirect_response: Redirect | None = None
    response: _Response | None = None
    frame: _Frame | None = None


class _Event(msgspec.Struct):
    method: str
    params: msgspec.Raw


class _Entry(msgspec.Struct):
    message: _Event


class SeleniumSession:
    """Raises Playwright's `Error` for failures in a page, as `IsolatedWorld` does, so that both drivers share the error handling;
    `is_lost` recognises a browser that is gone."""

    def __init__(
        self, driver: Chromedriver, choice: BrowserChoice, settings: ContextOptions, *, seconds: float
    ) -> None:
        self._chromedriver = driver
        config = ClientConfig(
            driver.address, timeout=int(seconds) + START_SECONDS, proxy=Proxy({"proxyType": "direct"})
        )
        connection = ChromiumRemoteConnection(driver.address, "goog", "chrome", client_config=config)
        own, profile = settings.own_headers, Path(driver.profile)
        self._tap = ProtocolTap(profile, own) if own and CAN_HAND_OVER_PIPES else None
        try:
            options = _options(driver.profile, started_browser(choice, driver.profile, self._tap), settings)
            self._driver = WebDriver(command_executor=connection, options=options)
        except (WebDriverException, HTTPError, OSError, BrowserUnavailable) as error:
            connection.close()  # type: ignore[no-untyped-call]
            self._close_tap()
            driver.kill()
            if isinstance(error, BrowserUnavailable):
                raise
            reason = next(iter(str(error).splitlines()), "no reason given")
            raise BrowserUnavailable(
                f"the browser does not start ({reason[:160]})", where=choice.path, advice="Run `walker doctor`"
            ) from None
        self._process = int(self._driver.capabilities.get("goog:processID", 0))
        self._moving = self._document = ""
        self._hops: list[Redirect] = []
        self._headers = PageHeaders()
        self.scripts: set[str] = set()
        """Requests of the page for scripts that were under way when events were last asked for."""
        self.is_broken = False
        """The connection was closed before the document arrived."""
        self._traffic = CdpTraffic(most_bytes=settings.most_bytes) if settings.traffic is not None else None
        self.frame = str(self.send("Page.getFrameTree")["frameTree"]["frame"]["id"])
        """Id of the main frame, which is that of the tab."""
        self.is_drawn = True
        """Whether the pages of the shown tab are drawn."""
        self._tabs = {True: self.frame}
        self._settings = settings
        self._scripts: list[dict[str, str]] = []
        self._prepare_tab()
        guard = init_script(page_function("page_world/dialogs.js", "guardPage"), DIALOGS_A_PAGE)
        self.add_script(guard)
        self.add_script(init_script(page_function("page_world/dialogs.js", "hearDialogs")), world=WORLD)

    def show(self, *, drawn: bool) -> None:
        """Show the tab whose pages are drawn, or the one whose pages get no frames, which is opened when it is wanted first. Where
        the browser has no such tab, its pages are drawn too."""
        if drawn == self.is_drawn:
            return
        is_new = drawn not in self._tabs
        if is_new:
            try:
                order = {"url": "about:blank", "enableBeginFrameControl": True}
                self._tabs[drawn] = str(self.send("Target.createTarget", order)["targetId"])
            except Error as error:
                if is_lost(error):
                    raise
                self._tabs[drawn], is_new = self._tabs[True], False
        self._ask(Command.SWITCH_TO_WINDOW, {"handle": self._tabs[drawn]})
        self.frame, self.is_drawn = self._tabs[drawn], drawn
        self._moving, self._document, self.is_broken = "", "", False
        self.scripts.clear()
        if is_new:
            self._prepare_tab()
            for script in self._scripts:
                self.send("Page.addScriptToEvaluateOnNewDocument", script)
            self.send("Page.addScriptToEvaluateOnNewDocument", {"source": undrawn_script()})

    def add_script(self, source: str, *, world: str = "") -> None:
        """Have a script run before those of each page, in this world, or the page's own."""
        script = {"source": source, "worldName": world} if world else {"source": source}
        self._scripts.append(script)
        self.send("Page.addScriptToEvaluateOnNewDocument", script)

    def _prepare_tab(self) -> None:
        settings = self._settings
        # For each tab: chromedriver allows downloads when it meets one.
        self.send("Browser.setDownloadBehavior", {"behavior": "deny"})
        size = {"width": settings.width, "height": settings.height, "deviceScaleFactor": settings.pixel_ratio}
        self.send("Emulation.setDeviceMetricsOverride", {**size, "mobile": False})
        self.send("Network.setBypassServiceWorker", {"bypass": True})
        if self._traffic is not None:
            # The bodies of a page are requested after it has loaded.
            kept = {"maxTotalBufferSize": BUFFERED_BODIES * settings.most_bytes}
            self.send("Network.enable", {**kept, "maxResourceBufferSize": settings.most_bytes})
        if self._tap is not None:
            self.send("Fetch.enable", PATTERNS)

    def send(self, method: str, arguments: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Send a command of the DevTools protocol, and return its result."""
        for _ in range(DIALOGS_PASSED):
            answer = self._ask("executeCdpCommand", {"cmd": method, "params": dict(arguments or {})})
            if answer is not None:
                found: dict[str, Any] = answer
                return found
            # A dialog of a cross-origin frame opened meanwhile; it is dismissed by the next command.
        raise Error("the page opened dialogs without end")

    def happened(self) -> Happened:
        """Events of the browser since the last call."""
        downloads: list[str] = []
        for entry in self._ask("getLog", {"type": "performance"}) or ():
            event = msgspec.json.decode(entry["message"], type=_Entry).message
            if self._traffic is not None and event.method in OBSERVED_EVENTS:
                self._traffic.receive(event.method, event.params)
            if event.method not in _OBSERVED_EVENTS:
                continue
            params = msgspec.json.decode(event.params, type=_EventParams)
            if event.method == "Page.downloadWillBegin":
                downloads.append(params.suggested_filename)
            elif params.type == "Document" and params.frame_id == self.frame:
                if params.response is not None:
                    self._headers = _headers_of(params.response)
                elif params.redirect_response is None:
                    self._hops, self._headers = [], PageHeaders()
                    self.scripts.clear()
                else:
                    self._hops.append(params.redirect_response)
            self._follow(event.method, params)
        return Happened(
            redirects=tuple(self._hops),
            downloads=tuple(downloads),
            headers=self._headers,
            is_leaving=bool(self._moving),
        )

    def take_traffic(self) -> list[Exchange]:
        """Exchanges finished since the last call; marked as truncated if the browser has dropped the body."""
        if self._traffic is None:
            return []
        taken = []
        for ended in self._traffic.take_ended():
            exchange = ended.exchange
            if ended.request:
                try:
                    exchange = with_body(exchange, self.send("Network.getResponseBody", {"requestId": ended.request}))
                except Error:
                    exchange = without_body(exchange, "unspecified", "the browser had dropped its body")
            taken.append(exchange)
        return taken

    def leave_traffic(self) -> list[Exchange]:
        """All unfinished exchanges with a response, without bodies, before the browser is closed."""
        if self._traffic is None:
            return []
        ended = self._traffic.take_ended()
        finished = [
            without_body(one.exchange, "unspecified", GIVEN_UP) if one.request else one.exchange for one in ended
        ]
        return [*finished, *self._traffic.take_left(GIVEN_UP)]

    def _follow(self, method: str, params: _EventParams) -> None:
        """Track whether the page is navigating, and whether its document arrived completely."""
        if method == "Network.requestWillBeSent" and params.type == "Document" and params.frame_id == self.frame:
            self._document, self.is_broken = params.request_id, False
        elif method == "Network.loadingFailed" and params.request_id == self._document:
            self.is_broken = True
        if method == "Network.requestWillBeSent" and params.type == "Script" and params.loader_id:
            # A worker's has no loader, and nobody tells of its end.
            self.scripts.add(params.request_id)
        elif method in ("Network.loadingFailed", "Network.loadingFinished"):
            self.scripts.discard(params.request_id)
        mine = self.frame in (params.frame_id, params.frame.id if params.frame else "")
        if method in _LEAVING and mine and params.navigation_type not in ("sameDocument", "historySameDocument"):
            self._moving = params.loader_id or "soon"
            return
        failed = method == "Network.loadingFailed" and params.request_id == self._moving
        if failed or (method in _ARRIVED and mine):
            self._moving = ""

    def find(self, selector: str) -> WebElement | None:
        """The first element that matches a selector, None for none."""
        script = f"return ({page_function('steps/finding.js', 'findToOperate')})(...arguments)"
        found = self._ask(Command.W3C_EXECUTE_SCRIPT, {"script": script, "args": [selector]})
        return found if isinstance(found, WebElement) else None

    def press(self, place: WebElement) -> bool:
        """Click it; False if it is hidden or covered."""
        return _reaches(place.click)

    def fill(self, place: WebElement, text: str) -> bool:
        """Type into it and press Enter; False if it is hidden or covered."""

        def type_in() -> None:
            place.clear()
            place.send_keys(text, Keys.ENTER)

        return _reaches(type_in)

    def cookies(self) -> tuple[StoredCookie, ...]:
        """All cookies of the profile."""
        return state_of(self.send("Network.getAllCookies")).cookies

    def restore(self, state: StorageState) -> None:
        """Add these cookies to the profile, except those that the browser refuses; local storage is set when a page of its origin is
        opened."""
        for cookie in state.as_playwright()["cookies"]:
            kept = {name: value for name, value in cookie.items() if name != "expires" or value > 0}
            with contextlib.suppress(Error):
                self.send("Network.setCookies", {"cookies": [kept]})
        if state.origins:
            stored = {one.origin: [[item.name, item.value] for item in one.local_storage] for one in state.origins}
            self.add_script(init_script(page_function("local_storage.js", "restoreStorage"), stored), world=WORLD)

    def close_popups(self) -> list[str]:
        """Close popups and return their URLs."""
        closed = []
        for target in self.send("Target.getTargets")["targetInfos"]:
            is_mine = target["targetId"] in self._tabs.values()
            if target["type"] == "page" and not is_mine and not target["url"].startswith("chrome"):
                self.send("Target.closeTarget", {"targetId": target["targetId"]})
                closed.append(str(target["url"]))
        return closed

    def kill(self) -> None:
        """Kill the browser; pending calls of other threads fail."""
        self._close_tap()
        self._chromedriver.kill(self._process)
        self._driver.command_executor.close()  # type: ignore[union-attr]

    def _close_tap(self) -> None:
        if self._tap is not None:
            self._tap.close()

    def _ask(self, command: str, arguments: dict[str, Any]) -> Any:
        try:
            return self._driver.execute(command, arguments)["value"]
        except (WebDriverException, HTTPError, OSError) as error:
            raise _page_error(error) from None


def _headers_of(response: _Response) -> PageHeaders:
    headers = {name.lower(): value for name, value in response.headers.items()}
    return PageHeaders(
        retry_after=headers.get("retry-after", ""),
        robots_tag=as_one_line(headers.get("x-robots-tag", "")),
        link=as_one_line(headers.get("link", "")),
        refresh=headers.get("refresh", ""),
    )


def is_lost(error: Error) -> bool:
    """Whether the browser, its tab or its driver is gone."""
    return error.message.startswith(LOST)


def _reaches(work: Callable[[], None]) -> bool:
    try:
        work()
    except (ElementNotInteractableException, ElementClickInterceptedException, InvalidElementStateException):
        return False
    except StaleElementReferenceException:
        return False
    except (WebDriverException, HTTPError, OSError) as error:
        raise _page_error(error) from None
    return True


def _page_error(error: Exception) -> Error:
    words = (error.msg or "") if isinstance(error, WebDriverException) else str(error)
    line = next(iter(words.splitlines()), "")
    if isinstance(error, TimeoutException):
        # chromedriver's immediate error when a page navigates during a script; its own time limit is five minutes.
        return Error("Execution context was destroyed")
    is_gone = not isinstance(error, WebDriverException) or any(part in words for part in _GONE)
    return Error(f"{LOST}: {line}" if is_gone else words)


def _options(profile: str, browser: str, settings: ContextOptions) -> Options:
    options = Options()
    options.binary_location = browser
    options.page_load_strategy = "none"
    options.unhandled_prompt_behavior = "dismiss"
    options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
    flags = [*FLAGS, "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={profile}"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        flags.append("--no-sandbox")  # Chromium's sandbox refuses to work for root
    if settings.proxy:
        # By default Chromium bypasses a proxy for loopback addresses.
        flags += [f"--proxy-server=http://{settings.proxy}", "--proxy-bypass-list=<-loopback>"]
    if settings.user_agent:
        flags.append(f"--user-agent={settings.user_agent}")
    if settings.traffic is not None:
        # chromedriver receives no events of out-of-process frames.
        flags.append("--disable-site-isolation-trials")
    if settings.language:
        flags.append(f"--lang={settings.language}")
    for flag in flags:
        options.add_argument(flag)
    return options


msgspec.json.Decoder(_Entry)  # described at import: docs/design/msgspec.md
msgspec.json.Decoder(_EventParams)  # described at import: docs/design/msgspec.md
