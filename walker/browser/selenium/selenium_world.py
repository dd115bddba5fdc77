"""Our world inside a page that Selenium drives; the same methods as `IsolatedWorld`, each call made in the session's thread."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import Any, TypeVar

from playwright.async_api import Error, Frame

from walker.browser.page.isolated_world import evaluate
from walker.browser.scripts.page_functions import call_of, page_function
from walker.browser.selenium.selenium_session import WORLD, SeleniumSession, is_lost

T = TypeVar("T")

PARSED_SECONDS = 1.0
"""Nothing else can be asked of chromedriver while it waits for a page."""
LEFT_BEHIND = 2
"""Documents that gave way before they were parsed: a page that does so until its time is over is in a ring."""
RING = "net::ERR_TOO_MANY_REDIRECTS"
"""What Chromium calls the like of servers."""


class SeleniumIsolatedWorld:
    """Implements `page_world.World`."""

    def __init__(self, session: SeleniumSession, thread: Executor) -> None:
        self.session, self._thread = session, thread
        self._context = 0
        self.url = ""

    @property
    def frames(self) -> Sequence[Frame]:
        """None: frames of other origins cannot be asked."""
        return ()

    async def do(self, work: Callable[..., T], *arguments: Any) -> T:
        """A call of the session, made in its thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, partial(work, *arguments))

    async def enter(self) -> None:
        """Make the world in the document that is shown now."""
        shown = (await self.send("Page.getFrameTree"))["frameTree"]["frame"]
        self.session.frame, self.url = shown["id"], shown["url"] + shown.get("urlFragment", "")
        made = await self.send("Page.createIsolatedWorld", {"frameId": shown["id"], "worldName": WORLD})
        self._context = made["executionContextId"]

    async def send(self, method: str, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
        """A command of the DevTools protocol."""
        return await self.do(self.session.send, method, arguments)

    async def run(self, expression: str, *, by_value: bool = True) -> Any:
        """The value of an expression, promises awaited; or, not by value, a handle to it."""
        return await evaluate(self.send, self._context, expression, by_value=by_value)

    async def call(self, function: str, argument: Any = None) -> Any:
        """The value of a function of at most one argument."""
        return await self.run(call_of(function, argument))

    async def take_dialogs(self) -> list[str]:
        """What the page asked since it came, as "kind: message"."""
        told = await self.call(page_function("page_world/dialogs.js", "takeDialogs"))
        return [str(one) for one in told] if isinstance(told, list) else []

    async def wait_loaded(self, seconds: float, is_over: Callable[[], Awaitable[bool]] | None = None) -> None:
        """Wait until the document is parsed. `is_over` is asked from time to time whether nothing more comes of it."""
        parsed = page_function("snapshot/loading.js", "waitUntilParsed")
        deadline, left_behind = time.monotonic() + seconds, 0
        while (left := deadline - time.monotonic()) > 0:
            try:
                await self.enter()
                if await self.call(parsed, round(min(left, PARSED_SECONDS) * 1000)):
                    return
                if is_over is not None and await is_over():
                    raise Error("net::ERR_CONNECTION_RESET")
            except Error as error:
                if is_lost(error) or error.message.startswith("net::"):
                    raise
                # The document gave way to its successor.
                left_behind += 1
                await asyncio.sleep(0.02)
        if left_behind >= LEFT_BEHIND:
            raise Error(f"{RING}: the page goes elsewhere by itself without end")
        raise Error("Timeout: the page was not parsed in time")
