"""One Chromium per process; every walk has its own browser context in it."""

from __future__ import annotations

import asyncio
import os
import time
from collections import deque
from types import TracebackType
from typing import Any

import msgspec
from playwright.async_api import Browser, BrowserContext, Error, Playwright

from walker.browser.launch.find_chromium import BrowserChoice
from walker.browser.launch.playwright_driver import start_driver
from walker.browser.launch.virtual_display import VirtualDisplay
from walker.errors import BrowserUnavailable
from walker.seams.web.borders import Borders
from walker.seams.web.own_headers import NO_HEADERS, OwnHeaders
from walker.seams.web.storage_state import NO_STATE, StorageState
from walker.seams.web.traffic import Traffic

FLAGS = (
    # Background services contact the vendor's hosts at every start; a walk must contact its site only.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
    "--mute-audio",
    # From how far away lazy pictures are loaded follows from how fast the network seems to be, which differs from visit to visit.
    "--force-effective-connection-type=4G",
    # WebRTC would bypass the egress proxy.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy",
)
START_SECONDS = 30.0
CLOSE_SECONDS = 5.0
STARTS_AT_MOST = 2
STARTS_WITHIN_SECONDS = 60.0
"""Seconds; a browser may crash once in a while in a batch of hours, but one that crashes right after its restart is broken."""


class ContextOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of a browser context."""

    proxy: str = ""
    """host:port of the egress proxy, "" for none."""
    width: int = 1280
    height: int = 800
    pixel_ratio: float = 1.0
    """Device pixels per CSS pixel."""
    language: str = ""
    user_agent: str = ""
    """"" for the browser's default."""
    state: StorageState = NO_STATE
    """User-Agent."""
    traffic: Traffic | None = None
    """Receives the network traffic."""
    most_bytes: int = 32 << 20
    """Size limit of one response, decompressed, and of the rendered markup."""
    file_seconds: float = 0.0
    """Time limit for a document (PDF, Word, CSV ...) to be read, which is then opened as a page made from it; 0 where none is, as in
    crawls, which fetch files by themselves."""
    own_headers: OwnHeaders = NO_HEADERS
    """Header fields for requests over https to their hosts; those over http are the egress proxy's."""
    borders: Borders | None = None
    """Where documents may come from; None for anywhere."""
    most_elements: int = 1_000_000
    """Most elements of a page in a crawl; one with more is not serialised."""


class Chromium:
    """Started on first use; an async context manager, which closes it in any case.

    Playwright drives Chromium through a pipe: when this process dies, even by kill -9, the pipe closes, and the driver
    and all Chromium processes exit.
    """

    def __init__(self, choice: BrowserChoice, *, headed: bool = False, virtual: bool = False) -> None:
        """With `virtual`, its windows are on a display of their own, which nobody sees."""
        self._choice, self._headed, self._virtual = choice, headed, virtual
        self._playwright: Playwright | None = None
        self._display: VirtualDisplay | None = None
        self._browser: Browser | None = None
        self._starts: deque[float] = deque(maxlen=STARTS_AT_MOST)
        self._lock = asyncio.Lock()

    async def __aenter__(self) -> Chromium:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def new_context(self, settings: ContextOptions) -> BrowserContext:
        """A new, empty browser context. Starts the browser, and restarts it after a crash. Raises `BrowserUnavailable`."""
        browser = await self._running()
        options: dict[str, Any] = {
            "accept_downloads": False,
            "service_workers": "block",
            "viewport": {"width": settings.width, "height": settings.height},
            "device_scale_factor": settings.pixel_ratio,
            "permissions": [],
        }
        if settings.proxy:
            # By default Chromium bypasses a proxy for loopback addresses.
            options["proxy"] = {"server": f"http://{settings.proxy}", "bypass": "<-loopback>"}
        if settings.user_agent:
            options["user_agent"] = settings.user_agent
        if settings.state != NO_STATE:
            options["storage_state"] = settings.state.as_playwright()
        if settings.language:
            options["locale"] = settings.language
        return await browser.new_context(**options)

    @property
    def alive(self) -> bool:
        """Whether the browser is running."""
        return self._browser is not None and self._browser.is_connected()

    async def close(self) -> None:
        """Close the browser and its driver."""
        browser, playwright = self._browser, self._playwright
        self._browser = self._playwright = None
        if browser is not None:
            await _quietly(browser.close())
        if playwright is not None:
            await _quietly(playwright.stop())
        display, self._display = self._display, None
        if display is not None:
            await display.close()

    async def _running(self) -> Browser:
        async with self._lock:
            if self._browser is not None and self._browser.is_connected():
                return self._browser
            now = time.monotonic()
            if len(self._starts) == STARTS_AT_MOST and now - self._starts[0] < STARTS_WITHIN_SECONDS:
                raise died_again(self._choice)
            self._starts.append(now)
            await self.close()
            self._playwright = await start_driver()
            self._browser = await self._start(self._playwright)
            return self._browser

    async def _start(self, playwright: Playwright) -> Browser:
        flags = list(FLAGS)
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            flags.append("--no-sandbox")  # Chromium's sandbox refuses to work for root
        if self._headed and self._virtual:
            self._display = VirtualDisplay()
            flags += [f"--display={await self._display.start()}", "--ozone-platform=x11"]
        try:
            return await playwright.chromium.launch(
                executable_path=self._choice.path,
                headless=not self._headed,
                args=flags,
                timeout=START_SECONDS * 1000,
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
            )
        except Error as error:
            await _quietly(playwright.stop())
            self._playwright = None
            reason = next((line for line in error.message.splitlines() if line.strip()), "no reason given")
            raise BrowserUnavailable(
                f"the browser does not start ({reason[:160]})", where=self._choice.path, advice="Run `walker doctor`"
            ) from None


def died_again(choice: BrowserChoice) -> BrowserUnavailable:
    """The error for a browser that is not restarted again."""
    return BrowserUnavailable(
        "the browser crashed again right after its restart",
        where=choice.path,
        advice="Run `walker doctor`; the machine may be out of memory",
    )


async def _quietly(work: Any) -> None:
    """Ignore failures and hangs on closing, when the other end is gone already; the processes exit when the pipe closes."""
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await work
    except (Error, TimeoutError):
        return
