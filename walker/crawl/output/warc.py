"""All that a crawl fetched, as WARC 1.1 (ISO 28500), through warcio.

One record is one gzip member and reaches the file in one write, so that a crash can only break the last one. Opening a file
again cuts what a crash broke, and goes on behind it. What a browser handed over unpacked is stored unpacked: the headers that
would then be wrong are kept under names that begin with `X-Orig-`.
"""

from __future__ import annotations

import gzip
import os
import re
import zlib
from collections.abc import Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Self
from urllib.parse import quote, urlsplit

from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from walker.browser.traffic import Exchange, Headers

_CHUNK = 1 << 20
_LEVEL = 6
_BREAKS = re.compile(r"[\r\n\x00]+\s*")
_AS_SENT = "%/?:@!$&'()*+,;=~[]{}|^`<>\"\\-._#"
_OF_THE_WIRE = frozenset(("content-encoding", "content-length", "transfer-encoding"))


class WarcFile:
    """A WARC file that grows, packed where its name ends in `.gz`. `about` goes into the warcinfo record that every opening
    writes. Raises `OSError`."""

    def __init__(self, path: Path, about: Mapping[str, str]) -> None:
        self._is_packed = path.name.endswith(".gz")
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = end_of_whole_records(path) if path.exists() else 0
        self.cut_bytes = (path.stat().st_size if path.exists() else 0) - whole
        """Bytes of a broken record that opening took away."""
        self._file = path.open("r+b" if path.exists() else "xb")
        self._file.truncate(whole)
        self._file.seek(whole)
        self._writer = WARCWriter(BytesIO(), gzip=False, warc_version="WARC/1.1")
        fields = {"software": "Walker", "format": "WARC File Format 1.1", **about}
        record = self._writer.create_warcinfo_record(
            path.name, {name: _one_line(value) for name, value in fields.items()}
        )
        self._append([self._bytes_of(record)])

    def add(self, exchange: Exchange) -> None:
        """The response and the request that it answers."""
        response = self._response(exchange)
        headers = {"WARC-Concurrent-To": response.rec_headers.get_header("WARC-Record-ID")}
        request = self._request(exchange, headers)
        self._append([self._bytes_of(response), self._bytes_of(request)])

    def add_metadata(self, url: str, time: float, fields: Mapping[str, str]) -> None:
        """Lines about a page, such as its title or why it was not kept."""
        text = "".join(f"{_one_line(name)}: {_one_line(value)}\r\n" for name, value in fields.items()).encode()
        headers = {"WARC-Date": _date(time)}
        record = self._writer.create_warc_record(
            _one_line(url), "metadata", BytesIO(text), len(text), "application/warc-fields", headers
        )
        self._append([self._bytes_of(record)])

    def sync(self) -> None:
        """Return when the disk has all that was added."""
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """The file is whole before and after."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _response(self, exchange: Exchange) -> ArcWarcRecord:
        renamed = _OF_THE_WIRE if exchange.is_unpacked else _OF_THE_WIRE - {"content-encoding"}
        headers = [
            (f"X-Orig-{name}" if name.lower() in renamed else name, value) for name, value in _clean(exchange.headers)
        ]
        headers.append(("Content-Length", str(len(exchange.body))))
        line = f"{exchange.status} {_reason(exchange.status)}"
        about = {"WARC-Date": _date(exchange.time)} | ({"WARC-IP-Address": exchange.ip} if exchange.ip else {})
        return self._record(
            exchange, "response", exchange.body, about, StatusAndHeaders(line, headers, exchange.protocol)
        )

    def _request(self, exchange: Exchange, about: dict[str, str]) -> ArcWarcRecord:
        parts = urlsplit(exchange.url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        headers = list(_clean(exchange.request_headers))
        if not any(name.lower() == "host" for name, _ in headers):
            headers.insert(0, ("Host", parts.netloc.rpartition("@")[2]))
        line = f"{exchange.method} {quote(target, safe=_AS_SENT)} {exchange.protocol}"
        about = {"WARC-Date": _date(exchange.time), **about}
        http = StatusAndHeaders(line, headers, is_http_request=True)
        return self._record(exchange, "request", exchange.request_body, about, http)

    def _record(
        self, exchange: Exchange, kind: str, body: bytes, about: dict[str, str], http: StatusAndHeaders
    ) -> ArcWarcRecord:
        return self._writer.create_warc_record(
            _one_line(exchange.url), kind, BytesIO(body), len(body), warc_headers_dict=about, http_headers=http
        )

    def _bytes_of(self, record: ArcWarcRecord) -> bytes:
        self._writer.out = BytesIO()
        self._writer.write_record(record)
        plain: bytes = self._writer.out.getvalue()
        return gzip.compress(plain, _LEVEL, mtime=0) if self._is_packed else plain

    def _append(self, records: list[bytes]) -> None:
        self._file.write(b"".join(records))
        self._file.flush()


def end_of_whole_records(path: Path) -> int:
    """Bytes from the beginning of a WARC file to the end of its last record that is whole."""
    with path.open("rb") as file:
        return _end_of_members(file) if path.name.endswith(".gz") else _end_of_plain_records(file)


def _end_of_members(file: BinaryIO) -> int:
    end, read = 0, 0
    unpack = zlib.decompressobj(zlib.MAX_WBITS | 16)
    while data := file.read(_CHUNK):
        read += len(data)
        while data:
            try:
                while data and not unpack.eof:
                    unpack.decompress(data, _CHUNK)
                    data = unpack.unconsumed_tail
            except zlib.error:
                return end
            if unpack.eof:
                data = unpack.unused_data
                end = read - len(data)
                unpack = zlib.decompressobj(zlib.MAX_WBITS | 16)
    return end


def _end_of_plain_records(file: BinaryIO) -> int:
    size = os.fstat(file.fileno()).st_size
    end = 0
    while file.readline(64).startswith(b"WARC/1."):
        length = -1
        while (line := file.readline(1 << 16)).strip():
            name, _, value = line.partition(b":")
            if name.strip().lower() == b"content-length" and value.strip().isdigit():
                length = int(value)
        after = file.tell() + length + 4
        if length < 0 or after > size:
            return end
        file.seek(after - 4)
        if file.read(4) != b"\r\n\r\n":
            return end
        end = after
    return end


def _clean(headers: Headers) -> Headers:
    """Headers as lines can hold them; the pseudo-headers of HTTP/2 are none."""
    return tuple((_one_line(name), _one_line(value)) for name, value in headers if not name.startswith(":"))


def _one_line(text: str) -> str:
    return _BREAKS.sub(" ", text).strip()


def _reason(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"


def _date(time: float) -> str:
    return datetime.fromtimestamp(time, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
