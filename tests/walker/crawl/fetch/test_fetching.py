from __future__ import annotations

import msgspec

from perception.element_map import View
from perception.geometry import Box
from perception.snapshot import Snapshot
from walker.crawl.fetch.fetching import Fetched, Fetcher
from walker.crawl.fetch.politeness import ANSWERS_A_CHANGE, Pace
from walker.crawl.fetch.retrying import Retries
from walker.crawl.fetch.robots import RobotsRules
from walker.crawl.job_records import Lease
from walker.crawl.script.polite import Polite
from walker.seams.actions import Operate
from walker.seams.protocols import PageFailure

ROOT = "http://made.example"
URL = f"{ROOT}/page"


class Rendering:
    """A `seams.Browser` that has every page at once, and says how long its server took to answer."""

    answer_seconds = 0.0

    async def open(self, url: str) -> Snapshot | PageFailure:
        page = Snapshot(url=url, final_url=url, status=200, html="<p>A page")
        return msgspec.structs.replace(page, answer_seconds=self.answer_seconds)

    async def act(self, move: Operate) -> PageFailure:
        return PageFailure(url=URL, kind="gone", message=f"{type(move).__name__}: nothing is there")

    async def see(self, *, whole: bool = False, box: Box | None = None, scale: float = 1.0) -> View | PageFailure:
        del whole, box, scale
        return PageFailure(url=URL, kind="other", message="there are no pictures")

    async def fetch_ahead(self, urls: tuple[str, ...]) -> None: ...

    async def close(self) -> None: ...


async def _no_file(url: str) -> tuple[int, str]:
    del url
    return 404, ""


async def test_a_host_is_judged_by_its_answers_and_not_by_the_rendering() -> None:
    pace, browser = Pace(Polite(per_host=4)), Rendering()
    fetcher = Fetcher(RobotsRules(_no_file, "Walker", obey=True), pace, Retries(0), environment={})
    for answer_seconds, window in ((0.3, 4), (3.0, 3), (3.0, 2)):
        browser.answer_seconds = answer_seconds
        for _ in range(ANSWERS_A_CHANGE):
            assert isinstance(await fetcher.fetch(Lease(id=1, url=URL, key=URL), browser), Fetched)
        assert pace.window(ROOT) == window
