"""A site as a tree of levels: the root is level 1, and every page stands where the fewest clicks lead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest

import msgspec

from evaluation.dataset.question import Click
from evaluation.metrics.rates import plain
from memory.url_key import BadUrl, key_of
from perception.observation import Observation, RecordSet
from walker.scope import WalkScope

ROOT_LEVEL, DEEPEST_LEVEL = 1, 4


class Way(msgspec.Struct, frozen=True, kw_only=True):
    """A link of a page that leads to another one of the site."""

    url: str
    label: str


class HarvestedPage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One page of the tree, or what became of it."""

    key: str
    url: str
    """As it was linked; what is clicked."""
    level: int
    parent: str = ""
    """Key of the page whose link was followed; "" for the root."""
    label: str = ""
    """Words of that link."""
    place: str = ""
    """Where it led in the end."""
    title: str = ""
    language: str = ""
    lines: tuple[str, ...] = ()
    """Visible text, a block a line."""
    record_sets: tuple[RecordSet, ...] = ()
    ways: tuple[Way, ...] = ()
    seen: str = ""
    """Day on which it was read, ISO 8601."""
    failure: str = ""
    """Why it is no page of the tree, "" if it is one."""

    @property
    def text(self) -> str:
        """All of its lines."""
        return "\n".join(self.lines)


class Frontier(msgspec.Struct, frozen=True, kw_only=True):
    """A page that is to be harvested."""

    key: str
    url: str
    level: int
    parent: str = ""
    label: str = ""


class SiteTree:
    """The pages of one site by key."""

    def __init__(self, pages: Iterable[HarvestedPage]) -> None:
        self._pages = {page.key: page for page in pages if not page.failure}
        root = next((page for page in self._pages.values() if page.level == ROOT_LEVEL), None)
        if root is None:
            raise ValueError("a tree has a root")
        self.root = root
        self._plain: dict[str, str] = {}

    @property
    def pages(self) -> tuple[HarvestedPage, ...]:
        """All pages, by level and then as they were found."""
        return tuple(sorted(self._pages.values(), key=lambda page: page.level))

    def page(self, key: str) -> HarvestedPage | None:
        """The page with that key, or None."""
        return self._pages.get(key)

    def at_level(self, level: int) -> tuple[HarvestedPage, ...]:
        """The pages of one level."""
        return tuple(page for page in self._pages.values() if page.level == level)

    def says(self, page: HarvestedPage, quote: str) -> bool:
        """Whether the quote stands on the page word for word; white space, case and kinds of quotes make no difference."""
        wanted = plain(quote)
        return bool(wanted) and wanted in self.plain_text(page)

    def plain_text(self, page: HarvestedPage) -> str:
        """The page's text with what makes no difference folded."""
        if page.key not in self._plain:
            self._plain[page.key] = plain(page.text)
        return self._plain[page.key]

    def click_path(self, key: str) -> tuple[Click, ...]:
        """The links that lead from the root to a page; () for the root. Raises `KeyError` for a page that is not there."""
        steps: list[Click] = []
        page = self._pages[key]
        while page.parent:
            steps.append(Click(label=page.label, url=page.url))
            page = self._pages[page.parent]
        return tuple(reversed(steps))

    def walks(self, path: Sequence[Click]) -> HarvestedPage | None:
        """The page that the clicks lead to; None where a click is not on the page before it."""
        here = self.root
        for click in path:
            if all(way.url != click.url for way in here.ways):
                return None
            following = self._pages.get(key_of(click.url))
            if following is None:
                return None
            here = following
        return here


def read_ways(observation: Observation, scope: WalkScope) -> tuple[Way, ...]:
    """Links of a page that stay in the scope, each address once, with the first words that lead there."""
    found: dict[str, Way] = {}
    for link in observation.links:
        url = link.url.partition("#")[0]
        if link.hidden or scope.why_outside(url):
            continue
        if url not in found or not found[url].label:
            found[url] = Way(url=url, label=" ".join(link.label.split())[:120])
    return tuple(found.values())


def next_level(pages: Sequence[HarvestedPage], known: set[str], most: int) -> tuple[Frontier, ...]:
    """Pages one level below these, at most so many: a link of each page in turn, so that no page with many links takes all."""
    chosen: dict[str, Frontier] = {}
    turns = zip_longest(*([(page, way) for way in page.ways] for page in pages if not page.failure))
    for pair in chain.from_iterable(turns):
        if pair is None or len(chosen) >= most:
            continue
        page, way = pair
        try:
            key = str(key_of(way.url))
        except BadUrl:
            continue
        if key not in known and key not in chosen:
            chosen[key] = Frontier(key=key, url=way.url, level=page.level + 1, parent=page.key, label=way.label)
    return tuple(chosen.values())
