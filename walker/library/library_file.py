"""A library in one SQLite file: pages, addresses and passages, and their index (FTS5), changed in one transaction a page.

Once a method has returned, its effect survives kill -9. Any number of processes read while one writes; a second writer waits.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import msgspec
import zstandard

from memory.library.page_ranking import FoundPassage, Signals, page_scores, signals_of, weight_of
from memory.library.passages import cut_passages, encodable
from memory.library.protocol import Added, Hit, LibraryInfo, NewPage, PageEntry, Passage, StoredPage
from memory.library.query_terms import ANY_END, beginning_of, chosen_terms, match_expression, terms_of
from memory.url_key import BadUrl, key_of, key_or, origin_of
from memory.words import tokens
from walker.library.library_pictures import LibraryPictures
from walker.library.library_schema import (
    IN_MEMORY,
    VERSION,
    open_for_reading,
    open_for_writing,
    open_in_memory,
    unusable,
)

_Row: TypeAlias = tuple[int, str, str, str, str, str, str, int, float, int]
"""Of a search: page, its address, title and language; text, headings, anchor and place of the passage, its score and number."""
LIST_AT_A_TIME = 256
_SEARCH = """
SELECT pages.id, pages.url, pages.title, pages.language,
       passages.text, passages.headings, passages.anchor, passages.place, found.score, found.rowid
FROM (SELECT rowid, -bm25(words, 2, 1, 1) AS score FROM words WHERE words MATCH ? ORDER BY score DESC, rowid LIMIT ?) AS found
JOIN passages ON passages.id = found.rowid JOIN pages ON pages.id = passages.page
ORDER BY found.score DESC, passages.id
"""
"""Title, headings and text weigh 2, 1 and 1."""
_RANKED = 100
"""Passages whose pages are ranked by all that speaks for them; those behind them follow by their keywords."""
_SEARCH_PAGE = """
SELECT pages.id, pages.url, pages.title, pages.language,
       passages.text, passages.headings, passages.anchor, passages.place, -bm25(words, 2, 1, 1) AS score, passages.id
