"""Fills in a schema: reads pages from the root on, the most promising first, until every required field has a value."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from urllib.parse import urljoin

import msgspec

from memory.url_key import key_or
from perception.observation import Link, Observation
from walker.errors import RootUnreachable
from walker.extraction.filled import Filled, flat_fields, share_filled, valid_data
from walker.extraction.page_merging import merged_fields, new_records
from walker.extraction.page_reading import ReadPage
from walker.extraction.record_groups import field_weights
from walker.extraction.schemas.json_schema import wanted_of
from walker.extraction.schemas.wanted import Wanted, WantedObject, leaves_of, records_of
from walker.handover.advice import advice_about
from walker.seams.outcome import StopReason
from walker.seams.searches import search_address
from walker.search.walk_scope import entered_scope
from walker.strategies.model.model_talk import ModelTalk
from walker.workflows.extract.extracted_page import PageExtractor, Visited
from walker.workflows.workflow_run import WorkflowRun, roots_given

LINKS_RANKED = 400
"""Links of a page that are compared with what is missing."""


class Extracted(msgspec.Struct, frozen=True, kw_only=True):
    """What all pages gave."""

    wanted: Wanted
    filled: Any
    """An object, or the records in the order of their pages."""
    pages: tuple[str, ...] = ()
    """Of each record, the page that it stands on."""
    stop: StopReason
    reason: str = ""
    """Why there are no records."""
    refused: tuple[str, ...] = ()
    """What a model named and was not taken."""


BELOW_ROOT = 1.0
"""By which a page below a root's folder goes before others, hits of a search too: of a site with a folder for each year, who names
one year does not mean the chairs of another."""


class _Frontier:
    """The pages that may be opened next, each once."""

    def __init__(self, run: WorkflowRun, wanted: Wanted) -> None:
        self._run = run
        self._scope = entered_scope(run.task, run.settings)
        self._folders = tuple(urljoin(root, ".") for root in roots_given(run.task))
        self._known: set[str] = set()
        self._waiting: list[tuple[float, int, str, str]] = []
        self._count = 0
        listed = records_of(wanted)
        thing = listed.record if listed is not None else wanted
        named = [f"{path} {field.title} {field.description}" for path, field in leaves_of(thing)]
        assert isinstance(thing, WantedObject), "a record is an object"
        self._goal = " ".join((run.task.question, thing.title, *named))

    def add(self, url: str, worth: float, reason: str) -> None:
        """A page to be opened, unless it is known or outside the walk's scope."""
        key = key_or(url, url)
        if key in self._known or self._scope.why_outside(url):
            return
        self._known.add(key)
        self._count += 1
        worth += BELOW_ROOT if url.startswith(self._folders) else 0.0
        self._waiting.append((-worth, self._count, url, reason))

    def add_links(self, observation: Observation, named: Sequence[int]) -> None:
        """The links of a page, those that a model named before all others."""
        links = [link for link in observation.links if not link.hidden or link.opener][:LINKS_RANKED]
        for number in named:
            if (link := observation.link(number)) is not None:
                self.add(link.url, 2.0, f"the model names the link “{link.label[:60]}”")
        texts = [_words_of(link) for link in links]
        for one in self._run.edges.ranker.rank(self._goal, texts):
            self.add(links[one.index].url, one.score, f"the link “{links[one.index].label[:60]}” may lead to it")

    def add_search(self, hits: Observation) -> None:
        """What a search of the site found, in its order, before other links."""
        for place, link in enumerate(hits.links):
            self.add(link.url, 1.5 - 0.01 * place, "a hit of the search of the site")

    @property
    def search(self) -> str:
        """The page of hits for what is wanted, "" where nothing searches."""
        return search_address(self._goal) if self._run.settings.scouts and self._run.settings.limits.pages > 1 else ""

    def next(self) -> tuple[str, str] | None:
        """The most promising page with the reason, None where no page is left."""
        if not self._waiting:
            return None
        best = min(self._waiting)
        self._waiting.remove(best)
        return best[2], best[3]


async def extract_fields(run: WorkflowRun, talk: ModelTalk | None, told: Callable[[Extracted], None]) -> Extracted:
    """Read pages until the schema is filled in, the limits are reached, or no link is left; `told` hears after each page what there
    is so far. Raises what the edges raise, `RootUnreachable`, and `NoUsableReply`."""
    extraction = run.settings.extraction
    assert extraction is not None, "checked before anything is started"
    wanted = wanted_of(json.loads(extraction.schema))
    extractor = PageExtractor(run, wanted, talk)
    frontier = _Frontier(run, wanted)
    for root in roots_given(run.task):
        frontier.add(root, 10.0, "the root")
    if records_of(wanted) is not None:
        return await _records(run, wanted, extractor, frontier, told)
    assert isinstance(wanted, WantedObject), "a schema is an object or a list of objects"
    return await _one_thing(run, wanted, extractor, frontier, told)


