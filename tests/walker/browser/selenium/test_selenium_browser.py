"""Chromium through Selenium: the pages of the Playwright tests, and what a process of one's own adds."""

from __future__ import annotations

import asyncio
import shutil
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest
import pytest_asyncio

from perception.document.reading import observe
from perception.element_map import View
from perception.snapshot import Snapshot
from tests.sites.pages_on_loopback import serve
from tests.walker.browser.opening import snapshot_of
from walker.browser.egress.egress_proxy import EgressProxy
from walker.browser.launch.chromium import ContextOptions
from walker.browser.launch.find_chromium import BrowserChoice, find_browser
from walker.browser.selenium import chromedriver, selenium_browser, selenium_session
from walker.browser.selenium.selenium_browser import SeleniumBrowser
from walker.errors import BrowserUnavailable
from walker.seams.actions import Click, Operate, Scroll, TypeText
from walker.seams.protocols import PageFailure

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def browser(home: str) -> AsyncIterator[SeleniumBrowser]:
    """One for all: a Chromium of its own for each test would take a second each."""
    made = SeleniumBrowser(find_browser(), ContextOptions(), page_seconds=3, egress=EgressProxy(home))
    yield made
    await made.close()


@pytest.mark.parametrize(
    ("path", "kinds"),
    [
        ("hung", "timeout"),
        ("reset", "empty refused"),
        ("ring", "redirect_loop"),
        ("endless", "timeout"),
        ("nothing", "empty"),
        # On a busy machine its time may be over before it has gone elsewhere often enough.
        ("onwards", "redirect_loop timeout"),
        ("file", "download"),
        ("paper", "not_a_page download"),
        ("inwards", "blocked_address"),
        ("endless-alerts", "timeout crashed"),
        ("spin", "timeout crashed"),
    ],
)
async def test_what_is_no_page_is_a_named_failure_and_the_walk_goes_on(
    browser: SeleniumBrowser, home: str, path: str, kinds: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selenium_browser, "SCRIPT_SECONDS", 4)
    failure = await asyncio.wait_for(browser.open(home + path), 60)
    assert isinstance(failure, PageFailure)
    assert failure.kind in kinds.split(), failure
    assert failure.url == home + path
    assert (await snapshot_of(browser, home + "plain")).title == "Plain"


async def test_unknown_hosts_closed_ports_and_certificates_are_told_apart(browser: SeleniumBrowser, home: str) -> None:
    unknown = await browser.open("http://no-such-host.invalid/")
    assert isinstance(unknown, PageFailure)
    assert unknown.kind == "unknown_host"
    unsafe = await browser.open(home.replace("http:", "https:"))
    assert isinstance(unsafe, PageFailure)
    assert unsafe.kind == "tls"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        root = f"http://127.0.0.1:{free.getsockname()[1]}/"
    other = SeleniumBrowser(find_browser(), ContextOptions(), page_seconds=3, egress=EgressProxy(root))
    closed = await other.open(root)
    await other.close()
    assert isinstance(closed, PageFailure)
    assert closed.kind == "refused"


async def test_dialogs_are_dismissed_and_noted(browser: SeleniumBrowser, home: str) -> None:
    taken = await snapshot_of(browser, home + "alerts")
    assert "after the alerts" in taken.html
    assert [notice.text for notice in taken.notices] == ["alert: one", "confirm: two", "prompt: three"]


async def test_a_page_cannot_hold_the_walk(browser: SeleniumBrowser, home: str) -> None:
    await snapshot_of(browser, home + "stay")
    assert (await snapshot_of(browser, home + "plain")).title == "Plain"


async def test_frames_and_shadow_roots_are_folded_in_and_unseen_words_marked(
    browser: SeleniumBrowser, home: str
) -> None:
    taken = await snapshot_of(browser, home + "folded")
    seen = {block.text: block.hidden for block in observe(taken).blocks}
    assert (seen["from the shadow"], seen["from the frame"], seen["unseen words"]) == (False, False, True)
    assert taken.layout.viewport_width == 1280


async def test_a_page_without_programs_is_measured_as_it_is_drawn(browser: SeleniumBrowser, home: str) -> None:
    """Its style sheet and its pictures may come after its last line."""
    taken = await snapshot_of(browser, home + "dressed")
    assert [(part.box.width, part.box.height) for part in taken.layout.media] == [(600, 200)]
    assert [region.kind for region in taken.layout.blind] == ["media"]
    assert [block.hidden for block in observe(taken).blocks if block.text == "opens later"] == [True]


