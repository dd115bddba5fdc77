"""Sitemaps (sitemaps.org), sitemap indexes, RSS and Atom feeds, and plain lists of URLs, compressed or not.

Parsed as a stream in constant memory. A document type is refused (no sitemap needs entities); files larger or nested deeper than
the protocol allows are truncated, and the URLs before that count.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import NoReturn
from xml.parsers import expat

import msgspec

from memory.url_key import join_link, key_of
from walker.crawl.fetch.site_text import SiteText

MOST_BYTES = 50 << 20
"""Most bytes of one sitemap, uncompressed, as in sitemaps.org."""
MOST_FILES = 2_000
MOST_URLS = 2_000_000
DEEPEST_INDEX = 3
DEEPEST_ELEMENT = 32
LONGEST_LOCATION = 4096
_CHUNK = 64 << 10
_GZIP = b"\x1f\x8b"

_SITEMAPS, _FEEDS = ("urlset", "sitemapindex"), ("rss", "rdf", "feed")

FetchBytes = Callable[[str], Awaitable[tuple[int, bytes]]]
"""URL -> status and body after redirects; status 0 without a response."""


class SitemapEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An absolute URL in a sitemap; `is_sitemap` for another sitemap."""

    url: str
    is_sitemap: bool = False


class BadSitemap(ValueError):
    """The file is not a sitemap, or exceeds a limit."""


