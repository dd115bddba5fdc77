"""The requests of a page that are under way, as the browser tells of them."""

from __future__ import annotations

import asyncio

from playwright.async_api import Page, Request

AWAITED = frozenset(("document", "stylesheet", "image", "font", "script", "xhr", "fetch", "other"))
"""Resource types that end by themselves and bring something that is shown; not media, pings, streams or sockets."""
SCRIPTS = frozenset(("script",))
"""All that a crawl waits for: a page tells by itself of what its scripts fetch, and nobody looks at the rest."""
MOST_ENDLESS = 1000
"""Addresses that are remembered as such."""


class RequestsUnderWay:
    """Implements `settled_page.Arrivals`."""

    def __init__(self, page: Page, awaited: frozenset[str] = AWAITED, *, learns: bool = False) -> None:
        """`awaited` are resource types. `learns`: an address that did not end in time is waited for on no further page; of a shared
        worker's script nobody tells that it has ended."""
        self._awaited, self._learns = awaited, learns
        self._endless: set[str] = set()
        self._requests: set[Request] = set()
        self._ended = asyncio.Event()
        page.on("request", self._on_request)
        page.on("requestfinished", self._on_ended)
        page.on("requestfailed", self._on_ended)

    @property
    def are_under_way(self) -> bool:
        """Whether a request has begun and not ended."""
        return bool(self._requests)

    async def ended(self, seconds: float, most_seconds: float) -> bool:
        """Wait until no request is under way. Whether all ended: none later than `seconds` after the one before, and all within
        `most_seconds`. Those that did not are not waited for again."""
        clock = asyncio.get_running_loop().time
        end = clock() + most_seconds
        while self._requests:
            self._ended.clear()
            try:
                async with asyncio.timeout(min(seconds, end - clock())):
                    await self._ended.wait()
            except TimeoutError:
                if self._learns and len(self._endless) < MOST_ENDLESS:
                    self._endless.update(request.url for request in self._requests)
                self._requests.clear()
                return False
        return True

    def _on_request(self, request: Request) -> None:
        if request.resource_type in self._awaited and request.url not in self._endless:
            self._requests.add(request)

    def _on_ended(self, request: Request) -> None:
        self._requests.discard(request)
        self._ended.set()
