"""Holds the documents of one tab within the borders of a walk: what leads elsewhere, a redirect too, is refused before it is sent."""

from __future__ import annotations

import contextlib
from typing import Any

from playwright.async_api import CDPSession, Error, Page

from walker.browser.page.background import Background
from walker.seams.web.borders import Borders


class GuardedDocuments:
    """The documents of one tab. What its frames and their pictures ask for is not held: egress decides there."""

    def __init__(self, page: Page, background: Background, borders: Borders) -> None:
        self._page, self._background, self._borders = page, background, borders
        self.asked = ""
        """The address that the walk asked for last."""
        self._main_frame = ""

    async def watch(self) -> None:
        """Begin; every request of a document, and each hop of its redirects, passes through here from now on."""
        session = await self._page.context.new_cdp_session(self._page)
        tree = await session.send("Page.getFrameTree")
        self._main_frame = tree["frameTree"]["frame"]["id"]
        session.on("Fetch.requestPaused", lambda event: self._background.start(self._decide(session, event)))
        pattern = {"urlPattern": "*", "resourceType": "Document", "requestStage": "Request"}
        await session.send("Fetch.enable", {"patterns": [pattern]})

    async def _decide(self, session: CDPSession, event: dict[str, Any]) -> None:
        is_main = event["frameId"] == self._main_frame
        is_redirect = "redirectedRequestId" in event
        url = event["request"]["url"]
        allowed = not is_main or self._borders.allow(
            url, asked=self.asked, shown=self._page.url, is_redirect=is_redirect
        )
        order = "Fetch.continueRequest" if allowed else "Fetch.failRequest"
        reason = {} if allowed else {"errorReason": "BlockedByClient"}
        # The tab may be closed at any moment.
        with contextlib.suppress(Error):
            await session.send(order, {"requestId": event["requestId"], **reason})
