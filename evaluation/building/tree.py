"""A site as a tree of levels: the root is level 1, and every page stands where the fewest clicks lead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from evaluation.dataset.question import Click
from evaluation.metrics.rates import plain
from memory.url_key import BadUrl, key_of
from perception.observation import Observation, RecordSet
from walker.rules.scope import WalkScope

ROOT_LEVEL, DEEPEST_LEVEL = 1, 4


class Way(msgspec.Struct, frozen=True, kw_only=True):
    """A link of a page that leads to another one of the site."""

    url: str
    label: str


class HarvestedPage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One page of the tree."""

    key: str
    url: str
    """As it was linked; what is clicked."""
    level: int = 0
    """1 for the root; 0 for a page that has no place yet."""
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

    @property
    def text(self) -> str:
        """All of its lines."""
        return "\n".join(self.lines)


class SiteTree:
    """The pages of one site by key."""

    def __init__(self, pages: Iterable[HarvestedPage]) -> None:
        self._pages = {page.key: page for page in pages}
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


def grow_tree(root: str, pages: Iterable[HarvestedPage]) -> SiteTree:
    """The pages as a tree: each stands where the fewest clicks lead, and is named by the link that is clicked there. A page that
    no click leads to is left out. Raises `ValueError` where the root is not among them."""
    found = list(pages)
    waiting = {key: page for page in found for key in (_key(page.place), page.key) if key}
    level = [msgspec.structs.replace(page, level=ROOT_LEVEL) for page in _taken(waiting, str(key_of(root)))]
    grown = list(level)
    while level:
        below = []
        for parent in level:
            for way in parent.ways:
                key = _key(way.url)
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
    """The page of this address, which then waits no more under any."""
    page = waiting.pop(key, None)
    if page is not None:
        for other in (_key(page.place), page.key):
            waiting.pop(other, None)
        yield page


def _key(url: str) -> str:
    try:
        return str(key_of(url)) if url else ""
    except BadUrl:
        return ""
