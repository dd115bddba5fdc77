"""What speaks for each of many passages, as numbers: where the words of the question are met, how close together, beside what form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import msgspec
import numpy as np
import numpy.typing as npt

from walker.seams.passage_critic import OfferedPassage
from walker.strategies.passages.passage_words import JoinedTexts, Met, Places, Shares, Term

Rows = npt.NDArray[np.float64]

SIGNALS = (
    "own", "above", "title", "nowhere", "named", "bm25", "close", "pairs", "formed", "no_form",
    "bm25_of_best", "close_of_best", "page_of_best", "rank", "rank_on_page",
    "beside", "close_beside", "page_cover", "above_page", "length", "short_lines", "listed_above", "listed_page",
)  # fmt: skip
"""Shares 0..1 of the question's weight that stand in the text, else in the headings, else in the title, and nowhere; of its names;
BM25; within the length of a sentence; of neighbouring words that are neighbours; within a sentence beside the form of the answer, and
whether that form is missing. Shares of the best passage's, and of the best page's; logarithms of the places among all and on the page.
The same in the passages before and after; anywhere on the page; by headings and page; length; how short the lines are, and that of
questions for lists, by headings and by page."""
SENTENCE_CHARS = 160
"""Words this close together belong together."""
CLOSE_TERMS = 16
"""Words of a question that are looked for close together, the heaviest: a question of Chinese has a pair for each character."""
PAIR_CHARS = 24
"""From the beginning of a word to that of its neighbour."""
NAMED_WEIGHT = 1.5
"""Weight of a word of a name or number, as a multiple of another's."""
SATURATION, LENGTH_SHARE = 1.2, 0.6
"""k1 and b of BM25."""
LONG_CHARS, LINE_CHARS = 700, 100
ABOVE_SHARE = 0.3
"""Worth of a word in a heading for the places that passages are put in."""


class AskedWords(msgspec.Struct, frozen=True, kw_only=True):
    """What is looked for: a question, or a part of one."""

    terms: tuple[int, ...]
    """Numbers of its terms, among those that were met."""
    named: tuple[bool, ...]
    """Which of them are of names and numbers."""
    form: re.Pattern[str] | None = None
    """The form of the answer, None where any text may be one."""
    is_list: bool = False
    """Whether it asks for things that are listed."""


class Meetings(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Where the terms of a question are met: a row a term."""

    own: tuple[Met, ...]
    above: Rows
    """A column for each distinct line of headings."""
    title: Rows


class OfferedTexts:
    """The passages of one question: their texts, the headings above them, the titles of their pages."""

    def __init__(self, passages: Sequence[OfferedPassage]) -> None:
        self.count = len(passages)
        self.own = JoinedTexts([passage.text for passage in passages])
        self._above, self.above_of = _distinct([" / ".join(passage.headings) for passage in passages])
        self._titles, self.title_of = _distinct([passage.title for passage in passages])
        _, self.page_of = _distinct([passage.url for passage in passages])
        self.pages = int(self.page_of.max(initial=-1)) + 1
        lines = np.array([passage.text.count("\n") + 1 for passage in passages], np.float64)
        self.short_lines: Shares = np.clip(1.2 - self.own.lengths / lines / LINE_CHARS, 0.0, 1.0)
        same = self.page_of[1:] == self.page_of[:-1]
        self._has_before = np.concatenate([np.zeros(1, bool), same])
        self._has_after = np.concatenate([same, np.zeros(1, bool)])

    def meet(self, terms: Sequence[Term]) -> Meetings:
        """Where these terms are met."""
        return Meetings(
            own=tuple(self.own.meet(term) for term in terms),
            above=np.array([_best_of(self._above, term) for term in terms]).reshape(
                len(terms), len(self._above.starts)
            ),
            title=np.array([_best_of(self._titles, term) for term in terms]).reshape(
                len(terms), len(self._titles.starts)
            ),
        )

    def beside(self, values: Shares) -> Shares:
        """The higher value of the passages before and after on the same page."""
        before = np.where(self._has_before, np.roll(values, 1), 0.0)
        after = np.where(self._has_after, np.roll(values, -1), 0.0)
        return np.maximum(before, after)

    def best_on_page(self, values: Shares) -> Shares:
        """The highest value of each passage's page."""
        best = np.zeros(self.pages)
        np.maximum.at(best, self.page_of, values)
        of_each: Shares = best[self.page_of]
        return of_each

    def places_on_page(self, order: npt.NDArray[np.int64]) -> Shares:
        """The place of each passage among those of its page, from 0, given the places among all."""
        by_page = np.lexsort((order, self.page_of))
        first = np.searchsorted(self.page_of[by_page], np.arange(self.pages))
        places = np.empty(self.count)
        places[by_page] = np.arange(self.count) - first[self.page_of[by_page]]
        return places


def signals_of(texts: OfferedTexts, meetings: Meetings, asked: AskedWords) -> Rows:
    """A row a passage with what `SIGNALS` names."""
    cover = _Cover(texts, meetings, asked)
    met = [meetings.own[number] for number in asked.terms]
    close = _closest(met, cover.shares, texts)
    spots = None if asked.form is None else texts.own.places_of(asked.form)
    has_form = np.ones(texts.count) if spots is None else np.bincount(texts.own.text_of(spots), minlength=texts.count)
    page = texts.best_on_page(cover.bm25 + close)
    order = np.empty(texts.count, np.int64)
    order[np.argsort(-(cover.bm25 + close + ABOVE_SHARE * cover.above), kind="stable")] = np.arange(texts.count)
    around = cover.above + cover.title
    lists = texts.short_lines * float(asked.is_list)
    columns = {
        "own": cover.own,
        "above": cover.above,
        "title": cover.title,
        "nowhere": 1 - cover.own - around,
        "named": cover.named,
        "bm25": cover.bm25,
        "close": close,
        "pairs": _pairs(met, texts),
        "formed": 0.5 * close if spots is None else _closest(met, cover.shares, texts, spots),
        "no_form": (has_form == 0).astype(float),
        "bm25_of_best": cover.bm25 / (float(cover.bm25.max(initial=0.0)) or 1.0),
        "close_of_best": close / (float(close.max(initial=0.0)) or 1.0),
        "page_of_best": page / (float(page.max(initial=0.0)) or 1.0),
        "rank": np.log1p(order),
        "rank_on_page": np.log1p(texts.places_on_page(order)),
        "beside": texts.beside(cover.own),
        "close_beside": texts.beside(close),
        "page_cover": cover.page,
        "above_page": around * cover.page,
        "length": np.minimum(1.0, texts.own.lengths / LONG_CHARS),
        "short_lines": texts.short_lines,
        "listed_above": lists * around,
        "listed_page": lists * cover.page,
    }
    return np.column_stack([columns[name] for name in SIGNALS])


class _Cover:
    """How much of the question's weight each passage has, by the place where a word is met first."""

    def __init__(self, texts: OfferedTexts, meetings: Meetings, asked: AskedWords) -> None:
        chosen = list(asked.terms)
        often, best = np.zeros((len(chosen), texts.count)), np.zeros((len(chosen), texts.count))
        for row, one in enumerate(meetings.own[number] for number in chosen):
            where = texts.own.text_of(one.at)
            often[row] = np.bincount(where, one.worth, texts.count)
            np.maximum.at(best[row], where, one.worth)
        held = (best > 0).sum(axis=1)
        # A word that no passage has cannot tell them apart: it weighs as one that half of them have.
        rarity = np.where(held > 0, np.log(1 + (texts.count - held + 0.5) / (held + 0.5)), np.log(2.0))
        is_named = np.array(asked.named, bool)
        weights = rarity * np.where(is_named, NAMED_WEIGHT, 1.0)
        self.shares: Shares = weights / (float(weights.sum()) or 1.0)
        above = np.where(best > 0, 0.0, meetings.above[chosen][:, texts.above_of])
        title = np.where((best > 0) | (above > 0), 0.0, meetings.title[chosen][:, texts.title_of])
        self.own: Shares = self.shares @ best
        self.above: Shares = self.shares @ above
        self.title: Shares = self.shares @ title
        around = best + above + title
        self.page: Shares = self.shares @ np.array([texts.best_on_page(row) for row in around]).reshape(best.shape)
        of_names = np.where(is_named, self.shares, 0.0)
        self.named: Shares = of_names @ around / float(of_names.sum()) if is_named.any() else np.ones(texts.count)
        size = texts.own.lengths / max(1.0, float(texts.own.lengths.mean()) if texts.count else 1.0)
        norm = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * size)
        highest = float(rarity.sum()) * (SATURATION + 1) or 1.0
        self.bm25: Shares = rarity @ (often * (SATURATION + 1) / (often + norm)) / highest


