"""robots.txt and sitemaps of a real server."""

from __future__ import annotations

import gzip
from collections.abc import Iterator

import pytest

from tests.sites.serving import Answer, Asked, LoopbackSite, moved, serving
from walker.browser.http.http_client import HttpClient
from walker.crawl.fetch import site_files, sitemaps
from walker.crawl.fetch.politeness import Pace
from walker.crawl.fetch.retrying import Retries
from walker.crawl.fetch.robots import RobotsRules
from walker.crawl.fetch.site_files import READ_BYTES, SiteFiles
from walker.crawl.fetch.sitemaps import SitemapWalk
from walker.crawl.script.crawl_scope import CrawlScope
from walker.crawl.script.polite import Polite
from walker.crawl.script.spec import CrawlSpec


class Site(LoopbackSite):
    """Answers by path; notes who asks."""

    def __init__(self) -> None:
        super().__init__()
        self.answers: dict[str, Answer] = {}
        self.agents: set[str] = set()
        self.base = self.home.rstrip("/")

    def answer(self, asked: Asked) -> Answer | None:
        self.agents.add(asked.headers.get("User-Agent", ""))
        return self.answers.get(asked.target)


@pytest.fixture
def site() -> Iterator[Site]:
    with serving(Site()) as served:
        yield served


async def test_rules_come_from_the_server_through_a_redirect(site: Site) -> None:
    site.answers["/robots.txt"] = moved("/real")
    text = "User-agent: *\nDisallow: /ü/\nCrawl-delay: 3\nSitemap: /s.xml\n"
    site.answers["/real"] = Answer(gzip.compress(text.encode()), headers=(("Content-Encoding", "gzip"),))
    async with HttpClient(site.base, headers={"User-Agent": "Walker"}) as client:
        rules = RobotsRules(SiteFiles(client, Pace(Polite()), Retries(0)).text, "Walker")
        assert not (await rules.verdict(f"{site.base}/%C3%BC/a")).allowed
        assert (await rules.verdict(f"{site.base}/a")).allowed
        assert await rules.crawl_delay(site.base) == 3
        assert await rules.sitemaps(site.base) == (f"{site.base}/s.xml",)
    assert site.asked == ["/robots.txt", "/real"]
    assert site.agents == {"Walker"}


async def test_what_a_server_says_otherwise(site: Site) -> None:
    async with HttpClient(site.base, "http://127.0.0.1:9/") as client:
        files = SiteFiles(client, Pace(Polite()), Retries(0))
        assert (await RobotsRules(files.text, "Walker").verdict(f"{site.base}/a")).allowed
        site.answers["/robots.txt"] = Answer(status=503)
        assert (await RobotsRules(files.text, "Walker").verdict(f"{site.base}/a")).why == "robots.txt answers 503"
        assert (
            await RobotsRules(files.text, "Walker").verdict("http://127.0.0.1:9/a")
        ).why == "robots.txt cannot be fetched: the connection was refused"
        # What is refused by address is not waited for: its pages will say so.
        assert (await RobotsRules(files.text, "Walker").verdict("http://169.254.169.254/a")).allowed


async def test_sitemaps_come_from_the_server(site: Site) -> None:
    pages = f"<urlset><url><loc>{site.base}/a</loc></url><url><loc>http://other.test/b</loc></url></urlset>"
    site.answers["/s.xml.gz"] = Answer(gzip.compress(pages.encode()), kind="application/gzip")
    index = f"<sitemapindex><sitemap><loc>{site.base}/s.xml.gz</loc></sitemap><sitemap><loc>/gone</loc></sitemap></sitemapindex>"
    site.answers["/s.xml"] = Answer(index)
    scope = CrawlScope(CrawlSpec(start=site.base))
    async with HttpClient(site.base) as client:
        pace = Pace(Polite())
        usual = [f"{site.base}/sitemap.xml"]
        body = SiteFiles(client, pace, Retries(0)).body
        walk = SitemapWalk(body, lambda url: not scope.why_outside(url), unnamed=frozenset(usual))
        assert [url async for url in walk.addresses([f"{site.base}/s.xml", *usual])] == [f"{site.base}/a"]
    assert walk.problems == [f"{site.base}/gone: answers 404"], "nobody names the other"


async def test_a_sitemap_that_is_refused_slows_its_host_down(site: Site) -> None:
    site.answers["/s.xml"] = Answer(status=429, headers=(("Retry-After", "30"),))
    async with HttpClient(site.base) as client:
        pace = Pace(Polite())
        assert await SiteFiles(client, pace, Retries(0)).body(f"{site.base}/s.xml") == (429, b"")
        assert pace.next_free(site.base) > 25


async def test_a_sitemap_that_fails_once_is_asked_for_again(site: Site) -> None:
    answers = [Answer(status=503), Answer("<urlset><url><loc>/a</loc></url></urlset>")]
    site.answer = lambda _: answers.pop(0)  # type: ignore[method-assign,assignment]
    async with HttpClient(site.base) as client:
        walk = SitemapWalk(SiteFiles(client, Pace(Polite()), Retries(1, chance=lambda: -0.45)).body, lambda _: True)
        assert [url async for url in walk.addresses([f"{site.base}/s.xml"])] == [f"{site.base}/a"]
    assert walk.problems == []


async def test_of_files_beyond_their_bounds_the_first_part_counts(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    forbids = "User-agent: *\nDisallow: /private/\n"
    site.answers["/robots.txt"] = Answer(forbids + "# filler\n" * (READ_BYTES // 9 + 100) + "Disallow: /\n")
    locations = "".join(f"<url><loc>/{number}</loc></url>" for number in range(100))
    site.answers["/s.xml"] = Answer(f"<urlset>{locations}</urlset>")
    for module in (site_files, sitemaps):
        monkeypatch.setattr(module, "MOST_BYTES", 1000)
    async with HttpClient(site.base) as client:
        files = SiteFiles(client, Pace(Polite()), Retries(0))
        rules = RobotsRules(files.text, "Walker")
        assert not (await rules.verdict(f"{site.base}/private/a")).allowed
        assert (await rules.verdict(f"{site.base}/a")).allowed
        walk = SitemapWalk(files.body, lambda _: True)
        assert len([url async for url in walk.addresses([f"{site.base}/s.xml"])]) == 39
    assert walk.problems == [f"{site.base}/s.xml: larger than 0 MiB"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
async def test_rules_may_be_written_in_any_form_of_unicode(site: Site, encoding: str) -> None:
    site.answers["/robots.txt"] = Answer("User-agent: *\r\nDisallow: /ü\r\n".encode(encoding))
    async with HttpClient(site.base) as client:
        rules = RobotsRules(SiteFiles(client, Pace(Polite()), Retries(0)).text, "Walker")
        assert not (await rules.verdict(f"{site.base}/%C3%BC")).allowed
        assert (await rules.verdict(f"{site.base}/u")).allowed
