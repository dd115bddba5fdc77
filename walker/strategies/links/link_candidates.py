"""All links of the stack that nobody tried yet, in the order of what they promise."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from heapq import nlargest

import msgspec

from memory.retrieval import Ranker, is_mostly_cjk
from memory.state import WalkMemory
from memory.url_stack import Frame, UntriedLink
from memory.words import STOP_WORDS, tokens
from perception.observation import Observation
from walker.strategies.links.link_kinds import hub_kind, is_chrome
from walker.strategies.links.link_position_score import stand_at
from walker.strategies.links.link_text_score import Promise, read_idle_promise, read_promise
from walker.strategies.question.name_match import SHORT_CHARS, plain_title, word_weight
from walker.strategies.question.open_parts import OpenParts, Wanted, site_words_of

MEANING_SHARE = 0.3
"""Weight of the embedding beside the words."""
MEANING_SHARE_HAN = 0.08
COMPARED_LINKS = 60
"""Links of a page compared by meaning, the best by their words first: 10 microseconds each."""
COMPARED_TERMS = 5
SECTIONS_LISTED = 8
"""Links to one page from which a page counts as a table of its contents."""
WAYS_AT_LEAST = 50
"""Ways that are put in order; a walk takes the first, or one of the next few where it is refused."""
KEPT_NEEDS = 8
KEPT_MEANINGS = 100_000


Barred = Callable[[str, int], bool]
"""Whether an address, by a link of the current page of this number or 0, is refused."""


class LinkCandidate(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A link not yet tried, its promise, and the depth of its page on the stack; `link_id` is 0 further up."""

    depth: int
    url: str
    key: str
    label: str
    promise: float
    why: str = ""
    link_id: int = 0