def _closest(met: Sequence[Met], shares: Shares, texts: OfferedTexts, beside: Places | None = None) -> Shares:
    """Of each passage, the largest share of the question's weight within a sentence's length; only beside these places if given."""
    best = np.zeros(texts.count)
    heaviest = np.argsort(-shares, kind="stable")[:CLOSE_TERMS]
    for first in (met[number] for number in heaviest):
        held = np.zeros(len(first.at))
        for share, other in ((shares[number], met[number]) for number in heaviest):
            if len(other.at):
                following = np.minimum(np.searchsorted(other.at, first.at), len(other.at) - 1)
                gap = other.at[following] - first.at
                held += np.where((gap >= 0) & (gap <= SENTENCE_CHARS), share * other.worth[following], 0.0)
        if beside is not None:
            held = np.where(_nearest(first.at, beside) <= SENTENCE_CHARS, held, 0.0)
        np.maximum.at(best, texts.own.text_of(first.at), held)
    return best


def _nearest(places: Places, others: Places) -> Shares:
    """The distance from each place to the nearest of the others."""
    if not len(others):
        return np.full(len(places), np.inf)
    after = np.searchsorted(others, places)
    before, behind = (np.abs(others[np.clip(at, 0, len(others) - 1)] - places) for at in (after - 1, after))
    nearest: Shares = np.minimum(before, behind).astype(np.float64)
    return nearest


def _pairs(met: Sequence[Met], texts: OfferedTexts) -> Shares:
    """Of each passage, the share of neighbouring words of the question that are neighbours there."""
    found = np.zeros(texts.count)
    for one, other in pairwise(met):
        if len(one.at) and len(other.at):
            following = np.minimum(np.searchsorted(other.at, one.at, side="right"), len(other.at) - 1)
            gap = other.at[following] - one.at
            here = np.zeros(texts.count, bool)
            here[texts.own.text_of(one.at[(gap > 0) & (gap <= PAIR_CHARS)])] = True
            found += here
    shares: Shares = found / max(1, len(met) - 1)
    return shares


def _distinct(texts: Sequence[str]) -> tuple[JoinedTexts, npt.NDArray[np.int64]]:
    """Texts joined, each once, and the number of each among them."""
    numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    return JoinedTexts(list(numbers)), np.array([numbers[text] for text in texts], np.int64)


def _best_of(texts: JoinedTexts, term: Term) -> Shares:
    met, best = texts.meet(term), np.zeros(len(texts.starts))
    np.maximum.at(best, texts.text_of(met.at), met.worth)
    return best
