"""Reads a site over HTTP as a crawl does: robots.txt obeyed, few requests at a time, pauses kept, egress checked."""

from __future__ import annotations

import time

from memory.url_key import origin_of
from perception.snapshot import Snapshot
from walker.browser.http.http_browser import HttpBrowser
from walker.browser.http.http_client import HttpClient
from walker.crawl.fetch.politeness import Pace
from walker.crawl.fetch.retrying import Retries, retry_after_seconds
from walker.crawl.fetch.robots import RobotsRules
from walker.crawl.fetch.site_files import SiteFiles
from walker.crawl.fetch.user_agent import agent_of
from walker.crawl.script.polite import Polite
from walker.seams.protocols import PageFailure
from walker.seams.site_reader import SiteFile
from walker.seams.web.storage_state import NO_STATE, StorageState
from walker.seams.web.way_out import PLAIN, WayOut

PATIENCE_SECONDS = 3.0
"""Most seconds that a request waits for its host: a walk that would wait longer leaves it."""
FILE_SECONDS = 5.0
"""For a file (PDF, Word, CSV ...) to be read; a longer one is left to the browser."""
PAGE_BYTES = 4 << 20
"""Of one page; a larger one is left to the browser."""


class PoliteSite:
    """Implements `walker.seams.site_reader.SiteReader`. Connections are made with the first request."""

    def __init__(
        self, root_url: str, *, page_seconds: float = 10.0, way_out: WayOut = PLAIN, state: StorageState = NO_STATE
    ) -> None:
        """`state` has the cookies of a person who has logged in."""
        polite = Polite(retries=0)
        self._root = root_url
        self._agent = agent_of(polite)
        self._page_seconds, self._way_out, self._state = page_seconds, way_out, state
        self._pace = Pace(polite)
        self._delays: dict[str, float] = {}
        self._made: tuple[HttpClient, RobotsRules] | None = None

    async def page(self, url: str) -> Snapshot | PageFailure:
        """Fetch the source of a page."""
        client, _ = self._opened()
        if refused := await self._refused(url):
            return refused
        origin = origin_of(url)
        async with self._pace.slot(origin):
            started = time.monotonic()
            opened = await HttpBrowser(client, file_seconds=FILE_SECONDS).open(url)
            seconds = time.monotonic() - started
        if isinstance(opened, PageFailure):
            self._pace.answered(origin, 0, seconds)
        else:
            self._pace.answered(origin, opened.status, seconds, retry_after_seconds(opened.retry_after, time.time()))
        return opened

    async def file(self, url: str, most_bytes: int) -> SiteFile | PageFailure:
        """Fetch a file, up to its limit."""
        client, _ = self._opened()
        if refused := await self._refused(url):
            return refused
        origin = origin_of(url)
        async with self._pace.slot(origin):
            started = time.monotonic()
            answer = await client.fetch(url, page_bytes=most_bytes, cut=True)
            seconds = time.monotonic() - started
        if isinstance(answer, PageFailure):
            self._pace.answered(origin, 0, seconds)
            return answer
        after = retry_after_seconds(answer.headers.get("retry-after", ""), time.time())
        self._pace.answered(origin, answer.status, seconds, after)
        return SiteFile(url=answer.final_url, status=answer.status, content_type=answer.content_type, body=answer.body)

    async def sitemaps(self) -> tuple[str, ...]:
        """The sitemaps that robots.txt of the root's host names."""
        _, robots = self._opened()
        return await robots.sitemaps(self._root)

    async def close(self) -> None:
        """Close the connections."""
        if self._made is not None:
            await self._made[0].close()
            self._made = None

    def _opened(self) -> tuple[HttpClient, RobotsRules]:
        if self._made is None:
            client = HttpClient(
                self._root,
                headers={"User-Agent": self._agent},
                page_bytes=PAGE_BYTES,
                page_seconds=self._page_seconds,
                connections=8,
                way_out=self._way_out,
            )
            client.restore(self._state)
            files = SiteFiles(client, self._pace, Retries(0))
            self._made = client, RobotsRules(files.text, self._agent)
        return self._made

    async def _refused(self, url: str) -> PageFailure | None:
        """Why the site may not be asked for this now, None if it may."""
        _, robots = self._opened()
        try:
            origin = origin_of(url)
        except ValueError:
            return PageFailure(url=url, kind="other", message="it is not a valid URL")
        verdict = await robots.verdict(url)
        if not verdict.allowed:
            return PageFailure(url=url, kind="other", message=verdict.why)
        if origin not in self._delays:
            self._delays[origin] = await robots.crawl_delay(url)
            if self._delays[origin]:
                self._pace.ask_for_delay(origin, self._delays[origin])
        if self._delays[origin] > PATIENCE_SECONDS or self._pace.next_free(origin) > PATIENCE_SECONDS:
            return PageFailure(url=url, kind="other", message="its host asks for more time between requests")
        return None
