"""Pages that are not all there when they come: what they wait for is waited for, and what scrolling shows is read."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from perception.snapshot import Snapshot
from tests.sites.serving import Asked, LoopbackSite, serving
from walker.crawl.fetch import infinite_scroll as growing_pages
from walker.crawl.fetch.infinite_scroll import EVERY, TRIED, InfiniteScroll
from walker.seams.protocols import ScriptedBrowser

pytestmark = pytest.mark.asyncio(loop_scope="session")

WORDS = "<p>The harbour is open all year, and boats come and go with the tide.</p>" * 4
TALL = "<style>li { height: 300px }</style><ul id=rows></ul>"
ADD = "const add = (text) => rows.insertAdjacentHTML('beforeend', '<li>' + text + '</li>');"
ASK = "fetch('/slow').then((r) => r.text()).then(add);"
ON_END = "() => innerHeight + scrollY >= document.body.offsetHeight - 50"
MORE = (
    "let shown = 0; const more = () => { for (let n = 0; n < 5 && shown < MOST; n++) add('Row ' + shown++); }; more();"
)
FEW = f"{ADD} const MOST = 23; {MORE}"
LISTENS = f"{WORDS}{TALL}<script>{ADD} for (let n = 0; n < 9; n++) add('Row ' + n); addEventListener('scroll', () => 0)</script>"
PAGES = {
    "/asks": f"{WORDS}{TALL}<script>{ADD}{ASK}</script>",
    "/asks-as-before": f"{WORDS}{TALL}<script>{ADD} const asked = new XMLHttpRequest(); asked.open('GET', '/slow');"
    "asked.onload = () => add(asked.responseText); asked.send();</script>",
    "/waits": f"{TALL}<script>{ADD} setTimeout(() => add('Here at last. ' + 'Words. '.repeat(40)), 2500)</script>",
    "/waits-in-vain": f"{TALL}<script>const again = () => setTimeout(again, 600); again()</script>",
    "/listens": LISTENS,
    "/grows": f"{WORDS}{TALL}<script>{FEW} addEventListener('scroll', () => {{ if (({ON_END})()) setTimeout(more, 100); }})</script>",
    "/watches": f"{WORDS}{TALL}<div id=end>...</div><script>{FEW}"
    "new IntersectionObserver((seen) => { if (seen[0].isIntersecting) more(); }).observe(end)</script>",
    "/endless": f"{WORDS}{TALL}<script>{ADD} const MOST = Infinity; {MORE}"
    f"addEventListener('scroll', () => {{ if (({ON_END})()) more(); }})</script>",
}


def answer(asked: Asked) -> str | None:
    if asked.path == "/slow":
        time.sleep(0.8)
        return "Came late"
    body = PAGES.get(f"/{asked.path.split('/')[1]}")
    return f"<!doctype html><title>Grows</title><body>{body}" if body else None


@pytest.fixture(scope="module")
def home() -> Iterator[str]:
    with serving(LoopbackSite(answer)) as site:
        yield site.home.rstrip("/")


async def opened(browser: ScriptedBrowser, url: str) -> Snapshot:
    page = await browser.open(url)
    assert isinstance(page, Snapshot), page
    return page


@pytest.mark.parametrize("path", ["/asks", "/asks-as-before"])
async def test_a_request_that_is_under_way_is_waited_for(browser: ScriptedBrowser, home: str, path: str) -> None:
    assert "<li>Came late</li>" in (await opened(browser, home + path)).html


async def test_an_empty_page_is_waited_for_as_long_as_it_means_to_wait(browser: ScriptedBrowser, home: str) -> None:
    assert "Here at last" in (await opened(browser, home + "/waits")).html


async def test_timers_without_end_are_not(browser: ScriptedBrowser, home: str) -> None:
    assert (await opened(browser, home + "/waits-in-vain")).load_seconds < 5


@pytest.mark.parametrize("path", ["/grows", "/watches"])
async def test_what_scrolling_shows_is_read(browser: ScriptedBrowser, home: str, path: str) -> None:
    page = await opened(browser, home + path)
    assert page.scrolls
    assert "<li>Row 22</li>" not in page.html
    grown = await InfiniteScroll().at_its_end(page, browser)
    assert isinstance(grown, Snapshot)
    assert [number for number in range(30) if f"<li>Row {number}</li>" in grown.html] == list(range(23))


async def test_a_list_without_end_has_one(browser: ScriptedBrowser, home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing_pages, "MOST_SECONDS", 1.0)
    grown = await InfiniteScroll().at_its_end(await opened(browser, home + "/endless"), browser)
    assert isinstance(grown, Snapshot)
    assert grown.html.count("<li>") > 5


class Scrolled:
    """A browser whose page never grows; counts how often that was tried."""

    times = 0

    async def run(self, *_: object, **__: object) -> dict[str, object]:
        self.times += 1
        return {"done": 1, "ended": "still"}


async def test_where_pages_do_not_grow_few_are_tried(home: str) -> None:
    pages, browser = InfiniteScroll(), Scrolled()
    listens = Snapshot(url=home, final_url=home, status=200, html=LISTENS, scrolls=True)
    for number in range(2 * EVERY):
        page = f"{home}/listens/{number}"
        await pages.at_its_end(Snapshot(url=page, final_url=page, status=200, html=LISTENS, scrolls=True), browser)  # type: ignore[arg-type]
    assert browser.times == TRIED + 2
    still = Snapshot(url=home, final_url=home, status=200, html=LISTENS)
    assert await pages.at_its_end(still, browser) is still  # type: ignore[arg-type]
    assert browser.times == TRIED + 2
    assert await pages.at_its_end(listens, browser) is listens  # type: ignore[arg-type]
    assert browser.times == TRIED + 3, "another template"


async def test_a_page_that_only_listens_is_as_it_was(browser: ScriptedBrowser, home: str) -> None:
    page = await opened(browser, home + "/listens/1")
    assert page.scrolls
    assert await InfiniteScroll().at_its_end(page, browser) is page
