"""Searches of a workflow: in a library directly, elsewhere by a page of hits, whose pages the browser opens and cuts into passages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

import msgspec

from memory.library.passages import cut_passages
from memory.library.protocol import WholePage
from memory.url_key import key_or
from perception.geometry import Box
from perception.observation import Observation
from perception.page_pictures import part_of
from walker.errors import RootUnreachable
from walker.rules.question_picture.pictured_name import name_of_picture
from walker.rules.viability import reject_by_structure
from walker.seams.passage_critic import OfferedPassage
from walker.seams.picture_pages import GOOD_HITS, OTHER_HITS
from walker.seams.protocols import PageFailure
from walker.seams.searches import is_own_page, pictures_address, search_address
from walker.walk.reading import whole_page
from walker.walk.walk_events import page_failed, page_observed, page_opened, page_rejected, picture_named
from walker.workflows.workflow_run import WorkflowRun, roots_given


class Searcher:
    """Searches for one workflow, and opens pages; each page is opened once."""

    def __init__(self, run: WorkflowRun) -> None:
        self._run = run
        self._read: dict[str, WholePage | None] = {}
        self._has_begun = False
        self.start: Observation | None = None
        """The page that shows the picture of the question, once it is open."""

    async def search(self, queries: Sequence[str], reason: str) -> tuple[OfferedPassage, ...]:
        """The passages that fit several queries best, those of each in turn: at most so many as the settings say, of at most so many
        pages. Raises what the edges raise, and `RootUnreachable`."""
        run, source = self._run, self._run.edges.passages
        address = search_address(*queries)
        if source is None:
            return await self._search_by_browser(queries, address, reason)
        run.go_to(address, reason)
        run.opened(address, "; ".join(queries))
        found = [await source.search(query, run.limits.passages) for query in queries]
        return self._within_limits(_side_by_side(found))

    async def page(self, url: str, reason: str) -> WholePage | None:
        """The text of a page, None if it cannot be had."""
        run, source = self._run, self._run.edges.passages
        if source is None:
            return await self._open(url, reason)
        run.go_to(url, reason)
        page = await source.page(url)
        if page is not None:
            run.opened(page.url, page.title)
            run.seen[page.url] = None
        return page

    async def text_of(self, url: str) -> WholePage | None:
        """The same where it is no step of its own: a page that a search found."""
        source = self._run.edges.passages
        return self._read.get(key_or(url, url)) if source is None else await source.page(url)

    async def pages_with_picture(self) -> tuple[OfferedPassage, ...]:
        """The pages that show the picture of the question, by the first page of the task, which says too what it shows; () without a
        picture or a search."""
        run = self._run
        if run.task.picture is None or run.edges.browser is None:
            return ()
        self.start = await self._observe(run.task.root_url, "the picture of the question")
        if self.start is None:
            return ()
        named = name_of_picture(self.start, ())
        if named is not None:
            run.emit(picture_named(run.step, named))
            run.task = msgspec.structs.replace(run.task, shown=named)
        return _picture_hits(self.start)

    async def pages_like(self, box: Sequence[float], reason: str) -> tuple[OfferedPassage, ...] | str:
        """The pages with pictures like a part of the question's, or why none can be searched for."""
        part = self.part(box)
        if isinstance(part, str):
            return part
        page = await self._observe(pictures_address(self._run.task.root_url, part), reason)
        return _picture_hits(page) if page is not None else "The picture search cannot be had."

    def part(self, box: Sequence[float]) -> Box | str:
        """A part of the question's picture, in CSS pixels of the page that shows it, or why it is none."""
        pictures = self.start.pictures if self.start is not None else ()
        largest = max(range(1, len(pictures)), key=lambda place: pictures[place].box.area, default=0)
        if not largest:
            return "There is no picture."
        shares = tuple(float(share) for share in box) or (0.0, 0.0, 1.0, 1.0)
        if len(shares) != 4:
            return "A box has four numbers: left, top, right and lower edge."
        try:
            return part_of(pictures, shares, largest)
        except ValueError as error:
            return f"{error}."

    def _within_limits(self, found: Iterable[OfferedPassage]) -> tuple[OfferedPassage, ...]:
        kept: list[OfferedPassage] = []
        pages: dict[str, None] = {}
        for one in found:
            if one.url not in pages and len(pages) >= self._run.limits.hits:
                continue
            pages[one.url] = None
            kept.append(one)
        kept = kept[: self._run.limits.passages]
        self._run.seen |= dict.fromkeys(one.url for one in kept)
        return tuple(kept)

    async def _search_by_browser(self, queries: Sequence[str], address: str, reason: str) -> tuple[OfferedPassage, ...]:
        await self._begin()
        hits = await self._observe(address, reason)
        if hits is None:
            return ()
        urls = list(dict.fromkeys(link.url for link in hits.links if not is_own_page(link.url)))
        pages = [await self._open(url, "a hit of the search") for url in urls[: self._run.limits.hits]]
        every = [passage for page in pages if page is not None for passage in _passages(page)]
        texts = [" ".join((one.title, *one.headings, one.text)) for one in every]
        ranked = [[every[one.index] for one in self._run.edges.ranker.rank(query, texts)] for query in queries]
        return self._within_limits(_side_by_side(ranked))

    async def _begin(self) -> None:
        """Open the roots, from which their sites are searched."""
        if self._has_begun:
            return
        self._has_begun = True
        roots = roots_given(self._run.task)
        opened = [await self._observe(root, "the root of the site") for root in roots]
        if roots and not any(opened):
            advice = "Check the address in a browser"
            raise RootUnreachable("the first page cannot be had", where=roots[0], advice=advice)

    async def _open(self, url: str, reason: str) -> WholePage | None:
        key = key_or(url, url)
        if key not in self._read:
            observation = await self._observe(url, reason) if self._may_open() else None
            self._read[key] = whole_page(observation) if observation is not None else None
            if observation is not None:
                self._run.seen[observation.url] = None
        return self._read[key]

    def _may_open(self) -> bool:
        return sum(page is not None for page in self._read.values()) < self._run.settings.limits.pages

    async def _observe(self, url: str, reason: str) -> Observation | None:
        """A page as the browser shows it; None for one that fails, or is no page to read."""
        run, edges = self._run, self._run.edges
        assert edges.browser is not None and edges.reader is not None, "asked only where there is a browser"  # noqa: PT018
        run.go_to(url, reason)
        opened = await edges.browser.open(url)
        if isinstance(opened, PageFailure):
            run.emit(page_failed(run.step, opened))
            return None
        run.emit(page_opened(run.step, opened, key_or(opened.final_url, opened.final_url)))
        observation = await edges.reader.read(opened)
        run.emit(page_observed(run.step, observation))
        if is_own_page(url):
            edges.found_sites.add(link.url for link in observation.links)
            return observation
        rejection = reject_by_structure(observation)
        if rejection is not None:
            run.emit(page_rejected(run.step, observation.url, rejection))
            return None
        return observation


