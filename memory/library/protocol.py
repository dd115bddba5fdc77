"""The seam of a library, and the values that pass it. Implementations pass tests/contracts/test_library.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, Protocol

import msgspec

from memory.library.pictures import PagePicture

Added = Literal["new", "changed", "known", "empty"]
"""What adding a page did: its address is new; had another text or other pictures; had these already; or the page has neither text nor
pictures, and is not kept."""


class PageLine(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A line of a page: one block of its text."""

    text: str
    headings: tuple[str, ...] = ()
    """From the page's top heading down to the nearest one above."""
    is_heading: bool = False
    anchor: str = ""
    """Nearest fragment identifier at or above the line."""


class Passage(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """About 700 characters of a page, in whole lines."""

    text: str
    headings: tuple[str, ...] = ()
    anchor: str = ""
    place: int = 0
    """Its number on the page, from 0."""


class NewPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page to add. `url` is the address after redirects; a fragment of it is dropped unless it names a page of its own."""

    url: str
    title: str
    lines: tuple[PageLine, ...]
    markup: str = ""
    """HTML of the page, for those who open it out of the library."""
    language: str = ""
    """BCP 47 primary tag, "" if unknown."""
    read_at: float = 0.0
    """When it was read, seconds since the epoch."""
    also: tuple[str, ...] = ()
    """Other addresses that lead to it: those that redirect to it."""
    pictures: tuple[PagePicture, ...] | None = None
    """Pictures on it, in order; None where they were not read, and those of an earlier reading stay."""


class StoredPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page as it lies in the library."""

    url: str
    """The address that it was first read at."""
    title: str
    language: str
    read_at: float
    markup: str
    passages: tuple[Passage, ...]


class PageEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A page in a list: what is told of it without its text."""

    url: str
    title: str
    language: str
    read_at: float
    passages: int
    also: tuple[str, ...] = ()
    """Further addresses that lead to it."""
    pictures: int = 0
    """Different pictures on it."""


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """A passage that a search found."""

    url: str
    title: str
    language: str
    passage: Passage
    score: float
    """BM25, and where a page gives one passage what else speaks for it: comparable within one search only; above 0."""

    @property
    def address(self) -> str:
        """The page's address, with the fragment nearest to the passage."""
        return f"{self.url}#{self.passage.anchor}" if self.passage.anchor and "#" not in self.url else self.url


class LibraryInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What a library holds."""

    pages: int
    addresses: int
    passages: int
    languages: dict[str, int]
    """Pages by language, the most frequent first."""
    sites: dict[str, int]
    """Pages by origin, the largest first."""
    bytes: int
    format: int
    pictures: int = 0
    """Different picture files."""


class Library(Protocol):
    """Pages and their passages. All methods raise `LibraryUnusable` where the library fails; each is whole or has no effect."""

    def add(self, page: NewPage) -> Added:
        """Store a page under its addresses, in place of what they led to. What was returned survives kill -9. A text that is stored
        already is not stored again: the addresses lead to it. Raises `memory.url_key.BadUrl` for an address that is none."""
        ...

    def remove(self, address: str) -> int:
        """Remove an address, or with `*` at its end all that begin with it, and the pages that none leads to any more; the number
        of addresses removed. Raises `LibraryUnusable`."""
        ...

    def search(self, query: str, most: int = 10, *, page: str = "", a_page: int = 1) -> tuple[Hit, ...]:
        """The passages that fit a query best, at most `most`, and at most `a_page` of one page (0 for any number); the scores fall.
        `page` is an address: only passages of that page. Any text is a query, nothing in it is syntax. Raises `BadQuery` for one
        without words, and for one of words that say nothing."""
        ...

    def page(self, url: str) -> StoredPage | None:
        """The page that an address leads to, None if there is none. Any two spellings of one address lead to the same page."""
        ...

    def has(self, url: str) -> bool:
        """Whether an address leads to a page here."""
        ...

    def pages(self) -> Iterator[PageEntry]:
        """All pages, by address; what is added while they are read may be among them."""
        ...

    def info(self) -> LibraryInfo:
        """Numbers of pages, addresses, passages, and the size in bytes."""
        ...

    def close(self) -> None:
        """Let go of files and locks; no call may follow."""
        ...


class WholePage(msgspec.Struct, frozen=True, kw_only=True):
    """All text of a page that a reader sees."""

    url: str
    title: str
    lines: tuple[PageLine, ...] = ()

    @property
    def text(self) -> str:
        """Its lines, one below the other."""
        return "\n".join(line.text for line in self.lines)


msgspec.json.Decoder(WholePage)  # described at import: docs/design/msgspec.md
