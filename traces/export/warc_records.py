"""WARC 1.1 records (ISO 28500) made with warcio, for archives of walks and of crawls.

In a compressed file each record is one gzip member. Bodies are stored without their content encoding: headers that would then
be wrong are renamed with the prefix `X-Orig-`. Incomplete bodies are marked with `WARC-Truncated`.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from io import BytesIO
from typing import Any, Literal
from urllib.parse import quote, urlsplit

import msgspec

from traces.events import Truncated

Headers = tuple[tuple[str, str], ...]

NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
_LEVEL = 6
_BREAKS = re.compile(r"[\r\n\x00]+\s*")
_AS_SENT = "%/?:@!$&'()*+,;=~[]{}|^`<>\"\\-._#"
_OF_THE_WIRE = frozenset(("content-encoding", "content-length", "transfer-encoding"))


class RecordHead(msgspec.Struct, frozen=True, kw_only=True):
    """The header fields of a record."""

    url: str
    date: str
    """In the format of `warc_date`."""
    fields: Mapping[str, str] = {}
    """Further named fields, including `WARC-Record-ID` unless it is to be generated."""


class HttpResponse(msgspec.Struct, frozen=True, kw_only=True):
    """An HTTP response for a `response` record."""

    status: int
    headers: Headers = ()
    body: bytes = b""
    protocol: str = "HTTP/1.1"
    is_unpacked: bool = True
    truncated: Truncated = ""


class HttpRequest(msgspec.Struct, frozen=True, kw_only=True):
    """An HTTP request for a `request` record."""

    method: str = "GET"
    headers: Headers = ()
    body: bytes = b""
    protocol: str = "HTTP/1.1"


class WarcRecords:
    """Makes records as bytes to be appended to a file."""

    def __init__(self, *, is_compressed: bool) -> None:
        from warcio.statusandheaders import StatusAndHeaders  # noqa: PLC0415 - slow to import, and seldom needed
        from warcio.warcwriter import WARCWriter  # noqa: PLC0415

        self._is_compressed = is_compressed
        self._head = StatusAndHeaders
        self._writer = WARCWriter(BytesIO(), gzip=False, warc_version="WARC/1.1")

    def info(self, name: str, fields: Mapping[str, str], about: Mapping[str, str] | None = None) -> bytes:
        """The warcinfo record of a file; `about` replaces named fields of the record itself."""
        lines = {key: _one_line(value) for key, value in fields.items()}
        record = self._writer.create_warcinfo_record(name, {"format": "WARC File Format 1.1", **lines})
        for key, value in (about or {}).items():
            record.rec_headers.replace_header(key, value)
        return self._bytes_of(record)

    def response(self, head: RecordHead, answer: HttpResponse) -> bytes:
        """A `response` record."""
        renamed = _OF_THE_WIRE if answer.is_unpacked else _OF_THE_WIRE - {"content-encoding"}
        headers = [
            (f"X-Orig-{name}" if name.lower() in renamed else name, value) for name, value in _clean(answer.headers)
        ]
        headers.append(("Content-Length", str(len(answer.body))))
        http = self._head(f"{answer.status} {_reason(answer.status)}", headers, answer.protocol)
        if answer.truncated:
            head = msgspec.structs.replace(head, fields={**head.fields, "WARC-Truncated": answer.truncated})
        return self._record(head, "response", answer.body, http=http)

    def revisit(self, head: RecordHead, answer: HttpResponse) -> bytes:
        """A `revisit` record for an answer that the page is as before: its headers, without a body (WARC 1.1, section 6.7.3)."""
        fields = {"WARC-Profile": NOT_MODIFIED, "WARC-Refers-To-Target-URI": _one_line(head.url), **head.fields}
        headers = [(name, value) for name, value in _clean(answer.headers) if name.lower() not in _OF_THE_WIRE]
        http = self._head(f"{answer.status} {_reason(answer.status)}", headers, answer.protocol)
        return self._record(msgspec.structs.replace(head, fields=fields), "revisit", b"", http=http)

    def request(self, head: RecordHead, asked: HttpRequest) -> bytes:
        """A `request` record."""
        parts = urlsplit(head.url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        headers = list(_clean(asked.headers))
        if not any(name.lower() == "host" for name, _ in headers):
            headers.insert(0, ("Host", parts.netloc.rpartition("@")[2]))
        line = f"{asked.method} {quote(target, safe=_AS_SENT)} {asked.protocol}"
        return self._record(head, "request", asked.body, http=self._head(line, headers, is_http_request=True))

    def resource(self, head: RecordHead, body: bytes, media_type: str) -> bytes:
        """A `resource` record: content that is not a server's response."""
        return self._record(head, "resource", body, media_type)

    def metadata(self, head: RecordHead, fields: Mapping[str, str]) -> bytes:
        """A `metadata` record: named fields about another record, such as why it is missing."""
        return self._record(head, "metadata", lines_of(fields), "application/warc-fields")

    def _record(self, head: RecordHead, kind: str, body: bytes, media_type: str = "", *, http: Any = None) -> bytes:
        record = self._writer.create_warc_record(
            _one_line(head.url),
            kind,
            BytesIO(body),
            len(body),
            warc_content_type=media_type,
            warc_headers_dict={"WARC-Date": head.date, **head.fields},
            http_headers=http,
        )
        return self._bytes_of(record)

    def _bytes_of(self, record: Any) -> bytes:
        self._writer.out = BytesIO()
        self._writer.write_record(record)
        plain: bytes = self._writer.out.getvalue()
        return gzip.compress(plain, _LEVEL, mtime=0) if self._is_compressed else plain


def lines_of(fields: Mapping[str, str]) -> bytes:
    """Named fields in the format of a metadata record (application/warc-fields)."""
    return "".join(f"{_one_line(name)}: {_one_line(value)}\r\n" for name, value in fields.items()).encode()


def warc_date(seconds: float, timespec: Literal["seconds", "microseconds"] = "microseconds") -> str:
    """Seconds since the epoch as a WARC-Date (W3C profile of ISO 8601, UTC)."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec=timespec).replace("+00:00", "Z")


def _clean(headers: Headers) -> Headers:
    """Headers as single lines, without the pseudo-headers of HTTP/2."""
    return tuple((_one_line(name), _one_line(value)) for name, value in headers if not name.startswith(":"))


def _one_line(text: str) -> str:
    return _BREAKS.sub(" ", text).strip()


def _reason(status: int) -> str:
    return HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "Unknown"
