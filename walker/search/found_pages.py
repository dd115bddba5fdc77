"""What one or several queries find in several places, merged into one page of links."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from html import escape
from urllib.parse import urlsplit

import msgspec

from memory.url_key import BadUrl, UrlKey, key_of, same_site
from perception.snapshot import Snapshot
from walker.rules.egress import is_near, is_public
from walker.rules.scope import WalkScope
from walker.seams.protocols import PageFailure
from walker.seams.search_protocols import SearchFailure, TextHit, TextSearch
from walker.seams.searches import queries_of
from walker.search.own_pages import PageMaker, own_page

HITS_SHOWN = 20
RANK_OFFSET = 60
"""Of reciprocal rank fusion (Cormack, Clarke, Büttcher 2009): a hit counts 1 / (offset + rank) in each list that has it."""


class Merged(msgspec.Struct, frozen=True, kw_only=True):
    """A page that was found, and all the queries that found it, in their order."""

    hit: TextHit
    queries: tuple[str, ...]


def merge(lists: Iterable[Sequence[TextHit]], most: int) -> tuple[Merged, ...]:
    """The best pages of several lists of hits by reciprocal ranks, each page once, as the first list that has it shows it."""
    scores: defaultdict[UrlKey, float] = defaultdict(float)
    first: dict[UrlKey, TextHit] = {}
    queries: defaultdict[UrlKey, dict[str, None]] = defaultdict(dict)
    for hits in lists:
        for rank, hit in enumerate(hits, start=1):
            try:
                key = key_of(hit.url)
            except BadUrl:
                continue
            first.setdefault(key, hit)
            queries[key][hit.query] = None
            scores[key] += 1 / (RANK_OFFSET + rank)
    best = sorted(first, key=lambda key: -scores[key])  # stable: equal ones in the order of the lists
    return tuple(Merged(hit=first[key], queries=tuple(queries[key])) for key in best[:most])


class Source(msgspec.Struct, frozen=True):
    """A search, and which of the addresses that it finds the walk may open."""

    search: TextSearch
    may_open: Callable[[str], bool]


def found_page(
    sources: Sequence[Source], *, least_queries: int = 1, clock: Callable[[], float] = time.time
) -> PageMaker:
    """Makes the page of hits of a search with at least so many queries: each is asked of all sources, side by side, and what the walk
    may open is a link. Where several have a page, the first one's hit is shown. What failed is told at the end of the page."""

    async def make(url: str) -> Snapshot | PageFailure | None:
        queries = queries_of(url)
        if len(queries) < least_queries:
            return None
        lists, failures, left = await _ask(sources, queries)
        if failures and not lists:
            return PageFailure(url=url, kind="other", message="; ".join(failures))
        merged = merge(lists, HITS_SHOWN)
        unopened = _unopened(left)
        body = _listed(merged, several=len(queries) > 1) + _footer((*failures, *unopened))
        told = failures if merged else (*failures, *unopened)
        return own_page(url, "; ".join(queries), body, at=clock(), notes=told)

    return make


async def _ask(
    sources: Sequence[Source], queries: Sequence[str]
) -> tuple[list[list[TextHit]], tuple[str, ...], set[str]]:
    """Lists of the hits that may be opened, what failed, and the addresses that may not be opened."""
    asked = [(source, query) for source in sources for query in queries]
    found = await asyncio.gather(*(source.search.search(query, HITS_SHOWN) for source, query in asked))
    lists: list[list[TextHit]] = []
    failures: dict[str, None] = {}
    left: set[str] = set()
    for (source, _), answer in zip(asked, found, strict=True):
        if isinstance(answer, SearchFailure):
            failures[answer.message] = None
            continue
        lists.append([hit for hit in answer if source.may_open(hit.url)])
        left |= {hit.url for hit in answer if not source.may_open(hit.url)}
    return lists, tuple(failures), left


def hits_within(scope: WalkScope) -> Callable[[str], bool]:
    """Which hits a walk with this scope may open. A private address that nobody named would be refused at the edge, at the cost of a
    page of the budget each."""

    def may_open(url: str) -> bool:
        if scope.why_outside(url, scope.sites_of_hits((url,))):
            return False
        return not _is_private(url) or any(same_site(url, named) for named in scope.named_addresses)

    return may_open


def _is_private(url: str) -> bool:
    """Whether a hit leads to an address of this machine or its network. A host that ends in a number is an address to browsers,
    however it is written: 0x7f.1 is 127.0.0.1, and no site is named so."""
    host = urlsplit(url).hostname or ""
    last = host.rstrip(".").rpartition(".")[2]
    return is_near(host) or ((last.isdigit() or last.startswith("0x")) and not is_public(host))


def _listed(merged: Sequence[Merged], *, several: bool) -> str:
    items = "".join(_item(one, several=several) for one in merged)
    return f"<ol>{items or '<li>Nothing was found.</li>'}</ol>"


def _item(one: Merged, *, several: bool) -> str:
    hit = one.hit
    by = " ".join(f"“{escape(query)}”" for query in one.queries)
    found_by = f" <small>found by {by}</small>" if several else ""
    title = " ".join(hit.title.split()) or hit.url
    return f'<li><a href="{escape(hit.url)}">{escape(title)}</a> {escape(" ".join(hit.snippet.split()))}{found_by}</li>'


def _unopened(left: Collection[str]) -> tuple[str, ...]:
    """What is told of found pages that the walk may not open."""
    if not left:
        return ()
    told = f"{'1 page was' if len(left) == 1 else f'{len(left)} pages were'} found that this walk may not open"
    private = sum(_is_private(url) for url in left)
    return (f"{told}; at private addresses, which --also HOST opens: {private}" if private else told,)


def _footer(notes: Sequence[str]) -> str:
    return f"<footer><p>{escape('; '.join(notes))}</p></footer>" if notes else ""
