"""One look at a page: its picture, and the elements in it at the same moment."""

from __future__ import annotations

from playwright.async_api import Page

from perception.element_map import View
from perception.geometry import Box


async def take_view(page: Page, *, whole: bool, seconds: float) -> View:
    """The window, or the whole page."""
    picture = await page.screenshot(
        full_page=whole, animations="disabled", caret="hide", scale="css", timeout=seconds * 1000
    )
    width, height = int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])
    return View(
        url=page.url, picture=picture, width=width, height=height, shown=Box(x=0, y=0, width=width, height=height)
    )
