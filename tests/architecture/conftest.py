from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.architecture.source_tree import modules


@pytest.fixture(scope="package", autouse=True)
def syntax_trees() -> Iterator[None]:
    """Gives the source's syntax trees back: millions of objects, which the garbage collector would go through in every test
    that follows in the same process."""
    yield
    modules.cache_clear()
