"""WARC 1.1 export: the pages of a walk for web archives. Where the network was recorded, every response is a `response` record, and
a page's rendered DOM a `resource` under `urn:dom:`. Otherwise the DOM is a `resource` at the page's URL, since it was rendered, not
received, and redirects are `response` records. Screenshots are `resource` records under `urn:view:`."""

from __future__ import annotations

import hashlib
import uuid

import msgspec

from traces.export.recorded_pages import RecordedExchange, RecordedPage, RecordedPages
from traces.export.warc_records import HttpResponse, RecordHead, WarcRecords, lines_of, warc_date
from traces.reading.streams import RecordedStream, event_stream_of

NAMESPACE = uuid.UUID("6f8e4d9c-6a55-5c1e-9d4f-3f0a5c2b7e11")
"""Namespace of record ids, which are derived from the contents, so that one run always makes the same archive."""


class ArchivedRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The position of a record in the archive, for an index."""

    url: str
    at: str
    """Date of the page, in WARC format."""
    kind: str
    media_type: str
    status: int
    digest: str
    offset: int
    length: int


class Archive(msgspec.Struct, frozen=True, kw_only=True):
    """A gzipped WARC and its index."""

    data: bytes
    records: tuple[ArchivedRecord, ...]


def warc_of(recorded: RecordedPages, *, version: str, title: str) -> Archive:
    """The archive of a walk."""
    writing = _Writing(version, title, recorded.pages[0].fetched_at if recorded.pages else 0.0)
    for kept in recorded.exchanges:
        writing.add_exchange(kept)
    for stream in recorded.streams:
        writing.add_stream(stream)
    for page in recorded.pages:
        writing.add_page(page, is_rendered=bool(recorded.exchanges))
    return Archive(data=b"".join(writing.parts), records=tuple(writing.records))


class _Writing:
    """An archive under construction."""

    def __init__(self, version: str, title: str, began: float) -> None:
        self._make = WarcRecords(is_compressed=True)
        about = {"WARC-Record-ID": _id(title, 0, "warcinfo"), "WARC-Date": _date(began)}
        info = self._make.info("walk.warc.gz", {"software": f"walker {version}", "description": title}, about)
        self.parts = [info]
        self.records: list[ArchivedRecord] = []
        self._size = len(info)

    def add_exchange(self, kept: RecordedExchange) -> None:
        """Add a response with the recorded headers, its body with content encoding removed."""
        event = kept.event
        if not event.status:
            self._tell(event.at, event.url, {"failure": event.error})
            return
        media = event.headers.get("content-type", "").partition(";")[0] or "unk"
        # In recordings older than the field `truncated` a body is missing only where it was too large.
        answer = HttpResponse(
            status=event.status,
            headers=tuple(event.headers.items()),
            body=kept.body,
            truncated=event.truncated or ("length" if event.error else ""),
        )
        self._respond(event.at, event.url, answer, media)

    def add_stream(self, stream: RecordedStream) -> None:
        """Add an event stream as a response; WARC has no record type for a WebSocket, so of one only a note is added."""
        if stream.kind == "websocket":
            note = f"{len(stream.messages)} messages, for which WARC has no record type"
            self._tell(stream.at, stream.url, {"websocket": note})
            return
        media = "text/event-stream"
        answer = HttpResponse(status=200, headers=(("content-type", media),), body=event_stream_of(stream.messages))
        self._respond(stream.at, stream.url, answer, media)

    def add_page(self, page: RecordedPage, *, is_rendered: bool) -> None:
        """Add a page: its redirects, its DOM, how it was loaded, and its screenshots."""
        hops = [*(address for address, _ in page.redirects), page.final_url]
        for (address, status), target in () if is_rendered else zip(page.redirects, hops[1:], strict=True):
            self._respond(page.fetched_at, address, HttpResponse(status=status, headers=(("Location", target),)), "unk")
        if page.failure:
            self._tell(page.fetched_at, page.url, {"failure": page.failure})
            return
        place = f"urn:dom:{page.final_url}" if is_rendered else page.final_url
        self._show(page.fetched_at, place, page.html, "text/html; charset=utf-8", page.status)
        note = {"step": str(page.step), "status": str(page.status), "rendered": "the page's DOM, serialised"}
        self._tell(page.fetched_at, place, note)
        for picture in page.pictures:
            self._show(page.fetched_at, f"urn:view:{page.final_url}", picture.data, picture.media_type, 200)

    def _respond(self, at: float, url: str, answer: HttpResponse, media: str) -> None:
        head = self._head(at, url, answer.body)
        self._add("response", head, self._make.response(head, answer), media, answer.status)

    def _show(self, at: float, url: str, data: bytes, media: str, status: int) -> None:
        head = self._head(at, url, data)
        self._add("resource", head, self._make.resource(head, data, media), media, status)

    def _tell(self, at: float, url: str, fields: dict[str, str]) -> None:
        head = self._head(at, url, lines_of(fields))
        self._add("metadata", head, self._make.metadata(head, fields), "application/warc-fields", 0)

    def _head(self, at: float, url: str, payload: bytes) -> RecordHead:
        digest = hashlib.sha256(payload).hexdigest()
        fields = {
            "WARC-Record-ID": _id(url, len(self.records), digest),
            "WARC-Payload-Digest": f"sha256:{digest}",
        }
        return RecordHead(url=url, date=_date(at), fields=fields)

    def _add(self, kind: str, head: RecordHead, record: bytes, media: str, status: int) -> None:
        self.parts.append(record)
        self.records.append(
            ArchivedRecord(
                url=head.url,
                at=head.date,
                kind=kind,
                media_type=media.partition(";")[0],
                status=status,
                digest=head.fields["WARC-Payload-Digest"],
                offset=self._size,
                length=len(record),
            )
        )
        self._size += len(record)


def _id(url: str, place: int, digest: str) -> str:
    return f"<urn:uuid:{uuid.uuid5(NAMESPACE, f'{url} {place} {digest}')}>"


def _date(seconds: float) -> str:
    return warc_date(seconds, "seconds")
