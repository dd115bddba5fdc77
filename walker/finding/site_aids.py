"""The finding aids of one site, each tried once, and what they name."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Iterator
from urllib.parse import urljoin

from memory.library.protocol import NewPage, PageLine
from memory.words import tokens
from perception.document.reading import observe
from perception.encodings import decode_html
from perception.observation import Link, Observation
from perception.snapshot import Snapshot
from walker.crawl.fetch.sitemaps import SitemapWalk
from walker.finding.aids.js_values import NotAValue
from walker.finding.aids.named_aids import NamedAids, NamedIndex, aids_named_on
from walker.finding.aids.named_page import NamedPage
from walker.finding.aids.pagefind import NotPagefind, fragment_files, meta_file, read_fragment
from walker.finding.aids.plain_lists import read_feed, read_llms_text
from walker.finding.aids.search_records import read_records
from walker.finding.aids.site_search import SearchAddress, open_search, rarest_word
from walker.finding.aids.sphinx_index import SphinxIndex
from walker.finding.reference_aids import read_reference
from walker.rules.scope import WalkScope
from walker.seams.site_reader import SiteFile, SiteReader

INDEX_BYTES, SITEMAP_BYTES, LIST_BYTES = 16 << 20, 8 << 20, 1 << 20
SITEMAPS_AT_MOST = 12
FROM_SITEMAPS = 5_000
FOUND_AT_MOST = 15
"""Pages that are taken from a search of the site's own."""
SNIPPET_BLOCKS, SNIPPET_CHARS = 3, 300
"""Blocks and characters below a result that may be its snippet."""
FRAGMENTS = 60
"""Pages whose texts are taken from an index of Pagefind, which has a file for each."""
OWN_SEARCHES = 3
"""Searches that the site itself is asked for, in one walk."""


