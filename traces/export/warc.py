"""WARC 1.1: the pages of a walk for web archives. Where the network was recorded, every response is one; what a page showed is then a
`resource` under `urn:dom:`. Else it is a `resource` at its address, for it was rendered, not received, and redirects are the
responses they were. Screenshots lie under `urn:view:`."""

from __future__ import annotations

import hashlib
import io
import uuid
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

import msgspec

from traces.export.recorded_pages import KeptExchange, RecordedPage, RecordedPages
from traces.streams import RecordedStream, event_stream_of

NAMESPACE = uuid.UUID("6f8e4d9c-6a55-5c1e-9d4f-3f0a5c2b7e11")
"""Of record ids: they follow from what is recorded, so that one run makes one archive."""


_OF_THE_WIRE = frozenset(("content-encoding", "content-length", "transfer-encoding"))


class ArchivedRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Where a record lies in the archive, for an index."""

    url: str
    at: str
    """Of the page, as WARC writes dates."""
    kind: str
    media_type: str
    status: int
    digest: str
    offset: int
    length: int


class Archive(msgspec.Struct, frozen=True, kw_only=True):
    """A gzipped WARC and what is in it."""

    data: bytes
    records: tuple[ArchivedRecord, ...]


def warc_of(recorded: RecordedPages, *, version: str, title: str) -> Archive:
    """The archive of a walk. Raises `ImportError` where warcio is not installed."""
    writing = _Writing(version, title, recorded.pages[0].fetched_at if recorded.pages else 0.0)
    for kept in recorded.exchanges:
        writing.add_exchange(kept)
    for stream in recorded.streams:
        writing.add_stream(stream)
    for page in recorded.pages:
        writing.add_page(page, is_rendered=bool(recorded.exchanges))
    return Archive(data=writing.out.getvalue(), records=tuple(writing.records))


class _Writing:
    """An archive that grows."""

    def __init__(self, version: str, title: str, began: float) -> None:
        from warcio.statusandheaders import StatusAndHeaders  # noqa: PLC0415 - of an extra
        from warcio.warcwriter import WARCWriter  # noqa: PLC0415

        self.out = io.BytesIO()
        self.records: list[ArchivedRecord] = []
        self._head = StatusAndHeaders
        self._writer = WARCWriter(self.out, gzip=True, warc_version="1.1")
        about = {"software": f"walker {version}", "format": "WARC File Format 1.1", "description": title}
        info = self._writer.create_warcinfo_record("walk.warc.gz", about)
        info.rec_headers.replace_header("WARC-Record-ID", _id(title, 0, b"warcinfo"))
        info.rec_headers.replace_header("WARC-Date", _date(began))
        self._writer.write_record(info)

    def add_exchange(self, kept: KeptExchange) -> None:
        """A response with the headers that were kept; its body as it was decoded."""
        event = kept.event
        if not event.status:
            self._add(event.at, "metadata", event.url, f"failure: {event.error}\r\n".encode())
            return
        headers = [(name, value) for name, value in event.headers.items() if name.lower() not in _OF_THE_WIRE]
        head = self._head(f"{event.status} {_phrase(event.status)}", headers, "HTTP/1.1")
        media = event.headers.get("content-type", "").partition(";")[0] or "unk"
        self._add(event.at, "response", event.url, kept.body, status=event.status, head=head, media=media)

    def add_stream(self, stream: RecordedStream) -> None:
        """An event stream is the response that it was; of a WebSocket an archive can only say that it was there."""
        if stream.kind == "websocket":
            note = f"websocket: {len(stream.messages)} messages, for which archives have no form\r\n"
            self._add(stream.at, "metadata", stream.url, note.encode())
            return
        media = "text/event-stream"
        head = self._head("200 OK", [("content-type", media)], "HTTP/1.1")
        self._add(
            stream.at, "response", stream.url, event_stream_of(stream.messages), status=200, head=head, media=media
        )

    def add_page(self, page: RecordedPage, *, is_rendered: bool) -> None:
        """Its hops, what it showed, how it was got, and its pictures."""
        hops = [*(address for address, _ in page.redirects), page.final_url]
        for (address, status), target in () if is_rendered else zip(page.redirects, hops[1:], strict=True):
            head = self._head(f"{status} {_phrase(status)}", [("Location", target)], "HTTP/1.1")
            self._add(page.fetched_at, "response", address, b"", status=status, head=head, media="unk")
        if page.failure:
            self._add(page.fetched_at, "metadata", page.url, f"failure: {page.failure}\r\n".encode())
            return
        place = f"urn:dom:{page.final_url}" if is_rendered else page.final_url
        html = "text/html; charset=utf-8"
        self._add(page.fetched_at, "resource", place, page.html, media=html, status=page.status)
        note = f"step: {page.step}\r\nstatus: {page.status}\r\nrendered: the page's DOM, serialised\r\n"
        self._add(page.fetched_at, "metadata", place, note.encode())
        for picture in page.pictures:
            view = f"urn:view:{page.final_url}"
            self._add(page.fetched_at, "resource", view, picture.data, media=picture.media_type, status=200)

    def _add(self, at: float, kind: str, url: str, payload: bytes, **more: Any) -> None:
        media, head = more.get("media", "application/warc-fields"), more.get("head")
        start, date = self.out.tell(), _date(at)
        digest = f"sha256:{hashlib.sha256(payload).hexdigest()}"
        record = self._writer.create_warc_record(
            url,
            kind,
            payload=io.BytesIO(payload),
            length=len(payload),
            warc_content_type="application/http; msgtype=response" if head else media,
            warc_headers_dict={
                "WARC-Record-ID": _id(url, len(self.records), payload),
                "WARC-Date": date,
                "WARC-Payload-Digest": digest,
            },
            http_headers=head,
        )
        self._writer.write_record(record)
        self.records.append(
            ArchivedRecord(
                url=url,
                at=date,
                kind=kind,
                media_type=media.partition(";")[0],
                status=more.get("status", 0),
                digest=digest,
                offset=start,
                length=self.out.tell() - start,
            )
        )


def _phrase(status: int) -> str:
    return HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "Other"


def _id(url: str, place: int, payload: bytes) -> str:
    name = f"{url} {place} {hashlib.sha256(payload).hexdigest()}"
    return f"<urn:uuid:{uuid.uuid5(NAMESPACE, name)}>"


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
