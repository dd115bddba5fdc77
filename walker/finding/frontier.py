"""The pages of a site that are known and not read, and what each promises for the words of a query. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from heapq import nlargest

import msgspec

from memory.library.page_ranking import address_words
from memory.url_key import BadUrl, key_of
from memory.words import lazy_re, tokens
from walker.rules.scope import WalkScope
from walker.strategies.links.link_kinds import hub_kind, is_chrome

MOST_KNOWN = 50_000
"""Pages; more are not kept."""
IN_LABEL, IN_PATH, IN_CONTEXT = 1.0, 0.6, 0.35
"""Weights of a word of the query by where it stands."""
OF_PARENT = 0.25
"""Share of its own page's promise that a link inherits."""
FOUND_BY_SITE = 4.0
"""Added for what the site's own search found."""
HUB = 1.2
"""Added for an index, a table of contents or an overview: it leads to all the others."""
A_CLICK, A_QUERY, CHROME = 0.15, 0.3, 1.0
"""Taken off for each click from the root, for an address with a query, and for links that every site has."""
A_SIBLING, SIBLINGS_FREE = 0.15, 2
"""Taken off for each page beyond so many whose address differs in numbers only: a few days of a calendar tell enough."""
NEAR = 1
"""Clicks from the root within which every folder gets its turn: one folder of many pages would take all that may be read, and leave
none for what the site has besides."""
LOOKED_AT = 64
"""Best pages among which those of one kind give way to others."""
_DIGITS = lazy_re.compile(r"\d+")


class Known(msgspec.Struct, kw_only=True):
    """A page that is not read."""

    url: str
    title: str
    folder: str
    """Key of the folder that it lies in."""
    depth: int
    label_words: frozenset[str]
    path_words: frozenset[str]
    context_words: frozenset[str] = frozenset()
    parent: float = 0.0
    fixed: float = 0.0
    """What is added or taken off whatever the query."""


