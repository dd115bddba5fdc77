"""Pages read over HTTP or in a real browser, whichever is enough: never less than the browser gives."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from perception.snapshot import Snapshot
from tests.sites.half_scripted import DOUBTFUL, PROSE, serve_half_scripted
from walker.browser.http.http_browser import HttpBrowser
from walker.browser.http.http_client import HttpClient
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.page.shared_cookies import SharedCookies
from walker.browser.playwright.playwright_browser import PlaywrightBrowser
from walker.crawl.rendering.auto_driver import AutoDriver
from walker.crawl.rendering.needs_javascript import facts_of
from walker.crawl.rendering.page_difference import difference_of, words_of
from walker.crawl.rendering.render_decisions import NEEDS_RENDERING_AT_MOST, RenderDecisions
from walker.seams.actions import Click, Operate
from walker.seams.protocols import PageFailure

pytestmark = pytest.mark.asyncio(loop_scope="session")


def template_of(url: str) -> str:
    return re.sub(r"\d+", "{n}", url.partition("?")[0])


class Bench:
    """Both drivers and what chooses between them."""

    def __init__(self, home: str, asked: list[str], client: HttpClient, chromium: Chromium) -> None:
        self.home, self.asked, self._client, self._chromium = home, asked, client, chromium
        self.cookies = SharedCookies(client.cookies)
        self.rendered = PlaywrightBrowser(
            chromium, ContextOptions(), page_seconds=10, lean=True, prepare=self.cookies.watch
        )

    def auto(self, **settings: int) -> AutoDriver:
        choices = RenderDecisions(template_of, **settings)
        return AutoDriver(HttpBrowser(self._client), self.rendered, choices, self.cookies)

    async def read(self, auto: AutoDriver, *paths: str) -> list[str]:
        """Which driver gave each page; none gives less than the browser alone."""
        drivers = []
        for path in paths:
            page = await auto.open(self.home + path)
            drivers.append(auto.driver)
            assert isinstance(page, Snapshot), page
            if auto.driver == "http":
                shown = await self.rendered.open(self.home + path)
                again = await auto._http.open(self.home + path)
                assert isinstance(shown, Snapshot)
                assert isinstance(again, Snapshot)
                words = [words_of(one.html, one.final_url) for one in (page, shown, again)]
                assert difference_of(*words) == ""
        return drivers


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def bench(chromium: Chromium) -> AsyncIterator[Bench]:
    with serve_half_scripted() as site:
        home = site.home.rstrip("/")
        async with HttpClient(home) as client:
            made = Bench(home, site.asked, client, chromium)
            yield made
            await made.rendered.close()


async def test_static_pages_are_read_over_http_after_two_samples(bench: Bench) -> None:
    auto = bench.auto(every=4)
    drivers = await bench.read(auto, *[f"/static/{n}" for n in range(1, 9)])
    assert drivers == ["rendered", "rendered", "http", "http", "http", "rendered", "http", "http"]
    assert auto.choices.counts == {"rendered: a sample": 2, "http: verified": 5, "rendered: one in many": 1}
    (verdict,) = auto.choices.verdicts()
    assert (verdict.driver, verdict.pages, verdict.why) == ("http", 8, "3 samples were the same")


async def test_programs_that_are_known_on_a_host_let_small_templates_be(bench: Bench) -> None:
    auto = bench.auto()
    assert await bench.read(auto, "/static/1", "/static/2", "/clock/1", "/clock/2") == [*["rendered"] * 3, "http"]
    assert await bench.read(auto, *[f"/shelf/a{n}" for n in range(1, 12)]) == [*["http"] * 9, "rendered", "http"]


async def test_pages_without_a_script_need_one_sample_a_host(bench: Bench) -> None:
    auto = bench.auto()
    assert await bench.read(auto, "/plain/1", "/plain/2", "/plain/3") == ["rendered", "http", "http"]
    assert auto.choices.counts["http: no script"] == 2


async def test_what_a_script_fills_is_rendered_for_good(bench: Bench) -> None:
    auto = bench.auto()
    assert await bench.read(auto, *[f"/app/{n}" for n in range(1, 6)]) == ["rendered"] * 5
    assert auto.choices.counts == {"rendered: an empty shell": 5}
    assert await bench.read(auto, "/static/1", "/item/1", "/static/2", "/item/2") == ["rendered"] * 4
    assert await bench.read(auto, "/static/3", "/item/3") == ["http", "rendered"]
    whys = {verdict.template.rsplit("/", 2)[1]: verdict.why for verdict in auto.choices.verdicts()}
    assert "words that the source has not, such as 'delivered'" in whys["item"]


async def test_a_page_asked_for_again_is_not_asked_twice_when_it_is_rendered_anyway(bench: Bench) -> None:
    auto = bench.auto()
    await bench.read(auto, *[f"/app/{n}" for n in range(1, NEEDS_RENDERING_AT_MOST + 1)])
    bench.asked.clear()
    await auto.open(bench.home + "/app/9")
    assert [path for path in bench.asked if path == "/app/9"] == ["/app/9"]


async def test_a_template_that_turns_scripted_later_is_seen(bench: Bench) -> None:
    auto = bench.auto()
    drivers = await bench.read(auto, *[f"/late/{n}" for n in range(1, 10)])
    assert drivers == ["rendered", "rendered", "http", "http", "http", *["rendered"] * 4]
    assert auto.choices.take_refetch_urls() == (), "what was read before ran other programs, and was verified"
    assert [verdict.driver for verdict in auto.choices.verdicts()] == ["mixed"]
    assert await bench.read(auto, "/late/1") == ["http"]


async def test_an_empty_place_that_no_sample_had_is_doubted(bench: Bench) -> None:
    auto = bench.auto()
    drivers = await bench.read(auto, *[f"/quiet/{n}" for n in range(1, 9)])
    assert drivers == ["rendered", "rendered", "http", "http", "http", *["rendered"] * 3]
    assert auto.choices.take_refetch_urls() == tuple(f"{bench.home}/quiet/{n}" for n in (3, 4, 5))
    assert auto.choices.take_refetch_urls() == ()


async def test_what_nothing_tells_of_is_found_by_sampling_and_named(bench: Bench) -> None:
    auto = bench.auto(every=6)
    for n in range(1, 20):
        assert isinstance(await auto.open(f"{bench.home}/sly/{n}"), Snapshot)
    assert "revealed" in auto.choices.verdicts()[0].why
    assert (await bench.read(auto, "/sly/1")) == ["rendered"]
    doubtful = auto.choices.take_refetch_urls()
    assert {f"{bench.home}/sly/{n}" for n in (10, 11, 12, 13)} <= set(doubtful), "read over HTTP when it was too late"


async def test_what_changes_by_itself_is_no_difference(bench: Bench) -> None:
    auto = bench.auto()
    assert await bench.read(auto, *[f"/clock/{n}" for n in range(1, 5)]) == ["rendered", "rendered", "http", "http"]


@pytest.mark.parametrize("name", DOUBTFUL)
async def test_any_doubt_renders(bench: Bench, name: str) -> None:
    auto = bench.auto()
    assert await bench.read(auto, f"/doubtful/{name}") == ["rendered"]
    assert not any(count.startswith("rendered: a sample") for count in auto.choices.counts), "its source tells already"


async def test_error_pages_redirects_and_routes(bench: Bench) -> None:
    auto = bench.auto()
    lost = await auto.open(bench.home + "/nowhere")
    assert isinstance(lost, Snapshot)
    assert (lost.status, auto.driver) == (404, "http")
    assert await bench.read(auto, "/moved/1", "/static/2", "/moved/3") == ["rendered", "rendered", "http"]
    assert await bench.read(auto, "/static/5#/route", "/static/5") == ["rendered", "http"]
    refused = await auto.open("http://127.0.0.1:1/")
    assert isinstance(refused, PageFailure)
    assert refused.kind == "blocked_address"
    assert auto.driver == "http", "who is refused over HTTP is refused in a browser"


async def test_a_page_is_rendered_to_be_operated(bench: Bench) -> None:
    auto = bench.auto()
    await bench.read(auto, "/plain/1")
    opened = await auto.open(bench.home + "/plain/2")
    assert auto.driver == "http"
    assert await auto.run("() => document.title", None, seconds=5) == "plain 2"
    assert isinstance(opened, Snapshot)
    await auto.open(bench.home + "/plain/2")
    pressed = await auto.act(Operate(action=Click(control_id=1), selector="a"))
    assert isinstance(pressed, Snapshot)
    assert pressed.final_url == bench.home + "/plain/3"


async def test_workers_do_not_sample_one_template_at_a_time(bench: Bench) -> None:
    choices = RenderDecisions(template_of)
    browsers = [PlaywrightBrowser(bench._chromium, ContextOptions(), lean=True) for _ in range(4)]
    workers = [AutoDriver(HttpBrowser(bench._client), browser, choices, bench.cookies) for browser in browsers]
    await asyncio.gather(*[worker.open(f"{bench.home}/static/{n}") for n, worker in enumerate(workers)])
    assert choices.counts == {"rendered: a sample": 2, "http: verified": 2}
    await asyncio.gather(*[browser.close() for browser in browsers])


async def test_the_facts_of_ordinary_markup_are_no_doubts() -> None:
    html = (
        "<!doctype html><script type='application/ld+json'>{}</script><script>window.data = {\"a\": 1}</script>"
        "<noscript><img src=/pixel.gif></noscript><iframe src='https://video.example/1'></iframe>" + PROSE
        + "<a href='/page/2'>More</a><button>Search</button><span id=counter></span><span id=row17></span>"
    )  # fmt: skip
    facts = facts_of(html, "http://a.example/x")
    assert facts.reasons == ()
    assert {"empty span counter", "empty span row0"} <= facts.places
    other = facts_of(html.replace('{"a": 1}', '{"b": [2, 3]}').replace("row17", "row18"), "http://a.example/y")
    assert (other.programs, other.places) == (facts.programs, facts.places), "data is no program"
    assert facts_of(html.replace("window.data", "document.title"), "http://a.example/x").programs != facts.programs
    assert not facts_of("<p>only text", "http://a.example/").is_scripted
    assert facts_of("<svg onload=x()>" + PROSE, "http://a.example/").is_scripted
