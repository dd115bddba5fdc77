"""Harvesting a site into a tree, level by level, in several browser windows. Each page is on disk when it is read, so a harvest
that was cut off goes on where it was."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from evaluation.building.tree import (
    DEEPEST_LEVEL,
    ROOT_LEVEL,
    Frontier,
    HarvestedPage,
    SiteTree,
    next_level,
    read_ways,
)
from evaluation.ledger import Ledger
from evaluation.side_by_side import work_side_by_side
from memory.url_key import key_of
from perception.reading import observe
from walker.assembly import Workshop, read_task
from walker.errors import RootUnreachable
from walker.scope import WalkScope, check_root
from walker.seams import Browser, PageFailure
from walker.settings import Scope
from walker.viability import reject_by_structure

Tell = Callable[[int, HarvestedPage], None]
LEAST_CHARS = 80
"""Of a page that a question can be asked of."""


class HarvestLimits(msgspec.Struct, frozen=True, kw_only=True):
    """How much of a site is read."""

    pages: int = 120
    """In all; each level below the root gets an equal share, and what one leaves the next may take."""
    deepest: int = DEEPEST_LEVEL
    jobs: int = 2
    scope: Scope = "host"


async def harvest(
    workshop: Workshop, root: str, store: Path, limits: HarvestLimits, tell: Tell = lambda *_: None
) -> SiteTree:
    """The tree of the site under `root`, read as far as the limits allow; what `store` holds is not read again.

    Raises `RootUnreachable` where the first page cannot be had, `NotAUrl`, and `BrowserUnavailable`.
    """
    start = check_root(root)
    with contextlib.closing(Ledger(store, HarvestedPage)) as ledger:
        reading = _Reading({page.key: page for page in ledger.entries}, ledger, tell)
        level: tuple[Frontier, ...] = (Frontier(key=str(key_of(start)), url=start, level=ROOT_LEVEL),)
        budget, depth = limits.pages, ROOT_LEVEL
        found: list[HarvestedPage] = []
        taken: set[str] = set()
        scope = WalkScope(root_url=start, kind=limits.scope)
        while level:
            taken |= {one.key for one in level}
            pages = _without_doubles(await _read_level(workshop, level, reading, limits, scope), taken)
            if depth == ROOT_LEVEL and pages[0].failure:
                raise RootUnreachable(pages[0].failure, where=start, advice="Check the address, then build again")
            found += pages
            budget -= len(level)
            if depth >= limits.deepest or budget < 1:
                break
            level = next_level(pages, taken, max(1, budget // (limits.deepest - depth)))
            depth += 1
        return SiteTree(found)


def _without_doubles(pages: list[HarvestedPage], taken: set[str]) -> list[HarvestedPage]:
    """The pages without those that led to a place already read under another address; the places are taken from now on."""
    kept = []
    for page in pages:
        place = str(key_of(page.place)) if page.place else page.key
        if place == page.key or place not in taken:
            taken.add(place)
            kept.append(page)
    return kept


class _Reading:
    """One level's pages as they are read, in several windows."""

    def __init__(self, known: dict[str, HarvestedPage], ledger: Ledger[HarvestedPage], tell: Tell) -> None:
        self._known, self._ledger, self._tell = known, ledger, tell

    def missing(self, level: tuple[Frontier, ...]) -> list[Frontier]:
        return [one for one in level if one.key not in self._known]

    def keep(self, page: HarvestedPage) -> None:
        self._known[page.key] = page
        self._ledger.add(page)
        self._tell(len(self._known), page)

    def pages(self, level: tuple[Frontier, ...]) -> list[HarvestedPage]:
        """In the order of the level; where a page stands is decided now, not when it was read."""
        return [
            msgspec.structs.replace(
                self._known[one.key], level=one.level, parent=one.parent, label=one.label, url=one.url
            )
            for one in level
        ]


async def _read_level(
    workshop: Workshop, level: tuple[Frontier, ...], reading: _Reading, limits: HarvestLimits, scope: WalkScope
) -> list[HarvestedPage]:
    waiting = reading.missing(level)
    queue = iter(waiting)

    async def read_on() -> None:
        browser = workshop.crew(read_task(scope.root_url, "harvest")).browser
        try:
            for one in queue:
                reading.keep(await _read(browser, one, scope))
        finally:
            await browser.close()

    await work_side_by_side(read_on, min(limits.jobs, len(waiting)))
    return reading.pages(level)


async def _read(browser: Browser, one: Frontier, scope: WalkScope) -> HarvestedPage:
    said = {
        "key": one.key,
        "url": one.url,
        "level": one.level,
        "parent": one.parent,
        "label": one.label,
        "seen": datetime.now(UTC).date().isoformat(),
    }
    snapshot = await browser.open(one.url)
    if isinstance(snapshot, PageFailure):
        return msgspec.convert(said | {"failure": f"{snapshot.kind}: {snapshot.message}"}, HarvestedPage)
    observation = await asyncio.to_thread(observe, snapshot)
    rejected = reject_by_structure(observation)
    outside = scope.why_outside(snapshot.final_url)
    lines = tuple(block.text for block in observation.blocks if not block.hidden and block.text.strip())
    failure = ""
    if rejected is not None:
        failure = f"{rejected.reason}: {rejected.detail}"
    elif outside:
        failure = f"it leads to {snapshot.final_url}: {outside}"
    elif one.level > ROOT_LEVEL and sum(map(len, lines)) < LEAST_CHARS:
        failure = "next to no text"
    page = msgspec.convert(said, HarvestedPage)
    return msgspec.structs.replace(
        page,
        place=snapshot.final_url,
        title=observation.title,
        language=observation.language,
        lines=lines,
        record_sets=tuple(found for found in observation.record_sets if found.region == "main"),
        ways=() if failure else read_ways(observation, scope),
        failure=failure,
    )
