"""One walk through the museum for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest
import pytest_asyncio

from tests.traces.viewer.walks import museum_walk


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def museum(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recorded walk; to be copied by whoever changes it or wants others beside it."""
    return await museum_walk(tmp_path_factory.mktemp("museum"))
