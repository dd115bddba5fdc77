from __future__ import annotations

from pathlib import Path

import pytest

from tests.architecture.source_tree import modules

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Gives the source's syntax trees back after the last test that reads them: half a million objects, which the garbage
    collector would go through in every test that follows in the same process. A fixture of this folder would end with the
    session, since the folder is no package."""
    if nextitem is None or HERE not in nextitem.path.parents:
        modules.cache_clear()
