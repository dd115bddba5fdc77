"""Opening a page that must be one, and looking at it."""

from __future__ import annotations

from perception.element_map import View
from perception.snapshot import Snapshot
from walker.seams.protocols import Browser


async def snapshot_of(browser: Browser, url: str) -> Snapshot:
    opened = await browser.open(url)
    assert isinstance(opened, Snapshot), opened
    return opened


async def view_of(browser: Browser, url: str, *, whole: bool = False) -> View:
    await snapshot_of(browser, url)
    seen = await browser.see(whole=whole)
    assert isinstance(seen, View), seen
    return seen
