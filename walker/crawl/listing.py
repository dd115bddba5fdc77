"""What a crawl would begin with, and what robots.txt says of it: no page is fetched."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from types import MappingProxyType

import msgspec

from walker.crawl.crawl_browsers import CrawlBrowsers
from walker.crawl.crawling import sitemaps_of
from walker.crawl.fetch.politeness import Pace
from walker.crawl.fetch.retrying import Retries
from walker.crawl.fetch.robots import RobotsRules
from walker.crawl.fetch.site_files import SiteFiles
from walker.crawl.fetch.sitemaps import SitemapWalk
from walker.crawl.fetch.user_agent import agent_of
from walker.crawl.script.crawl_scope import CrawlScope
from walker.crawl.script.spec import CrawlSpec


class ListedAddress(msgspec.Struct, frozen=True, kw_only=True):
    """An address that a crawl knows before its first page."""

    url: str
    allowed: bool
    why: str = ""
    """Why it would not be fetched, "" if it would."""


async def list_addresses(
    spec: CrawlSpec, environment: Mapping[str, str] = MappingProxyType({})
) -> AsyncIterator[ListedAddress]:
    """The start addresses and those of the sitemaps, each with the decision of scope and robots.txt; only robots.txt and sitemaps are
    fetched, and no job is made. `environment` has the values of `${NAME}`."""
    spec = spec.model_copy(
        update={"driver": "http", "sitemaps": "robots" if spec.sitemaps == "none" else spec.sitemaps}
    )
    scope, seen = CrawlScope(spec), set[str]()
    async with CrawlBrowsers(spec, environment=environment) as browsers:
        files = SiteFiles(browsers.client, Pace(spec.polite), Retries(spec.polite.retries))
        robots = RobotsRules(files.text, agent_of(spec.polite), obey=spec.polite.robots)
        for url in spec.start:
            seen.add(url)
            yield await _decided(url, "", robots)
        sitemaps, unnamed = await sitemaps_of(spec, robots)
        walk = SitemapWalk(files.body, lambda _: True, unnamed=unnamed)
        async for url in walk.addresses(sitemaps):
            if url not in seen:
                seen.add(url)
                yield await _decided(url, scope.why_outside(url), robots)


async def _decided(url: str, outside: str, robots: RobotsRules) -> ListedAddress:
    if outside:
        return ListedAddress(url=url, allowed=False, why=outside)
    verdict = await robots.verdict(url)
    return ListedAddress(url=url, allowed=verdict.allowed, why=verdict.why)
