"""The HTTP driver, for pages that need no JavaScript."""

from __future__ import annotations

import html as html_text
import re
import time
from collections.abc import Callable

import msgspec

from perception.element_map import View
from perception.encodings import decode_html
from perception.geometry import Box
from perception.snapshot import Snapshot
from walker.browser.http.http_client import NO_TEXT, PROBED_BYTES, HttpAnswer, HttpClient
from walker.browser.http.media_type import media_type_of
from walker.browser.page.meta_refresh import leads_on_to
from walker.browser.page.settled_page import LEADS_ON_AT_MOST, READ_TYPES
from walker.documents.document_kinds import DOCUMENT_TYPES, document_kind
from walker.documents.document_opening import NoDocument, document_as_page
from walker.seams.actions import Operate
from walker.seams.conditional import Condition, NotModified, usable_date
from walker.seams.protocols import FailureKind, PageFailure
from walker.seams.web.storage_state import StorageState

_HTML_TYPES = ("text/html", "application/xhtml+xml")
_SHOWN = ("text/", "image/", "audio/", "video/", "application/pdf", "application/javascript")
_TITLE = re.compile(r"<title\b[^>]*>(.*?)</title", re.IGNORECASE | re.DOTALL)
_TITLE_WITHIN = 200_000
_TAG = re.compile(
    rb"\s*<(?:!--|(?:!doctype html|html|head|body|script|iframe|h1|div|font|table|a|style|title|b|br|p)[\s>])",
    re.IGNORECASE,
)
"""Signatures of HTML without a Content-Type (WHATWG MIME sniffing, section 7.1)."""


class HttpBrowser:
    """Implements `seams.Browser`. Lightweight: several instances of one crawl share an `HttpClient`, and any number of tasks may open
    pages concurrently. Its snapshots have no layout, and `html` is the server's response."""

    def __init__(
        self, client: HttpClient, *, clock: Callable[[], float] = time.time, file_seconds: float = 0.0
    ) -> None:
        """`file_seconds`: time limit for a file (PDF, Word, CSV ...) to be read, which is then opened as a page made
        from it; 0 where none is."""
        self._client, self._clock, self._file_seconds = client, clock, file_seconds
        self._open_url = ""

    async def open(self, url: str) -> Snapshot | PageFailure:
        """Fetch a URL and follow redirects, including `<meta>` refreshes."""
        return await self._open(url, None)

    async def open_if_changed(self, url: str, condition: Condition) -> Snapshot | PageFailure | NotModified:
        """As `open`, but where the server says that the page is as the condition knows it."""
        answer = await self._client.fetch(url, headers=condition.headers)
        if isinstance(answer, PageFailure):
            return msgspec.structs.replace(answer, url=url)
        if answer.status != 304:
            return await self._open(url, answer)
        if answer.final_url.partition("#")[0] != condition.url.partition("#")[0]:
            # It speaks of another page, which was never fetched.
            return await self._open(url, None)
        self._open_url = answer.final_url
        headers = answer.headers
        return NotModified(etag=headers.get("etag", ""), last_modified=usable_date(headers))

    async def _open(self, url: str, asked: HttpAnswer | None) -> Snapshot | PageFailure:
        """`asked` is the answer of the URL, where there is one already."""
        started = time.monotonic()
        first: HttpAnswer | None = None
        place = url
        for _ in range(LEADS_ON_AT_MOST + 1):
            answer, asked = asked or await self._client.fetch(place), None
            if isinstance(answer, PageFailure):
                return msgspec.structs.replace(answer, url=url)
            first = first or answer
            page = await self._page(url, answer)
            if isinstance(page, PageFailure):
                return page
            place = leads_on_to(page.html, answer.final_url, answer.headers.get("refresh", ""))
            if not place:
                self._open_url = answer.final_url
                return msgspec.structs.replace(
                    page,
                    url=url,
                    redirects=first.redirects,
                    fetched_at=round(self._clock(), 3),
                    load_seconds=round(time.monotonic() - started, 4),
                )
        return PageFailure(url=url, kind="redirect_loop", message="the page redirects itself without end")

    async def _page(self, url: str, answer: HttpAnswer) -> Snapshot | PageFailure:
        kind = document_kind(answer.status, answer.final_url, answer.headers) if self._file_seconds else None
        if kind is not None:
            made = await document_as_page(
                kind, answer.body, answer.final_url, seconds=self._file_seconds, content_type=answer.content_type
            )
            if isinstance(made, NoDocument):
                return PageFailure(url=url, kind="unreadable", message=made.message)
            return snapshot_of(answer, kind.type, made)
        return why_no_page(url, answer) or _read(answer)

    async def act(self, move: Operate) -> Snapshot | PageFailure:
        """Always a failure: actions need a browser."""
        del move
        return self._unable("nothing can be clicked, typed or scrolled")

    async def see(self, *, whole: bool = False, box: Box | None = None, scale: float = 1.0) -> View | PageFailure:
        """Always a failure: screenshots need a browser."""
        del whole, box, scale
        return self._unable("there is no screenshot")

    async def state(self) -> StorageState:
        """Storage state, shared by all instances with the same client."""
        return self._client.state()

    async def restore(self, state: StorageState) -> None:
        """Set the state of all instances with the same client; local storage is preserved, but not used."""
        self._client.restore(state)

    async def fetch_ahead(self, urls: tuple[str, ...]) -> None:
        """No prefetching."""

    async def close(self) -> None:
        """Nothing to close; the client belongs to the crawl."""

    def _unable(self, what: str) -> PageFailure:
        message = f"{what} where a page is read over HTTP; use the driver playwright or selenium for it"
        return PageFailure(url=self._open_url, kind="other", message=message)


