"""What tests of browsers share: a site that misbehaves, and a page in the Chromium of all tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from tests.sites.misbehaving import serve_misbehaving
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.playwright.playwright_browser import PlaywrightBrowser


@pytest.fixture(scope="module")
def home() -> Iterator[str]:
    with serve_misbehaving() as address:
        yield address


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def browser(chromium: Chromium) -> AsyncIterator[PlaywrightBrowser]:
    made = PlaywrightBrowser(chromium, ContextOptions(), page_seconds=10)
    yield made
    await made.close()
