"""Pages without frames: they are loaded and run, and neither laid out, painted nor rasterised unless a script asks for a measure.

The headless shell draws a page that is made so on request only, and nobody requests a frame. What waits for one never comes: pages
tell whether they need frames (page_world/frame_needs.js).
"""

from __future__ import annotations

import asyncio
import contextlib

from playwright.async_api import BrowserContext, CDPSession, Error, Page

from walker.browser.scripts.page_functions import undrawn_script

OPEN_SECONDS = 5.0
"""Seconds until a page that was asked for is there, which takes milliseconds."""


class UndrawnPages:
    """Makes such pages in one context."""

    def __init__(self, context: BrowserContext) -> None:
        self._context = context
        self._session: CDPSession | None = None
        self._name = ""
        """The context's in the DevTools protocol."""
        self._making = asyncio.Lock()

    async def new_page(self) -> Page:
        """A new one. Raises `Error` where the browser has none."""
        async with self._making:
            session = await self._ready()
            opened: asyncio.Queue[Page] = asyncio.Queue()
            self._context.on("page", opened.put_nowait)
            try:
                order = {"url": "about:blank", "browserContextId": self._name, "enableBeginFrameControl": True}
                target = (await session.send("Target.createTarget", order))["targetId"]
                async with asyncio.timeout(OPEN_SECONDS):
                    # Others open pages in this context too.
                    while await _target_of(page := await opened.get()) != target:
                        pass
            except TimeoutError:
                raise Error("the browser told of no page without frames") from None
            finally:
                self._context.remove_listener("page", opened.put_nowait)
            await page.add_init_script(undrawn_script())
            return page

    async def _ready(self) -> CDPSession:
        if self._session is None:
            if self._context.browser is None:
                raise Error("a context without a browser")
            page = await self._context.new_page()
            session = await self._context.new_cdp_session(page)
            self._name = (await session.send("Target.getTargetInfo"))["targetInfo"]["browserContextId"]
            await page.close()
            self._session = await self._context.browser.new_browser_cdp_session()
        return self._session


async def _target_of(page: Page) -> str:
    """Its id in the DevTools protocol, "" where it is gone."""
    with contextlib.suppress(Error):
        session = await page.context.new_cdp_session(page)
        found = (await session.send("Target.getTargetInfo"))["targetInfo"]["targetId"]
        await session.detach()
        return str(found)
    return ""