async def test_banners_shells_and_stubs(browser: SeleniumBrowser, home: str) -> None:
    banner = await snapshot_of(browser, home + "banner")
    assert [(notice.kind, notice.text) for notice in banner.notices] == [("cookie_banner", "accepted: Accept all")]
    assert "Filled" in (await snapshot_of(browser, home + "shell")).html
    for path in ("refresh", "replaced"):
        taken = await snapshot_of(browser, home + path)
        assert (taken.final_url, taken.status, taken.title) == (home + "plain", 200, "Plain")
    for route in ("#/one", "#/two", "#/two"):
        assert f"route {route}" in (await snapshot_of(browser, home + "routes" + route)).html
    assert (await snapshot_of(browser, home + "locked")).status == 401
    assert (await snapshot_of(browser, home + "broken")).status == 500
    assert "broken \ufffd emoji" in (await snapshot_of(browser, home + "half")).html


async def test_popups_are_closed_and_noted(browser: SeleniumBrowser, home: str) -> None:
    taken = await snapshot_of(browser, home + "popup")
    assert [notice.kind for notice in taken.notices] == ["popup"]
    assert (await snapshot_of(browser, home + "plain")).title == "Plain"


async def test_a_press_waits_for_the_page_it_opens(browser: SeleniumBrowser, home: str) -> None:
    await snapshot_of(browser, home + "leads")
    slow = await browser.act(Operate(action=Click(control_id=1), selector="#slow"))
    assert isinstance(slow, Snapshot)
    assert (slow.url, slow.final_url, slow.title) == (home + "leads", home + "slow", "Slow")
    await snapshot_of(browser, home + "leads")
    dead = await browser.act(Operate(action=Click(control_id=2), selector="#dead"))
    assert isinstance(dead, PageFailure)
    assert dead.kind == "blocked_address"


async def test_typing_scrolling_and_a_picture(browser: SeleniumBrowser, home: str) -> None:
    await snapshot_of(browser, home + "controls")
    view = await browser.see()
    assert isinstance(view, View)
    assert (view.width, view.height) == (1280, 800)
    scrolled = await browser.act(Operate(action=Scroll()))
    assert isinstance(scrolled, Snapshot)
    assert "scrolled" in scrolled.html
    found = await browser.act(Operate(action=TypeText(control_id=1, text="coral"), selector="#q"))
    assert isinstance(found, Snapshot)
    assert found.final_url == home + "found?q=coral"


async def test_what_a_page_did_to_its_own_objects_does_not_reach_ours(browser: SeleniumBrowser, home: str) -> None:
    liar = "<p>truth<script>JSON.stringify = () => 'lie'; document.dispatchEvent = () => 1; alert('heard')</script>"
    with serve({"/": liar}) as site:
        own = SeleniumBrowser(find_browser(), ContextOptions(), page_seconds=5)
        taken = await snapshot_of(own, site + "/")
        await own.close()
    assert "truth" in taken.html
    assert [notice.text for notice in taken.notices] == ["alert: heard"]


async def test_service_workers_are_not_registered(home: str) -> None:
    page = (
        "<p id=x>?<script>navigator.serviceWorker.register('/w.js').then(() => { x.textContent = 'in' }, "
        "() => { x.textContent = 'out' })</script>"
    )
    with serve({"/": page, "/w.js": ""}) as site:
        own = SeleniumBrowser(find_browser(), ContextOptions(), page_seconds=5)
        assert ">out<" in (await snapshot_of(own, site + "/")).html
        await own.close()


def chromium_of(browser: SeleniumBrowser) -> psutil.Process:
    assert browser._world is not None
    return psutil.Process(browser._world.session._process)


async def test_a_killed_browser_is_started_again_with_its_cookies() -> None:
    with serve(
        {
            "/": "<p id=x><script>x.textContent = 'was: ' + document.cookie; document.cookie = 'seen=yes; path=/'</script>"
        }
    ) as site:
        browser = SeleniumBrowser(find_browser(), ContextOptions(), page_seconds=5)
        assert "was: <" in (await snapshot_of(browser, site + "/")).html
        for _ in range(2):
            chromium_of(browser).kill()
            assert "was: seen=yes" in (await snapshot_of(browser, site + "/")).html
        await browser.close()


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
async def test_a_browser_that_never_lives_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selenium_session, "START_SECONDS", 3600)  # nobody waits for it
    dying = tmp_path / "chromium"
    dying.write_text("#!/bin/sh\nexit 1\n")
    dying.chmod(0o755)
    browser = SeleniumBrowser(BrowserChoice(path=str(dying), source="named"), ContextOptions(), page_seconds=3)
    with pytest.raises(BrowserUnavailable, match="does not start") as raised:
        await browser.open("http://127.0.0.1:9/")
    assert "\n" not in str(raised.value)
    await browser.close()


@pytest.mark.skipif(sys.platform == "win32", reason="the program is one of POSIX")
async def test_a_driver_that_never_lives_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromedriver, "START_SECONDS", 3600.0)
    with pytest.raises(BrowserUnavailable, match="chromedriver does not start"):
        await asyncio.to_thread(chromedriver.Chromedriver, shutil.which("false") or "/bin/false")
