"""Files that a tab is sent, documents (PDF, Word, CSV ...) and pictures: each is read, and the tab is given the page made from it in
its place.

The response is exchanged on its way into the tab, so that everything before it (address rules, cookies, the size limit of a
response, redirects) and after it (the snapshot, screenshots, traffic) is as for any page.
"""

from __future__ import annotations

import base64
import contextlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec
from playwright.async_api import CDPSession, Error, Page

from walker.browser.page.background import Background
from walker.browser.page.picture_page import MOST_BYTES as MOST_PICTURE_BYTES
from walker.browser.page.picture_page import PICTURE_TYPES, page_of_picture, picture_type, too_large_picture
from walker.documents.document_kinds import DOCUMENT_TYPES, DocumentKind, document_kind
from walker.documents.document_opening import MOST_BYTES as MOST_DOCUMENT_BYTES
from walker.documents.document_opening import NoDocument, document_as_page, too_large
from walker.seams.protocols import PageFailure

CHUNK_BYTES = 1 << 20
WHY_CHARS = 160
MADE_FROM = "x-walker-made-from"
UNREADABLE = "x-walker-unreadable"
"""Headers of a page that was made from a file: in recorded traffic they say what the server had sent, and why it gave no page."""
_KEPT_HEADERS = ("x-robots-tag", "retry-after", "date", "last-modified")
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


class FileResponses:
    """The files that one tab was sent, by URL without fragment."""

    def __init__(self, page: Page, background: Background, *, seconds: float) -> None:
        """`seconds` is the time limit for reading a file that has arrived."""
        self._page, self._background, self._seconds = page, background, seconds
        self._failures: dict[str, str] = {}
        self._read: dict[str, str] = {}
        self._session: CDPSession | None = None
        self._frame = ""

    async def watch(self) -> None:
        """Begin; every document passes through here from now on."""
        self._session = session = await self._page.context.new_cdp_session(self._page)
        self._frame = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
        session.on("Fetch.requestPaused", lambda event: self._background.start(self._pass_on(event)))
        pattern = {"urlPattern": "*", "resourceType": "Document", "requestStage": "Response"}
        await session.send("Fetch.enable", {"patterns": [pattern]})

    def media_type(self, url: str) -> str:
        """The media type of the file that the page at a URL was made from, "" where it was made from none."""
        return self._read.get(_bare(url), "")

    def failure(self, url: str, shown: str) -> PageFailure | None:
        """Why the file at the URL that is shown could not be read; `url` is the requested URL."""
        why = self._failures.get(_bare(shown), "")
        return PageFailure(url=url, kind="unreadable", message=why) if why else None

    async def _pass_on(self, event: dict[str, Any]) -> None:
        session = self._session
        assert session is not None, "watched"
        # The tab may be closed at any moment.
        with contextlib.suppress(Error):
            try:
                await self._answer(session, _Paused.of(event, self._frame))
            except Error:
                # The connection broke while the file was read.
                gone = {"requestId": event["requestId"], "errorReason": "ConnectionClosed"}
                await session.send("Fetch.failRequest", gone)

    async def _answer(self, session: CDPSession, paused: _Paused) -> None:
        url = _bare(paused.url)
        self._failures.pop(url, None)
        self._read.pop(url, None)
        made_from = paused.headers.get(MADE_FROM, "")
        if made_from in DOCUMENT_TYPES or made_from in PICTURE_TYPES:
            # A recorded response: it was made into a page before it was recorded.
            self._read[url] = made_from
            if why := paused.headers.get(UNREADABLE):
                self._failures[url] = why[:WHY_CHARS]
        elif (document := document_kind(paused.status, paused.url, paused.headers)) is not None:
            await self._show(session, paused, document.type, await self._document(session, paused, document))
            return
        elif paused.is_whole_tab and (kind := picture_type(paused.status, paused.headers)):
            await self._show(session, paused, kind, await self._picture(session, paused, kind))
            return
        await session.send("Fetch.continueResponse", {"requestId": paused.id})

    async def _show(self, session: CDPSession, paused: _Paused, kind: str, made: str | NoPage) -> None:
        """Give the tab the page made from a file of some media type, or an empty one with the reason why there is none."""
        url = _bare(paused.url)
        self._read[url] = kind
        if isinstance(made, NoPage):
            self._failures[url] = made.why
            answer = paused.fulfilled("<title>file</title>", kind, {UNREADABLE: made.why})
        else:
            answer = paused.fulfilled(made, kind)
        await session.send("Fetch.fulfillRequest", answer)

    async def _document(self, session: CDPSession, paused: _Paused, kind: DocumentKind) -> str | NoPage:
        data = await self._body(session, paused, MOST_DOCUMENT_BYTES)
        if data is None:
            return NoPage(why=too_large(kind).message)
        content_type = paused.headers.get("content-type", "")
        made = await document_as_page(kind, data, paused.url, seconds=self._seconds, content_type=content_type)
        return NoPage(why=made.message) if isinstance(made, NoDocument) else made

    async def _picture(self, session: CDPSession, paused: _Paused, kind: str) -> str | NoPage:
        data = await self._body(session, paused, MOST_PICTURE_BYTES)
        return NoPage(why=too_large_picture()) if data is None else page_of_picture(data, kind, paused.url)

    async def _body(self, session: CDPSession, paused: _Paused, most: int) -> bytes | None:
        """The file; None if it has more than `most` bytes."""
        length = paused.headers.get("content-length", "")
        if length.isdecimal() and int(length) > most:
            return None
        stream = (await session.send("Fetch.takeResponseBodyAsStream", {"requestId": paused.id}))["stream"]
        parts: list[bytes] = []
        total = 0
        while True:
            part = await session.send("IO.read", {"handle": stream, "size": CHUNK_BYTES})
            piece = base64.b64decode(part["data"]) if part.get("base64Encoded") else part["data"].encode()
            parts.append(piece)
            total += len(piece)
            if part["eof"] or total > most:
                await session.send("IO.close", {"handle": stream})
                return b"".join(parts) if total <= most else None


