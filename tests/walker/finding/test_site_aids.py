"""Each aid of a site is tried once, and what it names is inside the site."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Mapping

from perception.snapshot import Snapshot
from tests.sites.pages_on_loopback import serve_site
from tests.sites.serving import LoopbackSite
from tests.walker.finding.conftest import page
from walker.finding.aids.named_page import NamedPage
from walker.finding.polite_site import PoliteSite
from walker.finding.site_aids import SiteAids
from walker.rules.scope import WalkScope

HEAD = (
    '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
    '<link rel="search" type="application/opensearchdescription+xml" href="/osd.xml">'
    '<script src="_static/doctools.js"></script>'
)
FORM = '<form action="/find"><input type="search" name="q"></form>'
FOUND = '<ul><li><a href="/mantis.html">The vessel Mantis</a></li><li><a href="/other.html">Weather</a></li></ul>'
SITE: dict[str, str | bytes] = {
    "/": page("Reef", f'<p>Corals.</p><a href="/boats.html">Boats</a>{FORM}', HEAD),
    "/robots.txt": "Sitemap: map.xml\n",
    "/map.xml": "<urlset><url><loc>/far.html</loc></url><url><loc>https://elsewhere.example/x</loc></url></urlset>",
    "/feed.xml": "<rss><channel><item><title>News</title><link>/news.html</link></item></channel></rss>",
    "/osd.xml": '<OpenSearchDescription><Url type="text/html" template="/s?q={searchTerms}"/></OpenSearchDescription>',
    "/searchindex.js": 'Search.setIndex({"docnames":["boats"],"titles":["Boats"],"terms":{"keel":0},"titleterms":{}})',
}


async def aids_of(served: LoopbackSite) -> tuple[SiteAids, PoliteSite, tuple[NamedPage, ...]]:
    site = PoliteSite(served.home)
    aids = SiteAids(site, WalkScope(root_url=served.home))
    first = await site.page(served.home)
    assert isinstance(first, Snapshot)
    return aids, site, await aids.read(first, first)


async def found(
    pages: Mapping[str, str | bytes], *queries: str
) -> tuple[dict[str, int], list[tuple[str, ...]], Counter[str]]:
    """What each aid named, the paths that the site's own search found for each query, and what was asked for."""
    with serve_site(pages) as served:
        aids, site, _ = await aids_of(served)
        hits = [await aids.found_for(query) for query in queries]
        await site.close()
        paths = [tuple(one.url.removeprefix(served.home) for one in several) for several in hits]
        return aids.named, paths, Counter(served.asked)


async def test_every_aid_that_the_site_has_names_its_pages_once() -> None:
    named, _, asked = await found(SITE, "keel", "keel of the boat")
    assert named == {"sitemap": 1, "feed 1": 1, "Sphinx index": 1}
    for path in ("/map.xml", "/feed.xml", "/searchindex.js", "/osd.xml", "/llms.txt"):
        assert asked[path] == 1, path
    assert asked["/sitemap.xml"] == 0, "robots.txt names another"


async def test_the_index_of_the_site_is_searched_without_asking_the_site() -> None:
    _, paths, asked = await found(SITE, "the keel")
    assert paths == [("boats.html",)]
    assert not any(path.startswith(("/find", "/s?")) for path in asked)


async def test_a_search_form_that_finds_something_is_used() -> None:
    pages = {"/": page("Reef", FORM), "/find": page("Results", FOUND)}
    named, paths, asked = await found(pages, "vessel Mantis")
    assert paths == [("mantis.html",)]
    assert named == {"site search": 1}
    assert asked["/find?q=vessel+Mantis"] == 1


async def test_a_search_form_that_finds_nothing_is_not_asked_again() -> None:
    pages = {"/": page("Reef", FORM), "/find": page("Results", '<p>Loading ...</p><a href="/">Reef</a>')}
    named, paths, asked = await found(pages, "vessel", "keel")
    assert paths == [(), ()]
    assert named == {}
    assert sum(path.startswith("/find") for path in asked) == 1


async def test_a_search_form_that_wants_every_word_on_a_page_is_asked_for_the_rarest_one() -> None:
    pages = {
        "/": page("Reef", FORM),
        "/find?q=Mantis": page("Results", FOUND),
        "/find": page("Results", "<p>Nothing.</p>"),
    }
    with serve_site(pages) as served:
        aids, site, _ = await aids_of(served)
        found = await aids.found_for("Who built the vessel Mantis?")
        await site.close()
        searched = [path for path in served.asked if path.startswith("/find")]
    assert [one.url for one in found] == [served.home + "mantis.html"]
    assert searched == ["/find?q=Who+built+the+vessel+Mantis%3F", "/find?q=Mantis"]


async def test_a_result_is_known_by_the_snippet_below_it() -> None:
    results = [("77", "The fee for beeswax is ..."), ("78", "The ferry leaves at noon.")]
    listed = "".join(f'<li><a href="/{number}.html">Notice {number}</a><p>{said}</p></li>' for number, said in results)
    _, paths, _ = await found({"/": page("Guild", FORM), "/find": page("Results", f"<ul>{listed}</ul>")}, "beeswax")
    assert paths == [("77.html",)]


async def test_the_texts_of_an_index_are_pages() -> None:
    docs = {"docs": [{"location": "keel/", "title": "Keels", "text": "Two metres deep"}]}
    pages = {
        "/": page("Reef", "<p>Corals.</p>", '<meta name="generator" content="mkdocs-1.6.0">'),
        "/search/search_index.json": json.dumps(docs),
    }
    with serve_site(pages) as served:
        aids, site, (named,) = await aids_of(served)
        await site.close()
        kept = aids.as_page(named)
        assert (kept.url, kept.title, [line.text for line in kept.lines]) == (
            served.home + "keel/",
            "Keels",
            ["Two metres deep"],
        )


def bomb(megabytes: int) -> bytes:
    """A small file that unpacks to so many megabytes; they are never held at once here."""
    packed = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
    blank = b" " * (1 << 20)
    return packed.compress(b"<urlset>") + b"".join(packed.compress(blank) for _ in range(megabytes)) + packed.flush()


async def test_hostile_aids_name_nothing_and_cost_little() -> None:
    pages: dict[str, str | bytes] = {
        **SITE,
        "/map.xml": bomb(200),
        "/feed.xml": "<rss>" + "<a>" * 100_000,
        "/searchindex.js": "Search.setIndex(" + "[" * 1_000_000,
        "/llms.txt": "- [x](javascript:alert(1))\n" * 10_000,
        "/osd.xml": "<" * 1_000_000,
    }
    named, paths, _ = await found(pages, "keel")
    assert named == {}
    assert paths == [()]