class Frontier:
    """Known pages by key. A page that was taken, or read otherwise, is never given again."""

    def __init__(self, scope: WalkScope) -> None:
        self._scope = scope
        self._known: dict[str, Known] = {}
        self._routes: dict[str, Known] = {}
        """Of an application (`#/talks`): over HTTP each is the same document, so they are known by name only."""
        self._left: list[Known] = []
        self._done: set[str] = set()
        self._shapes: Counter[str] = Counter()
        self._folders: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._known)

    @property
    def routes(self) -> int:
        """Pages of an application that only a browser can read."""
        return len(self._routes)

    def offer(
        self, url: str, label: str, *, context: str = "", depth: int = 1, parent: float = 0.0, fixed: float = 0.0
    ) -> None:
        """Note a page that a link or an aid names; what several say of it adds up. `parent`: what the page promised that names it;
        `fixed`: what is added whatever the query. Routes of an application are given by `named` only."""
        key = self._key(url)
        if not key or key in self._done:
            return
        pages = self._routes if "#" in key else self._known
        known = pages.get(key)
        words = frozenset(tokens(label[:300]))
        if known is None:
            if len(pages) >= MOST_KNOWN:
                return
            known = pages[key] = Known(
                url=url.partition("#")[0] if "#" not in key else url,
                title=label.strip()[:200],
                folder=_folder(key),
                depth=depth,
                label_words=words,
                path_words=address_words(url),
                fixed=_fixed(url, label),
            )
        known.label_words |= words
        known.context_words |= frozenset(tokens(context[:300]))
        known.title = known.title or label.strip()[:200]
        known.depth, known.parent = min(known.depth, depth), max(known.parent, parent)
        known.fixed = max(known.fixed, fixed)

    def done(self, url: str) -> None:
        """A page was read, or cannot be."""
        key = self._key(url)
        if key and key not in self._done:
            self._done.add(key)
            self._known.pop(key, None)
            self._routes.pop(key, None)
            self._shapes[_shape(key)] += 1
            self._folders[_folder(key)] += 1

    def leave(self, known: Known) -> None:
        """A page that was taken is not read after all; it stays known by its name."""
        self._left.append(known)

    def take(self, words: Sequence[str], count: int) -> tuple[tuple[Known, float], ...]:
        """The pages that promise most for these words, with what they promise; they are done. Of several one is from the folder near
        the root of which least was taken."""
        weights = self._weights(words)
        scored = [(self._promise(one, weights), place, one) for place, one in enumerate(self._known.values())]
        best = nlargest(max(count, LOOKED_AT), scored, key=lambda entry: (entry[0], -entry[1]))
        taken: list[tuple[Known, float]] = []
        if count > 1 and (turn := self._next_folder(scored)):
            score, _, one = turn
            best = [entry for entry in best if entry[2] is not one]
            taken.append((one, score))
            self.done(one.url)
        while best and len(taken) < count:
            score, place, one = max(best, key=lambda entry: (entry[0] - self._siblings(entry[2]), -entry[1]))
            best.remove((score, place, one))
            taken.append((one, score))
            self.done(one.url)
        return tuple(taken)

    def best_promise(self, words: Sequence[str]) -> float:
        """What the best page promises for these words."""
        weights = self._weights(words)
        return max((self._promise(one, weights) for one in self._known.values()), default=float("-inf"))

    def named(self, words: Sequence[str], most: int) -> tuple[Known, ...]:
        """The pages that are known by name only and whose titles hold words of the query, the best first."""
        weights = self._weights(words)
        fits = [
            (sum(weights[word] for word in weights if word in one.label_words), -place, one)
            for place, one in enumerate((*self._known.values(), *self._routes.values(), *self._left))
        ]
        return tuple(one for fit, _, one in nlargest(most, fits, key=lambda entry: entry[:2]) if fit > 0)

    def _key(self, url: str) -> str:
        """The key of a page that may be read, "" for any other address."""
        try:
            if self._scope.why_outside(url):
                return ""
            return str(key_of(url))
        except (BadUrl, ValueError):
            return ""

    def _weights(self, words: Iterable[str]) -> dict[str, float]:
        """Weights of the words: the rarer in the names of known pages, the higher."""
        asked = dict.fromkeys(words)
        counts: Counter[str] = Counter()
        for one in self._known.values():
            counts.update(word for word in asked if word in one.label_words or word in one.path_words)
        total = len(self._known) + 1
        return {word: math.log(1 + total / (1 + counts[word])) for word in asked}

    def _promise(self, one: Known, weights: dict[str, float]) -> float:
        total = one.fixed - A_CLICK * one.depth + OF_PARENT * one.parent
        for word, weight in weights.items():
            if word in one.label_words:
                total += IN_LABEL * weight
            elif word in one.path_words:
                total += IN_PATH * weight
            elif word in one.context_words:
                total += IN_CONTEXT * weight
        return total

    def _next_folder(self, scored: Sequence[tuple[float, int, Known]]) -> tuple[float, int, Known] | None:
        """Of the folder near the root of which least was taken the page that promises most; None where there is one folder only."""
        near = [entry for entry in scored if entry[2].depth <= NEAR and entry[2].fixed >= 0]
        if not near or len({one.folder for _, _, one in scored}) == 1:
            return None
        return max(near, key=lambda entry: (-self._folders[entry[2].folder], entry[0], -entry[1]))

    def _siblings(self, one: Known) -> float:
        """What is taken off for pages of the same kind that were taken before."""
        return A_SIBLING * max(0, self._shapes[_shape(str(key_of(one.url)))] - SIBLINGS_FREE)


@lru_cache(maxsize=1 << 14)
def _shape(key: str) -> str:
    return _DIGITS.sub("0", key)


def _folder(key: str) -> str:
    return key.partition("?")[0].rpartition("/")[0]


def _fixed(url: str, label: str) -> float:
    total = HUB if hub_kind(label, url) else 0.0
    total -= A_QUERY if "?" in url else 0.0
    return total - (CHROME if label and is_chrome(label, url) else 0.0)
