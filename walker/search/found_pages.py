"""What one or several queries find in several places, merged into one page of links."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from html import escape

import msgspec

from memory.url_key import BadUrl, UrlKey, key_of
from perception.snapshot import Snapshot
from walker.rules.scope import WalkScope
from walker.seams.search_protocols import SearchFailure, TextHit, TextSearch
from walker.seams.searches import is_search, queries_of
from walker.search.own_pages import PageMaker, own_page

HITS_SHOWN = 20
RANK_OFFSET = 60
"""Of reciprocal rank fusion (Cormack, Clarke, Büttcher 2009): a hit counts 1 / (offset + rank) in each list that has it."""

Found = tuple[TextHit, ...] | SearchFailure


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


def found_page(searches: Sequence[TextSearch], scope: WalkScope, clock: Callable[[], float] = time.time) -> PageMaker:
    """Makes the page of hits of a search: each query is asked of all searches, side by side, and what the walk may open is a link.
    Where several have a page, the first one's hit is shown. What failed is told at the end of the page."""

    async def make(url: str) -> Snapshot | None:
        queries = queries_of(url)
        if not is_search(url) or not queries:
            return None
        asked = [search.search(query, HITS_SHOWN) for search in searches for query in queries]
        found: list[Found] = await asyncio.gather(*asked)
        open_hits = [
            [hit for hit in one if may_open(scope, hit)] for one in found if not isinstance(one, SearchFailure)
        ]
        failures = tuple(dict.fromkeys(one.message for one in found if isinstance(one, SearchFailure)))
        merged = merge(open_hits, HITS_SHOWN)
        left = len({hit.url for one in found if not isinstance(one, SearchFailure) for hit in one} - _urls(open_hits))
        notes = (*failures, *((f"{left} pages were found that this walk may not open",) if left else ()))
        return own_page(url, "; ".join(queries), _listed(merged, several=len(queries) > 1) + _footer(notes), at=clock())

    return make


def may_open(scope: WalkScope, hit: TextHit) -> bool:
    """Whether the walk may open a page because a search found it."""
    return not scope.why_outside(hit.url, scope.sites_of_hits((hit.url,)))


def _urls(lists: Iterable[Iterable[TextHit]]) -> set[str]:
    return {hit.url for hits in lists for hit in hits}


def _listed(merged: Sequence[Merged], *, several: bool) -> str:
    items = "".join(_item(one, several=several) for one in merged)
    return f"<ol>{items or '<li>Nothing was found.</li>'}</ol>"


def _item(one: Merged, *, several: bool) -> str:
    hit = one.hit
    by = " ".join(f"“{escape(query)}”" for query in one.queries)
    found_by = f" <small>found by {by}</small>" if several else ""
    title = " ".join(hit.title.split()) or hit.url
    return f'<li><a href="{escape(hit.url)}">{escape(title)}</a> {escape(" ".join(hit.snippet.split()))}{found_by}</li>'


def _footer(notes: Sequence[str]) -> str:
    return f"<footer><p>{escape('; '.join(notes))}</p></footer>" if notes else ""
