"""When a page of a walk is read: not before what its scripts have begun has come, however late that is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import pytest_asyncio

from perception.document.reading import observe
from perception.snapshot import Snapshot
from tests.sites.late_content import BEGUN, LATE_SECONDS, NEVER_SECONDS, serve_late_content
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.page.isolated_world import IsolatedWorld
from walker.browser.page.settled_page import STALL_MS, take_rendered
from walker.browser.playwright.playwright_browser import PlaywrightBrowser
from walker.browser.playwright.requests_under_way import RequestsUnderWay
from walker.browser.scripts.page_functions import page_function
from walker.seams.actions import Click, Operate

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(scope="module")
def home() -> Iterator[str]:
    with serve_late_content() as address:
        yield address


@pytest_asyncio.fixture(loop_scope="session")
async def browser(chromium: Chromium) -> AsyncIterator[PlaywrightBrowser]:
    made = PlaywrightBrowser(chromium, ContextOptions())
    yield made
    await made.close()


class CountedWorld(IsolatedWorld):
    """Counts how often a page is asked for something."""

    calls = 0

    async def run(self, expression: str, *, by_value: bool = True) -> Any:
        self.calls += 1
        return await super().run(expression, by_value=by_value)


def texts_of(opened: object) -> list[str]:
    assert isinstance(opened, Snapshot), opened
    return [block.text for block in observe(opened).blocks]


@pytest.mark.parametrize("name", BEGUN)
async def test_what_a_page_has_begun_is_read(browser: PlaywrightBrowser, home: str, name: str) -> None:
    opened = await browser.open(home + name)
    assert "Two boats." in texts_of(opened)
    assert isinstance(opened, Snapshot)
    assert not opened.notices


@pytest.mark.parametrize("name", ["polling", "asks-on"])
async def test_a_page_that_polls_is_not_waited_for_and_nothing_is_said(
    browser: PlaywrightBrowser, home: str, name: str
) -> None:
    opened = await browser.open(home + name)
    assert isinstance(opened, Snapshot)
    assert not opened.notices


async def test_a_request_that_is_left_open_is_given_up_and_said(browser: PlaywrightBrowser, home: str) -> None:
    opened = await browser.open(home + "open")
    assert isinstance(opened, Snapshot)
    assert STALL_MS / 1000 <= opened.load_seconds < NEVER_SECONDS
    assert [(one.kind, one.text) for one in opened.notices] == [("unsettled", "requests")]


async def test_requests_without_end_are_waited_for_to_a_limit(chromium: Chromium, home: str) -> None:
    context = await chromium.new_context(ContextOptions())
    page = await context.new_page()
    arrivals = RequestsUnderWay(page)
    await page.goto(home + "endless")
    assert not await arrivals.ended(2 * LATE_SECONDS, 3 * LATE_SECONDS)
    await context.close()


async def test_what_pressing_a_banner_sets_off_is_read(browser: PlaywrightBrowser, home: str) -> None:
    opened = await browser.open(home + "banner")
    assert "Two boats." in texts_of(opened)
    assert isinstance(opened, Snapshot)
    assert [(one.kind, one.text) for one in opened.notices] == [("cookie_banner", "accepted: Accept")]


async def test_a_page_that_waits_for_nothing_is_taken_in_one_call(chromium: Chromium, home: str) -> None:
    context = await chromium.new_context(ContextOptions())
    page = await context.new_page()
    world, arrivals = CountedWorld(page), RequestsUnderWay(page)
    await page.goto(home + "plain")
    taken = await take_rendered(world, seconds=5, arrivals=arrivals)
    assert taken is not None
    assert "since 1997" in taken.html
    assert world.calls == 1
    await context.close()


@pytest.mark.parametrize(
    ("sign", "is_busy"),
    [
        ("<div class=spinner>Moment</div>", True),
        ("<div class=spinner hidden>Moment</div>", False),
        ("<p style='display:none'><b class=loading>Moment</b></p>", False),
        ("<ul aria-busy=true><li>Moment</li></ul>", True),
        ("<main></main>", True),
    ],
)
async def test_a_page_is_busy_that_shows_it(chromium: Chromium, sign: str, is_busy: bool) -> None:
    context = await chromium.new_context(ContextOptions())
    page = await context.new_page()
    await page.set_content(f"<p>The harbour of the reef.</p>{sign}")
    assert await page.evaluate(page_function("snapshot/settling.js", "isBusy")) is is_busy
    await context.close()


async def test_slides_stand_still_while_a_page_is_read(browser: PlaywrightBrowser, home: str) -> None:
    await browser.open(home + "slides")
    await asyncio.sleep(1.5)
    assert "Slide 1" in texts_of(await browser.take())


async def test_a_long_timer_that_fills_an_empty_page_is_not_held(browser: PlaywrightBrowser, home: str) -> None:
    assert "Two boats." in texts_of(await browser.open(home + "unfilled"))


async def test_a_long_timer_that_an_operation_sets_is_not_held(browser: PlaywrightBrowser, home: str) -> None:
    await browser.open(home + "opens")
    await browser.act(Operate(action=Click(control_id=1), selector="button"))
    await asyncio.sleep(1.0)
    assert "Two boats." in texts_of(await browser.take())


async def test_a_lazy_picture_in_the_window_is_measured_when_it_has_come(browser: PlaywrightBrowser, home: str) -> None:
    opened = await browser.open(home + "lazy")
    assert isinstance(opened, Snapshot)
    (picture,) = opened.layout.blind
    assert picture.detail == 4.0


async def test_what_a_click_sets_off_is_read(browser: PlaywrightBrowser, home: str) -> None:
    await browser.open(home + "click")
    clicked = await browser.act(Operate(action=Click(control_id=1), selector="button"))
    assert "Two boats." in texts_of(clicked)


async def test_a_page_that_a_click_leads_to_is_read_however_late_it_comes(
    browser: PlaywrightBrowser, home: str
) -> None:
    await browser.open(home + "link")
    clicked = await browser.act(Operate(action=Click(control_id=1), selector="a"))
    assert texts_of(clicked) == ["Two boats."]
