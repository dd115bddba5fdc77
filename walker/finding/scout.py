"""The scout: reads pages of a site over HTTP, the most promising first, and puts them into the walk's library."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import msgspec

from memory.library.query_terms import TERMS_AT_MOST
from memory.url_key import same_site
from memory.words import tokens
from perception.document.dom import parse_page
from perception.document.reading import observe, observe_parsed
from perception.images.freed_memory import give_back_memory
from perception.observation import Observation
from perception.snapshot import Snapshot
from walker.crawl.rendering.needs_javascript import PageFacts, facts_of_parsed
from walker.finding.aids.site_search import SearchAddress, search_form
from walker.finding.frontier import FOUND_BY_SITE, Frontier, Known
from walker.finding.site_aids import SiteAids
from walker.finding.source_proof import UNSAMPLED, SourceProof
from walker.library.walk_library import WalkLibrary
from walker.rules.scope import WalkScope
from walker.rules.viability import reject_by_structure
from walker.seams.protocols import Browser
from walker.seams.site_reader import SiteReader

P = ParamSpec("P")
T = TypeVar("T")
AT_ONCE = 4
"""Pages that are asked for side by side; a host that is slow gets fewer (crawl/fetch/politeness)."""
SHARE = 2 / 3
"""Of the pages that are left, for one search, as a walk may search again; what promises `WORTH_IT` is read beyond that."""
WORTH_IT = 2.0
"""Promise of a page whose name holds one of the rarer words of the query."""
SECONDS = 20.0
"""Of one search, after which no further page is asked for."""
SAMPLES = 3
"""Pages that the browser opens to learn whether their source is enough, besides those that the walk opens itself."""
LARGE = 1_000_000
"""Characters of HTML after which freed memory is given back: their trees and objects took ten times as many bytes."""
FAILURES_AT_MOST = 8
"""Pages in a row that cannot be had, after which the site is left alone."""


class Scouted(msgspec.Struct, frozen=True, kw_only=True):
    """What came of the scout's work so far, for the page of hits."""

    counts: dict[str, int]
    """Pages by what became of them: "read", "sampled", "failed", or why they were left to the browser."""
    aids: dict[str, int]
    """Pages that each aid named, by the aid's name; only aids that the site has."""


class _Source(msgspec.Struct, frozen=True, kw_only=True):
    """A page that came over HTTP, and what was seen of it."""

    known: Known
    promise: float
    snapshot: Snapshot
    observation: Observation
    facts: PageFacts
    form: SearchAddress | None