def _picture_hits(page: Observation) -> tuple[OfferedPassage, ...]:
    """The hits of a picture search that its page names, those that show the picture before others."""
    links = [link for link in page.links if link.heading in (GOOD_HITS, OTHER_HITS)]
    good_first = sorted(links, key=lambda link: link.heading != GOOD_HITS)
    return tuple(
        OfferedPassage(url=link.url, title=link.label, text=f"{link.label}: {link.context}", headings=(link.heading,))
        for link in good_first
    )


def _passages(page: WholePage) -> tuple[OfferedPassage, ...]:
    return tuple(
        OfferedPassage(url=page.url, title=page.title, text=one.text, headings=one.headings, place=one.place)
        for one in cut_passages(page.lines)
    )


def _side_by_side(found: Sequence[Sequence[OfferedPassage]]) -> tuple[OfferedPassage, ...]:
    """The best of each query, then the second of each; each passage once."""
    in_turn = (one for several in zip_longest(*found) for one in several if one is not None)
    return tuple(dict.fromkeys(in_turn))


def listed(passages: Sequence[OfferedPassage], start: int = 0) -> str:
    """Passages as a prompt shows them, numbered on from `start`."""
    return "\n\n".join(
        f"[{number}] {one.title} ({one.url})\n{one.text}" for number, one in enumerate(passages, start=start + 1)
    )
