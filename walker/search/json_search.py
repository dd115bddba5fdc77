"""Asks a service that finds pages by words and answers in JSON: SearXNG, or whatever a file describes."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from urllib.parse import quote, urlsplit

import msgspec

from memory.url_key import WEB_SCHEMES, BadUrl, key_of, origin_of
from walker.browser.http.http_client import HttpAnswer, HttpClient
from walker.browser.http.json_value import value_at
from walker.crawl.fetch.politeness import Pace
from walker.crawl.fetch.retrying import retry_after_seconds
from walker.crawl.fetch.user_agent import agent_of
from walker.crawl.script.polite import Polite
from walker.rules.egress import is_near
from walker.seams.protocols import PageFailure
from walker.seams.search_protocols import SearchFailure, SearchFailureKind, TextHit
from walker.seams.searches import is_own_page
from walker.seams.web.own_headers import NO_HEADERS, OwnHeaders
from walker.seams.web.way_out import UpstreamProxy, WayOut
from walker.settings import SearchService

ANSWER_BYTES = 4 << 20
SECONDS = 20.0
"""Of one search; a metasearch waits for its slowest engine."""
PATIENCE_SECONDS = 3.0
"""Most seconds that a search waits because the service asks for it; one that would wait longer fails."""
QUERY_CHARS = 400
TITLE_CHARS, SNIPPET_CHARS = 300, 1000
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\s]+")
_KINDS: dict[str, SearchFailureKind] = {
    "blocked_address": "blocked",
    "unreadable": "unreadable",
    "bad_scheme": "blocked",
}


class JsonSearch:
    """Implements `walker.seams.search_protocols.TextSearch`. Only the service's own host may be a private address, and only it gets
    the key."""

    def __init__(
        self,
        service: SearchService,
        *,
        proxy: UpstreamProxy | None = None,
        seconds: float = SECONDS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`proxy` makes the connections to a service that is not on this machine or its network."""
        self._service, self._clock = service, clock
        self._origin = origin_of(_filled(service, "", 1))
        through = None if is_near(urlsplit(self._origin).hostname or "") else proxy
        polite = Polite(retries=0)
        self._pace = Pace(polite)
        self._client = HttpClient(
            self._origin,
            headers={"User-Agent": agent_of(polite), "Accept": "application/json"},
            page_bytes=ANSWER_BYTES,
            page_seconds=seconds,
            connections=4,
            way_out=WayOut(headers=self._own_headers(), proxy=through),
        )

    async def search(self, query: str, most: int) -> tuple[TextHit, ...] | SearchFailure:
        """The best hits, at most `most`; a refusal for too many requests is waited for where it asks for little."""
        words = " ".join(query.split())[:QUERY_CHARS]
        if not words:
            return ()
        if self._service.key_name and not self._service.key:
            return self._failure(
                "refused", f"its key is not at hand; name it again with --search, with {self._service.key_name} set"
            )
        answer = await self._asked(words, most)
        if isinstance(answer, HttpAnswer) and answer.status == 429:
            answer = await self._asked(words, most)
        if isinstance(answer, SearchFailure):
            return answer
        if isinstance(answer, PageFailure):
            return self._failure(_KINDS.get(answer.kind, "unreachable"), answer.message)
        if answer.status >= 400:
            return self._refusal(answer)
        found = self._hits(answer.body, words)
        return found if isinstance(found, SearchFailure) else found[:most]

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _asked(self, query: str, most: int) -> HttpAnswer | PageFailure | SearchFailure:
        waits = self._pace.next_free(self._origin)
        if waits > PATIENCE_SECONDS:
            return self._failure("limited", f"too many requests; it asks to wait for {waits:.0f} s")
        async with self._pace.slot(self._origin):
            started = time.monotonic()
            answer = await self._client.fetch(_filled(self._service, query, most))
            seconds = time.monotonic() - started
        if isinstance(answer, PageFailure):
            self._pace.answered(self._origin, 0, seconds)
            return answer
        after = retry_after_seconds(answer.headers.get("retry-after", ""), self._clock())
        self._pace.answered(self._origin, answer.status, seconds, after)
        return answer

    def _refusal(self, answer: HttpAnswer) -> SearchFailure:
        status = answer.status
        if status == 429:
            return self._failure("limited", "too many requests; it asks to be left alone for a while")
        if status == 403 and self._service.kind == "searxng":
            advice = "it gives no JSON (403); add json to the formats under search in its settings.yml"
            return self._failure("refused", advice)
        if status in (401, 403, 407) and self._service.key:
            return self._failure("refused", f"it refuses the key ({status})")
        return self._failure("refused", f"it answered with status {status}")

    def _hits(self, body: bytes, query: str) -> tuple[TextHit, ...] | SearchFailure:
        service = self._service
        try:
            data = msgspec.json.decode(body)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            shown = "HTML" if body.lstrip()[:1] == b"<" else "something that is not JSON"
            return self._failure("unreadable", f"it answered with {shown} where JSON was asked for; check its address")
        found = value_at(data, service.results)
        if not isinstance(found, list):
            holds = f"; its answer holds {_names(data)}" if isinstance(data, dict) else ""
            return self._failure("unreadable", f'there is no list at "{service.results}"{holds}')
        hits = [hit for one in found if (hit := _hit(one, service, query)) is not None]
        if found and not any(isinstance(value_at(one, service.link), str) for one in found):
            return self._failure(
                "unreadable", f'none of its {len(found)} hits has "{service.link}"; a hit holds {_names(found[0])}'
            )
        if not found and service.kind == "searxng" and (silent := _silent_engines(data)):
            return self._failure("unreachable", f"no engine of it answered: {silent}")
        first: dict[str, TextHit] = {}
        for hit in hits:
            first.setdefault(key_of(hit.url), hit)
        return tuple(first.values())

    def _failure(self, kind: SearchFailureKind, what: str) -> SearchFailure:
        told = f"the search at {self._service.name} failed: {_shown(what, 300)}"
        return SearchFailure(kind=kind, message=told.replace(self._service.key, "***") if self._service.key else told)

    def _own_headers(self) -> OwnHeaders:
        name, _, value = self._service.header.partition(":")
        if not name:
            return NO_HEADERS
        origin = self._origin
        filled = value.strip().replace("{key}", self._service.key)
        return OwnHeaders({name.strip(): filled}, lambda url: _origin_or_none(url) == origin)


