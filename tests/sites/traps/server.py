"""Serves the site, and counts what is asked of each of its places."""

from __future__ import annotations

import contextlib
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import urljoin

from tests.sites.serving import Answer, Asked, LoopbackSite, moved, serving
from tests.sites.traps.endless import TRAPS, Visit, trap_of
from tests.sites.traps.real import Shape, Truth, framed, real_page, truth

REDIRECTS_AT_MOST = 10
"""As urllib has it."""


class TrapSite(LoopbackSite):
    """The real pages of a shape, and the traps that are switched on."""

    def __init__(self, shape: Shape, traps: Iterable[str], port: int = 0) -> None:
        super().__init__(keep_alive=True, port=port)
        self.shape = shape
        self.traps = frozenset(traps)
        """Names of the traps that are on; may be set at any time."""
        self.visits: list[tuple[str, str]] = []
        """Place and path (with the query) of every request, in order; a place is "real", "missing" or a trap's name."""
        self.numbers = itertools.count(1)
        self.pause: Callable[[], None] = lambda: None
        """Called before each answer."""

    @property
    def address(self) -> str:
        """Of the site, without a slash."""
        return self.home.rstrip("/")

    def truth(self) -> Truth:
        """What a crawl must come to."""
        return truth(self.shape)

    def counts(self) -> Counter[str]:
        """Requests by place."""
        return Counter(place for place, _ in self.visits)

    def answer(self, asked: Asked) -> Answer:
        """As `page_at`."""
        self.pause()
        return self.page_at(asked.target)

    def page_at(self, target: str) -> Answer:
        """What stands at a path with its query: a page of the site, or of a trap that is on."""
        path, _, query = target.partition("?")
        trap = trap_of(path)
        if trap is not None and trap.name in self.traps:
            self.visits.append((trap.name, target))
            body = trap.answer(Visit(path=path, query=query, shape=self.shape, visit=next(self.numbers)))
            return moved(body[2:]) if body.startswith("->") else Answer(body)
        ways = tuple((name.replace("_", " "), TRAPS[name].entry) for name in sorted(self.traps))
        page = real_page(self.shape, target, ways)
        self.visits.append(("missing" if page is None else "real", target))
        return Answer(framed("Nothing", "<h1>There is nothing here</h1>"), 404) if page is None else Answer(page)

    def fetch(self, url: str) -> tuple[int, str, bytes]:
        """Status, final address and page of an address of this site, redirects followed: what a client gets, without a connection
        and a thread for each of ten thousand pages."""
        for _ in range(REDIRECTS_AT_MOST):
            answer = self.page_at(url.removeprefix(self.address).partition("#")[0] or "/")
            place = dict(answer.headers).get("Location")
            if place is None:
                body = answer.body.encode() if isinstance(answer.body, str) else answer.body
                return answer.status, url, body
            url = urljoin(url, place)
        return answer.status, url, b""


@contextlib.contextmanager
def serve_traps(shape: Shape | None = None, traps: Iterable[str] = tuple(TRAPS)) -> Iterator[TrapSite]:
    """The site, while the block lasts."""
    with serving(TrapSite(shape or Shape(), traps)) as site:
        yield site
