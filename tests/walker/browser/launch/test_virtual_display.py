"""A display that nobody sees, for windows."""

from __future__ import annotations

import asyncio
import shutil

import psutil
import pytest

from walker.browser.launch.virtual_display import VirtualDisplay, client_of


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="no Xvfb is installed")
async def test_it_outlasts_a_client_that_looks_and_leaves_and_ends_when_it_is_closed() -> None:
    display = VirtualDisplay()
    number = (await display.start()).removeprefix(":")
    for _ in range(3):
        (await client_of(number)).close()
        await asyncio.sleep(0.2)
    await display.close()
    assert not [one for one in psutil.Process().children() if one.name() == "Xvfb"]
    with pytest.raises(FileNotFoundError):
        await client_of(number)
