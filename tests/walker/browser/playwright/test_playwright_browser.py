from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator

import psutil
import pytest
import pytest_asyncio

from perception.document.reading import observe
from perception.snapshot import Snapshot
from tests.sites.misbehaving import serve_misbehaving
from tests.sites.serving import Answer, Asked, LoopbackSite, serving
from tests.walker.browser.opening import snapshot_of
from walker.browser.egress.egress_proxy import EgressProxy
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.launch.find_chromium import find_browser
from walker.browser.playwright import playwright_browser
from walker.browser.playwright.playwright_browser import PlaywrightBrowser
from walker.errors import BrowserUnavailable
from walker.seams.actions import Click, Operate, Scroll, TypeText
from walker.seams.protocols import PageFailure

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def browser(chromium: Chromium, home: str) -> AsyncIterator[PlaywrightBrowser]:
    made = PlaywrightBrowser(chromium, ContextOptions(), page_seconds=30, egress=EgressProxy(home))
    yield made
    await made.close()


@pytest_asyncio.fixture(loop_scope="session")
async def hasty(chromium: Chromium, home: str) -> AsyncIterator[PlaywrightBrowser]:
    """For pages that never come."""
    made = PlaywrightBrowser(chromium, ContextOptions(), page_seconds=3, egress=EgressProxy(home))
    yield made
    await made.close()


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("reset", "empty"),
        ("ring", "redirect_loop"),
        ("nothing", "empty"),
        ("onwards", "redirect_loop"),
        ("file", "download"),
        ("paper", "not_a_page"),
        ("inwards", "blocked_address"),
    ],
)
async def test_what_is_no_page_is_a_named_failure_and_the_walk_goes_on(
    browser: PlaywrightBrowser, home: str, path: str, kind: str
) -> None:
    failure = await browser.open(home + path)
    assert isinstance(failure, PageFailure)
    allowed = {kind, "refused"} if path == "reset" else {kind, "download"} if path == "paper" else {kind}
    assert failure.kind in allowed, failure
    assert (await snapshot_of(browser, home + "plain")).title == "Plain"


async def test_unknown_hosts_and_closed_ports_are_told_apart(browser: PlaywrightBrowser, home: str) -> None:
    unknown = await browser.open("http://no-such-host.invalid/")
    assert isinstance(unknown, PageFailure)
    assert unknown.kind == "unknown_host"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        root = f"http://127.0.0.1:{free.getsockname()[1]}/"
    async with Chromium(find_browser()) as chromium:
        other = PlaywrightBrowser(chromium, ContextOptions(), page_seconds=3, egress=EgressProxy(root))
        closed = await other.open(root)
        await other.close()
    assert isinstance(closed, PageFailure)
    assert closed.kind == "refused"


async def test_a_secure_connection_that_fails_is_named(browser: PlaywrightBrowser, home: str) -> None:
    failure = await browser.open(home.replace("http:", "https:"))
    assert isinstance(failure, PageFailure)
    assert failure.kind == "tls"


async def test_dialogs_are_dismissed_and_noted(browser: PlaywrightBrowser, home: str) -> None:
    taken = await snapshot_of(browser, home + "alerts")
    assert "after the alerts" in taken.html
    assert [notice.kind for notice in taken.notices] == ["dialog", "dialog", "dialog"]


@pytest.mark.parametrize("path", ["hung", "endless", "endless-alerts", "spin"])
async def test_a_page_that_never_yields_is_given_up(hasty: PlaywrightBrowser, home: str, path: str) -> None:
    failure = await asyncio.wait_for(hasty.open(home + path), 40)
    assert isinstance(failure, PageFailure)
    assert failure.kind in (("timeout", "crashed") if path in ("endless-alerts", "spin") else ("timeout",))
    assert (await snapshot_of(hasty, home + "plain")).title == "Plain"


async def test_a_page_without_programs_is_measured_as_it_is_drawn(browser: PlaywrightBrowser, home: str) -> None:
    """Its style sheet and its pictures may come after its last line."""
    taken = await snapshot_of(browser, home + "dressed")
    assert [(part.box.width, part.box.height) for part in taken.layout.media] == [(600, 200)]
    assert [region.kind for region in taken.layout.blind] == ["media"]
    assert [block.hidden for block in observe(taken).blocks if block.text == "opens later"] == [True]


