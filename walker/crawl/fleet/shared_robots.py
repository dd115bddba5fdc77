"""Each robots.txt once for all workers of a job."""

from __future__ import annotations

from walker.crawl.fetch.robots import FetchText
from walker.crawl.job.shared.shared_job import SharedJob


class SharedRobots:
    """The fetch function of `RobotsRules`: what another worker has read within a day (RFC 9309, section 2.4) is not read again."""

    def __init__(self, job: SharedJob, fetch: FetchText) -> None:
        self._job, self._fetch = job, fetch

    async def text(self, url: str) -> tuple[int, str]:
        """Status and text of a robots.txt; without a response status 0, and why there is none."""
        known = self._job.robots_text(url)
        if known is not None:
            return known
        status, text = await self._fetch(url)
        if 0 < status < 500:
            self._job.keep_robots_text(url, status, text)
        return status, text
