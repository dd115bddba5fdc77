"""One Chromium for the whole process; every walk gets a context of its own in it."""

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
from walker.errors import BrowserUnavailable
from walker.seams.storage_state import NO_STATE, StorageState
from walker.seams.traffic import Traffic

FLAGS = (
    # Background services look for the vendor's hosts at every start; a walk talks to its site and to nobody else.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
    "--mute-audio",
    # WebRTC would go round the egress proxy.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy",
)
START_SECONDS = 30.0
CLOSE_SECONDS = 5.0
STARTS_AT_MOST = 2
STARTS_WITHIN_SECONDS = 60.0
"""A browser may die once in a while in a batch of hours; one that dies right after its restart is broken."""


class ContextOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How a walk's pages are opened."""

    proxy: str = ""
    """host:port of the egress proxy, "" for none."""
    width: int = 1280
    height: int = 800
    pixel_ratio: float = 1.0
    """Device pixels for one CSS pixel."""
    language: str = ""
    user_agent: str = ""
    """Empty for the browser's own."""
    state: StorageState = NO_STATE
    """Whom a site takes it for."""
    traffic: Traffic | None = None
    """Who keeps what is fetched."""
    most_bytes: int = 32 << 20
    """Of one answer, unpacked, and of the markup that a page made of it."""
    most_elements: int = 1_000_000
    """Of a page that is taken for a crawl; one with more is not serialised."""


class Chromium:
    """Started on first use; `async with` closes it, whatever happens.

    Playwright drives Chromium through a pipe: when this process dies, kill -9 included, the pipe closes and the driver
    and every Chromium process end by themselves.
    """

    def __init__(self, choice: BrowserChoice, *, headed: bool = False) -> None:
        self._choice, self._headed = choice, headed
        self._playwright: Playwright | None = None
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
        """A context with no memory of other walks. Starts the browser, and again when it died."""
        browser = await self._running()
        options: dict[str, Any] = {
            "accept_downloads": False,
            "service_workers": "block",
            "viewport": {"width": settings.width, "height": settings.height},
            "device_scale_factor": settings.pixel_ratio,
            "permissions": [],
        }
        if settings.proxy:
            # Chromium goes round a proxy for loopback addresses unless told so.
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
        """Whether the browser runs."""
        return self._browser is not None and self._browser.is_connected()

    async def close(self) -> None:
        """End the browser and its driver."""
        browser, playwright = self._browser, self._playwright
        self._browser = self._playwright = None
        if browser is not None:
            await _quietly(browser.close())
        if playwright is not None:
            await _quietly(playwright.stop())

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
    """The one line for a browser that is not started any more."""
    return BrowserUnavailable(
        "the browser died again right after its restart",
        where=choice.path,
        advice="Run `walker doctor`; a machine without memory left ends browsers",
    )


async def _quietly(work: Any) -> None:
    """Closing may fail or hang when the other end is gone already; the pipe's end takes care of the processes."""
    try:
        await asyncio.wait_for(work, CLOSE_SECONDS)
    except (Error, TimeoutError):
        return
