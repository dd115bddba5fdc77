"""A Chromium that a person runs: pages are opened in a context of our own, and nothing of theirs is touched."""

from __future__ import annotations

from playwright.async_api import Browser, Error, Playwright

from walker.browser.launch.cdp_address import check_cdp
from walker.browser.launch.chromium import START_SECONDS, Chromium
from walker.browser.launch.find_chromium import BrowserChoice
from walker.errors import BrowserUnavailable
from walker.seams.web.storage_state import StorageState, state_of

ADVICE = "Start it with --remote-debugging-port=9222 and a --user-data-dir of its own"


class RunningChromium(Chromium):
    """Connected to on first use; `close` leaves it running."""

    def __init__(self, address: str) -> None:
        """Raises `UsageError` for an address that is not on this machine."""
        super().__init__(BrowserChoice(path=check_cdp(address), source="named"))
        self._address = address

    async def cookies_for(self, urls: tuple[str, ...]) -> StorageState:
        """The cookies that the person's own pages send to these addresses. Raises `BrowserUnavailable`."""
        browser = await self._running()
        theirs = browser.contexts[0] if browser.contexts else None
        if theirs is None or not urls:
            return StorageState()
        return state_of({"cookies": await theirs.cookies(list(urls))})

    async def _start(self, playwright: Playwright) -> Browser:
        try:
            return await playwright.chromium.connect_over_cdp(self._address, timeout=START_SECONDS * 1000)
        except Error as error:
            await playwright.stop()
            self._playwright = None
            reason = next((line for line in error.message.splitlines() if line.strip()), "no reason given")
            raise BrowserUnavailable(
                f"no browser answers there ({reason[:120]})", where=self._address, advice=ADVICE
            ) from None
