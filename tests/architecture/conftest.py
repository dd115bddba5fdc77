from __future__ import annotations

from pathlib import Path

import pytest

from tests.architecture.source_reader import end_reader

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Ends the process that reads the source after the last test that asks it. A fixture of this folder would end with the session,
    since the folder is no package."""
    if nextitem is None or HERE not in nextitem.path.parents:
        end_reader()
