"""What a page costs without a browser: CPU of this process for each page of the SQLite documentation, four at a time.

`--scrapy PYTHON` names an interpreter that has Scrapy, and measures it on the same pages.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time

from figures import print_figure
from testbeds import PAGES, SITES, serve_or_skip

from perception.snapshot import Snapshot
from walker.browser.http.http_browser import HttpBrowser
from walker.browser.http.http_client import HttpClient

MOST, AT_A_TIME, ROUNDS = 200, 4, 3
SPIDER = """
import logging, sys, time, scrapy
from scrapy.crawler import CrawlerProcess
class Pages(scrapy.Spider):
    name = "pages"
    start_urls = sys.argv[1].split()
    def parse(self, response):
        yield {"title": response.css("title::text").get()}
process = CrawlerProcess({"CONCURRENT_REQUESTS_PER_DOMAIN": 4, "LOG_ENABLED": False, "TELNETCONSOLE_ENABLED": False,
                          "DOWNLOAD_DELAY": 0})
process.crawl(Pages)
started = time.process_time()
process.start()
print(time.process_time() - started)
"""


async def read_all(urls: list[str]) -> tuple[float, float]:
    """Milliseconds of CPU and of the clock for a page."""
    async with HttpClient(urls[0]) as client:
        browser = HttpBrowser(client)
        left = iter(urls)
        opened: list[object] = []

        async def read() -> None:
            for url in left:
                opened.append(await browser.open(url))  # noqa: PERF401 - one after the other

        cpu, clock = time.process_time(), time.monotonic()
        await asyncio.gather(*[read() for _ in range(AT_A_TIME)])
        spent = (time.process_time() - cpu, time.monotonic() - clock)
    assert all(isinstance(page, Snapshot) for page in opened)
    return spent[0] / len(urls) * 1000, spent[1] / len(urls) * 1000


def main() -> None:
    serve_or_skip()
    folder = PAGES["sqlite"]
    urls = [SITES["sqlite"] + path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*.html"))][:MOST]
    rounds = [asyncio.run(read_all(urls)) for _ in range(ROUNDS)]
    cpu, clock = min(spent[0] for spent in rounds), min(spent[1] for spent in rounds)
    if "--scrapy" not in sys.argv:
        print_figure("http: CPU of a page", round(cpu, 2), "ms", "<= 3", cpu <= 3)
    else:
        python = sys.argv[sys.argv.index("--scrapy") + 1]
        command = [python, "-c", SPIDER, " ".join(urls)]
        theirs = min(float(subprocess.check_output(command, text=True)) for _ in range(ROUNDS)) / len(urls) * 1000
        print_figure("http: CPU of a page", round(cpu, 2), "ms", f"<= {theirs:.2f} (Scrapy)", cpu <= theirs)
    print_figure("http: time of a page, four at a time", round(clock, 2), "ms", "<= 10", clock <= 10)


if __name__ == "__main__":
    main()