class Seen(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A link as one place of a page shows it."""

    link: UntriedLink
    link_id: int = 0


class LinkCandidateFinder:
    """Weighs links. What it keeps only saves work: the same arguments give the same order."""

    def __init__(self, ranker: Ranker) -> None:
        self._ranker = ranker
        self._promises: dict[tuple[OpenParts, frozenset[str]], dict[UntriedLink, Promise]] = {}
        self._meanings: dict[tuple[str, str], float] = {}

    def find_candidates(
        self, need: OpenParts, observation: Observation, memory: WalkMemory, barred: Barred | None = None
    ) -> tuple[LinkCandidate, ...]:
        """Untried links of all frames that are not barred, the most promising first, at least `WAYS_AT_LEAST` where
        there are so many; each page once, as the link that says most of it."""
        site_words = site_words_of(memory)
        promises = self._known(need, site_words)
        best = _Best()
        for depth in range(memory.stack.depth, 0, -1):
            frame = memory.stack.frames[depth - 1]
            here = depth == memory.stack.depth
            seen = _links_shown(frame, observation) if here else tuple(Seen(link=link) for link in frame.untried)
            self._weigh_all(seen, promises, need, site_words)
            meanings = self._compare(need, seen, promises)
            standing = stand_at(depth, need, memory, site_words)
            weighed = [(promises[one.link].score + meanings.get(one.link, 0.0), one) for one in seen]
            weighed.sort(key=lambda pair: -pair[0])
            for score, one in weighed:
                if score + standing.most < best.floor:
                    break
                if barred is None or not barred(one.link.url, one.link_id):
                    best.take(_way(one, depth, promises[one.link], score + standing.bonus(one.link, need)))
        return best.ordered()

    def _known(self, need: OpenParts, site_words: frozenset[str]) -> dict[UntriedLink, Promise]:
        if len(self._promises) > KEPT_NEEDS:
            self._promises.clear()
        return self._promises.setdefault((need, site_words), {})

    def _weigh_all(
        self, seen: tuple[Seen, ...], promises: dict[UntriedLink, Promise], need: OpenParts, site_words: frozenset[str]
    ) -> None:
        """Weigh what was not weighed yet; in full only the links that hold a word of the need."""
        new = [one.link for one in seen if one.link not in promises]
        words = _pattern(need, site_words) if new else None
        links_to = Counter(link.key for link in new)
        for link in new:
            # A table of contents has thousands of links to the same pages: of these only the label tells.
            by_label = "#" in link.url and links_to[link.key] > SECTIONS_LISTED
            text = link.label if by_label else f"{link.label} {link.url} {link.context} {link.heading[:SHORT_CHARS]}"
            telling = words is not None and words.search(text.casefold()) is not None
            promises[link] = read_promise(link, need, site_words) if telling else read_idle_promise(link, need)

    def _compare(
        self, need: OpenParts, seen: tuple[Seen, ...], promises: dict[UntriedLink, Promise]
    ) -> dict[UntriedLink, float]:
        """What meaning adds, for the links of a page whose words promise most."""
        worth = [one.link for one in seen if len(one.link.label) > 1 and not is_chrome(one.link.label, one.link.url)]
        chosen = sorted(worth, key=lambda link: -promises[link].score)[:COMPARED_LINKS]
        if len(self._meanings) > KEPT_MEANINGS:
            self._meanings.clear()
        best: dict[UntriedLink, float] = dict.fromkeys(chosen, 0.0)
        for wanted in need.now:
            self._read_meanings(wanted, [_words_of(link) for link in chosen])
            share = MEANING_SHARE_HAN if is_mostly_cjk(wanted.text) else MEANING_SHARE
            for link in chosen:
                best[link] = max(best[link], share * self._meanings[wanted.text, _words_of(link)])
        return best

    def _read_meanings(self, wanted: Wanted, texts: list[str]) -> None:
        """Likeness to the whole of what is wanted, or to one of its first terms ("flume" is like "Laboratory")."""
        new = [text for text in dict.fromkeys(texts) if (wanted.text, text) not in self._meanings]
        if new:
            cosines = self._ranker.likeness((wanted.text, *wanted.terms[:COMPARED_TERMS]), new)
            for text, row in zip(new, cosines, strict=True):
                nearest = max((float(value) for value in row[1:]), default=0.0)
                self._meanings[wanted.text, text] = max(float(row[0]), 0.5 * float(row[0]) + 0.4 * nearest)


def _links_shown(frame: Frame, observation: Observation) -> tuple[Seen, ...]:
    """The current page's links with every label they have there; the stack keeps one for each page."""
    if not observation.links:
        return tuple(Seen(link=link) for link in frame.untried)
    untried = {link.url.partition("#")[0]: link.key for link in frame.untried}
    below = _text_below_headings(observation)
    return tuple(
        Seen(
            link=UntriedLink(
                url=link.url,
                key=untried[base],
                label=link.label,
                context=link.context or below.get(link.label, ""),
                heading=link.heading,
                region=link.region,
            ),
            link_id=link.id,
        )
        for link in observation.links
        if (base := link.url.partition("#")[0]) in untried
    )


def _text_below_headings(observation: Observation) -> dict[str, str]:
    """What stands under each heading: a card's title is a link, and what it is about comes below."""
    below: dict[str, str] = {}
    for block in observation.blocks:
        if block.kind != "heading" and block.headings:
            below.setdefault(block.headings[-1], block.text[:SHORT_CHARS])
    return below


def _pattern(need: OpenParts, site_words: frozenset[str]) -> re.Pattern[str] | None:
    """Beginnings of the words that are looked for: a link without any of them need not be weighed in full."""
    starts: set[str] = set()
    for wanted in (*need.now, *need.later):
        names = (*wanted.pages, *wanted.sections, *wanted.containers, *wanted.terms)
        starts.update(_starts(names, site_words))
    return re.compile("|".join(re.escape(start) for start in sorted(starts))) if starts else None


def _starts(names: Iterable[str], site_words: frozenset[str]) -> Iterable[str]:
    for name in names:
        words = [word for word in plain_title(name).split() if word not in STOP_WORDS]
        telling = [word for word in words if all(word_weight(stem, site_words) >= 1 for stem in tokens(word))]
        for word in telling or words:
            yield word[: max(3, min(5, len(word) - 2))] if word.isascii() else word[:2]
        yield from (word for word in tokens(name) if len(word) == 2 and not word.isascii())


def _words_of(link: UntriedLink) -> str:
    return f"{link.label} {link.context}" if len(link.label) < 12 else link.label


class _Best:
    """The most promising way to each page. A page whose best is below the floor is none of the first `WAYS_AT_LEAST`."""

    def __init__(self) -> None:
        self._found: dict[str, LinkCandidate] = {}
        self.floor = float("-inf")

    def take(self, way: LinkCandidate) -> None:
        before = self._found.get(way.key)
        if before is not None and before.promise >= way.promise:
            return
        self._found[way.key] = way
        if len(self._found) % WAYS_AT_LEAST == 0:
            self.floor = nlargest(WAYS_AT_LEAST, (way.promise for way in self._found.values()))[-1]

    def ordered(self) -> tuple[LinkCandidate, ...]:
        return tuple(sorted(self._found.values(), key=lambda way: (-round(way.promise, 6), -way.depth)))


def _way(one: Seen, depth: int, promise: Promise, worth: float) -> LinkCandidate:
    link = one.link
    why = promise.why or ("an overview" if hub_kind(link.label, link.url) else "near in meaning")
    return LinkCandidate(
        depth=depth,
        url=link.url,
        key=link.key,
        label=link.label,
        promise=worth,
        why=why,
        link_id=one.link_id,
    )
