"""Fakes that ship with the product: a site made of a dict of pages, a scripted model, and a list of events."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

import msgspec

from perception.element_map import View
from perception.geometry import Box
from perception.images.image import decode_picture, encode_picture, resize, size_of
from perception.snapshot import FLAT, Layout, Notice, Redirect, Snapshot
from traces.events import Event
from walker.seams.actions import Operate
from walker.seams.chat import ChatFailure, ChatReply, ChatRequest
from walker.seams.protocols import PageFailure


class Paper(msgspec.Struct, frozen=True, kw_only=True):
    """One page of a `PaperSite`: its content, or its redirect. `controls` maps a selector to the URL or to the new content that
    clicking it leads to."""

    html: str = ""
    status: int = 200
    redirect: str = ""
    failure: PageFailure | None = None
    controls: Mapping[str, str] = {}
    view: View | None = None
    layout: Layout = FLAT
    content_type: str = "text/html"
    early: str | None = None
    """What it holds when it is opened for the first time and its time is over before it has settled; None where it settles."""


REDIRECTS_AT_MOST = 20


class PaperSite:
    """A `seams.Browser` over pages given as text; an unknown URL gives a 404 page. The clock counts the pages opened."""

    def __init__(self, pages: Mapping[str, str | Paper]) -> None:
        self._pages = {url: page if isinstance(page, Paper) else Paper(html=page) for url, page in pages.items()}
        self._current = ""
        self._shown: Paper | None = None
        self.opened: list[str] = []
        self.fetched: list[str] = []
        self.drawn: list[tuple[Box | None, float]] = []
        """The screenshots taken: the box, None for one of the whole page, and the scale."""

    async def open(self, url: str) -> Snapshot | PageFailure:
        """The page at a URL, redirects followed."""
        self.opened.append(url)
        if not url.startswith(("http://", "https://")):
            return PageFailure(url=url, kind="bad_scheme", message="only http and https addresses are opened")
        hops: list[Redirect] = []
        place = url
        page = self._pages.get(place.split("#")[0])
        while page is not None and page.redirect:
            hops.append(Redirect(url=place, status=302))
            if len(hops) > REDIRECTS_AT_MOST:
                return PageFailure(url=url, kind="redirect_loop", message="it redirects without end")
            place = page.redirect
            page = self._pages.get(place.split("#")[0])
        if page is None:
            page = Paper(html="<title>Not found</title><h1>Not found</h1>", status=404)
        if page.failure is not None:
            return PageFailure(url=url, kind=page.failure.kind, message=page.failure.message)
        self._current, self._shown = place, page
        if page.early is not None and self.opened.count(url) == 1:
            early = msgspec.structs.replace(page, html=page.early)
            notices = (Notice(kind="unsettled", text="requests"),)
            return msgspec.structs.replace(self._snapshot(url, place, early, tuple(hops)), notices=notices)
        return self._snapshot(url, place, page, tuple(hops))

    async def act(self, move: Operate) -> Snapshot | PageFailure:
        """Click a control; a scroll shows the same page."""
        page = self._shown
        if page is None:
            return PageFailure(url=self._current, kind="gone", message="no page is open")
        before = self._current
        if move.selector:
            target = page.controls.get(move.selector)
            if target is None:
                return PageFailure(url=before, kind="gone", message="the control is not on the page any more")
            if target.startswith(("http://", "https://")):
                return await self.open(target)
            self._shown = page = msgspec.structs.replace(page, html=target)
        return self._snapshot(before, before, page, ())

    async def fetch_ahead(self, urls: tuple[str, ...]) -> None:
        """Only stores the URLs, in `fetched`."""
        self.fetched += urls

    async def see(self, *, whole: bool = False, box: Box | None = None, scale: float = 1.0) -> View | PageFailure:  # noqa: ARG002 (paper is seen whole)
        """The page's view, or a part of it at that scale; a failure if it has none."""
        self.drawn.append((box, scale))
        if self._shown is None or self._shown.view is None:
            return PageFailure(url=self._current, kind="other", message="the page cannot be drawn")
        return self._shown.view if box is None else _part_of(self._shown.view, box, scale)

    def show(self, view: View) -> None:
        """Replace the view of the open page."""
        assert self._shown is not None, "a page is open"
        self._shown = msgspec.structs.replace(self._shown, view=view)

    async def close(self) -> None:
        """Forget the open page; there is nothing to close."""
        self._shown = None

    def _snapshot(self, url: str, place: str, page: Paper, hops: tuple[Redirect, ...]) -> Snapshot:
        return Snapshot(
            url=url,
            final_url=place,
            status=page.status,
            html=page.html,
            content_type=page.content_type,
            layout=page.layout,
            redirects=hops,
            fetched_at=float(len(self.opened)),
        )


def _part_of(view: View, box: Box, scale: float) -> View:
    """A part of a view, rendered at a scale; a view of higher resolution than the page shows more detail."""
    shown = box.cut_to(view.shown)
    left, top, right, bottom = view.frame.to_pixels(shown)
    part = decode_picture(view.picture)[top:bottom, left:right]
    if not part.size:
        return msgspec.structs.replace(view, picture=b"", width=1, height=1, shown=shown)
    drawn = resize(part, max(1, round(scale * shown.width)), max(1, round(scale * shown.height)))
    width, height = size_of(drawn)
    return msgspec.structs.replace(view, picture=encode_picture(drawn), width=width, height=height, shown=shown)


class ScriptedChat:
    """A `seams.ChatModel` whose answers a function makes from the request; a string is the text of a reply."""

    def __init__(self, script: Callable[[ChatRequest], ChatReply | ChatFailure | str], *, seconds: float = 0.0) -> None:
        self._script, self._seconds = script, seconds
        self.asked: list[ChatRequest] = []
        self.cancelled = 0

    async def complete(self, request: ChatRequest) -> ChatReply | ChatFailure:
        """Answer by the script after `seconds`. Tokens are counted as a quarter of the characters."""
        self.asked.append(request)
        try:
            await asyncio.sleep(self._seconds)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        said = self._script(request)
        if not isinstance(said, str):
            return said
        sent = sum(len(message.content) for message in request.messages)
        return ChatReply(text=said, prompt_tokens=sent // 4, completion_tokens=len(said) // 4)


class EventList:
    """A `seams.TraceSink` that stores the events in a list."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Store an event."""
        self.events.append(event)

    def kinds(self) -> list[str]:
        """The events' tags in order, as in a recorded log."""
        return [str(event.__struct_config__.tag) for event in self.events]