def _filled(service: SearchService, query: str, most: int) -> str:
    values = {"{query}": query, "{most}": str(most), "{key}": service.key}
    return re.sub(
        r"\{(?:query|most|key)\}", lambda place: quote(values[place[0]], safe="", errors="replace"), service.url
    )


def _hit(one: object, service: SearchService, query: str) -> TextHit | None:
    """A hit that may be a page of a site, None for any other. All texts are cut to what a list of hits needs."""
    url = value_at(one, service.link)
    if not isinstance(url, str):
        return None
    url = url.strip()
    try:
        if urlsplit(url).scheme.lower() not in WEB_SCHEMES or not origin_of(url) or is_own_page(url):
            return None
        key_of(url)
    except (BadUrl, ValueError):
        return None
    title, snippet = _text(value_at(one, service.title)), _text(value_at(one, service.snippet))
    source = _text(value_at(one, service.source)) if service.source else ""
    return TextHit(
        url=url,
        title=_shown(title, TITLE_CHARS) or url,
        snippet=_shown(snippet, SNIPPET_CHARS),
        query=query,
        source=_shown(source, TITLE_CHARS),
    )


def _silent_engines(data: object) -> str:
    """The engines of a SearXNG that gave nothing but an error, each with it; "" where it names none."""
    named = value_at(data, "unresponsive_engines")
    pairs = [one for one in named if isinstance(one, list) and one] if isinstance(named, list) else []
    return ", ".join(f"{_text(one[0])} ({_text(one[1]) if len(one) > 1 else ''})" for one in pairs)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _shown(text: str, most: int) -> str:
    """A text in one line, without control characters."""
    return _UNSEEN.sub(" ", text[: 4 * most]).strip()[:most]


def _names(value: object) -> str:
    return _shown(", ".join(map(str, value)), 120) or "nothing" if isinstance(value, dict) else "no named values"


def _origin_or_none(url: str) -> str:
    try:
        return origin_of(url)
    except BadUrl:
        return ""
