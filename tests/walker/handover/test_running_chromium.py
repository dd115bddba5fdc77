"""A walk in a Chromium that a person runs: with their session, in a context of its own, and nothing of theirs is closed."""

from __future__ import annotations

import asyncio
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import async_playwright

from tests.sites.members import NAME, WORD, MembersSite
from tests.sites.serving import serving
from walker.asking import ask
from walker.browser.launch.cdp_address import check_cdp
from walker.browser.launch.find_chromium import find_browser
from walker.errors import BrowserUnavailable, UsageError
from walker.seams.outcome import StopReason
from walker.settings import Limits, Settings


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a browser that a person has started."""
    folder = tmp_path_factory.mktemp("profile")
    port_file = folder / "DevToolsActivePort"
    flags = [
        "--headless=new",
        "--remote-debugging-port=0",
        f"--user-data-dir={folder}",
        "--no-first-run",
        "about:blank",
    ]
    if os.geteuid() == 0:
        flags.append("--no-sandbox")
    with subprocess.Popen(
        [find_browser().path, *flags], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    ) as process:
        until = time.monotonic() + 60
        while not (port_file.exists() and port_file.read_text().count("\n")):
            assert time.monotonic() < until, "it writes its port within a minute"
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port_file.read_text().splitlines()[0]}"
        assert process.poll() is None, "a walk leaves their browser running"
        process.terminate()


def files_with(folder: Path, text: str) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


async def test_a_walk_has_their_session_and_closes_nothing_of_theirs(theirs: str, tmp_path: Path) -> None:
    with serving(MembersSite()) as site:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.connect_over_cdp(theirs)
            page = await browser.contexts[0].new_page()
            await page.goto(f"{site.home}login")
            await page.fill("#name", NAME)
            await page.fill("#word", WORD)
            await page.click("#go")
            await page.wait_for_url("**/members/home")
        settings = Settings(limits=Limits(pages=2), runs_folder=tmp_path, cdp=theirs, scout_pages=0)
        outcome = await ask(f"{site.home}members/hours", "When does the lighthouse open?", settings=settings)
        assert "9:45" in outcome.answer
        assert outcome.stop_reason is StopReason.ANSWERED
        (session,) = site.issued
    assert files_with(tmp_path, session) == []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.connect_over_cdp(theirs)
        assert any(one.url.endswith("/members/home") for one in browser.contexts[0].pages)
        assert len(browser.contexts) == 1, "the context of the walk is gone"


@pytest.mark.parametrize(
    "address", ["http://192.0.2.7:9222", "http://browser.example:9222", "127.0.0.1:9222", "file:///x"]
)
def test_only_a_browser_of_this_machine_is_connected_to(address: str) -> None:
    with pytest.raises(UsageError):
        check_cdp(address)


async def test_a_browser_that_is_not_there_is_told(tmp_path: Path) -> None:
    settings = Settings(record=False, runs_folder=tmp_path, cdp="http://127.0.0.1:9")
    with pytest.raises(BrowserUnavailable, match="--remote-debugging-port"):
        await asyncio.wait_for(ask("http://127.0.0.1:8/", "What is it?", settings=settings), 60)
