"""Settings of all tests."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio
from hypothesis import settings
from playwright.async_api import Browser

from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.launch.find_chromium import find_browser
from walker.cli.main import keep_driver_compiled

# The machines are shared: how long an example takes says nothing of the code.
settings.register_profile("shared-machine", deadline=None)
settings.load_profile("shared-machine")

# As the command line has it: Playwright's driver is started some two hundred times.
keep_driver_compiled()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Chromium]:
    """One browser and one driver for all tests of this process, each with contexts of its own in it; the first to ask for a
    context starts them. Tests that kill, count or start browsers have theirs."""
    async with Chromium(find_browser()) as started:
        yield started


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def browser(chromium: Chromium) -> Browser:
    """The same as Playwright has it."""
    context = await chromium.new_context(ContextOptions())
    opened = context.browser
    await context.close()
    assert opened is not None
    return opened
