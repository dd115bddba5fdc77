"""robots.txt of every origin of a crawl (RFC 9309), fetched once each.

| response | meaning |
|---|---|
| 200 | its rules; of a file above 500 KiB, those in the first 500 KiB |
| 4xx, or a redirect loop | everything is allowed |
| 429, 5xx, or none | undecided: fetched again later, and after the last try nothing is allowed in this crawl |
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

import msgspec
from protego import Protego

from memory.url_key import join_link, origin_of
from walker.crawl.fetch.robots_text import names_agent, readable_robots
from walker.crawl.fetch.user_agent import product_of

TRIES = 5
FIRST_WAIT_SECONDS = 5.0
"""Seconds until the next try after an undecided response; doubled after each further one."""
SILENT_TRIES, SILENT_WAIT_SECONDS = 3, 1.0
"""The same without any response: then its pages cannot be fetched either, and the user waits for the result."""

FetchText = Callable[[str], Awaitable[tuple[int, str]]]
"""URL -> status and text after redirects; without a response status 0, and why there is none."""


class RobotsVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a page may be fetched. `wait_seconds` > 0: undecided, ask again then."""

    allowed: bool
    wait_seconds: float = 0.0
    why: str = ""
    forbidden: bool = False
    """The file forbids it; False if the file could not be read."""


class _Known(msgspec.Struct, kw_only=True):
    """State of one origin."""

    rules: Protego | None = None
    agent: str = "*"
    """The name by which the file means this crawl."""
    tries: int = 0
    is_given_up: bool = False
    ask_again: float = 0.0
    refusal: str = ""
    lock: asyncio.Lock = msgspec.field(default_factory=asyncio.Lock)


class RobotsRules:
    """The rules of all origins. `agent` is the User-Agent of the crawl; with `obey=False` every page is allowed and only the
    sitemaps are read."""

    def __init__(
        self, fetch: FetchText, agent: str, *, obey: bool = True, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._fetch, self._agent, self._obey, self._clock = fetch, product_of(agent), obey, clock
        self._origins: dict[str, _Known] = {}

    async def verdict(self, url: str) -> RobotsVerdict:
        """Whether this URL may be fetched, now or later."""
        if not self._obey:
            return RobotsVerdict(allowed=True)
        known = await self._learn(url)
        if known.rules is not None:
            if known.rules.can_fetch(url, known.agent):
                return RobotsVerdict(allowed=True)
            return RobotsVerdict(allowed=False, why="robots.txt forbids it", forbidden=True)
        wait = 0.0 if known.is_given_up else max(0.001, known.ask_again - self._clock())
        return RobotsVerdict(allowed=False, wait_seconds=wait, why=known.refusal)

    async def crawl_delay(self, url: str) -> float:
        """The origin's Crawl-delay in seconds, 0 for none."""
        known = await self._learn(url) if self._obey else _Known()
        if known.rules is None:
            return 0.0
        rate = known.rules.request_rate(known.agent)
        delay = known.rules.crawl_delay(known.agent) or 0.0
        return max(delay, rate.seconds / rate.requests if rate and rate.requests else 0.0)

    async def sitemaps(self, url: str) -> tuple[str, ...]:
        """Absolute URLs of the sitemaps that the origin names, each once, in order."""
        rules = (await self._learn(url)).rules
        named = [join_link(f"{origin_of(url)}/robots.txt", sitemap) for sitemap in rules.sitemaps] if rules else []
        return tuple(dict.fromkeys(sitemap for sitemap in named if sitemap))

    async def _learn(self, url: str) -> _Known:
        origin = origin_of(url)
        known = self._origins.setdefault(origin, _Known())
        async with known.lock:
            is_settled = known.rules is not None or known.is_given_up
            if not is_settled and (known.tries == 0 or self._clock() >= known.ask_again):
                status, text = await self._fetch(f"{origin}/robots.txt")
                self._note(known, status, text)
        return known

    def _note(self, known: _Known, status: int, text: str) -> None:
        if status in (0, 429) or status >= 500:
            first = FIRST_WAIT_SECONDS if status else SILENT_WAIT_SECONDS
            known.ask_again = self._clock() + first * 2**known.tries
            known.tries += 1
            known.is_given_up = known.tries >= (TRIES if status else SILENT_TRIES)
            why = f": {text}" if text else ""
            known.refusal = f"robots.txt answers {status}" if status else f"robots.txt cannot be fetched{why}"
            return
        readable = readable_robots(text) if 200 <= status < 300 else ""
        known.rules = Protego.parse(readable)
        known.agent = self._agent if names_agent(readable, self._agent) else "*"
