"""The search index of Pagefind: a list of its pages' names, and a file with the text of each.

All files are gzip with a mark before what they hold: the list is CBOR (RFC 8949), a page is JSON.
"""

from __future__ import annotations

import zlib
from typing import Any

import msgspec

from memory.url_key import join_link
from walker.finding.aids.named_page import MOST_TEXT, NamedPage

MARK = b"pagefind_dcd"
MOST_UNPACKED = 16 << 20
MOST_DEEP = 16
MOST_ITEMS = 200_000


class NotPagefind(ValueError):
    """The file is none of Pagefind's."""


def meta_file(entry: bytes) -> str:
    """The name of the list, from `pagefind-entry.json`; that of the language with most pages. Raises `NotPagefind`."""
    try:
        said = msgspec.json.decode(entry)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        raise NotPagefind("its entry is not JSON") from None
    languages = said.get("languages") if isinstance(said, dict) else None
    found = [one for one in languages.values() if isinstance(one, dict)] if isinstance(languages, dict) else []
    hashes = [(_number(one.get("page_count")), one["hash"]) for one in found if _is_name(one.get("hash"))]
    if not hashes:
        raise NotPagefind("its entry names no index")
    return f"pagefind.{max(hashes)[1]}.pf_meta"


def fragment_files(meta: bytes) -> tuple[str, ...]:
    """Names of the files of all pages, from the list. Raises `NotPagefind`."""
    value = _Cbor(_unpacked(meta)).value()
    pages = value[1] if isinstance(value, list) and len(value) > 1 and isinstance(value[1], list) else []
    hashes = [page[0] for page in pages if isinstance(page, list) and page and _is_name(page[0])]
    return tuple(f"fragment/{name}.pf_fragment" for name in hashes)


def read_fragment(data: bytes, home: str) -> NamedPage | None:
    """The page of a file; its address is relative to the root of the site. Raises `NotPagefind`."""
    try:
        said = msgspec.json.decode(_unpacked(data))
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        raise NotPagefind("a page is not JSON") from None
    if not isinstance(said, dict) or not isinstance(said.get("url"), str):
        raise NotPagefind("a page has no address")
    meta = said.get("meta")
    title = meta.get("title") if isinstance(meta, dict) else ""
    url = join_link(home, said["url"].lstrip("/"))
    if not url:
        return None
    return NamedPage(url=url, title=str(title or ""), text=str(said.get("content") or "")[:MOST_TEXT])


def _unpacked(data: bytes) -> bytes:
    if not data.startswith(MARK):
        unpack = zlib.decompressobj(zlib.MAX_WBITS | 32)
        try:
            data = unpack.decompress(data, MOST_UNPACKED)
        except zlib.error:
            raise NotPagefind("a file is damaged") from None
    if not data.startswith(MARK):
        raise NotPagefind("a file lacks the mark of Pagefind")
    return data[len(MARK) :]


def _is_name(said: Any) -> bool:
    return isinstance(said, str) and 0 < len(said) <= 100 and said.replace("_", "").replace("-", "").isalnum()


def _number(said: Any) -> int:
    return said if isinstance(said, int) else 0


class _Cbor:
    """Lists, texts and numbers of CBOR; nothing else is in a list of pages."""

    def __init__(self, data: bytes) -> None:
        self._data, self._place, self._left = data, 0, MOST_ITEMS

    def value(self, depth: int = 0) -> Any:
        self._left -= 1
        if depth > MOST_DEEP or self._left < 0:
            raise NotPagefind("its list is too deep or too long")
        kind, count = self._head()
        if kind == 0:
            return count
        if kind == 1:
            return -1 - count
        if kind in (2, 3):
            said = self._take(count)
            return said if kind == 2 else said.decode("utf-8", "replace")
        if kind == 4:
            return [self.value(depth + 1) for _ in range(min(count, MOST_ITEMS))]
        raise NotPagefind("its list holds something else than names")

    def _head(self) -> tuple[int, int]:
        first = self._take(1)[0]
        kind, size = first >> 5, first & 31
        if size < 24:
            return kind, size
        if size > 27:
            raise NotPagefind("its list has no length")
        return kind, int.from_bytes(self._take(1 << (size - 24)), "big")

    def _take(self, count: int) -> bytes:
        taken = self._data[self._place : self._place + count]
        if len(taken) < count:
            raise NotPagefind("its list is cut off")
        self._place += count
        return taken