FROM words JOIN passages ON passages.id = words.rowid JOIN pages ON pages.id = passages.page
WHERE words MATCH ? AND passages.page = ? ORDER BY score DESC, passages.id LIMIT ?
"""


class LibraryFile:
    """Implements `memory.library.protocol.Library`. One thread at a time."""

    def __init__(self, path: Path, base: sqlite3.Connection) -> None:
        self._path, self._base = path, base
        self._pictures = LibraryPictures(base)
        self._pack = zstandard.ZstdCompressor(level=3)
        self._unpack = zstandard.ZstdDecompressor()

    @classmethod
    def read(cls, path: Path) -> LibraryFile:
        """Open a library that is there, for reading; a writer does not disturb it. Raises `LibraryUnusable`."""
        return cls(path, open_for_reading(path))

    @classmethod
    def write(cls, path: Path) -> LibraryFile:
        """Open a library for writing too; a new one where there is none. Raises `LibraryUnusable`."""
        return cls(path, open_for_writing(path))

    @classmethod
    def in_memory(cls) -> LibraryFile:
        """A new library that is gone once it is closed."""
        return cls(Path(IN_MEMORY), open_in_memory())

    def close(self) -> None:
        """Close the file; the last to close it leaves nothing beside it."""
        self._base.close()

    def add(self, page: NewPage) -> Added:
        """Store a page in one transaction."""
        passages = cut_passages(page.lines)
        if not passages and not page.pictures:
            return "empty"
        addresses = {
            key_of(url): url if "#" in key_of(url) else url.partition("#")[0] for url in (page.url, *page.also)
        }
        title, url = encodable(page.title), addresses[key_of(page.url)]
        digest = _digest(title, passages)
        with self._transaction():
            before = {key: self._page_of(key) for key in addresses}
            stored = self._one("SELECT id FROM pages WHERE digest = ?", digest)
            row = stored if stored is not None else self._keep(page, (digest, url, title), passages)
            is_known = all(known == row for known in before.values())
            if not is_known:
                rows = [(key, url, row) for key, url in addresses.items()]
                self._base.executemany("INSERT OR REPLACE INTO addresses VALUES (?, ?, ?)", rows)
            has_new_pictures = page.pictures is not None and self._pictures.put(key_of(page.url), page.pictures)
            if is_known and not has_new_pictures:
                return "known"
            for gone in {known for known in before.values() if known not in (None, row)}:
                self._settle(gone)
            return "new" if before[key_of(page.url)] is None else "changed"

    def remove(self, address: str) -> int:
        """Remove addresses in one transaction."""
        with self._transaction():
            if address.endswith("*"):
                start = address[:-1]
                found = self._base.execute(
                    "SELECT key, page FROM addresses WHERE substr(url, 1, ?) = ?", (len(start), start)
                ).fetchall()
            else:
                key = key_or(address, "")
                found = self._base.execute("SELECT key, page FROM addresses WHERE key = ?", (key,)).fetchall()
            self._base.executemany("DELETE FROM addresses WHERE key = ?", [(key,) for key, _ in found])
            self._pictures.forget([key for key, _ in found])
            for page in {page for _, page in found}:
                self._settle(page)
        return len(found)

    def search(self, query: str, most: int = 10, *, page: str = "", a_page: int = 1) -> tuple[Hit, ...]:
        """The passages that fit a query best."""
        terms = terms_of(query)
        with self._errors():
            if page:
                return self._search_page(terms, most, page)
            frequencies = self._frequencies(terms)
            chosen = chosen_terms(tuple(frequencies), frequencies)
            if not chosen or most < 1:
                return ()
            read = most if a_page == 0 else max(_RANKED, 4 * most)
            while True:
                rows = self._base.execute(_SEARCH, (match_expression(chosen), read)).fetchall()
                hits = _hits(self._by_page(query, frequencies, rows) if a_page else rows, most, a_page)
                if len(hits) == most or len(rows) < read:
                    return hits
                read *= 4

    def signals(self, query: str) -> list[tuple[str, Signals]]:
        """What a search weighs: the address of the page of each passage found, and what speaks for it, the best keywords first."""
        terms = terms_of(query)
        with self._errors():
            frequencies = self._frequencies(terms)
            chosen = chosen_terms(tuple(frequencies), frequencies)
            rows = self._base.execute(_SEARCH, (match_expression(chosen), _RANKED)).fetchall() if chosen else []
            found = [self._found(row) for row in rows]
            return [(row[1], one) for row, one in zip(rows, self._signals(query, frequencies, found), strict=True)]

    def _by_page(self, query: str, frequencies: Mapping[str, int], rows: Sequence[_Row]) -> list[_Row]:
        """The first passages of a search in the order of all that speaks for their pages, and those behind them."""
        ranked, behind = rows[:_RANKED], rows[_RANKED:]
        found = [self._found(row) for row in ranked]
        scores = page_scores(found, self._signals(query, frequencies, found))
        scored = sorted(zip(scores, ranked, strict=True), key=lambda one: -one[0])
        least = scored[-1][0] if scored else 0.0
        return [_scored(row, score) for score, row in scored] + [_scored(row, min(least, row[8])) for row in behind]

    def _signals(self, query: str, frequencies: Mapping[str, int], found: Sequence[FoundPassage]) -> list[Signals]:
        held = self._one("SELECT MAX(id) FROM passages") or 0
        weights = {term: weight_of(count, held) for term, count in frequencies.items() if count}
        sizes = {page: self._one("SELECT COUNT(*) FROM passages WHERE page = ?", page) or 0 for page in _pages(found)}
        return signals_of([term for term in tokens(query) if term in weights], weights, found, sizes)

    def _found(self, row: _Row) -> FoundPassage:
        title, words = self._base.execute("SELECT title, text FROM words WHERE rowid = ?", (row[9],)).fetchone()
        return FoundPassage(row[0], row[1], title, words, row[8])

    def page(self, url: str) -> StoredPage | None:
        """The page that an address leads to."""
        with self._errors():
            row = self._base.execute(
                "SELECT pages.id, pages.url, title, language, read_at, markup FROM addresses JOIN pages ON pages.id = page"
                " WHERE key = ?",
                (key_or(url, ""),),
            ).fetchone()
            if row is None:
                return None
            number, first, title, language, read_at, markup = row
            passages = self._base.execute(
                "SELECT text, headings, anchor, place FROM passages WHERE page = ? ORDER BY place", (number,)
            )
            return StoredPage(
                url=first,
                title=title,
                language=language,
                read_at=read_at,
                markup=self._unpack.decompress(markup).decode() if markup else "",
                passages=tuple(_passage(*one) for one in passages),
            )

    def has(self, url: str) -> bool:
        """Whether an address leads to a page here."""
        with self._errors():
            return self._page_of(key_or(url, "")) is not None

    def pages(self) -> Iterator[PageEntry]:
        """All pages, by address. Read a part at a time, so that no writer has to keep what was removed meanwhile."""
        last: tuple[str, int] = ("", 0)
        while True:
            with self._errors():
                rows = self._base.execute(
                    "SELECT id, url, title, language, read_at, (SELECT COUNT(*) FROM passages WHERE page = pages.id) FROM pages"
                    " WHERE (url, id) > (?, ?) ORDER BY url, id LIMIT ?",
                    (*last, LIST_AT_A_TIME),
                ).fetchall()
                shown = self._pictures.counts([row[0] for row in rows])
                entries = [self._entry(row, shown.get(row[0], 0)) for row in rows]
            yield from entries
            if len(rows) < LIST_AT_A_TIME:
                return
            last = (rows[-1][1], rows[-1][0])

    def info(self) -> LibraryInfo:
        """Numbers of what it holds."""
        with self._errors():
            languages = self._base.execute(
                "SELECT language, COUNT(*) FROM pages GROUP BY language ORDER BY 2 DESC, 1"
            ).fetchall()
            sites = Counter(_origin(url) for (url,) in self._base.execute("SELECT url FROM pages"))
            sizes = self._base.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
            return LibraryInfo(
                pages=sum(number for _, number in languages),
                addresses=self._one("SELECT COUNT(*) FROM addresses") or 0,
                passages=self._one("SELECT COUNT(*) FROM passages") or 0,
                languages=dict(languages),
                sites=dict(sorted(sites.items(), key=lambda one: (-one[1], one[0]))),
                bytes=int(sizes.fetchone()[0]),
                format=VERSION,
                pictures=self._pictures.count(),
            )

    def _keep(self, page: NewPage, known_by: tuple[bytes, str, str], passages: Sequence[Passage]) -> int:
        """Store a text that is not there, known by its digest, address and title; the row of its page."""
        markup = self._pack.compress(page.markup.encode("utf-8", "replace")) if page.markup else b""
        row = self._base.execute(
            "INSERT INTO pages (digest, url, title, language, read_at, markup) VALUES (?, ?, ?, ?, ?, ?)",
            (*known_by, page.language, page.read_at, markup),
        ).lastrowid
        assert row is not None, "a row was inserted"
        title = _words(known_by[-1])
        for passage in passages:
            number = self._base.execute(
                "INSERT INTO passages (page, place, headings, anchor, text) VALUES (?, ?, ?, ?, ?)",
                (row, passage.place, "\n".join(passage.headings), passage.anchor, passage.text),
            ).lastrowid
            self._base.execute(
                "INSERT INTO words (rowid, title, headings, text) VALUES (?, ?, ?, ?)",
                (number, title, _words(" ".join(passage.headings)), _words(passage.text)),
            )
        return row

    def _settle(self, page: int) -> None:
        """Remove a page that no address leads to any more; one that lost its first address goes by another."""
        other = self._base.execute("SELECT url FROM addresses WHERE page = ? ORDER BY key", (page,)).fetchall()
        if not other:
            self._base.execute("DELETE FROM words WHERE rowid IN (SELECT id FROM passages WHERE page = ?)", (page,))
            self._base.execute("DELETE FROM passages WHERE page = ?", (page,))
            self._base.execute("DELETE FROM pages WHERE id = ?", (page,))
            return
        first = self._base.execute("SELECT url FROM pages WHERE id = ?", (page,)).fetchone()[0]
        if self._page_of(key_or(first, "")) != page:
            self._base.execute("UPDATE pages SET url = ? WHERE id = ?", (other[0][0], page))

    def _search_page(self, terms: Sequence[str], most: int, page: str) -> tuple[Hit, ...]:
        number = self._page_of(key_or(page, ""))
        if number is None:
            return ()
        rows = self._base.execute(_SEARCH_PAGE, (match_expression(terms), number, most)).fetchall()
        return _hits(rows, most, 0)

    def _frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        """In how many passages each term occurs, and the beginning of each that occurs nowhere."""
        counts = {term: self._one("SELECT doc FROM word_counts WHERE term = ?", term) or 0 for term in terms}
        beginnings = filter(None, (beginning_of(term) for term, count in counts.items() if not count))
        return counts | {one: self._begun(one.removesuffix(ANY_END)) for one in beginnings}

    def _begun(self, beginning: str) -> int:
        """In how many passages, at most, a term occurs that begins so."""
        span = (beginning, f"{beginning}\U0010ffff")
        return self._one("SELECT TOTAL(doc) FROM word_counts WHERE term >= ? AND term < ?", *span) or 0

    def _entry(self, listed: tuple[int, str, str, str, float, int], pictures: int) -> PageEntry:
        row, url, title, language, read_at, passages = listed
        addresses = self._base.execute("SELECT url FROM addresses WHERE page = ? ORDER BY key", (row,)).fetchall()
        return PageEntry(
            url=url,
            title=title,
            language=language,
            read_at=read_at,
            passages=passages,
            also=tuple(other for (other,) in addresses if other != url),
            pictures=pictures,
        )

    def _page_of(self, key: str) -> int | None:
        return self._one("SELECT page FROM addresses WHERE key = ?", key)

    def _one(self, statement: str, *values: object) -> int | None:
        row = self._base.execute(statement, values).fetchone()
        return None if row is None else int(row[0])

    def put_vectors(self, model: str, vectors: Iterable[tuple[str, bytes]]) -> None:
        """Keep what an encoder made of pictures that are here, each by its digest, in one transaction."""
        with self._transaction():
            for digest, vector in vectors:
                self._pictures.put_vector(model, digest, vector)

    @contextmanager
    def pictures(self) -> Iterator[LibraryPictures]:
        """Its pictures, for reading, all as they are at one moment. Raises `LibraryUnusable`, within the block too."""
        with self._errors():
            self._base.execute("BEGIN")
            try:
                yield self._pictures
            finally:
                self._base.execute("ROLLBACK")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._errors():
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._base.execute("COMMIT")
            finally:
                if self._base.in_transaction:
                    self._base.execute("ROLLBACK")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise unusable(error, self._path) from None


def _digest(title: str, passages: Sequence[Passage]) -> bytes:
    """Of what can be found on a page: equal texts are one page."""
    return hashlib.blake2b(msgspec.msgpack.encode((title, passages)), digest_size=16).digest()


def _hits(rows: Sequence[_Row], most: int, a_page: int) -> tuple[Hit, ...]:
    hits: list[Hit] = []
    taken: Counter[object] = Counter()
    for page, url, title, language, text, headings, anchor, place, score, _ in rows:
        taken[page] += 1
        if a_page and taken[page] > a_page:
            continue
        passage, told = _passage(text, headings, anchor, place), float(f"{score:.6g}")
        hits.append(Hit(url=url, title=title, language=language, passage=passage, score=told))
        if len(hits) == most:
            break
    return tuple(hits)


def _pages(found: Sequence[FoundPassage]) -> set[int]:
    return {one.page for one in found}


def _scored(row: _Row, score: float) -> _Row:
    return (*row[:8], score, row[9])


def _passage(text: str, headings: str, anchor: str, place: int) -> Passage:
    return Passage(text=text, headings=tuple(headings.split("\n")) if headings else (), anchor=anchor, place=place)


def _words(text: str) -> str:
    return " ".join(tokens(text))


def _origin(url: str) -> str:
    try:
        return str(origin_of(url))
    except BadUrl:
        return ""
