"""Links of the stack that were not tried yet, ranked by link score."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import nlargest

import msgspec

from memory.retrieval import Ranker, is_mostly_cjk
from memory.state import WalkMemory
from memory.url_stack import Frame, LeftPage, UntriedLink
from memory.words import STOP_WORDS, lazy_re, tokens
from perception.document.addresses import without_fragment
from perception.observation import Observation
from walker.strategies.links.link_kinds import hub_kind, is_chrome
from walker.strategies.links.link_position_score import link_position
from walker.strategies.links.link_text_score import LinkScore, score_link, score_plain_link
from walker.strategies.question.name_match import SHORT_CHARS, plain_title, word_weight
from walker.strategies.question.open_parts import OpenParts, Wanted, site_words_of

MEANING_SHARE = 0.3
"""Weight of the embedding similarity relative to the words."""
MEANING_SHARE_HAN = 0.08
COMPARED_LINKS = 60
"""Most links of a page that are compared by embedding, the best by words first: 10 microseconds each."""
COMPARED_TERMS = 5
A_PLACE = 1.5
"""Taken off for a link to a route that was read, with another query: `#/talks?id=speakers` is a place on `#/talks`."""
SECTIONS_LISTED = 8
"""Links to the same page from which a page counts as its table of contents."""
CANDIDATES_AT_LEAST = 50
"""Candidates that are ranked; a walk takes the first, or one of the next few where it is refused."""
_A_NUMBER = lazy_re.compile(r"=\d+(?:&|$)")
KEPT_PARTS = 8
KEPT_MEANINGS = 100_000


Barred = Callable[[str, int], bool]
"""Whether a URL is refused; the number is that of a link of the current page, 0 for a link of another page."""


class LinkCandidate(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A link not yet tried, its score, and the depth of its page on the stack; `link_id` is 0 if that is not the current page."""

    depth: int
    url: str
    key: str
    label: str
    score: float
    why: str = ""
    link_id: int = 0