class NoPage(msgspec.Struct, frozen=True, kw_only=True):
    """Why a file gives no page; one line."""

    why: str


class _Paused(msgspec.Struct, frozen=True, kw_only=True):
    """A response that waits to be passed on."""

    id: str
    url: str
    status: int
    headers: dict[str, str]
    """By lower-case name."""
    is_whole_tab: bool
    """Whether the document fills the tab, and not a frame of a page."""

    @classmethod
    def of(cls, event: dict[str, Any], frame: str) -> _Paused:
        """The response of an event `Fetch.requestPaused`; `frame` is the id of the tab's own frame."""
        headers = {one["name"].lower(): one["value"] for one in event.get("responseHeaders", ())}
        # An error has no status: it is passed on.
        status = event.get("responseStatusCode", 0)
        is_whole_tab = event.get("frameId") == frame
        return cls(
            id=event["requestId"],
            url=event["request"]["url"],
            status=status,
            headers=headers,
            is_whole_tab=is_whole_tab,
        )

    def fulfilled(self, html: str, made_from: str, more: Mapping[str, str] = MappingProxyType({})) -> dict[str, Any]:
        """The command that answers with a page of ours, made from a file of a media type; the body is UTF-8. `more` are headers."""
        headers = {name: self.headers[name] for name in _KEPT_HEADERS if name in self.headers}
        headers |= more
        headers |= {
            "content-type": "text/html; charset=utf-8",
            "content-security-policy": _POLICY,
            MADE_FROM: made_from,
        }
        return {
            "requestId": self.id,
            "responseCode": self.status,
            "responseHeaders": [{"name": name, "value": value} for name, value in headers.items()],
            "body": base64.b64encode(html.encode(errors="replace")).decode(),
        }


def _bare(url: str) -> str:
    return url.partition("#")[0]
