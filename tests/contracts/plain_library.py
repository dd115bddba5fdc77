"""The smallest library that keeps the contract: in memory, scores by shared words. It shows that the seam is not SQLite's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import count

import msgspec

from memory.library.passages import cut_passages
from memory.library.protocol import Added, Hit, LibraryInfo, NewPage, PageEntry, StoredPage
from memory.library.query_terms import terms_of
from memory.url_key import BadUrl, key_of, origin_of
from memory.words import tokens


class PlainLibrary:
    """Implements `memory.library.protocol.Library`."""

    def __init__(self) -> None:
        self._pages: dict[int, StoredPage] = {}
        self._addresses: dict[str, tuple[str, int]] = {}
        self._numbers = count(1)

    def add(self, page: NewPage) -> Added:
        stored = StoredPage(
            url=page.url.partition("#")[0], title=page.title, language=page.language, read_at=page.read_at,
            markup=page.markup, passages=cut_passages(page.lines),
        )  # fmt: skip
        keys = {key_of(url): url for url in (page.url, *page.also)}
        if not stored.passages:
            return "empty"
        same = (
            number
            for number, one in self._pages.items()
            if (one.title, one.passages) == (stored.title, stored.passages)
        )
        number = next(same, 0) or next(self._numbers)
        before = {key: self._addresses.get(key, ("", 0))[1] for key in keys}
        if set(before.values()) == {number}:
            return "known"
        self._pages.setdefault(number, stored)
        self._addresses |= {key: (url, number) for key, url in keys.items()}
        self._settle()
        return "changed" if before[key_of(page.url)] else "new"

    def remove(self, address: str) -> int:
        start = address.removesuffix("*")
        gone = [
            key for key, (url, _) in self._addresses.items()
            if (url.startswith(start) if address.endswith("*") else key == _key(address))
        ]  # fmt: skip
        for key in gone:
            del self._addresses[key]
        self._settle()
        return len(gone)

    def search(self, query: str, most: int = 10, *, page: str = "", a_page: int = 1) -> tuple[Hit, ...]:
        terms = frozenset(terms_of(query))
        hits = []
        for number, one in sorted(self._pages.items()):
            if page and self._addresses.get(_key(page), ("", 0))[1] != number:
                continue
            for passage in one.passages:
                score = len(terms & frozenset(tokens(f"{one.title}\n{passage.text}")))
                if score:
                    hits.append(Hit(url=one.url, title=one.title, language=one.language, passage=passage, score=score))
        taken: Counter[str] = Counter()
        best = []
        for hit in sorted(hits, key=lambda hit: -hit.score):
            taken[hit.url] += 1
            if page or not a_page or taken[hit.url] <= a_page:
                best.append(hit)
        return tuple(best[:most])

    def page(self, url: str) -> StoredPage | None:
        return self._pages.get(self._addresses.get(_key(url), ("", 0))[1])

    def has(self, url: str) -> bool:
        return self.page(url) is not None

    def pages(self) -> Iterator[PageEntry]:
        for number, one in sorted(self._pages.items(), key=lambda pair: pair[1].url):
            also = tuple(url for _, (url, led) in sorted(self._addresses.items()) if led == number and url != one.url)
            yield PageEntry(
                url=one.url, title=one.title, language=one.language, read_at=one.read_at,
                passages=len(one.passages), also=also,
            )  # fmt: skip

    def info(self) -> LibraryInfo:
        return LibraryInfo(
            pages=len(self._pages), addresses=len(self._addresses),
            passages=sum(len(one.passages) for one in self._pages.values()),
            languages=dict(Counter(one.language for one in self._pages.values()).most_common()),
            sites=dict(Counter(origin_of(one.url) for one in self._pages.values()).most_common()),
            bytes=0, format=0,
        )  # fmt: skip

    def close(self) -> None:
        self._pages.clear()

    def _settle(self) -> None:
        led = {number for _, number in self._addresses.values()}
        self._pages = {number: one for number, one in self._pages.items() if number in led}
        for number, one in self._pages.items():
            urls = sorted(url for url, to in self._addresses.values() if to == number)
            if one.url not in urls:
                self._pages[number] = msgspec.structs.replace(one, url=urls[0])


def _key(url: str) -> str:
    try:
        return str(key_of(url))
    except BadUrl:
        return ""
