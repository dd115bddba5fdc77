"""What tests of several folders of the walker share."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A terminal at which nobody types, unless a test writes there."""
    reading, writing = os.pipe()
    with os.fdopen(reading) as file:
        monkeypatch.setattr(sys, "stdin", file)
        yield writing
        os.close(writing)