@pytest.mark.parametrize("lean", [False, True], ids=["walk", "crawl"])
async def test_a_page_that_loads_itself_anew_has_the_status_of_its_last_answer(chromium: Chromium, lean: bool) -> None:
    """So do pages that check a browser before they let it in."""
    check = "<title>Just a moment</title><script>document.cookie = 'in=1'; setTimeout(() => location.reload(), 200)</script>"

    def answer(asked: Asked) -> Answer | str:
        return "<title>In</title><p>Welcome" if "in" in asked.cookies else Answer(check, 403)

    with serving(LoopbackSite(answer)) as site:
        made = PlaywrightBrowser(chromium, ContextOptions(), page_seconds=30, egress=EgressProxy(site.home), lean=lean)
        taken = await snapshot_of(made, site.home)
        again = await snapshot_of(made, f"{site.home}again")
        await made.close()
    assert [(one.title, one.status) for one in (taken, again)] == [("In", 200), ("In", 200)]


async def test_a_page_cannot_hold_the_walk(browser: PlaywrightBrowser, home: str) -> None:
    await snapshot_of(browser, home + "stay")
    assert (await snapshot_of(browser, home + "plain")).title == "Plain"


async def test_frames_and_shadow_roots_are_folded_in_and_unseen_words_marked(
    browser: PlaywrightBrowser, home: str
) -> None:
    observation = observe(await snapshot_of(browser, home + "folded"))
    seen = {block.text: block.hidden for block in observation.blocks}
    assert seen["from the shadow"] is False
    assert seen["from the closed shadow"] is False
    assert seen["from the frame"] is False
    assert seen["unseen words"] is True
    taken = await snapshot_of(browser, home + "folded")
    assert [(media.kind, media.name) for media in taken.layout.media if media.kind == "img"] == [("img", "A drawn map")]
    assert taken.layout.viewport_width == 1280


async def test_a_page_that_is_taken_for_a_crawl_is_folded_too(chromium: Chromium, home: str) -> None:
    lean = PlaywrightBrowser(chromium, ContextOptions(), lean=True)
    taken = await snapshot_of(lean, home + "folded")
    await lean.close()
    assert "data-walker-hidden" not in taken.html
    assert {"outside", "from the shadow", "from the frame"} <= {block.text for block in observe(taken).blocks}


async def test_a_cookie_banner_is_accepted(browser: PlaywrightBrowser, home: str) -> None:
    taken = await snapshot_of(browser, home + "banner")
    assert "cookie-banner" not in taken.html
    assert [(notice.kind, notice.text) for notice in taken.notices] == [("cookie_banner", "accepted: Accept all")]


async def test_an_empty_shell_is_read_when_it_is_filled(browser: PlaywrightBrowser, home: str) -> None:
    assert "Filled" in (await snapshot_of(browser, home + "shell")).html


@pytest.mark.parametrize("path", ["refresh", "replaced"])
async def test_a_stub_that_leads_on_gives_the_page_it_leads_to(
    browser: PlaywrightBrowser, home: str, path: str
) -> None:
    taken = await snapshot_of(browser, home + path)
    assert (taken.url, taken.final_url, taken.status) == (home + path, home + "plain", 200)
    assert taken.title == "Plain"


async def test_routes_behind_the_hash_are_pages(browser: PlaywrightBrowser, home: str) -> None:
    for route in ("#/one", "#/two", "#/two"):
        taken = await snapshot_of(browser, home + "routes" + route)
        assert f"route {route}" in taken.html
        assert (taken.final_url, taken.status) == (home + "routes" + route, 200)


async def test_a_page_that_seizes_up_does_not_cost_the_next_one(
    hasty: PlaywrightBrowser, home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playwright_browser, "SCRIPT_SECONDS", 3)
    await snapshot_of(hasty, home + "leads")
    assert hasty._tab is not None
    seizure = asyncio.ensure_future(hasty._tab.page.evaluate("() => { while (true) {} }"))
    assert isinstance(await hasty.see(), PageFailure)
    assert (await snapshot_of(hasty, home + "plain")).title == "Plain"
    seizure.cancel()
    await asyncio.gather(seizure, return_exceptions=True)


async def test_half_characters_are_made_sound(browser: PlaywrightBrowser, home: str) -> None:
    taken = await snapshot_of(browser, home + "half")
    assert "broken \ufffd emoji" in taken.html
    assert taken.html.encode()


async def test_a_press_waits_for_the_page_it_opens(browser: PlaywrightBrowser, home: str) -> None:
    await snapshot_of(browser, home + "leads")
    slow = await browser.act(Operate(action=Click(control_id=1), selector="#slow"))
    assert isinstance(slow, Snapshot)
    assert (slow.url, slow.final_url, slow.title) == (home + "leads", home + "slow", "Slow")


