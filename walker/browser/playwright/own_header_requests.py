"""Adds a user's own header fields to the requests of one tab over https, where the egress proxy cannot: they are encrypted there.

Each hop of a redirect is stopped here as a request of its own, so that none takes the fields to another host.
"""

from __future__ import annotations

import contextlib
from typing import Any

from playwright.async_api import CDPSession, Error, Page

from walker.browser.page.background import Background
from walker.seams.web.own_headers import OwnHeaders


class OwnHeaderRequests:
    """The requests of one tab and its frames of the same site; frames of other sites, which have processes of their own, get none."""

    def __init__(self, page: Page, background: Background, headers: OwnHeaders) -> None:
        self._page, self._background, self._headers = page, background, headers

    async def watch(self) -> None:
        """Begin; every request over https passes through here from now on."""
        session = await self._page.context.new_cdp_session(self._page)
        session.on("Fetch.requestPaused", lambda event: self._background.start(self._pass_on(session, event)))
        pattern = {"urlPattern": "https://*", "requestStage": "Request"}
        await session.send("Fetch.enable", {"patterns": [pattern]})

    async def _pass_on(self, session: CDPSession, event: dict[str, Any]) -> None:
        request = event["request"]
        fields = self._headers.applied(request["url"], request["headers"].items())
        headers = [{"name": name, "value": value} for name, value in fields]
        # The tab may be closed at any moment.
        with contextlib.suppress(Error):
            await session.send("Fetch.continueRequest", {"requestId": event["requestId"], "headers": headers})
