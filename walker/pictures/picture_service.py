"""Asks a service by its address which pages show a picture. The only place from which a picture is sent to a search."""

from __future__ import annotations

from urllib.parse import urlsplit

import msgspec

from memory.url_key import WEB_SCHEMES, BadUrl, key_of, origin_of
from walker.browser.http.http_client import HttpAnswer, HttpClient
from walker.browser.http.json_value import value_at
from walker.rules.egress import is_near
from walker.seams.protocols import PageFailure
from walker.seams.search_protocols import PictureHit, SearchFailure, SearchFailureKind
from walker.seams.searches import is_own_page
from walker.seams.web.own_headers import NO_HEADERS, OwnHeaders
from walker.seams.web.way_out import UpstreamProxy, WayOut
from walker.settings import PictureService

ANSWER_BYTES = 4 << 20
SECONDS = 30.0
TEXT_CHARS = 1000
_FAILURES: dict[str, SearchFailureKind] = {
    "blocked_address": "blocked",
    "bad_scheme": "blocked",
    "unreadable": "unreadable",
}


class PictureServiceSearch:
    """Implements `walker.seams.search_protocols.PictureSearch`. Only the service's own host may be a private address, only it gets the
    key, and it is not followed to another."""

    def __init__(
        self, service: PictureService, *, proxy: UpstreamProxy | None = None, seconds: float = SECONDS
    ) -> None:
        """`proxy` makes the connections to a service that is not on this machine or its network."""
        self._service = service
        self._origin = origin_of(service.url)
        through = None if is_near(urlsplit(self._origin).hostname or "") else proxy
        self._client = HttpClient(
            self._origin,
            headers={"Accept": "application/json"},
            page_bytes=ANSWER_BYTES,
            page_seconds=seconds,
            connections=2,
            way_out=WayOut(headers=self._own_headers(), proxy=through),
        )

    async def find(self, picture: bytes, words: str, most: int) -> tuple[PictureHit, ...] | SearchFailure:
        """What the service names, best first by its scores; without scores, by its order, with chances below one half."""
        service = self._service
        fields = {name: value for name, value in ((service.words, words), (service.most, str(most))) if name and value}
        answer = await self._client.post_file(service.url, service.upload, picture, fields)
        if isinstance(answer, PageFailure):
            return self._failure(_FAILURES.get(answer.kind, "unreachable"), answer.message)
        if answer.status == 429:
            return self._failure("limited", "too many requests")
        if answer.status >= 300:
            return self._failure("refused", f"it answered with status {answer.status}")
        found = self._hits(answer)
        return found if isinstance(found, SearchFailure) else found[: max(0, most)]

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    def _hits(self, answer: HttpAnswer) -> tuple[PictureHit, ...] | SearchFailure:
        try:
            data = msgspec.json.decode(answer.body)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            return self._failure("unreadable", "it answered with something that is not JSON")
        listed = value_at(data, self._service.results)
        if not isinstance(listed, list):
            return self._failure("unreadable", f'there is no list at "{self._service.results}"')
        found: dict[str, PictureHit] = {}
        for rank, one in enumerate(listed, start=1):
            if (hit := self._hit(one, rank)) is not None:
                found.setdefault(key_of(hit.url), hit)
        return tuple(sorted(found.values(), key=lambda hit: -hit.score))

    def _hit(self, one: object, rank: int) -> PictureHit | None:
        """A hit that may be a page of a site, None for any other."""
        service = self._service
        url = value_at(one, service.link)
        if not isinstance(url, str) or not _is_page(url.strip()):
            return None
        score, picture = value_at(one, service.score), _text(value_at(one, service.picture))
        is_told = isinstance(score, int | float) and 0 <= score <= 1
        return PictureHit(
            url=url.strip(),
            title=_text(value_at(one, service.title)) or url.strip(),
            picture=picture if _is_page(picture) else "",
            words=_text(value_at(one, service.told)),
            score=round(float(score), 4) if is_told else round(UNTOLD / rank, 4),
            found_by="service",
        )

    def _failure(self, kind: SearchFailureKind, what: str) -> SearchFailure:
        told = f"the picture search at {urlsplit(self._origin).netloc} failed: {what}"
        key = self._service.key
        return SearchFailure(kind=kind, message=told.replace(key, "***") if key else told)

    def _own_headers(self) -> OwnHeaders:
        name, _, value = self._service.header.partition(":")
        if not name:
            return NO_HEADERS
        origin, filled = self._origin, value.strip().replace("{key}", self._service.key)
        return OwnHeaders({name.strip(): filled}, lambda url: url.startswith(f"{origin}/") or url == origin)


UNTOLD = 0.45
"""Chance of the first hit of a service that tells no scores: nothing shows that it is the picture."""


def _is_page(url: str) -> bool:
    try:
        return urlsplit(url).scheme.lower() in WEB_SCHEMES and bool(origin_of(url)) and not is_own_page(url)
    except (BadUrl, ValueError):
        return False


def _text(value: object) -> str:
    """A text in one line, cut to what a list of hits needs."""
    return " ".join(value[: 4 * TEXT_CHARS].split())[:TEXT_CHARS] if isinstance(value, str) else ""