class Scout:
    """Scouts one site for one walk. `browser` opens samples."""

    def __init__(
        self,
        site: SiteReader,
        browser: Browser,
        library: WalkLibrary,
        scope: WalkScope,
        *,
        pages: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`pages`: the most that are read over HTTP in the whole walk."""
        self._site, self._browser, self._library, self._scope = site, browser, library, scope
        self._left, self._samples_left, self._clock = pages, SAMPLES, clock
        self._frontier, self._proof, self._aids = Frontier(scope), SourceProof(), SiteAids(site, scope)
        self._first: Snapshot | None = None
        self._has_begun = False
        self._counts: Counter[str] = Counter()
        self._reading, self._taken_apart = asyncio.Lock(), 0

    def is_of_its_site(self, page: Snapshot) -> bool:
        """Whether a page lies on the site that is scouted, or its root led there."""
        root = self._scope.root_url
        return page.url == root or same_site(page.final_url, root)

    async def saw(self, page: Snapshot) -> None:
        """Take note of a page that the walk's browser opened: its links, and the first as the sample of its site."""
        if page.status >= 400:
            return
        if self._first is None:
            self._first = page
        observation = await self._alone(observe, page)
        self._frontier.done(page.url)
        self._frontier.done(page.final_url)
        self._offer_links(observation, depth=1, promise=0.0)

    async def look_for(self, query: str) -> None:
        """Read what promises most for a query, as far as the budget reaches. Raises `BrowserUnavailable`."""
        words = tuple(dict.fromkeys(tokens(query)))[:TERMS_AT_MOST]
        until = self._clock() + SECONDS
        if not self._has_begun and self._left:
            self._has_begun = True
            await self._begin()
        if not self._left or not words:
            return
        await self._ask_site(query)
        share, failures = max(AT_ONCE, round(self._left * SHARE)), 0
        while self._left > 0 and failures < FAILURES_AT_MOST and self._clock() < until:
            if share <= 0 and self._frontier.best_promise(words) < WORTH_IT:
                return
            taken = self._frontier.take(words, min(AT_ONCE, self._left))
            if not taken:
                return
            share, self._left = share - len(taken), self._left - len(taken)
            sources = await asyncio.gather(*(self._read(known, promise) for known, promise in taken))
            for source in sources:
                failures = failures + 1 if source is None else 0
                if source is not None:
                    await self._keep(source)
            if any(tuple(self._aids.saw_form(source.form) for source in sources if source is not None)):
                await self._ask_site(query)

    async def _ask_site(self, query: str) -> None:
        """Offer what the site's own search finds."""
        for page in await self._aids.found_for(query):
            self._frontier.offer(page.url, page.title, context=page.about, fixed=FOUND_BY_SITE)

    def unread(self, query: str, most: int) -> tuple[Known, ...]:
        """Pages whose names fit a query and that nobody has read, the best first."""
        return self._frontier.named(tuple(dict.fromkeys(tokens(query)))[:TERMS_AT_MOST], most)

    def report(self) -> Scouted:
        """What was done so far."""
        routes = {"a route of an application": self._frontier.routes} if self._frontier.routes else {}
        return Scouted(counts={**self._counts, **routes}, aids=self._aids.named)

    async def close(self) -> None:
        """Close the connections."""
        await self._site.close()

    async def _alone(self, read: Callable[P, T], *pages: P.args, **options: P.kwargs) -> T:
        """Take pages apart in a thread, one call after the other: side by side would be no faster, and a tree takes ten times as much
        memory as its page, which is given back."""
        async with self._reading:
            done = await asyncio.to_thread(read, *pages, **options)
            self._taken_apart += sum(len(page.html) for page in pages if isinstance(page, Snapshot))
            if self._taken_apart >= LARGE:
                self._taken_apart = 0
                await asyncio.to_thread(give_back_memory)
            return done

    async def _begin(self) -> None:
        """Compare the first page with its source, and try the aids that it names."""
        if self._first is None:
            # A walk that was resumed or forked opened its first page in its recording.
            opened = await self._browser.open(self._scope.root_url)
            if isinstance(opened, Snapshot):
                await self.saw(opened)
        first = self._first
        if first is None:
            return
        source = await self._site.page(first.final_url)
        if not isinstance(source, Snapshot):
            self._left = 0  # robots.txt forbids it, or the site answers browsers only
            return
        await self._compare(source, first)
        for page in await self._aids.read(first, source):
            if page.text:
                self._library.add_text(self._aids.as_page(page))
            self._frontier.offer(page.url, page.title, context=page.about)

    async def _compare(self, source: Snapshot, rendered: Snapshot) -> str:
        difference = await self._alone(self._proof.compare, source, rendered)
        if difference:
            again = await self._site.page(source.url)
            # A source that cannot be had once more is taken to be always the same.
            second = again if isinstance(again, Snapshot) else source
            difference = await self._alone(self._proof.compare, source, rendered, second)
        return difference

    async def _read(self, known: Known, promise: float) -> _Source | None:
        """A page over HTTP; None where it is none, or cannot be had."""
        opened = await self._site.page(known.url)
        if not isinstance(opened, Snapshot) or opened.status >= 400 or self._scope.why_outside(opened.final_url):
            self._counts["failed"] += 1
            return None
        self._frontier.done(opened.final_url)
        observation, facts, form = await self._alone(_seen_in, opened)
        return _Source(known=known, promise=promise, snapshot=opened, observation=observation, facts=facts, form=form)

    async def _keep(self, source: _Source) -> None:
        """Add a page to the library, and its links to what is known; one that may lack something is sampled, or found by
        what its source says and left to the browser."""
        why = self._proof.why_not(source.facts)
        if why == UNSAMPLED and self._samples_left > 0:
            why = await self._sample(source)
        if why:
            self._counts[why] += 1
            self._frontier.leave(source.known)
            self._library.add_hint(source.observation, source.snapshot)
            self._offer_links(source.observation, depth=source.known.depth + 1, promise=source.promise)
            return
        if reject_by_structure(source.observation) is not None:
            self._counts["failed"] += 1
            return
        self._counts["read"] += 1
        self._library.add_read(source.observation, source.snapshot)
        self._offer_links(source.observation, depth=source.known.depth + 1, promise=source.promise)

    async def _sample(self, source: _Source) -> str:
        """Open a page in the browser too; why its source is not enough, "" if it is."""
        self._samples_left -= 1
        rendered = await self._browser.open(source.snapshot.final_url)
        if not isinstance(rendered, Snapshot) or rendered.status >= 400:
            return UNSAMPLED
        self._counts["sampled"] += 1
        return await self._compare(source.snapshot, rendered)

    def _offer_links(self, observation: Observation, *, depth: int, promise: float) -> None:
        for link in observation.links:
            self._frontier.offer(
                link.url, link.label, context=f"{link.context} {link.heading}", depth=depth, parent=max(0.0, promise)
            )


def _seen_in(page: Snapshot) -> tuple[Observation, PageFacts, SearchAddress | None]:
    root = parse_page(page.html)
    form = search_form(root, page.final_url)
    return observe_parsed(root, page), facts_of_parsed(root, page.html, page.final_url), form
