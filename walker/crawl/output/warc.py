"""The traffic of a crawl as a WARC 1.1 file, with the records of traces/export/warc_records.py.

The records of one exchange are appended with one write, so that a crash can damage only the last one. Reopening a file truncates
damaged records and appends after them.
"""

from __future__ import annotations

import os
import uuid
import zlib
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import BinaryIO, Self

from traces.export.warc_records import HttpRequest, HttpResponse, RecordHead, WarcRecords, warc_date
from walker.seams.web.exchange import Exchange

_CHUNK = 1 << 20


class WarcFile:
    """An append-only WARC file, compressed if its name ends in `.gz`. `about` goes into the warcinfo record that is written on
    every opening. Raises `OSError`."""

    def __init__(self, path: Path, about: Mapping[str, str]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = end_of_whole_records(path) if path.exists() else 0
        self.cut_bytes = (path.stat().st_size if path.exists() else 0) - whole
        """Bytes of a damaged record that were truncated on opening."""
        self._file = path.open("r+b" if path.exists() else "xb")
        self._file.truncate(whole)
        self._file.seek(whole)
        self._make = WarcRecords(is_compressed=path.name.endswith(".gz"))
        self._append(self._make.info(path.name, {"software": "Walker", **about}))

    def add(self, exchange: Exchange) -> None:
        """Append the response and its request. The answer to a condition that the page is as before is a `revisit` record."""
        name, date = f"<urn:uuid:{uuid.uuid4()}>", warc_date(exchange.at)
        fields = {"WARC-Record-ID": name} | ({"WARC-IP-Address": exchange.ip} if exchange.ip else {})
        answer = HttpResponse(
            status=exchange.status,
            headers=exchange.headers,
            body=exchange.body,
            protocol=exchange.protocol,
            is_unpacked=exchange.is_unpacked,
            truncated=exchange.truncated,
        )
        asked = HttpRequest(
            method=exchange.method,
            headers=exchange.request_headers,
            body=exchange.request_body,
            protocol=exchange.protocol,
        )
        head = RecordHead(url=exchange.url, date=date, fields=fields)
        response = self._make.revisit(head, answer) if _is_as_before(exchange) else self._make.response(head, answer)
        about = {"WARC-Concurrent-To": name}
        request = self._make.request(RecordHead(url=exchange.url, date=date, fields=about), asked)
        self._append(response, request)

    def add_metadata(self, url: str, time: float, fields: Mapping[str, str]) -> None:
        """Append metadata of a page, such as its title or why it was not stored."""
        self._append(self._make.metadata(RecordHead(url=url, date=warc_date(time)), fields))

    def sync(self) -> None:
        """Flush everything to disk."""
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file, which is valid before and after."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _append(self, *records: bytes) -> None:
        self._file.write(b"".join(records))
        self._file.flush()


def _is_as_before(exchange: Exchange) -> bool:
    return exchange.status == HTTPStatus.NOT_MODIFIED and any(
        name.lower() in ("if-none-match", "if-modified-since") for name, _ in exchange.request_headers
    )


def end_of_whole_records(path: Path) -> int:
    """Offset of the end of the last complete record of a WARC file."""
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
