"""One Chromium for each module of tests, and one walk through the museum for all of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.traces.viewer.browsing import chromium
from tests.traces.viewer.walks import museum_walk


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as started:
        yield started


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def museum(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recorded walk; to be copied by whoever changes it or wants others beside it."""
    return await museum_walk(tmp_path_factory.mktemp("museum"))
