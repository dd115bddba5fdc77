"""A site of pages that have versions: it answers conditional requests as its manner is, and counts what it sends."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Iterator
from email.utils import formatdate, parsedate_to_datetime
from typing import Literal

from tests.sites.serving import Answer, Asked, LoopbackSite, serving

Manner = Literal["etag", "weak etag", "date", "neither", "always 304"]
PAGES = 50
EPOCH = 1_700_000_000
WORDS = "amber birch cedar delta ember fjord grove heath inlet juniper knoll larch meadow north orchard pine".split()


class VersionedSite(LoopbackSite):
    """A front page with a link to each of the others, `/page/0` on; a page has a list of its own on it."""

    def __init__(self, manner: Manner, pages: int = PAGES - 1) -> None:
        super().__init__(keep_alive=True)
        self.manner = manner
        self.numbers = list(range(pages))
        """Of the pages that the front page names."""
        self.gone: set[int] = set()
        """Of those that answer 404."""
        self.broken: set[int] = set()
        """Of those that answer 500."""
        self.versions: Counter[str] = Counter()
        self.statuses: Counter[int] = Counter()
        self.conditional = 0
        """Requests with a condition."""
        self.sent = 0
        """Bytes of bodies."""
        self.seconds = 0.0
        """That each answer takes."""

    def begin(self) -> None:
        """Count anew."""
        self.asked.clear()
        self.statuses.clear()
        self.conditional = self.sent = 0

    def wait_for(self, requests: int) -> None:
        """Until it was asked so often."""
        while len(self.asked) < requests:
            time.sleep(0.01)

    def change(self, *numbers: int) -> None:
        """Write pages anew."""
        self.versions.update(f"/page/{number}" for number in numbers)

    def link(self, *numbers: int) -> None:
        """Name other pages on the front page."""
        self.numbers = list(numbers)
        self.versions["/"] += 1

    def answer(self, asked: Asked) -> Answer:
        """A page, or that there is nothing new."""
        time.sleep(self.seconds)
        answer = self._answer(asked)
        if asked.path != "/robots.txt":
            self.statuses[answer.status] += 1
            self.conditional += "If-None-Match" in asked.headers or "If-Modified-Since" in asked.headers
            self.sent += len(answer.body)
        return answer

    def _answer(self, asked: Asked) -> Answer:
        if self.manner == "always 304" and asked.path != "/":
            return Answer(status=304)
        if asked.path == "/":
            links = "".join(f'<li><a href="/page/{number}">Page {number}</a></li>' for number in self.numbers)
            body = f"<!doctype html><title>All</title><h1>All pages</h1><ul>{links}</ul>"
        elif len(asked.parts) == 2 and (number := int(asked.parts[1])) not in self.gone:
            if number in self.broken:
                return Answer("<h1>Broken</h1>", 500)
            body = self._page(number)
        else:
            return Answer("<title>Gone</title><h1>Gone</h1>", 404)
        return self._conditionally(asked, body)

    def _page(self, number: int) -> str:
        version = self.versions[f"/page/{number}"]
        chosen = [WORDS[(number * 7 + place * (number % 11 + 3) + version) % len(WORDS)] for place in range(40)]
        return (
            f"<!doctype html><title>Page {number}</title><h1>Page {number}</h1><p>{' '.join(chosen)}</p>"
            f'<p class="price">{number * 10 + version}</p>'
        )

    def _conditionally(self, asked: Asked, body: str) -> Answer:
        version = self.versions[asked.path]
        etag, date = f'"{asked.path}-{version}"', formatdate(EPOCH + version * 1000, usegmt=True)
        match self.manner:
            case "etag" | "weak etag":
                tag = f"W/{etag}" if self.manner == "weak etag" else etag
                sent = asked.headers.get("If-None-Match", "").removeprefix("W/")
                return (
                    Answer(status=304, headers=(("ETag", tag),))
                    if sent == etag
                    else Answer(body, headers=(("ETag", tag),))
                )
            case "date":
                since = asked.headers.get("If-Modified-Since")
                if since and parsedate_to_datetime(since) >= parsedate_to_datetime(date):
                    return Answer(status=304)
                return Answer(body, headers=(("Last-Modified", date),))
            case _:
                return Answer(body)


@contextlib.contextmanager
def serve_versions(manner: Manner, pages: int = PAGES - 1) -> Iterator[VersionedSite]:
    """The site, while the block lasts."""
    with serving(VersionedSite(manner, pages)) as site:
        yield site
