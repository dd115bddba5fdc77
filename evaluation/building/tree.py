"""A site as a breadth-first tree: the root is level 1, and every page is at the end of a shortest click path."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import msgspec

from evaluation.dataset.question import Click
from evaluation.metrics.rates import plain
from memory.url_key import key_of, key_or, without_place
from perception.observation import BlockKind, Observation, RecordSet
from walker.rules.scope import WalkScope

ROOT_LEVEL, DEEPEST_LEVEL = 1, 4


class SiteLink(msgspec.Struct, frozen=True, kw_only=True):
    """A link to another page of the site."""

    url: str
    label: str


class Passage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A block of the main text: a paragraph, an item, a heading (with its level, 1 to 6) ..."""

    text: str
    kind: BlockKind
    level: int = 0


class MarkedUp(msgspec.Struct, frozen=True, kw_only=True):
    """A property of a thing in the vocabulary of schema.org, as the page marks it up for machines."""

    thing: str
    prop: str
    value: str


class HarvestedPage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One page of the tree."""

    key: str
    url: str
    """URL as linked, which is what is clicked."""
    level: int = 0
    """1 for the root; 0 before the page is placed in a tree."""
    parent: str = ""
    """Key of the page whose link was followed; "" for the root."""
    label: str = ""
    """Text of that link."""
    place: str = ""
    """URL after redirects."""
    title: str = ""
    language: str = ""
    lines: tuple[str, ...] = ()
    """Visible text, one block per line."""
    passages: tuple[Passage, ...] = ()
    """The main text, without navigation, code and what is hidden."""
    record_sets: tuple[RecordSet, ...] = ()
    marked_up: tuple[MarkedUp, ...] = ()
    ways: tuple[SiteLink, ...] = ()
    seen: str = ""
    """Date on which it was fetched, ISO 8601."""

    @property
    def text(self) -> str:
        """Its lines as one text."""
        return "\n".join(self.lines)

    def has(self, quote: str) -> bool:
        """Whether the quote stands on the page, up to white space, case and quotation marks."""
        return plain(quote) in _folded(self.text)


@lru_cache(maxsize=256)
def _folded(text: str) -> str:
    return plain(text)


class SiteTree:
    """The pages of one site by key."""

    def __init__(self, pages: Iterable[HarvestedPage]) -> None:
        self._pages = {page.key: page for page in pages}
        root = next((page for page in self._pages.values() if page.level == ROOT_LEVEL), None)
        if root is None:
            raise ValueError("a tree needs a root")
        self.root = root
        self._plain: dict[str, str] = {}

    @property
    def pages(self) -> tuple[HarvestedPage, ...]:
        """All pages, by level and then in order of discovery."""
        return tuple(sorted(self._pages.values(), key=lambda page: page.level))

    def page(self, key: str) -> HarvestedPage | None:
        """The page with that key, or None."""
        return self._pages.get(key)

    def says(self, page: HarvestedPage, quote: str) -> bool:
        """Whether the page contains the quote verbatim, up to white space, case and quotation marks."""
        wanted = plain(quote)
        return bool(wanted) and wanted in self.plain_text(page)

    def plain_text(self, page: HarvestedPage) -> str:
        """The page's text, normalised as for `says`."""
        if page.key not in self._plain:
            self._plain[page.key] = plain(page.text)
        return self._plain[page.key]

    def click_path(self, key: str) -> tuple[Click, ...]:
        """The click path from the root to a page; () for the root. Raises `KeyError` for an unknown page."""
        steps: list[Click] = []
        page = self._pages[key]
        while page.parent:
            steps.append(Click(label=page.label, url=page.url))
            page = self._pages[page.parent]
        return tuple(reversed(steps))

    def walks(self, path: Sequence[Click]) -> HarvestedPage | None:
        """The page at the end of a click path; None if a link is not on the page before it."""
        here = self.root
        for click in path:
            if all(way.url != click.url for way in here.ways):
                return None
            following = self._pages.get(key_of(click.url))
            if following is None:
                return None
            here = following
        return here


def read_site_links(observation: Observation, scope: WalkScope) -> tuple[SiteLink, ...]:
    """Links of a page within the scope, each URL once, with its first label."""
    found: dict[str, SiteLink] = {}
    for link in observation.links:
        url = without_place(link.url)
        if link.hidden or scope.why_outside(url):
            continue
        if url not in found or not found[url].label:
            found[url] = SiteLink(url=url, label=" ".join(link.label.split())[:120])
    return tuple(found.values())


def read_passages(observation: Observation) -> tuple[Passage, ...]:
    """The main text of a page."""
    return tuple(
        Passage(text=block.text, kind=block.kind, level=block.level)
        for block in observation.blocks
        if not block.hidden and block.region in ("main", "header") and block.kind != "code" and block.text.strip()
    )


def build_tree(root: str, pages: Iterable[HarvestedPage]) -> SiteTree:
    """Arrange pages as a breadth-first tree: each gets a shortest click path and the label of its last link. Unreachable pages are
    omitted. Raises `ValueError` if the root is not among them."""
    found = list(pages)
    waiting = {key: page for page in found for key in (key_or(page.place, ""), page.key) if key}
    level = [msgspec.structs.replace(page, level=ROOT_LEVEL) for page in _taken(waiting, str(key_of(root)))]
    grown = list(level)
    while level:
        below = []
        for parent in level:
            for way in parent.ways:
                key = key_or(way.url, "")
                below += [
                    msgspec.structs.replace(
                        page, key=key, url=way.url, level=parent.level + 1, parent=parent.key, label=way.label
                    )
                    for page in _taken(waiting, key)
                ]
        grown += below
        level = below
    return SiteTree(grown)


def _taken(waiting: dict[str, HarvestedPage], key: str) -> Iterator[HarvestedPage]:
    """Remove the page of this key from the waiting ones, under all of its keys, and yield it."""
    page = waiting.pop(key, None)
    if page is not None:
        for other in (key_or(page.place, ""), page.key):
            waiting.pop(other, None)
        yield page
