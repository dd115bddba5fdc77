"""What a page costs by driver: CPU of the whole process tree for pages of the SQLite documentation, four at a time, and how
many of them `auto` reads over HTTP. Browsers are started outside the measure."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence

import psutil
from figures import print_figure
from testbeds import PAGES, SITES, serve_or_skip

from perception.snapshot import Snapshot
from walker.crawl.crawl_browsers import CrawlBrowsers
from walker.crawl.script.spec_loader import spec_of_root
from walker.seams.protocols import Browser

MOST, AT_A_TIME = 200, 4
DRIVEN = 60
"""Pages that Selenium opens."""


def tree_seconds() -> float:
    """CPU of this process and of all below it, those that ended included where they were waited for."""
    spent = 0.0
    for process in (psutil.Process(), *psutil.Process().children(recursive=True)):
        try:
            times = process.cpu_times()
        except psutil.Error:
            continue
        spent += times.user + times.system + times.children_user + times.children_system
    return spent


async def read_all(browsers: Sequence[Browser], urls: Sequence[str]) -> int:
    """How many were pages."""
    left = iter(urls)
    opened: list[object] = []

    async def read(browser: Browser) -> None:
        for url in left:
            opened.append(await browser.open(url))  # noqa: PERF401 - one after the other

    await asyncio.gather(*[read(browser) for browser in browsers])
    return sum(isinstance(page, Snapshot) for page in opened)


async def measure(driver: str, urls: Sequence[str], tell: Callable[[CrawlBrowsers], None] | None = None) -> float:
    """Milliseconds of CPU for a page."""
    async with CrawlBrowsers(spec_of_root(urls[0], driver=driver, concurrency=AT_A_TIME)) as browsers:
        if driver != "auto":
            await asyncio.gather(*[browser.open(urls[0]) for browser in browsers.browsers])
        started = tree_seconds()
        assert await read_all(browsers.browsers, urls) == len(urls)
        spent = tree_seconds() - started
        if tell is not None:
            tell(browsers)
    return spent / len(urls) * 1000


async def main() -> None:
    serve_or_skip()
    folder = PAGES["sqlite"]
    urls = [SITES["sqlite"] + path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*.html"))][:MOST]
    shares: list[float] = []

    def count(browsers: CrawlBrowsers) -> None:
        counts = browsers.choices.counts
        shares.append(sum(number for why, number in counts.items() if why.startswith("http")) / counts.total())
        sys.stderr.write("".join(f"auto: {number} x {why}\n" for why, number in counts.most_common()))

    auto = await measure("auto", urls, count)
    http = await measure("http", urls)
    rendered = await measure("playwright", urls)
    driven = await measure("selenium", urls[:DRIVEN])
    print_figure("auto: share read over HTTP", round(shares[0], 3), "", ">= 0.85", shares[0] >= 0.85)
    is_half = auto <= rendered / 2
    print_figure("auto: CPU of a page, browser's start included", round(auto, 1), "ms", "<= rendered / 2", is_half)
    print_figure("http: CPU of a page", round(http, 2), "ms", "<= 3", http <= 3)
    print_figure("playwright: CPU of a page", round(rendered, 1), "ms", "", True)
    print_figure("selenium: CPU of a page", round(driven, 1), "ms", "<= 2 x playwright", driven <= 2 * rendered)


if __name__ == "__main__":
    asyncio.run(main())
