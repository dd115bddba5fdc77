"""What a crawl reads of a site besides its pages, over plain HTTP: robots.txt and sitemaps."""

from __future__ import annotations

import time

from memory.url_key import origin_of
from walker.browser.http_client import HttpClient
from walker.crawl.politeness import Pace
from walker.crawl.retrying import WORTH_AGAIN_FAILURE, retry_after_seconds
from walker.crawl.sitemaps import MOST_BYTES
from walker.seams import PageFailure

_NEVER = 404
"""Status of what can never be had: a crawl need not wait for it, and its pages will tell why."""


class SiteFiles:
    """The fetch functions of `RobotsRules` and `SitemapWalk`. Sitemaps wait for their host as pages do."""

    def __init__(self, client: HttpClient, pace: Pace) -> None:
        self._client, self._pace = client, pace

    async def text(self, url: str) -> tuple[int, str]:
        """Status and text of a robots.txt; status 0 where nobody answered."""
        answer = await self._client.fetch(url)
        if isinstance(answer, PageFailure):
            return (0 if answer.kind in WORTH_AGAIN_FAILURE else _NEVER), ""
        return answer.status, answer.body.decode("utf-8", "replace")

    async def body(self, url: str) -> tuple[int, bytes]:
        """Status and bytes of a sitemap; status 0 where nobody answered."""
        origin = origin_of(url)
        async with self._pace.slot(origin):
            started = time.monotonic()
            answer = await self._client.fetch(url, page_bytes=MOST_BYTES)
            seconds = time.monotonic() - started
        if isinstance(answer, PageFailure):
            self._pace.answered(origin, 0, seconds)
            return (0 if answer.kind in WORTH_AGAIN_FAILURE else _NEVER), b""
        retry_after = retry_after_seconds(answer.headers.get("retry-after", ""), time.time())
        self._pace.answered(origin, answer.status, seconds, retry_after)
        return answer.status, answer.body
