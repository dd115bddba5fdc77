"""A search service on loopback that answers in the form of SearXNG, and misbehaves for some queries."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tests.sites.serving import Answer, Asked, LoopbackSite

JSON = "application/json"
Hit = tuple[str, str, str]
"""Address, title, text."""


class SearchService(LoopbackSite):
    """Hits by query; any other query finds nothing."""

    def __init__(self, hits: Mapping[str, Sequence[Hit]]) -> None:
        super().__init__()
        self.hits, self.elsewhere = dict(hits), ""
        self.queries: list[str] = []
        """Queries so far."""
        self.seen: list[dict[str, str]] = []
        """Headers of the requests."""
        self.formats: tuple[str, ...] = ("html", "json")
        self.answers: dict[str, list[Answer]] = {}
        """Instead of hits: what comes for a query, one after the other, the last again."""

    @property
    def address(self) -> str:
        """What a person gives as --search."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def answer(self, asked: Asked) -> Answer:
        """As SearXNG: 403 for a format that is not switched on, HTML without one."""
        query = asked.query.get("q", "")
        self.queries.append(query)
        self.seen.append({name.lower(): value for name, value in asked.headers.items()})
        if asked.path != "/search":
            return Answer("<title>Not found</title>", 404)
        if (given := self.answers.get(query)) is not None:
            return given.pop(0) if len(given) > 1 else given[0]
        form = asked.query.get("format", "html")
        if form not in self.formats:
            return Answer("<!doctype html><title>403 Forbidden</title>", 403)
        if form == "html":
            return Answer("<!doctype html><title>SearXNG</title>")
        return Answer(json.dumps(self.results(query)), kind=JSON)

    def results(self, query: str) -> dict[str, Any]:
        """The body of an answer."""
        found = [
            {
                "url": url,
                "title": title,
                "content": text,
                "engine": "local",
                "template": "default.html",
                "parsed_url": ["http", "", "/", "", "", ""],
                "engines": ["local"],
                "positions": [rank],
                "score": 1 / rank,
                "category": "general",
                "publishedDate": None,
            }
            for rank, (url, title, text) in enumerate(self.hits.get(query, ()), start=1)
        ]
        told: dict[str, list[str]] = {
            "answers": [],
            "corrections": [],
            "infoboxes": [],
            "suggestions": [],
            "unresponsive_engines": [],
        }
        return {"query": query, "results": found, **told}
