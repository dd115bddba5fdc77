"""Pages of our own, in front of a browser that never hears of their addresses."""

from __future__ import annotations

from perception.document.reading import observe
from perception.geometry import Box
from perception.snapshot import Snapshot
from walker.rules.scope import WalkScope
from walker.seams.actions import Operate, Scroll
from walker.seams.protocols import PageFailure
from walker.seams.search_protocols import SearchFailure, TextHit, TextSearch
from walker.seams.searches import pictures_address, search_address, start_address
from walker.search.found_pages import HITS_SHOWN, Source, found_page, hits_within, merge
from walker.search.own_pages import OwnPagesBrowser, roots_page
from walker.testing.fakes import PaperSite
from walker.testing.scripted_searches import ScriptedTextSearch

HOME, OTHER = "https://reef.example/", "https://museum.example/?a=1&b=2"


def hit(url: str, title: str = "", query: str = "") -> TextHit:
    return TextHit(url=url, title=title or url, snippet="<b>About</b> it.", query=query)


def within(search: TextSearch, *, opens_hits: bool = False) -> Source:
    return Source(search, hits_within(WalkScope(root_url=HOME, opens_hits=opens_hits)))


def links(shown: Snapshot | PageFailure) -> list[tuple[str, str]]:
    assert isinstance(shown, Snapshot)
    return [(link.label, link.url) for link in observe(shown).links]


async def test_the_roots_are_a_page_of_links_in_their_order() -> None:
    browser = OwnPagesBrowser(PaperSite({HOME: "<h1>Reef</h1>"}), roots_page(clock=lambda: 7.0))
    start = start_address((OTHER, HOME))
    shown = await browser.open(start)
    assert links(shown) == [(OTHER, OTHER), (HOME, HOME)]
    assert isinstance(shown, Snapshot)
    assert (shown.url, shown.final_url, shown.status, shown.fetched_at) == (start, start, 200, 7.0)
    assert isinstance(await browser.act(Operate(action=Scroll())), PageFailure)
    assert isinstance(await browser.see(), PageFailure)
    assert isinstance(await browser.open(HOME), Snapshot)
    await browser.close()


async def test_what_nothing_answers_never_reaches_the_browser_behind() -> None:
    live = PaperSite({HOME: "<h1>Reef</h1>"})
    browser = OwnPagesBrowser(live, roots_page())
    for url in (search_address("keel"), pictures_address(HOME, Box(x=0, y=0, width=1, height=1)), start_address(())):
        assert isinstance(await browser.open(url), PageFailure)
    await browser.fetch_ahead((search_address("keel"), HOME))
    assert live.opened == []


async def test_hits_of_several_queries_are_merged_and_name_their_queries() -> None:
    web = ScriptedTextSearch(
        {
            "keel": (hit(HOME + "a", "A", "keel"), hit(HOME + "b", "B <i>", "keel")),
            "depth": (hit(HOME + "b", "B again", "depth"), hit(HOME + "c", "C", "depth")),
        }
    )
    browser = OwnPagesBrowser(PaperSite({}), found_page((within(web),)))
    shown = await browser.open(search_address("keel", "depth"))
    assert links(shown) == [("B <i>", HOME + "b"), ("A", HOME + "a"), ("C", HOME + "c")]
    text = " ".join(block.text for block in observe(shown).blocks) if isinstance(shown, Snapshot) else ""
    assert "<b>About</b> it. found by “keel” “depth”" in text
    assert await browser.open(search_address("keel", "depth")) is shown
    assert web.asked == ["keel", "depth"], "a page of hits is made once"


async def test_only_what_may_be_opened_is_a_link_and_failures_are_told() -> None:
    hostile = (
        *(hit(url) for url in ("file:///etc/passwd", "javascript:alert(1)", search_address("x"), "http://", "")),
        hit("https://else.example/x"),
        hit(HOME + "x.exe"),
        hit(HOME + "fine"),
    )
    web = ScriptedTextSearch({"q": hostile, "r": SearchFailure(kind="limited", message="too many requests")})
    for opens_hits, expected in ((False, [HOME + "fine"]), (True, ["https://else.example/x", HOME + "fine"])):
        made = found_page((within(web, opens_hits=opens_hits),))
        shown = await OwnPagesBrowser(PaperSite({}), made).open(search_address("q", "r"))
        assert [url for _, url in links(shown)] == expected
        assert isinstance(shown, Snapshot)
        assert "too many requests" in shown.html
        assert f"{8 - len(expected)} pages were found that this walk may not open" in shown.html
        assert [notice.text for notice in shown.notices] == ["too many requests"], "what a person is told"


async def test_nothing_found_is_a_page_without_links() -> None:
    shown = await OwnPagesBrowser(PaperSite({}), found_page(())).open(search_address("keel"))
    assert links(shown) == []
    assert isinstance(shown, Snapshot)
    assert "Nothing was found." in shown.html


def test_the_first_list_shows_a_page_that_several_have() -> None:
    shelf, web = [hit(HOME + "b", "Ours", "q")], [hit(HOME + "a", "A", "q"), hit(HOME + "b#part", "Theirs", "q")]
    merged = merge((shelf, web), 5)
    assert [one.hit.title for one in merged] == ["Ours", "A"]
    assert merged[0].queries == ("q",)
    assert len(merge(([hit(f"{HOME}{n}") for n in range(50)],), HITS_SHOWN)) == HITS_SHOWN


async def test_private_addresses_are_opened_only_where_a_person_named_them() -> None:
    private = [f"http://{host}/x" for host in ("127.0.0.1:8080", "localhost", "10.0.0.7", "[::1]:9", "wiki")]
    web = ScriptedTextSearch({"q": tuple(hit(url) for url in (*private, "https://else.example/x"))})
    for also, expected in (((), []), (("wiki", "127.0.0.1:8080"), [private[0], private[4]])):
        within = hits_within(WalkScope(root_url=search_address("q"), also=also, opens_hits=True))
        shown = await OwnPagesBrowser(PaperSite({}), found_page((Source(web, within),))).open(search_address("q"))
        assert [url for _, url in links(shown)] == [*expected, "https://else.example/x"]
        assert isinstance(shown, Snapshot)
        assert f"at private addresses, which --also HOST opens: {5 - len(expected)}" in shown.html
