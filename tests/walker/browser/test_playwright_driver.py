from __future__ import annotations

import asyncio
import gc
import os
import signal
from typing import Any

import psutil
import pytest
from playwright.async_api import Error

from walker.browser.launch.playwright_driver import start_driver


def children() -> set[int]:
    return {child.pid for child in psutil.Process().children()}


async def test_a_driver_that_is_killed_leaves_no_error_that_nobody_asked_for() -> None:
    told: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: told.append(context))
    before = children()
    playwright = await start_driver()
    (driver,) = children() - before
    os.kill(driver, signal.SIGTERM)
    with pytest.raises(Error):
        async with asyncio.timeout(20):
            await playwright.chromium.launch()
    await playwright.stop()
    del playwright
    await asyncio.sleep(0)
    gc.collect()
    assert told == []