def why_no_page(url: str, answer: HttpAnswer) -> PageFailure | None:
    """Why a response is not a page, None if it is."""
    if answer.status == 304:
        return PageFailure(
            url=url, kind="empty", message="the server says unchanged (304) of a page that it never sent"
        )
    if answer.status in (204, 205):
        return PageFailure(url=url, kind="empty", message="the server sent nothing to show")
    if answer.headers.get("content-disposition", "").lstrip().lower().startswith("attachment"):
        return PageFailure(url=url, kind="download", message="it is a file to download, which was refused")
    kind = type_of(answer)
    if kind in READ_TYPES:
        return None
    failure: FailureKind = "not_a_page" if kind.startswith(_SHOWN) else "download"
    message = f"it is not a web page ({kind[:60]}), and was not kept"
    return PageFailure(url=url, kind=failure, message=message, media_type=kind[:60])


def type_of(answer: HttpAnswer) -> str:
    """The media type from the header, else by content sniffing."""
    if kind := media_type_of(answer.content_type):
        return kind
    if _TAG.match(answer.body[:PROBED_BYTES].removeprefix(b"\xef\xbb\xbf")):
        return "text/html"
    return "application/octet-stream" if NO_TEXT.search(answer.body[:PROBED_BYTES]) else "text/plain"


def _read(answer: HttpAnswer) -> Snapshot:
    kind = type_of(answer)
    text = decode_html(answer.body, answer.content_type)
    if kind in ("text/plain", "application/json"):
        # As in a browser's DOM.
        text = f"<html><head></head><body><pre>{html_text.escape(text, quote=False)}</pre></body></html>"
    return snapshot_of(answer, kind, text)


def snapshot_of(answer: HttpAnswer, kind: str, text: str) -> Snapshot:
    """The page of a response: its media type and its markup, of what was made from a file too."""
    title = _TITLE.search(text[:_TITLE_WITHIN]) if kind in _HTML_TYPES or kind in DOCUMENT_TYPES else None
    return Snapshot(
        url=answer.url,
        final_url=answer.final_url,
        status=answer.status,
        html=text,
        content_type=kind,
        retry_after=answer.headers.get("retry-after", ""),
        robots_tag=answer.headers.get("x-robots-tag", ""),
        link=answer.headers.get("link", ""),
        refresh=answer.headers.get("refresh", ""),
        etag=answer.headers.get("etag", ""),
        last_modified=usable_date(answer.headers),
        title=" ".join(html_text.unescape(title[1]).split()) if title else "",
    )