async def test_a_press_that_leads_nowhere_is_a_failure(browser: PlaywrightBrowser, home: str) -> None:
    await snapshot_of(browser, home + "leads")
    dead = await browser.act(Operate(action=Click(control_id=2), selector="#dead"))
    assert isinstance(dead, PageFailure)
    assert dead.kind == "blocked_address"
    assert (await snapshot_of(browser, home + "plain")).title == "Plain"


async def test_popups_are_closed(browser: PlaywrightBrowser, home: str) -> None:
    await snapshot_of(browser, home + "popup")
    taken = await snapshot_of(browser, home + "plain")
    assert taken.title == "Plain"


async def test_typing_and_scrolling(browser: PlaywrightBrowser, home: str) -> None:
    await snapshot_of(browser, home + "controls")
    scrolled = await browser.act(Operate(action=Scroll()))
    assert isinstance(scrolled, Snapshot)
    assert "scrolled" in scrolled.html
    found = await browser.act(Operate(action=TypeText(control_id=1, text="coral"), selector="#q"))
    assert isinstance(found, Snapshot)
    assert found.final_url == home + "found?q=coral"


async def test_a_scroll_goes_to_the_end_and_says_whether_more_may_come(browser: PlaywrightBrowser, home: str) -> None:
    opened = await snapshot_of(browser, home + "deep")
    assert (opened.scrolls, [block.text for block in observe(opened).blocks]) == (True, ["one", "end"])
    scrolled = await browser.act(Operate(action=Scroll()))
    assert isinstance(scrolled, Snapshot)
    assert [block.text for block in observe(scrolled).blocks][:3] == ["one", "more", "more"]
    assert not scrolled.scrolls


async def test_status_401_and_500_are_pages(browser: PlaywrightBrowser, home: str) -> None:
    assert (await snapshot_of(browser, home + "locked")).status == 401
    assert (await snapshot_of(browser, home + "broken")).status == 500


async def test_other_private_addresses_are_refused_from_a_loopback_root(browser: PlaywrightBrowser, home: str) -> None:
    with serve_misbehaving() as elsewhere:
        port = elsewhere.rsplit(":", 1)[1].strip("/")
        for url in (
            elsewhere,
            "http://169.254.169.254/latest/",
            "http://10.0.0.1/",
            "http://2130706433/",
            "http://[::ffff:10.0.0.1]/",
        ):
            failure = await browser.open(url)
            assert isinstance(failure, PageFailure), url
            assert failure.kind == "blocked_address", failure
        embedding = await snapshot_of(browser, f"{home}picture-of/{port}")
        await asyncio.sleep(0.3)
        again = await snapshot_of(browser, home + "plain")
        notices = [(notice.kind, notice.text) for notice in (*embedding.notices, *again.notices)]
        assert ("blocked_request", f"127.0.0.1:{port}") in notices


async def test_a_crashed_renderer_is_replaced(browser: PlaywrightBrowser, home: str) -> None:
    await snapshot_of(browser, home + "plain")
    assert browser._tab is not None
    page = browser._tab.page
    context = page.context
    session = await context.new_cdp_session(page)
    crash = asyncio.ensure_future(session.send("Page.crash"))
    await asyncio.sleep(0.5)
    crash.cancel()
    await asyncio.gather(crash, return_exceptions=True)
    assert (await snapshot_of(browser, home + "plain")).title == "Plain"
    assert browser._tab is not None
    assert browser._tab.page.context is context, "cookies of the walk are kept"
    assert len(context.pages) == 1


async def test_a_killed_browser_is_started_again_once(home: str) -> None:
    async with Chromium(find_browser()) as chromium:
        browser = PlaywrightBrowser(chromium, ContextOptions(), page_seconds=5)
        others = set(psutil.Process().children(recursive=True))
        for attempt in range(2):
            await snapshot_of(browser, home + "plain")
            for process in set(psutil.Process().children(recursive=True)) - others:
                with contextlib.suppress(psutil.Error):
                    words = " ".join(process.cmdline())
                    if "--remote-debugging-pipe" in words and "--type=" not in words:
                        process.kill()
            await asyncio.sleep(0.3)
            if attempt == 1:
                with pytest.raises(BrowserUnavailable, match="crashed again"):
                    await browser.open(home + "plain")
        await browser.close()


async def test_a_browser_that_is_not_there_is_one_line() -> None:
    with pytest.raises(BrowserUnavailable, match=r"no-such-browser.*WALKER_CHROMIUM"):
        find_browser("/opt/no-such-browser")
