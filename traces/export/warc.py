"""WARC 1.1: the pages of a walk for web archives. What a page showed is a `resource`, for it was rendered, not received;
redirects are the responses they were; screenshots lie under `urn:view:`."""

from __future__ import annotations

import hashlib
import io
import uuid
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

import msgspec

from traces.export.recorded_pages import RecordedPage, RecordedPages

NAMESPACE = uuid.UUID("6f8e4d9c-6a55-5c1e-9d4f-3f0a5c2b7e11")
"""Of record ids: they follow from what is recorded, so that one run makes one archive."""


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
    for page in recorded.pages:
        writing.add_page(page)
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

    def add_page(self, page: RecordedPage) -> None:
        """Its hops, what it showed, how it was got, and its pictures."""
        hops = [*(address for address, _ in page.redirects), page.final_url]
        for (address, status), target in zip(page.redirects, hops[1:], strict=True):
            phrase = HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "Redirect"
            head = self._head(f"{status} {phrase}", [("Location", target)], "HTTP/1.1")
            self._add(page, "response", address, b"", status=status, head=head)
        if page.failure:
            self._add(page, "metadata", page.url, f"failure: {page.failure}\r\n".encode())
            return
        self._add(page, "resource", page.final_url, page.html, media="text/html; charset=utf-8")
        note = f"step: {page.step}\r\nstatus: {page.status}\r\nrendered: the page's DOM, serialised\r\n"
        self._add(page, "metadata", page.final_url, note.encode())
        for picture in page.pictures:
            self._add(page, "resource", f"urn:view:{page.final_url}", picture.data, media=picture.media_type)

    def _add(self, page: RecordedPage, kind: str, url: str, payload: bytes, **more: Any) -> None:
        media, head = more.get("media", "application/warc-fields"), more.get("head")
        start, date = self.out.tell(), _date(page.fetched_at)
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
                media_type="unk" if head else media.partition(";")[0],
                status=more.get("status", page.status),
                digest=digest,
                offset=start,
                length=self.out.tell() - start,
            )
        )


def _id(url: str, place: int, payload: bytes) -> str:
    name = f"{url} {place} {hashlib.sha256(payload).hexdigest()}"
    return f"<urn:uuid:{uuid.uuid5(NAMESPACE, name)}>"


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
