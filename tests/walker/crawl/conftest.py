"""What tests of crawls share."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from tests.fixtures.postgres_server import PostgresServer, serve_postgres
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.launch.find_chromium import find_browser
from walker.browser.playwright.playwright_browser import PlaywrightBrowser
from walker.browser.selenium.selenium_browser import SeleniumBrowser
from walker.seams.protocols import ScriptedBrowser


@pytest_asyncio.fixture(loop_scope="session", scope="module", params=["playwright", "selenium"])
async def browser(request: pytest.FixtureRequest, chromium: Chromium) -> AsyncIterator[ScriptedBrowser]:
    """Each of the two browsers that do steps, taking pages as a crawl wants them."""
    if request.param == "selenium":
        driven = SeleniumBrowser(find_browser(), ContextOptions(), lean=True)
        yield driven
        await driven.close()
        return
    made = PlaywrightBrowser(chromium, ContextOptions(), lean=True)
    yield made
    await made.close()


@pytest.fixture(autouse=True)
def crawls_share_a_browser(kept_chromium: None) -> None:
    """One of its own costs a crawl more than its twenty pages do."""


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A Postgres server."""
    with serve_postgres() as server:
        yield server
