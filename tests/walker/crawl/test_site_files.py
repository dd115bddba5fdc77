"""robots.txt and sitemaps of a real server."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from walker.browser.http_client import HttpClient
from walker.crawl.crawl_scope import CrawlScope
from walker.crawl.politeness import Pace
from walker.crawl.robots import RobotsRules
from walker.crawl.site_files import SiteFiles
from walker.crawl.sitemaps import SitemapWalk
from walker.crawl.spec import CrawlSpec, Polite


class Site:
    """Paths to (status, headers, body); notes what was asked and by whom."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.asked: list[str] = []
        self.agents: set[str] = set()
        self.home = ""


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append(self.path)
            site.agents.add(self.headers.get("User-Agent", ""))
            status, headers, body = site.answers.get(self.path, (404, {}, b"no"))
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    site.home = f"http://127.0.0.1:{server.server_port}"
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()


async def test_rules_come_from_the_server_through_a_redirect(site: Site) -> None:
    site.answers["/robots.txt"] = (302, {"Location": "/real"}, b"")
    text = "User-agent: *\nDisallow: /ü/\nCrawl-delay: 3\nSitemap: /s.xml\n"
    site.answers["/real"] = (200, {"Content-Encoding": "gzip"}, gzip.compress(text.encode()))
    async with HttpClient(site.home, headers={"User-Agent": "Walker"}) as client:
        rules = RobotsRules(SiteFiles(client, Pace(Polite())).text, "Walker")
        assert not await rules.allowed(f"{site.home}/%C3%BC/a")
        assert await rules.allowed(f"{site.home}/a")
        assert await rules.crawl_delay(site.home) == 3
        assert await rules.sitemaps(site.home) == (f"{site.home}/s.xml",)
    assert site.asked == ["/robots.txt", "/real"]
    assert site.agents == {"Walker"}


async def test_what_a_server_says_otherwise(site: Site) -> None:
    async with HttpClient(site.home, "http://127.0.0.1:9/") as client:
        files = SiteFiles(client, Pace(Polite()))
        assert await RobotsRules(files.text, "Walker").allowed(f"{site.home}/a")
        site.answers["/robots.txt"] = (503, {}, b"")
        assert (await RobotsRules(files.text, "Walker").verdict(f"{site.home}/a")).why == "robots.txt answers 503"
        assert (
            await RobotsRules(files.text, "Walker").verdict("http://127.0.0.1:9/a")
        ).why == "robots.txt cannot be had"
        # What is refused by address is not waited for: its pages will say so.
        assert await RobotsRules(files.text, "Walker").allowed("http://169.254.169.254/a")


async def test_sitemaps_come_from_the_server(site: Site) -> None:
    pages = f"<urlset><url><loc>{site.home}/a</loc></url><url><loc>http://other.test/b</loc></url></urlset>"
    site.answers["/s.xml.gz"] = (200, {"Content-Type": "application/gzip"}, gzip.compress(pages.encode()))
    index = f"<sitemapindex><sitemap><loc>{site.home}/s.xml.gz</loc></sitemap><sitemap><loc>/gone</loc></sitemap></sitemapindex>"
    site.answers["/s.xml"] = (200, {}, index.encode())
    scope = CrawlScope(CrawlSpec(start=site.home))
    async with HttpClient(site.home) as client:
        pace = Pace(Polite())
        walk = SitemapWalk(SiteFiles(client, pace).body, lambda url: not scope.why_outside(url))
        assert [url async for url in walk.addresses([f"{site.home}/s.xml"])] == [f"{site.home}/a"]
    assert walk.problems == [f"{site.home}/gone: answers 404"]


async def test_a_sitemap_that_is_refused_slows_its_host_down(site: Site) -> None:
    site.answers["/s.xml"] = (429, {"Retry-After": "30"}, b"")
    async with HttpClient(site.home) as client:
        pace = Pace(Polite())
        assert await SiteFiles(client, pace).body(f"{site.home}/s.xml") == (429, b"")
        assert pace.next_free(site.home) > 25
