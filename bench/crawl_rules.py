"""What deciding costs in a crawl: scope, robots.txt, pace and sitemaps for each of 100,000 links, and the files at the end."""

from __future__ import annotations

import asyncio
import itertools
import os
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from figures import best_seconds, print_figure

from walker.crawl.fetch.politeness import Pace
from walker.crawl.fetch.robots import RobotsRules
from walker.crawl.fetch.sitemaps import SitemapParser
from walker.crawl.output.records import write_records
from walker.crawl.output.warc import WarcFile
from walker.crawl.script.crawl_scope import CrawlScope
from walker.crawl.script.polite import Polite
from walker.crawl.script.spec import CrawlSpec
from walker.seams.web.exchange import Exchange

LINKS = 100_000
URLS = [
    f"https://www.example.org/shop/category-{number % 300}/item-{number}?page={number % 7}&ref=list"
    for number in range(LINKS)
]


def seconds(work: Callable[[], object]) -> float:
    """Of CPU; of three tries the best."""
    return best_seconds(work, 3)


def figure(name: str, value: float, unit: str, most: float) -> None:
    print_figure(name, round(value, 2), unit, f"<= {most:g}", value <= most)


def scope() -> None:
    plain = CrawlScope(CrawlSpec(start="https://example.org/"))
    parts = {
        "include": ["/shop/**", "/blog/*", "re:/\\d{4}/"],
        "exclude": ["*print=1*", "*sort=*", "/shop/**/old/**", "re:[?&]page=\\d{3,}"],
    }
    ruled = CrawlScope(CrawlSpec(start="https://example.org/", scope=parts))
    figure("scope, a link", seconds(lambda: [plain.why_outside(url, 3) for url in URLS]) / LINKS * 1e6, "us", 10)
    figure(
        "scope with 7 patterns, a link",
        seconds(lambda: [ruled.why_outside(url, 3) for url in URLS]) / LINKS * 1e6,
        "us",
        25,
    )


def robots() -> None:
    text = "User-agent: *\n" + "".join(f"Disallow: /private-{number}/\nAllow: /x*{number}$\n" for number in range(250))

    async def fetch(_: str) -> tuple[int, str]:
        return 200, text

    async def ask() -> None:
        rules = RobotsRules(fetch, "Walker")
        for url in URLS[:20_000]:
            await rules.verdict(url)

    figure("robots.txt of 500 rules, a page", seconds(lambda: asyncio.run(ask())) / 20_000 * 1e6, "us", 400)


def pace() -> None:
    async def ask() -> None:
        hosts = Pace(Polite())
        for number in range(20_000):
            host = f"host-{number % 50}"
            async with hosts.slot(host):
                pass
            hosts.answered(host, 200, 0.01)

    figure("a slot of a host and its answer", seconds(lambda: asyncio.run(ask())) / 20_000 * 1e6, "us", 30)


def sitemaps() -> None:
    body = "<urlset>" + "".join(f"<url><loc>{url.replace('&', '&amp;')}</loc></url>" for url in URLS) + "</urlset>"

    def read() -> None:
        parser = SitemapParser("https://www.example.org/sitemap.xml")
        # The end tells that the last bytes are no half of a character reference: the last address comes with it.
        assert sum(1 for _ in itertools.chain(parser.feed(body.encode()), parser.close())) == LINKS

    figure("sitemap, an address", seconds(read) / LINKS * 1e6, "us", 80)


def files(folder: Path) -> None:
    rows = [
        {"url": url, "name": f"Item {number}", "price": number / 7, "tags": ["a", "b"]}
        for number, url in enumerate(URLS)
    ]
    for ending in (".jsonl", ".csv", ".sqlite", ".parquet"):
        figure(f"100,000 records to {ending}", seconds(partial(write_records, folder / f"a{ending}", rows)), "s", 6)
    page = os.urandom(1000).hex() * 20  # 40 kB that pack by half
    exchange = Exchange(url="https://example.org/", status=200, body=page.encode())

    def archive(warc: WarcFile) -> None:
        for _ in range(200):
            warc.add(exchange)

    with WarcFile(folder / "a.warc.gz", {}) as warc:
        figure("a page of 40 kB to WARC", seconds(partial(archive, warc)) / 200 * 1e3, "ms", 3)


if __name__ == "__main__":
    scope()
    robots()
    pace()
    sitemaps()
    with tempfile.TemporaryDirectory() as name:
        files(Path(name))
