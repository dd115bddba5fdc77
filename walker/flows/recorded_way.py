"""The way of a recorded walk: the shortest chain of links and operations from its root to the pages that its answer cites."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import msgspec

from memory.url_key import key_or
from perception.document.reading import observe
from perception.snapshot import Snapshot
from traces.errors import TraceReadError
from traces.events import EdgeCall, WalkEnded
from traces.reading.reader import Run
from walker.flows.shown_page import ShownPage
from walker.recording.recorded_pages import load_page
from walker.seams.actions import Operate
from walker.seams.searches import is_own_page

SCOUT = "scout"
MOST_PAGES = 400
"""Pages of a run that are read for their links."""


class SeenPage:
    """A page as one answer of the browser, or of a scout, gave it."""

    def __init__(self, snapshot: Snapshot, asked: str, move: Operate | None, before: int, *, by_scout: bool) -> None:
        """`asked`: the address that was opened; `move`: the operation that led to it; `before`: operations since then."""
        self.snapshot, self.asked, self.move, self.before, self.by_scout = snapshot, asked, move, before, by_scout

    @cached_property
    def shown(self) -> ShownPage:
        """The page, read."""
        return ShownPage(self.snapshot, observe(self.snapshot))

    @cached_property
    def keys(self) -> frozenset[str]:
        """Keys of its addresses."""
        return frozenset(filter(None, (page_key_or_none(self.asked), page_key_or_none(self.snapshot.final_url))))

    @cached_property
    def leads_to(self) -> frozenset[str]:
        """Keys of its links."""
        return frozenset(filter(None, (page_key_or_none(link.url) for link in self.shown.observation.links)))


class Leg(msgspec.Struct, frozen=True, kw_only=True):
    """One part of the way: to `page`, by a link or an operation of `start`, or with None by its address alone."""

    page: SeenPage
    start: SeenPage | None = None
    returns: bool = False
    """Go back to a page that the way has been to."""


class RecordedWay(msgspec.Struct, frozen=True, kw_only=True):
    """The whole way, and how the walk ended."""

    legs: tuple[Leg, ...]
    end: WalkEnded | None
    lost: tuple[str, ...] = ()
    """What is damaged, one line each."""


def way_of(run: Run) -> RecordedWay:
    """The way of a run; its first leg opens the root. Without any page it has no legs."""
    pages, lost = _seen_pages(run)
    end = next((event for event in run.events if isinstance(event, WalkEnded)), None)
    walked = [page for page in pages if not page.by_scout]
    if not walked:
        return RecordedWay(legs=(), end=end, lost=lost)
    root = walked[0]
    legs, been = [Leg(page=root)], [root]
    for target in _targets(walked, end):
        if target in been:
            continue
        chain = _chain(pages, been, target)
        if not chain:
            legs.append(Leg(page=target))
            been.append(target)
            continue
        if chain[0] is not been[-1]:
            legs.append(Leg(page=chain[0], returns=True))
        for start, page in pairwise(chain):
            legs.append(Leg(page=page, start=start))
            been.append(page)
    return RecordedWay(legs=tuple(legs), end=end, lost=lost)


def page_key_or_none(url: str) -> str:
    """The key of a page, "" for what is no address of one."""
    return key_or(url.partition("#")[0], "")


def _seen_pages(run: Run) -> tuple[list[SeenPage], tuple[str, ...]]:
    pages: list[SeenPage] = []
    lost: list[str] = []
    for event in run.events:
        if not isinstance(event, EdgeCall) or event.error or len(pages) >= MOST_PAGES:
            continue
        is_browser = event.seam == "browser" and event.method in ("open", "act")
        if not is_browser and not (event.seam == SCOUT and event.method == "page"):
            continue
        asked = str(event.request.get("url", ""))
        try:
            page = load_page(event.outcome, run.blobs.get)
            move = msgspec.convert(event.request["move"], Operate) if event.method == "act" else None
        except (TraceReadError, msgspec.MsgspecError, KeyError, TypeError):
            lost.append(f"step {event.step}: the recorded page {asked} is damaged")
            continue
        if isinstance(page, Snapshot) and page.status < 400 and not is_own_page(page.final_url):
            before = int(event.request.get("before", 0))
            pages.append(SeenPage(page, asked, move, before, by_scout=not is_browser))
    return pages, tuple(lost)


def _targets(walked: Sequence[SeenPage], end: WalkEnded | None) -> list[SeenPage]:
    """The pages that the answer cites, in the order in which the walk saw them; the last one where it cites none."""
    cited = [(page_key_or_none(one["url"]), one["quote"]) for one in (end.citations if end is not None else ())]
    found = [page for key, quote in cited if (page := _cited(walked, key, quote)) is not None]
    return sorted(dict.fromkeys(found), key=walked.index) or [walked[-1]]


def _cited(walked: Sequence[SeenPage], key: str, quote: str) -> SeenPage | None:
    pages = [page for page in walked if key in page.keys]
    words = _letters(quote)
    holding = [page for page in pages if words in _letters("".join(one.text for one in page.shown.observation.blocks))]
    # What is there as soon as the page is opened needs no operation.
    return next(iter(holding or reversed(pages)), None)


def _chain(pages: Sequence[SeenPage], been: Sequence[SeenPage], target: SeenPage) -> list[SeenPage]:
    """The pages from one that the way has been to, to the target, both included; [] where none is known. The last that it has been to
    comes first, so that it goes on from there where that is no longer."""
    queue = deque([[page] for page in reversed(been)])
    seen = set(map(id, been))
    while queue:
        path = queue.popleft()
        for page in _next_pages(pages, path[-1]):
            if page is target:
                return [*path, page]
            if id(page) not in seen:
                seen.add(id(page))
                queue.append([*path, page])
    return []


def _next_pages(pages: Sequence[SeenPage], start: SeenPage) -> list[SeenPage]:
    """Pages that a link of this page leads to, or an operation on it; a page of the browser before the same one of a scout."""
    found: dict[frozenset[str], SeenPage] = {}
    operated = []
    for page in pages:
        if page.move is not None:
            if _was_on(page, start):
                operated.append(page)
        elif page is not start and page.keys & start.leads_to:
            known = found.get(page.keys)
            if known is None or (known.by_scout and not page.by_scout):
                found[page.keys] = page
    return [*operated, *found.values()]


def _was_on(page: SeenPage, start: SeenPage) -> bool:
    """Whether an operation was made on this very state of a page."""
    if start.by_scout or page.asked != start.asked:
        return False
    return page.before == (0 if start.move is None else start.before + 1)


def _letters(text: str) -> str:
    return "".join(letter for letter in text if letter.isalnum()).casefold()
