"""Fetches robots.txt and sitemaps over plain HTTP."""

from __future__ import annotations

import asyncio
import time

from memory.url_key import origin_of
from walker.browser.http.http_client import HttpClient
from walker.crawl.fetch.politeness import Pace
from walker.crawl.fetch.retrying import WORTH_AGAIN_FAILURE, Retries, retry_after_seconds
from walker.crawl.fetch.robots_text import MOST_CHARACTERS
from walker.crawl.fetch.site_text import SiteText
from walker.crawl.fetch.sitemaps import MOST_BYTES
from walker.seams.protocols import PageFailure

READ_BYTES = 4 * MOST_CHARACTERS
"""Most bytes of a robots.txt; a character has at most four."""
_NEVER = 404
"""Status of a permanent failure: the crawl need not wait for it, and its pages will report the reason."""


class SiteFiles:
    """The fetch functions of `RobotsRules` and `SitemapWalk`. Sitemaps are subject to rate limits like pages."""

    def __init__(self, client: HttpClient, pace: Pace, retries: Retries) -> None:
        self._client, self._pace, self._retries = client, pace, retries

    async def text(self, url: str) -> tuple[int, str]:
        """Status and text of a robots.txt; without a response status 0, and why there is none."""
        answer = await self._client.fetch(url, page_bytes=READ_BYTES, cut=True)
        if isinstance(answer, PageFailure):
            return (0 if answer.kind in WORTH_AGAIN_FAILURE else _NEVER), answer.message
        return answer.status, SiteText().read(answer.body, is_last=True)

    async def body(self, url: str) -> tuple[int, bytes]:
        """Status and bytes of a sitemap; status 0 without a response. Retried like a page."""
        tries = 1
        while True:
            status, body, problem, after = await self._ask(url)
            if (wait := self._retries.retry_in(problem, tries, after)) is None:
                return status, body
            tries += 1
            await asyncio.sleep(wait)

    async def _ask(self, url: str) -> tuple[int, bytes, int | str, float | None]:
        """Status, bytes, the problem for the retry policy, and Retry-After in seconds."""
        origin = origin_of(url)
        async with self._pace.slot(origin):
            started = time.monotonic()
            answer = await self._client.fetch(url, page_bytes=MOST_BYTES + 1, cut=True)
            seconds = time.monotonic() - started
        if isinstance(answer, PageFailure):
            self._pace.answered(origin, 0, seconds)
            return 0, b"", answer.kind, None
        after = retry_after_seconds(answer.headers.get("retry-after", ""), time.time())
        self._pace.answered(origin, answer.status, seconds, after)
        return answer.status, answer.body, answer.status, after