class SitemapParser:
    """Incremental parser for one sitemap."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._unpack: zlib._Decompress | None = None
        self._head: bytes | None = b""
        self._bytes = 0
        self._xml: _XmlSitemap | None = None
        self._is_text = False
        self._text = SiteText()
        self._line = ""

    def feed(self, data: bytes) -> Iterator[SitemapEntry]:
        """The entries completed by this chunk. Raises `BadSitemap`."""
        if self._head is not None:
            self._head += data
            if len(self._head) < 2:
                return
            data, self._head = self._head, None
            if data.startswith(_GZIP):
                self._unpack = zlib.decompressobj(zlib.MAX_WBITS | 16)
        for piece in self._unpacked(data):
            room = MOST_BYTES - self._bytes
            self._bytes += len(piece)
            yield from self._read(self._text.read(piece[:room]))
            if self._bytes > MOST_BYTES:
                raise BadSitemap(f"larger than {MOST_BYTES >> 20} MiB")

    def close(self) -> Iterator[SitemapEntry]:
        """The remaining entries. Raises `BadSitemap` for a truncated file."""
        if self._unpack and not self._unpack.eof:
            raise BadSitemap("the compressed file is truncated")
        yield from self._read(self._text.read(self._head or b"", is_last=True), is_last=True)
        if self._xml:
            yield from self._absolute(self._xml.end())
            if self._xml.error:
                raise self._xml.error
        elif self._line:
            yield from self._addresses_in([self._line])

    @property
    def is_feed(self) -> bool:
        """Whether what was read so far is a feed, and no sitemap."""
        return self._xml is not None and self._xml.root in _FEEDS

    def _unpacked(self, data: bytes) -> Iterator[bytes]:
        if self._unpack is None:
            yield data
            return
        try:
            is_full = True
            while data or is_full:
                piece = self._unpack.decompress(data, _CHUNK)
                yield piece
                data, is_full = self._unpack.unconsumed_tail, len(piece) == _CHUNK
                if self._unpack.eof and (data := self._unpack.unused_data.lstrip(b"\0")):
                    self._unpack = zlib.decompressobj(zlib.MAX_WBITS | 16)  # a file of several members
        except zlib.error as error:
            raise BadSitemap(f"the compressed file is damaged ({error})") from None

    def _read(self, text: str, *, is_last: bool = False) -> Iterator[SitemapEntry]:
        if self._xml is None and not self._is_text:
            text = (self._line + text).lstrip("\ufeff \t\r\n")
            self._line = ""
            if not text:
                return
            self._is_text = not text.startswith("<")
            self._xml = None if self._is_text else _XmlSitemap()
        if self._xml:
            yield from self._absolute(self._xml.read(self._text.read_xml(text, is_last=is_last)))
            if self._xml.error:
                raise self._xml.error
            return
        *lines, self._line = (self._line + text).splitlines() or [""]
        if text.endswith(("\n", "\r")):
            lines, self._line = [*lines, self._line], ""
        if len(self._line) > LONGEST_LOCATION:
            raise BadSitemap("neither XML nor a list of URLs")
        yield from self._addresses_in(lines)

    def _addresses_in(self, lines: Iterable[str]) -> Iterator[SitemapEntry]:
        for line in lines:
            address = line.strip("\ufeff \t")
            if address[:8].lower().startswith(("http://", "https://")) and " " not in address:
                yield from self._absolute([SitemapEntry(url=address)])

    def _absolute(self, entries: Iterable[SitemapEntry]) -> Iterator[SitemapEntry]:
        for entry in entries:
            joined = join_link(self._url, entry.url)
            if joined:
                yield SitemapEntry(url=joined, is_sitemap=entry.is_sitemap)


def feed_entries(url: str, body: bytes) -> tuple[str, ...] | None:
    """The addresses of the entries of an RSS or Atom feed, up to where it is damaged, each once; None for any other file."""
    parser = SitemapParser(url)
    found: dict[str, None] = {}
    with suppress(BadSitemap):
        for start in range(0, len(body), _CHUNK):
            for entry in parser.feed(body[start : start + _CHUNK]):
                found[entry.url] = None
        for entry in parser.close():
            found[entry.url] = None
    return tuple(found) if parser.is_feed else None


_LOCATIONS = frozenset((("url", "loc"), ("sitemap", "loc"), ("item", "link")))
"""Elements whose text is an address, each with the element above it."""


class _XmlSitemap:
    """The URLs of an XML document. Only URLs of pages count, by their place in the format: not the images of a page."""

    def __init__(self) -> None:
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype
        self._above: list[str] = []
        self._location: list[str] | None = None
        self._permalink = ""
        """Address in the guid of the RSS item, which counts where the item has no link."""
        self._is_linked = False
        self._found: list[SitemapEntry] = []
        self.root = ""
        """Its first element, "" before that."""
        self.error: BadSitemap | None = None
        """The error that ended the document; everything before it was parsed."""

    def read(self, text: str) -> list[SitemapEntry]:
        return self._parsed(text, is_last=False)

    def end(self) -> list[SitemapEntry]:
        return self._parsed("", is_last=True)

    def _parsed(self, text: str, *, is_last: bool) -> list[SitemapEntry]:
        try:
            self._parser.Parse(text, is_last)
        except expat.ExpatError as error:
            self.error = BadSitemap(f"not well-formed XML ({error})")
        except BadSitemap as error:
            self.error = error
        found, self._found = self._found, []
        return found

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        local = _local(name)
        if not self._above and local not in (*_SITEMAPS, *_FEEDS):
            raise BadSitemap(f"<{local}> is not a sitemap")
        self.root = self.root or local
        if len(self._above) >= DEEPEST_ELEMENT:
            raise BadSitemap(f"nested deeper than {DEEPEST_ELEMENT} elements")
        above = self._above[-1] if self._above else ""
        if (above, local) in _LOCATIONS or ((above, local) == ("item", "guid") and _is_permalink(attributes)):
            self._location = []
        elif above in ("entry", "url") and local == "link" and _is_other_page(attributes):
            self._found.append(SitemapEntry(url=attributes.get("href", "")[:LONGEST_LOCATION]))
        elif local == "item":
            self._permalink, self._is_linked = "", False
        self._above.append(local)

    def _end(self, name: str) -> None:
        self._above.pop()
        local = _local(name)
        if self._location is not None and local in ("loc", "link", "guid"):
            text = "".join(self._location).strip()
            self._location = None
            if not text or len(text) > LONGEST_LOCATION:
                return
            if local == "guid":
                self._permalink = text
            else:
                self._is_linked = True
                self._found.append(SitemapEntry(url=text, is_sitemap=self._above[-1] == "sitemap"))
        elif local == "item" and self._permalink and not self._is_linked:
            self._found.append(SitemapEntry(url=self._permalink))

    def _text(self, text: str) -> None:
        if self._location is not None and len(self._location) < LONGEST_LOCATION:
            self._location.append(text[: LONGEST_LOCATION + 1])

    def _refuse_doctype(self, *_: object) -> NoReturn:
        raise BadSitemap("it has a document type, which no sitemap needs")


def _is_permalink(attributes: Mapping[str, str]) -> bool:
    """Whether the guid of an RSS item is the address of its page (RSS 2.0: the default)."""
    return attributes.get("isPermaLink", "true").strip().lower() == "true"


def _is_other_page(attributes: Mapping[str, str]) -> bool:
    """Whether a link beside an address is a page of its own: one in another language is, one for other devices shows the same."""
    return attributes.get("rel", "alternate") == "alternate" and "media" not in attributes


def _local(name: str) -> str:
    """The name without its namespace prefix, which careless sitemaps do not declare."""
    return name.rpartition(":")[2].lower()


class SitemapWalk:
    """Follows sitemap indexes to page URLs. Errors of a sitemap are in `problems` and do not affect the others."""

    def __init__(
        self, fetch: FetchBytes, is_inside: Callable[[str], bool], *, unnamed: frozenset[str] = frozenset()
    ) -> None:
        """`unnamed`: guessed sitemap URLs, which may be missing without this being a problem."""
        self._fetch, self._is_inside, self._unnamed = fetch, is_inside, unnamed
        self._seen: set[str] = set()
        self.problems: list[str] = []

    async def addresses(self, sitemaps: Iterable[str]) -> AsyncIterator[str]:
        """The page URLs, in the order of the files, including duplicates."""
        waiting = [(url, 0) for url in sitemaps]
        waiting.reverse()
        count = 0
        while waiting:
            url, depth = waiting.pop()
            if not self._is_new(url):
                continue
            further: list[tuple[str, int]] = []
            async for entry in self._entries(url):
                if entry.is_sitemap:
                    further.append((entry.url, depth + 1))
                elif self._is_inside(entry.url):
                    count += 1
                    if count > MOST_URLS:
                        self.problems.append(f"{url}: more than {MOST_URLS} URLs")
                        return
                    yield entry.url
            if further and depth >= DEEPEST_INDEX:
                self.problems.append(f"{url}: indexes nested deeper than {DEEPEST_INDEX}")
            else:
                waiting.extend(reversed(further))

    def _is_new(self, url: str) -> bool:
        try:
            key = key_of(url)
        except ValueError:
            self.problems.append(f"{url}: not a valid URL")
            return False
        if key in self._seen:
            return False
        self._seen.add(key)
        if len(self._seen) > MOST_FILES:
            if len(self._seen) == MOST_FILES + 1:
                self.problems.append(f"{url}: more than {MOST_FILES} sitemaps")
            return False
        return True

    async def _entries(self, url: str) -> AsyncIterator[SitemapEntry]:
        status, body = await self._fetch(url)
        if 400 <= status < 500 and url in self._unnamed:
            return
        if not 200 <= status < 300:
            self.problems.append(f"{url}: answers {status}" if status else f"{url}: cannot be fetched")
            return
        parser = SitemapParser(url)
        try:
            for start in range(0, len(body), _CHUNK):
                for entry in parser.feed(body[start : start + _CHUNK]):
                    yield entry
            for entry in parser.close():
                yield entry
        except BadSitemap as error:
            self.problems.append(f"{url}: {error}")
