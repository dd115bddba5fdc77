"""A world of our own inside a page: the same document, but JavaScript's own objects as the browser made them.

What a page did to `JSON.stringify` or `Array.prototype` neither changes what our scripts report nor shows them to it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

from playwright.async_api import CDPSession, Error, Frame, Page

from walker.browser.scripts.page_functions import call_of


class World(Protocol):
    """Our world in the page that a browser shows, whatever drives the browser. What goes wrong in the page is Playwright's
    `Error`."""

    @property
    def url(self) -> str:
        """Address of the page that is shown."""
        ...

    @property
    def frames(self) -> Sequence[Frame]:
        """Frames directly in the page, where they can be asked by themselves; () where the driver cannot."""
        ...

    async def enter(self) -> None:
        """Make the world in the document that is shown now; it is gone with the document. Raises `Error` where there is none."""

    async def send(self, method: str, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
        """The answer to a command of the DevTools protocol. Raises `Error` where the browser refuses it."""
        ...

    async def run(self, expression: str, *, by_value: bool = True) -> Any:
        """The JSON value of an expression, promises awaited; or, not by value, a handle to it. Raises `Error` where it throws."""
        ...

    async def call(self, function: str, argument: Any = None) -> Any:
        """The JSON value of a function of at most one argument, as `run` gives it."""
        ...

    async def wait_loaded(self, seconds: float) -> None:
        """Wait until the document is parsed. Raises `TimeoutError` of Playwright after `seconds`."""


Send = Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]


async def evaluate(send: Send, context: int, expression: str, *, by_value: bool) -> Any:
    """The value of an expression in a context, promises awaited; or, not by value, a handle to it. `send` takes a command of the
    DevTools protocol."""
    answer = await send(
        "Runtime.evaluate",
        {"expression": expression, "contextId": context, "returnByValue": by_value, "awaitPromise": True},
    )
    if "exceptionDetails" in answer:
        raise Error(str(answer["exceptionDetails"].get("exception", {}).get("description", "a script failed")))
    return answer["result"].get("value") if by_value else answer["result"]


class IsolatedWorld:
    """Runs scripts in the page that a tab shows. `enter` it anew after every navigation."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._session: CDPSession | None = None
        self._frame = ""
        self._context = 0

    @property
    def url(self) -> str:
        """Address of the page."""
        return self.page.url

    @property
    def frames(self) -> Sequence[Frame]:
        """Frames directly in the page."""
        return self.page.main_frame.child_frames

    async def wait_loaded(self, seconds: float) -> None:
        """Wait until the document is parsed."""
        await self.page.wait_for_load_state("domcontentloaded", timeout=seconds * 1000)

    async def enter(self) -> None:
        """Make the world in the document that is shown now."""
        for left in (True, False):
            if not self._frame:
                self._frame = (await self.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
            try:
                made = await self.send("Page.createIsolatedWorld", {"frameId": self._frame, "worldName": "walker"})
            except Error as error:
                if not left or "No frame" not in error.message:
                    raise
                self._frame = ""
            else:
                self._context = made["executionContextId"]
                return

    async def send(self, method: str, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
        """A command of the DevTools protocol."""
        if self._session is None:
            self._session = await self.page.context.new_cdp_session(self.page)
        answer: dict[str, Any] = await self._session.send(method, arguments or {})
        return answer

    async def run(self, expression: str, *, by_value: bool = True) -> Any:
        """The value of an expression, promises awaited; or, not by value, a handle to it."""
        return await evaluate(self.send, self._context, expression, by_value=by_value)

    async def call(self, function: str, argument: Any = None) -> Any:
        """The value of a function of at most one argument."""
        return await self.run(call_of(function, argument))