async def _one_thing(
    run: WorkflowRun,
    wanted: WantedObject,
    extractor: PageExtractor,
    frontier: _Frontier,
    told: Callable[[Extracted], None],
) -> Extracted:
    read: list[ReadPage] = []
    filled: dict[str, Filled] = {}
    stop = StopReason.EXHAUSTED
    while (target := frontier.next()) is not None:
        if why := _spent(run, extractor):
            stop = why
            break
        visited = await extractor.visit(*target, missing=_missing(filled, wanted))
        if visited is None:
            continue
        read.append(visited.page)
        filled = merged_fields(read, wanted)
        told(Extracted(wanted=wanted, filled=filled, stop=StopReason.STOPPED))
        if is_done(filled, wanted):
            stop = StopReason.ANSWERED
            break
        frontier.add_links(visited.observation, visited.open)
        await _search_once(extractor, frontier, count=len(read))
    _check_reached(run, extractor)
    stop = StopReason.BUDGET if extractor.is_over else stop
    stop = StopReason.ANSWERED if filled and valid_data(filled, wanted) is not None else stop
    return Extracted(wanted=wanted, filled=filled, stop=stop, refused=extractor.refused)


async def _records(
    run: WorkflowRun,
    wanted: Wanted,
    extractor: PageExtractor,
    frontier: _Frontier,
    told: Callable[[Extracted], None],
) -> Extracted:
    listed = records_of(wanted)
    assert listed is not None, "asked for records only"
    records: list[dict[str, Filled]] = []
    pages: list[str] = []
    reason, stop = "no page could be read", StopReason.EXHAUSTED
    while (target := frontier.next()) is not None:
        if why := _spent(run, extractor):
            stop = why
            break
        visited = await extractor.visit(*target, missing=())
        if visited is None:
            continue
        reason = visited.page.reason or reason
        more = new_records(records, visited.page)
        records += more
        pages += [visited.page.url] * len(more)
        told(Extracted(wanted=wanted, filled=tuple(records), pages=tuple(pages), stop=StopReason.STOPPED))
        if listed.most is not None and len(records) >= listed.most:
            records, pages = records[: listed.most], pages[: listed.most]
            break
        goes_on = _next_pages(visited)
        for place, url in enumerate(goes_on):
            frontier.add(url, 5.0 - 0.01 * place, "the next page of the list")
        if not more and records:
            break
        if not records:
            frontier.add_links(visited.observation, visited.open)
            await _search_once(extractor, frontier, count=extractor.opened)
        elif not goes_on:
            break
    _check_reached(run, extractor)
    stop = StopReason.BUDGET if extractor.is_over else stop
    stop = StopReason.ANSWERED if records and stop is not StopReason.BUDGET else stop
    return Extracted(
        wanted=wanted, filled=records, pages=tuple(pages), stop=stop, reason=reason, refused=extractor.refused
    )


async def _search_once(extractor: PageExtractor, frontier: _Frontier, *, count: int) -> None:
    """Search the site once its first page was not enough."""
    if count == 1 and frontier.search and (hits := await extractor.search(frontier.search)) is not None:
        frontier.add_search(hits)


def is_done(filled: dict[str, Filled], wanted: WantedObject) -> bool:
    """Whether every required field has a value; of a schema that requires nothing, every field."""
    if not any(field.is_required for field in wanted.fields):
        return share_filled(filled, field_weights(wanted)) >= 1.0
    return valid_data(filled, wanted) is not None


def _missing(filled: dict[str, Filled], wanted: WantedObject) -> tuple[str, ...]:
    if not filled:
        return tuple(path for path, _ in leaves_of(wanted))
    return tuple(path for path, one in flat_fields(filled) if one.value is None)


def _next_pages(visited: Visited) -> tuple[str, ...]:
    """The next page of the list on a page, () for none."""
    pagination = visited.observation.pagination
    return (pagination.next_url,) if pagination.next_url else ()


def _spent(run: WorkflowRun, extractor: PageExtractor) -> StopReason | None:
    limits = run.settings.limits
    over = extractor.is_over or extractor.opened >= limits.pages or extractor.elapsed >= limits.seconds
    return StopReason.BUDGET if over else None


def _check_reached(run: WorkflowRun, extractor: PageExtractor) -> None:
    if not run.seen:
        root = next(iter(roots_given(run.task)), "")
        kept_out = advice_about(extractor.kept_out, root, run.settings) if extractor.kept_out is not None else ""
        why = extractor.failures[0] if extractor.failures else "the first page cannot be had"
        raise RootUnreachable(why, where=root, advice=kept_out or "Check the address in a browser")


def _words_of(link: Link) -> str:
    path = link.url.split("://", 1)[-1].partition("/")[2]
    words: Iterator[str] = (
        piece for piece in path.replace("-", " ").replace("_", " ").replace(".html", "").split("/") if piece
    )
    return " ".join((link.label, *words))
