"""The isolated world of a page driven by Selenium; calls are made in the session's thread."""

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
"""Seconds of a single wait: chromedriver handles no other command meanwhile."""
SCRIPT_POLL_SECONDS = 0.05
LEFT_BEHIND = 2
"""Documents replaced before they were parsed, from which a page that never loads counts as a redirect loop."""
RING = "net::ERR_TOO_MANY_REDIRECTS"
"""Chromium's name for server redirect loops."""


class SeleniumIsolatedWorld:
    """Implements `isolated_world.World`."""

    def __init__(self, session: SeleniumSession, thread: Executor) -> None:
        self.session, self._thread = session, thread
        self._context = 0
        self.is_fresh = False
        """Whether the world was made just now, in the document that was waited for."""
        self.url = ""

    @property
    def frames(self) -> Sequence[Frame]:
        """Always (): cross-origin frames cannot be evaluated."""
        return ()

    async def do(self, work: Callable[..., T], *arguments: Any) -> T:
        """Call a method of the session in its thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, partial(work, *arguments))

    async def enter(self) -> None:
        """Create the world in the current document, unless waiting for it has done so just now: each command costs a request to
        chromedriver. Where the document has been replaced since, the next call says that it was left."""
        fresh, self.is_fresh = self.is_fresh, False
        if not fresh:
            await self._make()

    async def _make(self) -> None:
        shown = (await self.send("Page.getFrameTree"))["frameTree"]["frame"]
        self.session.frame, self.url = shown["id"], shown["url"] + shown.get("urlFragment", "")
        await self._make_in_frame()

    async def _make_in_frame(self) -> None:
        made = await self.send("Page.createIsolatedWorld", {"frameId": self.session.frame, "worldName": WORLD})
        self._context = made["executionContextId"]

    async def send(self, method: str, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a command of the DevTools protocol, and return its result."""
        return await self.do(self.session.send, method, arguments)

    async def run(self, expression: str, *, by_value: bool = True) -> Any:
        """The value of an expression, promises awaited; or, not by value, a handle to it."""
        return await evaluate(self.send, self._context, expression, by_value=by_value)

    async def call(self, function: str, argument: Any = None) -> Any:
        """The value of a function of at most one argument."""
        return await self.run(call_of(function, argument))

    async def take_dialogs(self) -> list[str]:
        """Dialogs since the page was opened, as "kind: message"."""
        dialogs = await self.call(page_function("page_world/dialogs.js", "takeDialogs"))
        return [str(one) for one in dialogs] if isinstance(dialogs, list) else []

    async def wait_loaded(self, seconds: float, is_over: Callable[[], Awaitable[bool]] | None = None) -> None:
        """Wait until the document is parsed. `is_over` is polled for whether loading has failed."""
        parsed = page_function("snapshot/loading.js", "waitUntilParsed")
        deadline, left_behind, self.is_fresh = time.monotonic() + seconds, 0, False
        while (left := deadline - time.monotonic()) > 0:
            try:
                await (self._make() if left_behind else self._make_in_frame())
                self.is_fresh, self.url = await self.call(parsed, round(min(left, PARSED_SECONDS) * 1000))
                if self.is_fresh:
                    return
                if is_over is not None and await is_over():
                    raise Error("net::ERR_CONNECTION_RESET")
            except Error as error:
                if is_lost(error) or error.message.startswith("net::"):
                    raise
                # The document was replaced by a navigation.
                left_behind += 1
                await asyncio.sleep(0.02)
        if left_behind >= LEFT_BEHIND:
            raise Error(f"{RING}: the page redirects itself without end")
        raise Error("Timeout: the page was not parsed in time")


class ScriptsUnderWay:
    """Implements `settled_page.Arrivals` for the scripts of a page, of which the session knows what it heard last."""

    are_under_way = False
    """What was heard while a page was taken is looked at by whoever took it."""

    def __init__(self, world: SeleniumIsolatedWorld) -> None:
        self._world = world

    async def ended(self, seconds: float, most_seconds: float) -> bool:
        """Wait until none is under way. Whether all ended in time; those that did not are not waited for again."""
        session, started = self._world.session, time.monotonic()
        while session.scripts:
            if time.monotonic() - started > min(seconds, most_seconds):
                session.scripts.clear()
                return False
            await asyncio.sleep(SCRIPT_POLL_SECONDS)
            await self._world.do(session.happened)
        return True
