"""Refuses what may change something on a site, at the requests of a whole browser context, unless it is told to let it through."""

from __future__ import annotations

import contextlib
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, Error, Request, Route

from walker.browser.scripts.page_functions import init_script, page_function

READING = frozenset(("GET", "HEAD", "OPTIONS"))
MOST_REFUSED = 20
"""Refused requests that are kept for a call; further ones are refused too."""


class RequestGuard:
    """Holds documents that are no reading always, and what scripts send while it `holds`; nothing while it lets writing through."""

    def __init__(self) -> None:
        self.holds = True
        """Whether what scripts send is held too."""
        self.lets_writing_through = False
        self._refused: list[str] = []
        self._refused_document = ""

    async def watch(self, context: BrowserContext) -> None:
        """Hold the requests of all pages of a new context, of their frames, popups and workers."""
        await context.add_init_script(
            init_script(page_function("page_world/shared_workers.js", "withoutSharedWorkers"))
        )
        await context.route("**/*", self._decide)

    def begin(self, *, holds: bool, lets_writing_through: bool) -> None:
        """Begin a call."""
        self.holds, self.lets_writing_through = holds, lets_writing_through

    def end(self) -> None:
        """End a call that let writing through."""
        self.lets_writing_through = False

    def take_refused(self) -> tuple[tuple[str, ...], str]:
        """Method and address, without its query, of what was refused since this was asked last, each once; and the last document among
        them, "" for none."""
        refused, document = tuple(dict.fromkeys(self._refused)), self._refused_document
        self._refused, self._refused_document = [], ""
        return refused, document

    async def _decide(self, route: Route) -> None:
        request = route.request
        is_document = request.is_navigation_request()
        refused = request.method not in READING and not self.lets_writing_through and (is_document or self.holds)
        if refused:
            self._note(request, is_document=is_document)
        # The page may be closed at any moment.
        with contextlib.suppress(Error):
            # An aborted document leaves the page as it is; one that failed would put an error page in its place.
            await (route.abort("aborted") if refused else route.fallback())

    def _note(self, request: Request, *, is_document: bool) -> None:
        told = told_request(request.method, request.url)
        if len(self._refused) < MOST_REFUSED:
            self._refused.append(told)
        if is_document and not _is_framed(request):
            self._refused_document = told


def _is_framed(request: Request) -> bool:
    """Whether a document belongs into a frame of a page."""
    try:
        return request.frame.parent_frame is not None
    except Error:
        # That of a window that opens is not known yet.
        return False


def told_request(method: str, url: str) -> str:
    """A request in a line: method and address without query."""
    parts = urlsplit(url)
    return f"{method} {parts.scheme}://{parts.netloc}{parts.path}"
