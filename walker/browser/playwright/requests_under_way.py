"""The requests of a page that are under way, as the browser tells of them."""

from __future__ import annotations

import asyncio

from playwright.async_api import Page, Request

AWAITED = frozenset(("document", "stylesheet", "image", "font", "script", "xhr", "fetch", "other"))
"""Resource types that end by themselves and bring something that is shown; not media, pings, streams or sockets."""


class RequestsUnderWay:
    """Implements `settled_page.Arrivals`."""

    def __init__(self, page: Page) -> None:
        self._requests: set[Request] = set()
        self._ended = asyncio.Event()
        page.on("request", self._on_request)
        page.on("requestfinished", self._on_ended)
        page.on("requestfailed", self._on_ended)

    async def ended(self, seconds: float) -> tuple[bool, bool]:
        """Wait until no request is under way. Whether any was; and whether all ended, none of them later than `seconds` after the one
        before. Those that did not are not waited for again."""
        if not self._requests:
            return False, True
        while self._requests:
            self._ended.clear()
            try:
                await asyncio.wait_for(self._ended.wait(), seconds)
            except TimeoutError:
                self._requests.clear()
                return True, False
        return True, True

    def _on_request(self, request: Request) -> None:
        if request.resource_type in AWAITED:
            self._requests.add(request)

    def _on_ended(self, request: Request) -> None:
        self._requests.discard(request)
        self._ended.set()
