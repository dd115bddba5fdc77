"""A search is a page, and what a scout reads for it is read politely and within its budget."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from perception.document.reading import observe
from perception.snapshot import Snapshot
from tests.sites.pages_on_loopback import serve_site
from tests.sites.serving import LoopbackSite
from tests.walker.finding.conftest import PAGES, QUESTION, finding_browser, page
from walker.browser.http.http_browser import HttpBrowser
from walker.browser.http.http_client import HttpClient
from walker.finding import scout
from walker.finding.finding_browser import FindingBrowser
from walker.finding.polite_site import PoliteSite
from walker.seams.actions import Operate, Scroll
from walker.seams.protocols import PageFailure
from walker.seams.searches import search_address


async def hits_of(browser: FindingBrowser, query: str) -> tuple[str, ...]:
    opened = await browser.open(search_address(query))
    assert isinstance(opened, Snapshot)
    return tuple(link.url for link in observe(opened).links)


async def test_the_page_that_answers_is_found_two_clicks_away(browser: FindingBrowser, site: LoopbackSite) -> None:
    await browser.open(site.home)
    hits = await hits_of(browser, QUESTION)
    assert hits[0] == site.home + "boats.html"


async def test_a_search_is_made_once(browser: FindingBrowser, site: LoopbackSite) -> None:
    await browser.open(site.home)
    first = await browser.open(search_address(QUESTION))
    asked = len(site.asked)
    assert await browser.open(search_address(QUESTION)) == first
    assert len(site.asked) == asked


async def test_the_budget_holds_for_the_whole_walk(live: HttpBrowser, site: LoopbackSite) -> None:
    made = finding_browser(live, PoliteSite(site.home), site.home, pages=6)
    await made.open(site.home)
    for query in (QUESTION, "tides of day 7", "high water at noon", "mooring lines", "corals"):
        await made.open(search_address(query))
    read = [path for path in site.asked if path.endswith(".html")]
    assert len(read) <= 6
    await made.close()


async def test_pages_that_are_scouted_are_taken_apart_one_at_a_time(
    browser: FindingBrowser, site: LoopbackSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_apart, at_once, most = scout._seen_in, [0], [0]

    def watched(opened: Snapshot) -> object:
        at_once[0] += 1
        most[0] = max(most[0], at_once[0])
        time.sleep(0.05)  # the others come meanwhile
        seen = take_apart(opened)
        at_once[0] -= 1
        return seen

    monkeypatch.setattr(scout, "_seen_in", watched)
    await browser.open(site.home)
    await hits_of(browser, QUESTION)
    assert most == [1]


async def test_a_search_that_stands_on_a_further_page_is_asked() -> None:
    form, words = '<form action="/notices.html"><input type="search" name="q"></form>', "<p>Welcome.</p>" * 20
    pages = {
        "/": page("Guild", f'{words}<a href="/notices.html">Notices</a> <a href="/boats.html">Boats</a>'),
        "/boats.html": page("Boats", words),
        "/notices.html?q=beeswax": page(
            "Notices", '<p>1 result</p><a href="/notice/77.html">Notice 77, on beeswax</a>'
        ),
        "/notices.html": page("Notices", form + words),
        "/notice/77.html": page("Notice 77", "<p>The fee for imported beeswax is 43 crowns per barrel.</p>" * 5),
    }
    with serve_site(pages) as served:
        async with HttpClient(served.home) as client:
            made = finding_browser(HttpBrowser(client), PoliteSite(served.home), served.home)
            await made.open(served.home)
            hits = await hits_of(made, "What is the fee for beeswax?")
            await made.close()
        searched = [path for path in served.asked if "?q=" in path]
    assert hits[:1] == (served.home + "notice/77.html",)
    assert searched == ["/notices.html?q=What+is+the+fee+for+beeswax%3F", "/notices.html?q=beeswax"]


async def test_what_robots_txt_forbids_is_neither_read_nor_hidden(browser: FindingBrowser, site: LoopbackSite) -> None:
    await browser.open(site.home)
    await hits_of(browser, "crew of the vessel")
    assert not any(path.startswith("/secret") for path in site.asked)


async def test_a_page_that_only_an_aid_names_is_read_or_named(browser: FindingBrowser, site: LoopbackSite) -> None:
    await browser.open(site.home)
    assert site.home + "mooring.html" in await hits_of(browser, "How is a vessel moored?")
    shown = await browser.open(search_address("How is a vessel moored?"))
    assert isinstance(shown, Snapshot)
    assert "llms.txt: 2 pages named" in shown.html


async def test_where_nothing_is_found_it_says_on_how_many_pages(browser: FindingBrowser, site: LoopbackSite) -> None:
    await browser.open(site.home)
    shown = await browser.open(search_address("宿舍"))
    assert isinstance(shown, Snapshot)
    read = len({path for path in site.asked if path == "/" or path.endswith(".html")})
    assert f"none of these words stands on the {read} pages that were read" in shown.html


async def test_a_site_that_forbids_all_is_only_searched_in_what_the_walk_opened(live: HttpBrowser) -> None:
    with serve_site({**PAGES, "/robots.txt": "User-agent: *\nDisallow: /\n"}) as closed:
        async with HttpClient(closed.home) as client:
            made = finding_browser(HttpBrowser(client), PoliteSite(closed.home), closed.home)
            await made.open(closed.home)
            assert await hits_of(made, "corals of the station") == (closed.home,)
            assert sorted(set(closed.asked)) == ["/", "/robots.txt"]
            await made.close()
    del live


async def test_pages_that_scripts_fill_are_left_to_the_browser() -> None:
    shell = (
        '<html><head><title>App</title><script src="/app.js"></script></head><body><div id="app"></div></body></html>'
    )
    pages = {"/": page("Reef", '<p>Corals.</p><a href="/boats.html">Boats of the reef</a>'), "/boats.html": shell}
    with serve_site(pages) as served:
        async with HttpClient(served.home) as client:
            made = finding_browser(HttpBrowser(client), PoliteSite(served.home), served.home)
            await made.open(served.home)
            opened = await made.open(search_address("boats of the reef"))
            assert isinstance(opened, Snapshot)
            assert served.home + "boats.html" in {link.url for link in observe(opened).links}, "known by its name"
            assert "an empty shell: 1" in opened.html
            await made.close()


@pytest.mark.parametrize("is_file", [False, True])
async def test_a_page_that_is_left_to_the_browser_is_found_by_what_its_source_says(
    is_file: bool, tmp_path: Path
) -> None:
    lazy = page(
        "Crew", "<p>The welder of the Mantis is Ines Quail.</p>", '<script>import("/more.js")</script>'
    ).replace("</main>", '<div data-src="/rest.html" class="lazy"></div><div id="app"></div></main>')
    pages = {"/": page("Reef", '<p>Corals.</p><a href="/crew.html">People</a>'), "/crew.html": lazy}
    with serve_site(pages) as served:
        async with HttpClient(served.home) as client:
            path = tmp_path / "reef.library" if is_file else None
            made = finding_browser(HttpBrowser(client), PoliteSite(served.home), served.home, library=path)
            await made.open(served.home)
            hits = await made.search("Ines Quail, the welder", 5)
            assert [hit.url for hit in hits] == ([] if is_file else [served.home + "crew.html"])
            await made.close()


async def test_a_page_of_hits_is_not_operated_and_not_drawn(browser: FindingBrowser, site: LoopbackSite) -> None:
    await browser.open(site.home)
    await browser.open(search_address(QUESTION))
    assert isinstance(await browser.act(Operate(action=Scroll())), PageFailure)
    assert isinstance(await browser.see(), PageFailure)


async def test_a_search_before_any_page_opens_the_root_itself(browser: FindingBrowser, site: LoopbackSite) -> None:
    assert (await hits_of(browser, QUESTION))[0] == site.home + "boats.html"
    assert await hits_of(browser, "the of and") == ()


async def test_a_site_that_is_down_is_searched_without_an_error(live: HttpBrowser) -> None:
    made = finding_browser(live, PoliteSite("http://127.0.0.1:9/"), "http://127.0.0.1:9/")
    assert await hits_of(made, QUESTION) == ()
    await made.close()