class Seen(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One occurrence of a link on a page."""

    link: UntriedLink
    link_id: int = 0


class LinkCandidateFinder:
    """Ranks links. Its caches do not affect the result: the same arguments give the same order."""

    def __init__(self, ranker: Ranker) -> None:
        self._ranker = ranker
        self._scores: dict[tuple[OpenParts, frozenset[str]], dict[UntriedLink, LinkScore]] = {}
        self._meanings: dict[tuple[str, str], float] = {}

    def find_candidates(
        self,
        open_parts: OpenParts,
        observation: Observation,
        memory: WalkMemory,
        barred: Barred | None = None,
        *,
        left: Sequence[LeftPage] = (),
    ) -> tuple[LinkCandidate, ...]:
        """Untried links of all frames, and of these pages that were left, that are not barred, highest score first, at least
        `CANDIDATES_AT_LEAST` where there are so many; each page once, by its best link."""
        site_words = site_words_of(memory)
        scores = self._known(open_parts, site_words)
        best = _Best()
        for depth, seen in _pages(memory, observation, left):
            self._weigh_all(seen, scores, open_parts, site_words)
            meanings = self._compare(open_parts, seen, scores)
            position = link_position(depth, open_parts, memory, site_words)
            weighed = [
                (scores[one.link].score + meanings.get(one.link, 0.0) - _of_place(one.link, memory), one)
                for one in seen
            ]
            weighed.sort(key=lambda pair: -pair[0])
            for score, one in weighed:
                if score + position.most < best.floor:
                    break
                if barred is None or not barred(one.link.url, one.link_id):
                    best.take(_candidate(one, depth, scores[one.link], score + position.bonus(one.link, open_parts)))
        return best.ordered()

    def _known(self, open_parts: OpenParts, site_words: frozenset[str]) -> dict[UntriedLink, LinkScore]:
        if len(self._scores) > KEPT_PARTS:
            self._scores.clear()
        return self._scores.setdefault((open_parts, site_words), {})

    def _weigh_all(
        self,
        seen: tuple[Seen, ...],
        scores: dict[UntriedLink, LinkScore],
        open_parts: OpenParts,
        site_words: frozenset[str],
    ) -> None:
        """Score the links that are new; in full only those that hold a word of the open parts."""
        new = [one.link for one in seen if one.link not in scores]
        words = _pattern(open_parts, site_words) if new else None
        links_to = Counter(link.key for link in new)
        for link in new:
            # A table of contents has thousands of links to the same pages, which differ in the label only.
            by_label = "#" in link.url and links_to[link.key] > SECTIONS_LISTED
            text = link.label if by_label else f"{link.label} {link.url} {link.context} {link.heading[:SHORT_CHARS]}"
            telling = words is not None and words.search(text.casefold()) is not None
            scores[link] = score_link(link, open_parts, site_words) if telling else score_plain_link(link, open_parts)

    def _compare(
        self, open_parts: OpenParts, seen: tuple[Seen, ...], scores: dict[UntriedLink, LinkScore]
    ) -> dict[UntriedLink, float]:
        """What similarity of meaning adds, for the links of a page with the highest scores by words."""
        worth = [one.link for one in seen if len(one.link.label) > 1 and not is_chrome(one.link.label, one.link.url)]
        chosen = sorted(worth, key=lambda link: -scores[link].score)[:COMPARED_LINKS]
        if len(self._meanings) > KEPT_MEANINGS:
            self._meanings.clear()
        best: dict[UntriedLink, float] = dict.fromkeys(chosen, 0.0)
        for wanted in open_parts.now:
            self._read_meanings(wanted, [_words_of(link) for link in chosen])
            share = MEANING_SHARE_HAN if is_mostly_cjk(wanted.text) else MEANING_SHARE
            for link in chosen:
                best[link] = max(best[link], share * self._meanings[wanted.text, _words_of(link)])
        return best

    def _read_meanings(self, wanted: Wanted, texts: list[str]) -> None:
        """Cache the embedding similarity to all of what is wanted, or to one of its first terms ("flume" is like "Laboratory")."""
        new = [text for text in dict.fromkeys(texts) if (wanted.text, text) not in self._meanings]
        if new:
            cosines = self._ranker.likeness((wanted.text, *wanted.terms[:COMPARED_TERMS]), new)
            for text, row in zip(new, cosines, strict=True):
                nearest = max((float(value) for value in row[1:]), default=0.0)
                self._meanings[wanted.text, text] = max(float(row[0]), 0.5 * float(row[0]) + 0.4 * nearest)


def _of_place(link: UntriedLink, memory: WalkMemory) -> float:
    """What is taken off for a link that leads to a place on a page that was read; a number may be that of a further page."""
    page, mark, route = link.key.partition("#")
    path, asks, query = route.partition("?")
    if not asks or _A_NUMBER.search(query):
        return 0.0
    same = f"{page}{mark}{path}"
    return A_PLACE if memory.stack.has_entered(same) or memory.stack.has_entered_under(f"{same}?") else 0.0


def _pages(
    memory: WalkMemory, observation: Observation, left: Sequence[LeftPage]
) -> Iterator[tuple[int, tuple[Seen, ...]]]:
    """The links of each page with the depth that the walk goes back to for them, the current page first."""
    stack = memory.stack
    for depth in range(stack.depth, 0, -1):
        frame = stack.frames[depth - 1]
        yield depth, _links_shown(frame, observation) if depth == stack.depth else _untried(frame)
    yield from ((stack.depth_below(page), _untried(page.frame)) for page in reversed(left))


def _untried(frame: Frame) -> tuple[Seen, ...]:
    return tuple(Seen(link=link) for link in frame.untried)


def _links_shown(frame: Frame, observation: Observation) -> tuple[Seen, ...]:
    """The current page's links with every label they have there; the stack keeps one for each page."""
    if not observation.links:
        return _untried(frame)
    untried = {without_fragment(link.url): link.key for link in frame.untried}
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
        if (base := without_fragment(link.url)) in untried
    )


def _text_below_headings(observation: Observation) -> dict[str, str]:
    """The text below each heading: the title of a card is a link, its description follows."""
    below: dict[str, str] = {}
    for block in observation.blocks:
        if block.kind != "heading" and block.headings:
            below.setdefault(block.headings[-1], block.text[:SHORT_CHARS])
    return below


def _pattern(open_parts: OpenParts, site_words: frozenset[str]) -> re.Pattern[str] | None:
    """Matches the first letters of the wanted words: a link without any of them need not be scored in full."""
    starts: set[str] = set()
    for wanted in (*open_parts.now, *open_parts.later):
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
    """The best candidate per page. A candidate below the floor cannot be one of the first `CANDIDATES_AT_LEAST`."""

    def __init__(self) -> None:
        self._found: dict[str, LinkCandidate] = {}
        self.floor = float("-inf")

    def take(self, candidate: LinkCandidate) -> None:
        before = self._found.get(candidate.key)
        if before is not None and before.score >= candidate.score:
            return
        self._found[candidate.key] = candidate
        if len(self._found) % CANDIDATES_AT_LEAST == 0:
            self.floor = nlargest(CANDIDATES_AT_LEAST, (candidate.score for candidate in self._found.values()))[-1]

    def ordered(self) -> tuple[LinkCandidate, ...]:
        return tuple(sorted(self._found.values(), key=lambda candidate: (-round(candidate.score, 6), -candidate.depth)))


def _candidate(one: Seen, depth: int, score: LinkScore, worth: float) -> LinkCandidate:
    link = one.link
    why = score.why or ("an overview" if hub_kind(link.label, link.url) else "near in meaning")
    return LinkCandidate(
        depth=depth,
        url=link.url,
        key=link.key,
        label=link.label,
        score=worth,
        why=why,
        link_id=one.link_id,
    )
