"""An isolated world in a page (CDP): the same DOM, but separate JavaScript globals.

A page's changes to `JSON.stringify` or `Array.prototype` do not affect our scripts, nor can it observe them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

from playwright.async_api import CDPSession, Error, Frame, Page

from walker.browser.scripts.page_functions import call_of


class World(Protocol):
    """An isolated world in a browser's page, independent of the driver. All methods raise Playwright's `Error` for failures in the
    page."""

    @property
    def url(self) -> str:
        """URL of the page."""
        ...

    @property
    def frames(self) -> Sequence[Frame]:
        """Child frames of the main frame that can be evaluated separately; () if the driver cannot."""
        ...

    async def enter(self) -> None:
        """Create the world in the current document, with which it ends. Raises `Error` if there is no document."""

    async def send(self, method: str, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
        """The result of a command of the DevTools protocol. Raises `Error` if the browser refuses it."""
        ...

    async def run(self, expression: str, *, by_value: bool = True) -> Any:
        """The JSON value of an expression, promises awaited; or, not by value, a handle to it. Raises `Error` if it throws."""
        ...

    async def call(self, function: str, argument: Any = None) -> Any:
        """The JSON value of a function, given as source, of at most one JSON-ready argument. Raises `Error` if it throws."""
        ...

    async def wait_loaded(self, seconds: float) -> None:
        """Wait until the document is parsed. Raises Playwright's `TimeoutError` after `seconds`."""


Send = Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]


async def evaluate(send: Send, context: int, expression: str, *, by_value: bool) -> Any:
    """The value of an expression in an execution context, promises awaited; or, not by value, a handle to it. `send` sends a command
    of the DevTools protocol. Raises `Error` for an exception in the page."""
    answer = await send(
        "Runtime.evaluate",
        {"expression": expression, "contextId": context, "returnByValue": by_value, "awaitPromise": True},
    )
    if "exceptionDetails" in answer:
        raise Error(str(answer["exceptionDetails"].get("exception", {}).get("description", "a script failed")))
    return answer["result"].get("value") if by_value else answer["result"]


class IsolatedWorld:
    """Implements `World` for a Playwright page. Call `enter` again after every navigation."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._session: CDPSession | None = None
        self._frame = ""
        self._context = 0

    @property
    def url(self) -> str:
        """URL of the page."""
        return self.page.url

    @property
    def frames(self) -> Sequence[Frame]:
        """Child frames of the main frame."""
        return self.page.main_frame.child_frames

    async def wait_loaded(self, seconds: float) -> None:
        """Wait until the document is parsed."""
        await self.page.wait_for_load_state("domcontentloaded", timeout=seconds * 1000)

    async def enter(self) -> None:
        """Create the world in the current document. Call it again after every navigation."""
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
        """Send a command of the DevTools protocol, and return its result."""
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
