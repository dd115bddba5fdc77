"""Tries a search service: whether it answers, and finds something, in the form that walks need."""

from __future__ import annotations

import time
from urllib.parse import urlsplit

from walker.doctor.checks import Check
from walker.seams.search_protocols import SearchFailure
from walker.search.json_search import JsonSearch
from walker.settings import SearchService

QUERY = "encyclopedia"
"""A word that every index of some size has."""
MOST = 10


async def examine_search(service: SearchService, query: str = QUERY) -> tuple[Check, ...]:
    """One query, as a walk asks it."""
    search = JsonSearch(service)
    started = time.monotonic()
    try:
        found = await search.search(query, MOST)
    finally:
        await search.close()
    seconds = time.monotonic() - started
    if isinstance(found, SearchFailure):
        advice = "Check its address, and that it runs" if found.kind == "unreachable" else ""
        return (Check(name="search", ok=False, detail=found.message, advice=advice),)
    hosts = len({urlsplit(hit.url).netloc for hit in found})
    detail = f"{service.name} found {len(found)} pages on {hosts} hosts for “{query}” in {seconds:.1f} s"
    advice = "" if found else "It answers, but finds nothing: check which engines it has switched on"
    return (Check(name="search", ok=True, detail=detail, advice=advice),)
