"""Pages loaded ahead, in a real browser from a real server that counts what it is asked for."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import psutil
import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, Page

from perception.element_map import View
from perception.snapshot import Snapshot
from tests.sites.serving import Answer, Asked, LoopbackSite, moved, serving
from walker.browser.egress.egress_proxy import EgressProxy
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.launch.find_chromium import find_browser
from walker.browser.playwright.playwright_browser import PlaywrightBrowser
from walker.seams.actions import Operate, Scroll
from walker.seams.protocols import PageFailure

pytestmark = pytest.mark.asyncio(loop_scope="session")
SLOW_SECONDS, HUNG_SECONDS = 0.5, 4.0
PATIENT_SECONDS, HASTY_SECONDS = 30.0, 2.0
"""What a page may take: longer than a busy machine needs for one that comes, and short for one that never does."""


SCRIPTS = {
    "dialogs": "alert('one'); confirm('two')",
    "popup": "open('/popped')",
    "spin": "while (true) {}",
    "endless-dialogs": "while (true) alert('again')",
    "onwards": "setTimeout(() => location.reload(), 20)",
}
ANSWERS = {
    "file": Answer("nothing", headers=(("Content-Disposition", "attachment; filename=x.bin"),)),
    "moved": moved("/slow-target"),
    "nothing": Answer(status=204),
}


class AheadSite(LoopbackSite):
    """A page at every path; some take their time."""

    def __init__(self) -> None:
        super().__init__()
        self.lets_go = threading.Event()
        """Until it is set, pages whose path begins with "held" are held back."""

    @property
    def paths(self) -> list[str]:
        """What was asked for, without the slash."""
        return [target.strip("/") for target in self.asked]

    def answer(self, asked: Asked) -> Answer:
        path = asked.target.strip("/")
        if path.startswith("held"):
            self.lets_go.wait(PATIENT_SECONDS)
        time.sleep(HUNG_SECONDS if path == "hung" else SLOW_SECONDS if path.startswith("slow") else 0)
        script = f"<script>{SCRIPTS[path]}</script>" if path in SCRIPTS else ""
        page = f"<title>{path}</title><p>The page {path} of this site. {'Words. ' * 40}</p>{script}"
        cookies = (("Set-Cookie", "seen=yes; Path=/"),) if path == "baker" else ()
        return ANSWERS.get(path) or Answer(page, headers=cookies)


@pytest.fixture
def site() -> Iterator[AheadSite]:
    with serving(AheadSite()) as served:
        try:
            yield served
        finally:
            served.lets_go.set()


@asynccontextmanager
async def at_home(chromium: Chromium, home: str, seconds: float) -> AsyncIterator[PlaywrightBrowser]:
    made = PlaywrightBrowser(chromium, ContextOptions(), page_seconds=seconds, egress=EgressProxy(home))
    assert isinstance(await made.open(home + "home"), Snapshot)
    yield made
    await made.close()


@pytest_asyncio.fixture(loop_scope="session")
async def browser(chromium: Chromium, site: AheadSite) -> AsyncIterator[PlaywrightBrowser]:
    async with at_home(chromium, site.home, PATIENT_SECONDS) as made:
        yield made


@pytest_asyncio.fixture(loop_scope="session")
async def hasty(chromium: Chromium, site: AheadSite) -> AsyncIterator[PlaywrightBrowser]:
    async with at_home(chromium, site.home, HASTY_SECONDS) as made:
        yield made


async def until_asked(site: AheadSite, *paths: str) -> None:
    for _ in range(2000):
        if all(path in site.paths for path in paths):
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"{paths} not in {site.asked}")


async def loaded_tab(browser: PlaywrightBrowser, path: str) -> Page:
    """The tab of a page that is loaded ahead, once it is loaded."""
    for _ in range(1000):
        for page in context_of(browser).pages:
            if not page.is_closed() and page.url.endswith(path):
                await page.wait_for_load_state()
                return page
        await asyncio.sleep(0.02)
    raise AssertionError(f"{path} came into no tab")


def context_of(browser: PlaywrightBrowser) -> BrowserContext:
    assert browser._tabs is not None
    return browser._tabs.context


async def tabs_of(browser: PlaywrightBrowser) -> list[str]:
    """Addresses in open tabs, once what is being closed is closed."""
    context = context_of(browser)
    for _ in range(1000):
        # A page that is closed while its context hears of it stays on the context's list.
        tabs = [page.url.rpartition("/")[2] for page in context.pages if not page.is_closed()]
        if len(tabs) == 1:
            break
        await asyncio.sleep(0.02)
    return tabs


def outcome_of(opened: Snapshot | PageFailure) -> object:
    if isinstance(opened, PageFailure):
        return opened
    # A popup may come to be known after the snapshot.
    notices = tuple(notice for notice in opened.notices if notice.kind != "popup")
    return opened.final_url, opened.status, opened.redirects, opened.title, opened.html, notices


def processes() -> set[int]:
    """Numbers of the processes that this one started, and of those that they did."""
    living = set()
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if process.status() != psutil.STATUS_ZOMBIE:
                living.add(process.pid)
    return living


async def test_a_page_fetched_ahead_is_asked_for_once_and_is_there_at_once(
    browser: PlaywrightBrowser, site: AheadSite
) -> None:
    home = site.home
    await browser.fetch_ahead((home + "held-1", home + "held-2", home + "held-3"))
    await until_asked(site, "held-1", "held-2")
    site.lets_go.set()
    await loaded_tab(browser, "held-2")
    site.asked.append("-- open")
    opened = await browser.open(home + "held-2")
    assert isinstance(opened, Snapshot)
    assert (opened.title, opened.status, opened.url) == ("held-2", 200, home + "held-2")
    assert sorted(site.paths[:3]) == ["held-1", "held-2", "home"]
    assert site.paths[3:] == ["-- open"], "nothing is asked for again, and nothing beyond two pages"
    assert await tabs_of(browser) == ["held-2"]


async def test_a_page_on_its_way_is_waited_for(browser: PlaywrightBrowser, site: AheadSite) -> None:
    home = site.home
    await browser.fetch_ahead((home + "slow-1",))
    opened = await browser.open(home + "slow-1")
    assert isinstance(opened, Snapshot)
    assert opened.load_seconds >= SLOW_SECONDS / 2, "what was waited for is told"
    assert site.paths.count("slow-1") == 1


async def test_another_address_is_opened_as_usual_and_the_tabs_are_gone(
    browser: PlaywrightBrowser, site: AheadSite
) -> None:
    home = site.home
    await browser.fetch_ahead((home + "slow-1", home + "slow-2"))
    await until_asked(site, "slow-1", "slow-2")
    opened = await browser.open(home + "other")
    assert isinstance(opened, Snapshot)
    assert (opened.title, opened.notices) == ("other", ())
    assert await tabs_of(browser) == ["other"]
    await browser.open(home + "slow-1")
    assert site.paths.count("slow-1") == 2


async def ends_as_without(browser: PlaywrightBrowser, home: str, address: str) -> None:
    plain = await browser.open(address)
    await browser.open(home + "home")
    await browser.fetch_ahead((address,))
    await asyncio.sleep(0.7)
    ahead = await browser.open(address)
    assert outcome_of(ahead) == outcome_of(plain)
    after = await browser.open(home + "after")
    assert isinstance(after, Snapshot)
    assert after.notices == ()
    assert await tabs_of(browser) == ["after"]


@pytest.mark.parametrize("path", ["file", "moved", "nowhere", "nothing", "dialogs", "popup", "endless-dialogs"])
async def test_what_goes_wrong_or_elsewhere_ahead_ends_as_without(
    browser: PlaywrightBrowser, site: AheadSite, path: str
) -> None:
    await ends_as_without(browser, site.home, "http://127.0.0.1:9/" if path == "nowhere" else site.home + path)


@pytest.mark.parametrize("path", ["hung", "spin"])
async def test_what_never_comes_ahead_ends_as_without(hasty: PlaywrightBrowser, site: AheadSite, path: str) -> None:
    await ends_as_without(hasty, site.home, site.home + path)


async def test_a_page_that_crashes_ahead_is_opened_as_usual(browser: PlaywrightBrowser, site: AheadSite) -> None:
    home = site.home
    await browser.fetch_ahead((home + "fragile",))
    page = await loaded_tab(browser, "fragile")
    session = await page.context.new_cdp_session(page)
    async with page.expect_event("crash"):
        crash = asyncio.ensure_future(session.send("Page.crash"))
    crash.cancel()
    await asyncio.gather(crash, return_exceptions=True)
    opened = await browser.open(home + "fragile")
    assert isinstance(opened, Snapshot)
    assert (opened.title, site.paths.count("fragile")) == ("fragile", 2)
    assert await tabs_of(browser) == ["fragile"]


async def test_a_page_that_seizes_its_renderer_ahead_is_opened_as_usual(
    browser: PlaywrightBrowser, site: AheadSite
) -> None:
    home = site.home
    await browser.fetch_ahead((home + "busy",))
    page = await loaded_tab(browser, "busy")
    # What is asked of the page from now on waits behind this.
    seizure = asyncio.ensure_future(page.evaluate("() => { while (true) {} }"))
    opened = await browser.open(home + "busy")
    assert isinstance(opened, Snapshot)
    assert (opened.title, opened.notices, site.paths.count("busy")) == ("busy", (), 2)
    assert await tabs_of(browser) == ["busy"]
    seizure.cancel()
    await asyncio.gather(seizure, return_exceptions=True)


async def test_a_page_that_reloads_itself_without_end_is_stopped(browser: PlaywrightBrowser, site: AheadSite) -> None:
    home = site.home
    await browser.fetch_ahead((home + "onwards",))
    await until_asked(site, "onwards")
    assert await tabs_of(browser) == ["home"]
    await asyncio.sleep(0.2)  # a request may have been on its way
    asked = site.paths.count("onwards")
    assert asked <= 20
    await asyncio.sleep(0.3)
    assert site.paths.count("onwards") == asked


async def test_dialogs_and_popups_of_a_tab_hold_nothing_up(browser: PlaywrightBrowser, site: AheadSite) -> None:
    home = site.home
    await browser.fetch_ahead((home + "dialogs", home + "popup"))
    await until_asked(site, "dialogs", "popup", "popped")
    opened = await browser.open(home + "dialogs")
    assert isinstance(opened, Snapshot)
    assert opened.title == "dialogs"
    assert [notice.kind for notice in opened.notices] == ["dialog", "dialog"], "of this page, not of the other"
    assert await tabs_of(browser) == ["dialogs"]


async def test_a_page_that_is_operated_throws_away_what_was_loaded_before(
    browser: PlaywrightBrowser, site: AheadSite
) -> None:
    home = site.home
    await browser.fetch_ahead((home + "slow-1", home + "quick"))
    await until_asked(site, "slow-1", "quick")
    assert isinstance(await browser.see(), View)
    assert isinstance(await browser.act(Operate(action=Scroll())), Snapshot)
    assert await tabs_of(browser) == ["home"]
    await browser.open(home + "quick")
    assert site.paths.count("quick") == 2


async def test_there_are_never_more_than_two(browser: PlaywrightBrowser, site: AheadSite) -> None:
    home = site.home
    most = 0
    for turn in range(4):
        await browser.fetch_ahead((f"{home}slow-{turn}-a", f"{home}slow-{turn}-b", f"{home}slow-{turn}-c"))
        for _ in range(12):
            most = max(most, sum(not page.is_closed() for page in context_of(browser).pages))
            await asyncio.sleep(0.02)
    await until_asked(site, "slow-3-a", "slow-3-b")
    assert max(most, len(context_of(browser).pages)) == 3
    await browser.fetch_ahead(())
    assert await tabs_of(browser) == ["home"]


async def test_nothing_is_loaded_ahead_of_the_first_page(chromium: Chromium, site: AheadSite) -> None:
    home = site.home
    browser = PlaywrightBrowser(chromium, ContextOptions(), page_seconds=PATIENT_SECONDS, egress=EgressProxy(home))
    await browser.fetch_ahead((home + "early",))
    assert isinstance(await browser.open(home + "early"), Snapshot)
    await browser.fetch_ahead(("ftp://a.example/x", "javascript:alert(1)"))
    assert await tabs_of(browser) == ["early"]
    await browser.close()
    await browser.fetch_ahead((home + "late",))
    assert site.paths == ["early"]


async def test_what_a_tab_changes_is_the_context_s(browser: PlaywrightBrowser, site: AheadSite) -> None:
    home = site.home
    await browser.fetch_ahead((home + "baker",))
    await until_asked(site, "baker")
    await browser.open(home + "baker")
    assert [cookie["name"] for cookie in await context_of(browser).cookies()] == ["seen"]


async def test_a_page_that_was_loaded_ahead_is_the_walk_s(browser: PlaywrightBrowser, site: AheadSite) -> None:
    home = site.home
    for turn in range(8):
        await browser.fetch_ahead((f"{home}page-{turn}",))
        await browser.open(f"{home}page-{turn}")
        assert await tabs_of(browser) == [f"page-{turn}"]
    assert isinstance(await browser.see(), View)
    for route in range(10):
        taken = await browser.open(f"{home}page-7#{route}")
        assert isinstance(taken, Snapshot), "as many routes as there are: it is no longer a tab that must rest"
    assert isinstance(await browser.act(Operate(action=Scroll())), Snapshot)


async def until_only(tasks: set[asyncio.Task[Any]]) -> None:
    """Playwright answers some calls in tasks of its own, which end a moment after the call."""
    for _ in range(100):
        if asyncio.all_tasks() <= tasks:
            break
        await asyncio.sleep(0.05)
    assert asyncio.all_tasks() <= tasks


@pytest.mark.parametrize("pause", [0.0, 0.05, 0.3])
async def test_nothing_is_left_of_tabs_on_their_way(site: AheadSite, pause: float) -> None:
    home = site.home
    tasks, children = asyncio.all_tasks(), processes()
    async with Chromium(find_browser()) as chromium:
        browser = PlaywrightBrowser(chromium, ContextOptions(), page_seconds=HASTY_SECONDS, egress=EgressProxy(home))
        await browser.open(home + "home")
        before = asyncio.all_tasks()
        await browser.fetch_ahead((home + "hung", home + "slow-1"))
        await asyncio.sleep(pause)
        await browser.fetch_ahead((home + "hung", home + "spin"))
        await asyncio.sleep(pause)
        await browser.close()
        await until_only(before)
    await until_only(tasks)
    for _ in range(100):
        if processes() <= children:
            break
        await asyncio.sleep(0.05)
    assert processes() <= children