class SiteAids:
    """Tries aids, and keeps what the site's own search needs."""

    def __init__(self, site: SiteReader, scope: WalkScope) -> None:
        self._site, self._scope = site, scope
        self._sphinx: SphinxIndex | None = None
        self._search: SearchAddress | None = None
        self._first_links: frozenset[str] = frozenset()
        self._searches_left = OWN_SEARCHES
        self._in_vain: set[SearchAddress] = set()
        self.named: dict[str, int] = {}
        """Pages that each aid named, by the aid; only of aids that the site has."""

    async def read(self, first: Snapshot, source: Snapshot) -> tuple[NamedPage, ...]:
        """The pages that the site's aids name; `first` is its first page in the browser, `source` the same over HTTP."""
        named = await asyncio.to_thread(_named_on, first, source)
        self._search, self._first_links = named.form, frozenset(named.links)
        tried: dict[str, Awaitable[tuple[NamedPage, ...]]] = {
            "sitemap": self._from_sitemaps(),
            "llms.txt": self._from_llms_text(),
        }
        tried |= {f"feed {number}": self._from_feed(feed) for number, feed in enumerate(named.feeds, start=1)}
        tried |= {f"search index {number}": self._from_index(one) for number, one in enumerate(named.indexes, start=1)}
        if named.sphinx:
            tried["Sphinx index"] = self._from_sphinx(named)
        if named.reference:
            tried[f"{named.reference.kind} index"] = read_reference(
                named.reference, self._index_text, source.html, named.links
            )
        if named.pagefind:
            tried["Pagefind"] = self._from_pagefind(named.pagefind)
        if named.open_search:
            tried["OpenSearch"] = self._from_open_search(named.open_search)
        found = await asyncio.gather(*tried.values())
        inside: list[NamedPage] = []
        for name, pages in zip(tried, found, strict=True):
            kept = [page for page in pages if not self._scope.why_outside(page.url)]
            if kept:
                self.named[name] = len(kept)
            inside += kept
        return tuple(inside)

    def saw_form(self, form: SearchAddress | None) -> bool:
        """Learn the form of a further page where the first had none: many sites search on a page of its own. Whether it is
        new."""
        is_new = form is not None and self._search is None and self._sphinx is None and form not in self._in_vain
        if is_new:
            self._search = form
        return is_new

    async def found_for(self, query: str) -> tuple[NamedPage, ...]:
        """The pages that the site's own search finds. One that finds nothing is not asked again."""
        found: tuple[NamedPage, ...] = ()
        if self._sphinx is not None:
            found = await asyncio.to_thread(self._sphinx.search, query, FOUND_AT_MOST)
        elif self._search is not None and self._searches_left:
            found = await self._searched(self._search, query)
            if not found:
                self._in_vain.add(self._search)
                self._search = None
            else:
                self.named["site search"] = self.named.get("site search", 0) + len(found)
        return tuple(page for page in found if not self._scope.why_outside(page.url))

    def as_page(self, page: NamedPage) -> NewPage:
        """A page of the library from the text that an aid holds."""
        lines = tuple(PageLine(text=" ".join(line.split())) for line in page.text.splitlines() if line.strip())
        return NewPage(url=page.url, title=page.title, lines=lines)

    async def _from_sitemaps(self) -> tuple[NamedPage, ...]:
        guessed = urljoin(self._scope.root_url, "/sitemap.xml")
        left = SITEMAPS_AT_MOST

        async def fetch(url: str) -> tuple[int, bytes]:
            nonlocal left
            left -= 1
            answer = await self._site.file(url, SITEMAP_BYTES) if left >= 0 else None
            return (answer.status, answer.body) if isinstance(answer, SiteFile) else (404, b"")

        sitemaps = await self._site.sitemaps() or (guessed,)
        walk = SitemapWalk(fetch, lambda url: not self._scope.why_outside(url), unnamed=frozenset((guessed,)))
        found: dict[str, None] = {}
        async for url in walk.addresses(sitemaps):
            found[url] = None
            if len(found) >= FROM_SITEMAPS:
                break
        return tuple(NamedPage(url=url) for url in found)

    async def _from_llms_text(self) -> tuple[NamedPage, ...]:
        url, text = await self._text(urljoin(self._scope.root_url, "/llms.txt"), LIST_BYTES)
        return await asyncio.to_thread(read_llms_text, text, url)

    async def _from_feed(self, feed: str) -> tuple[NamedPage, ...]:
        url, text = await self._text(feed, LIST_BYTES)
        return await asyncio.to_thread(read_feed, text, url)

    async def _from_index(self, index: NamedIndex) -> tuple[NamedPage, ...]:
        _, text = await self._text(index.url, INDEX_BYTES)
        try:
            return await asyncio.to_thread(read_records, text, index.base)
        except NotAValue:
            return ()

    async def _from_sphinx(self, named: NamedAids) -> tuple[NamedPage, ...]:
        _, text = await self._text(urljoin(named.sphinx, "searchindex.js"), INDEX_BYTES)
        try:
            self._sphinx = await asyncio.to_thread(SphinxIndex, text, named.sphinx, named.links)
        except NotAValue:
            return ()
        return self._sphinx.pages()

    async def _from_pagefind(self, folder: str) -> tuple[NamedPage, ...]:
        """Its pages have no order that tells which to read, so a small site is read whole, and of a large one the first pages."""
        entry = await self._site.file(urljoin(folder, "pagefind-entry.json"), LIST_BYTES)
        if not isinstance(entry, SiteFile) or entry.status != 200:
            return ()
        try:
            meta = await self._site.file(urljoin(folder, meta_file(entry.body)), INDEX_BYTES)
            files = fragment_files(meta.body) if isinstance(meta, SiteFile) and meta.status == 200 else ()
        except NotPagefind:
            return ()
        home = urljoin(folder, "../")
        read = await asyncio.gather(*(self._fragment(urljoin(folder, file), home) for file in files[:FRAGMENTS]))
        return tuple(page for page in read if page is not None)

    async def _fragment(self, address: str, home: str) -> NamedPage | None:
        answer = await self._site.file(address, LIST_BYTES)
        if not isinstance(answer, SiteFile) or answer.status != 200:
            return None
        try:
            return read_fragment(answer.body, home)
        except NotPagefind:
            return None

    async def _from_open_search(self, description: str) -> tuple[NamedPage, ...]:
        """Learn the address of the site's search, where no form said it; it names no page."""
        url, text = await self._text(description, LIST_BYTES)
        self._search = self._search or open_search(text, url)
        return ()

    async def _ask_site(self, address: str, query: str) -> tuple[NamedPage, ...]:
        """The links of a page of results whose labels or surroundings hold a word of the query, and that the first page lacks."""
        page = await self._site.page(address) if not self._scope.why_outside(address) else None
        if not isinstance(page, Snapshot) or page.status >= 400:
            return ()
        observation = await asyncio.to_thread(observe, page)
        words = frozenset(tokens(query))
        found = {
            link.url: NamedPage(url=link.url, title=link.label, about=about)
            for link, about in _results_on(observation)
            if link.url not in self._first_links and words.intersection(tokens(f"{link.label} {about}"))
        }
        return tuple(found.values())[:FOUND_AT_MOST]

    async def _searched(self, search: SearchAddress, query: str) -> tuple[NamedPage, ...]:
        """What the site finds for a query, else for its rarest word: many want all words of a query on one page."""
        for words in dict.fromkeys((query, rarest_word(query))):
            if words and self._searches_left:
                self._searches_left -= 1
                if found := await self._ask_site(search.of(words), query):
                    return found
        return ()

    async def _index_text(self, url: str) -> str:
        return (await self._text(url, INDEX_BYTES))[1]

    async def _text(self, url: str, most_bytes: int) -> tuple[str, str]:
        """Address after redirects, and text of a file; "" where there is none."""
        answer = await self._site.file(url, most_bytes)
        if not isinstance(answer, SiteFile) or answer.status != 200:
            return url, ""
        return answer.url, decode_html(answer.body, answer.content_type)


def _results_on(observation: Observation) -> Iterator[tuple[Link, str]]:
    """The links of a page's main part, each with the text around it, else with that below it, up to the next link: most sites show a
    snippet there."""
    links = [link for link in observation.links if link.region == "main"]
    texts = {block.id: block.text for block in observation.blocks if block.region == "main" and not block.hidden}
    begun = frozenset(link.block for link in links)
    for link in links:
        after = range(link.block + 1, link.block + 1 + SNIPPET_BLOCKS) if link.block else range(0)
        below = itertools.takewhile(lambda number: number in texts and number not in begun, after)
        yield link, link.context or " ".join(texts[number] for number in below)[:SNIPPET_CHARS]


def _named_on(first: Snapshot, source: Snapshot) -> NamedAids:
    """What the source names, else what scripts have added to it."""
    said = aids_named_on(source.html, source.final_url)
    shown = aids_named_on(first.html, first.final_url)
    return NamedAids(
        sphinx=said.sphinx or shown.sphinx,
        pagefind=said.pagefind or shown.pagefind,
        indexes=said.indexes or shown.indexes,
        reference=said.reference or shown.reference,
        feeds=said.feeds or shown.feeds,
        open_search=said.open_search or shown.open_search,
        form=said.form or shown.form,
        links=shown.links,
    )
