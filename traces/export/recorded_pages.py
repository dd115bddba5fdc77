"""The pages of a run with their content, as the browser delivered them: the input of archive exports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from traces.errors import TraceReadError
from traces.events import EdgeCall, NetworkExchanged
from traces.reading.reader import Run
from traces.reading.streams import RecordedStream, read_streams
from traces.store.blobs import BlobRef

Get = Callable[[BlobRef], bytes]


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """A screenshot of a page."""

    data: bytes
    media_type: str


class RecordedPage(msgspec.Struct, frozen=True, kw_only=True):
    """One answer of the browser. `html` is the rendered DOM in UTF-8; b"" with `failure` set where there was none."""

    step: int
    url: str
    final_url: str
    status: int = 0
    title: str = ""
    html: bytes = b""
    redirects: tuple[tuple[str, int], ...] = ()
    """URL and status of each redirect."""
    fetched_at: float = 0.0
    """Seconds since the epoch, UTC."""
    load_seconds: float = 0.0
    pictures: tuple[Picture, ...] = ()
    failure: str = ""


class RecordedExchange(msgspec.Struct, frozen=True, kw_only=True):
    """A request and its response, with their bodies."""

    event: NetworkExchanged
    request_body: bytes = b""
    body: bytes = b""


class RecordedPages(msgspec.Struct, frozen=True, kw_only=True):
    """All pages in order, and what is missing: one line each."""

    pages: tuple[RecordedPage, ...]
    lost: tuple[str, ...]
    exchanges: tuple[RecordedExchange, ...] = ()
    """All exchanges of the pages, where the network was recorded."""
    streams: tuple[RecordedStream, ...] = ()
    """Their WebSockets and event streams."""


def read_pages(run: Run) -> RecordedPages:
    """Every page that a run's browser loaded; damaged values are reported in `lost` and omitted."""
    get = run.blobs.get
    pages: list[RecordedPage] = []
    exchanges: list[RecordedExchange] = []
    lost: list[str] = []
    for event, envelope in zip(run.events, run.envelopes, strict=True):
        if isinstance(event, NetworkExchanged):
            try:
                exchanges.append(_exchange(event, get))
            except (TraceReadError, msgspec.MsgspecError):
                lost.append(f"step {event.step}, {event.method} {event.url}: the recorded value is missing or damaged")
        if not isinstance(event, EdgeCall) or event.seam not in ("browser", "picture") or event.error:
            continue
        try:
            plain = _whole(event.outcome, get)
            if event.method in ("open", "act"):
                pages.append(_page(event, plain, envelope.wall, get))
            elif event.method == "see" and "picture" in plain and pages:
                ref = msgspec.convert(plain["picture"], BlobRef)
                seen = Picture(data=get(ref), media_type=ref.media)
                pages[-1] = msgspec.structs.replace(pages[-1], pictures=(*pages[-1].pictures, seen))
        except (TraceReadError, msgspec.MsgspecError, KeyError, TypeError) as error:
            what = error.what if isinstance(error, TraceReadError) else str(error)
            lost.append(f"step {event.step}, {event.seam}.{event.method}: {what}")
    streams, streams_lost = read_streams(run)
    return RecordedPages(pages=tuple(pages), lost=(*lost, *streams_lost), exchanges=tuple(exchanges), streams=streams)


def _exchange(event: NetworkExchanged, get: Get) -> RecordedExchange:
    asked, given = (
        get(msgspec.convert(ref, BlobRef)) if ref is not None else b"" for ref in (event.request_body, event.body)
    )
    return RecordedExchange(event=event, request_body=asked, body=given)


def _page(event: EdgeCall, plain: dict[str, Any], wall: float, get: Get) -> RecordedPage:
    if "failure" in plain:
        failure = plain["failure"]
        url = event.request.get("url", failure["url"])
        return RecordedPage(
            step=event.step, url=url, final_url=url, fetched_at=wall, failure=f"{failure['kind']}: {failure['message']}"
        )
    snapshot = plain["snapshot"]
    return RecordedPage(
        step=event.step,
        url=snapshot["url"],
        final_url=snapshot["final_url"],
        status=snapshot["status"],
        title=snapshot.get("title", ""),
        html=get(msgspec.convert(plain["html"], BlobRef)),
        redirects=tuple((hop["url"], hop["status"]) for hop in snapshot.get("redirects", ())),
        fetched_at=snapshot.get("fetched_at") or wall,
        load_seconds=snapshot.get("load_seconds", 0.0),
    )


def _whole(plain: Any, get: Get) -> dict[str, Any]:
    if isinstance(plain, dict) and "$b" in plain:
        plain = msgspec.json.decode(get(msgspec.convert(plain, BlobRef)))
    if not isinstance(plain, dict):
        raise KeyError("the answer is not a page")
    return plain
