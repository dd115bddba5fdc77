"""Opening a page that must be one."""

from __future__ import annotations

from perception.snapshot import Snapshot
from walker.seams import Browser


async def snapshot_of(browser: Browser, url: str) -> Snapshot:
    opened = await browser.open(url)
    assert isinstance(opened, Snapshot), opened
    return opened
