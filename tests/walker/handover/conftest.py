"""Handing over without a window."""

from __future__ import annotations

import pytest

from walker.browser.launch.browser_kinds import BrowserKinds
from walker.browser.playwright.movable_browser import MovableBrowser


@pytest.fixture
def window_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser that could show a window stays where it is: what it takes to show one is another test's."""

    async def stay(_self: MovableBrowser, _kind: str) -> None:
        return None

    monkeypatch.setattr(BrowserKinds, "can_show", lambda _: True)
    monkeypatch.setattr(MovableBrowser, "move_to", stay)
