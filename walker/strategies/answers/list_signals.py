"""What speaks for a list being the one that a question counts or names entries of, as numbers for a fitted chance."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from memory.retrieval import Ranker
from memory.words import tokens
from perception.observation import Observation, Record, RecordSet
from walker.rules.language import language_of
from walker.strategies.answers.answer_chance import Logistic, packaged_weights
from walker.strategies.answers.evidence import page_fit
from walker.strategies.answers.list_fit import NAME_WORDS, fit_of, list_traits, states_length, words_beside
from walker.strategies.answers.list_question import AskedList, read_asked_list
from walker.strategies.answers.lists import CountedList, ListForm, PageLists, named_records
from walker.strategies.entries.asked_words import plain_words
from walker.strategies.entries.singled_out import Choice, Singling, choices_of, numbers_meant
from walker.strategies.question.name_match import match_title
from walker.strategies.question.question import Part
from walker.strategies.question.question_terms import content_words, specific_names

LIST_SIGNALS = (
    "fit", "noun", "beside", "title", "named", "meaning", "margin", "links", "enough", "narrowed", "single",
    "place", "heading", "page_fit", "written", "stated",
    "rare", "short", "distinct", "plain", "size", "nested", "compared", "column", "used",
    "lines", "joined",
)  # fmt: skip
"""The fit by rules; whether the words beside it, or its entries, are of the counted noun; shares of the question's words that stand
beside it, and in the page's title and address; share of its names that stand beside the list or in each of its entries; likeness in
meaning of what stands beside it; margin of the page; only links; whether it has as many entries as asked for, or goes on over pages;
whether entries were singled out; whether that left one; its place by the rules; how well a name of the question fits the heading
above it; fit of the page that the question names, less 0.5; whether it is written as text; whether the words before it state its
length; share of the question's words beside it, those weighing most that few lists of the page have; share of entries that have a
name and are no sentence; share of names that stand once; whether it was a plain word that singled entries out; their number, on a
logarithmic scale up to `MANY`; whether it stands within an entry of another list; whether a number, date or time of the entries lies
within a bound of the question; whether the entries are those of a column's value, of a yes or no, or of a group of rows; share of the
question's words by which the entries were chosen; whether its entries are lines or paragraphs without the markup of a list; whether
they are names that a sentence joins in its midst."""
LISTS_COMPARED = 40
SAMPLE = 3
"""Entries that are shown to the comparison of meaning."""
MANY = 100
MARGINS = ("nav", "footer", "header", "aside")


class ListCandidate(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A list that may be meant, with the chance that it is, 0..1, and what `LIST_SIGNALS` names."""

    counted: CountedList
    signals: tuple[float, ...]
    chance: float
    before: str = ""
    """The words that introduce it."""
    above: str = ""
    """The headings above it."""


class FirstListWeights(msgspec.Struct, frozen=True, kw_only=True):
    """The fitted weights that say which lists of a page come first, and what they were fitted on."""

    fitted_on: str
    list: Logistic


@lru_cache(maxsize=1)
def first_list_weights() -> FirstListWeights:
    """The weights that the package holds; `bench/fit_lists.py` fits them."""
    return packaged_weights("walker.strategies.answers", "first_list_weights.json", FirstListWeights)


class _Told(NamedTuple):
    """What is known of a list before its entries are looked at; `rarity` is what each word of the question weighs on the page."""

    fit: float
    meaning: float
    form: ListForm
    rarity: dict[str, float]


class _Asked:
    """What a question says of the list that it means, on one page."""

    def __init__(self, observation: Observation, part: Part, asked: AskedList, site: frozenset[str]) -> None:
        self.observation, self.asked = observation, asked
        self.words = content_words(part.text)
        named = [words for name in specific_names(part.text) if (words := frozenset(tokens(name))) and not words & site]
        self.names = [name for name in named if name != {str(asked.target)}]
        self.fit = page_fit(part, observation)
        self._ordinals = numbers_meant(part.text)
        told = frozenset(self.words) - site - {str(asked.target)} - frozenset[str]().union(*self.names)
        self._plain = [word for word in plain_words(part.text) if not told.isdisjoint(tokens(word))]
        self._pairs = [word for word in tokens(part.text) if not word.isascii() and len(word) == 2]
        self._text, self._language = part.text, language_of(part.text)

    def choices(self, records: RecordSet, kind: frozenset[str]) -> list[Choice]:
        """The entries that may be meant; `kind`: the whole noun, which some entries say where it has several words."""
        beside = words_beside(records, self.observation)
        singling = [
            *self.names,
            *self._ordinals,
            *([kind] if len(kind) > 1 else []),
        ]  # "site reports": those that say so
        said = Singling(
            names=tuple(name for name in singling if not name <= beside),
            plain=tuple(word for word in self._plain if not beside.issuperset(tokens(word))),
            pairs=tuple(pair for pair in self._pairs if pair not in beside),
            text=self._text,
            language=self._language,
            target=self.asked.target,
        )
        return choices_of(records.records, said)


def list_candidates(
    page: PageLists, part: Part, noun: str, target: int, site: frozenset[str], ranker: Ranker
) -> list[ListCandidate]:
    """The lists of a page, whole and singled out by the question's names, its whole noun or a plain word, likeliest first."""
    asked, observation = read_asked_list(part, noun, target, site), page.observation
    wanted = _Asked(observation, part, asked, site)
    formed = [(form, records) for form, records in page.by_form(asked) if len(records.records) > 1]
    forms, sets = {id(records): form for form, records in formed}, [records for _, records in formed]
    fits = {id(records): fit_of(records, observation, asked) for records in sets}
    near = {id(records): _share(wanted.words, _close(records)) for records in sets}
    order = sorted(sets, key=lambda records: (-fits[id(records)] - near[id(records)], -len(records.records)))
    chosen = order[:LISTS_COMPARED]
    meanings = ranker.similarities(part.text, [_told(records) for records in chosen])
    rarity = _rarity(wanted.words, sets)
    found: dict[tuple[str, ...], ListCandidate] = {}
    for records, meaning in zip(chosen, meanings, strict=True):
        told = _Told(fits[id(records)], meaning, forms[id(records)], rarity)
        for candidate in _of_list(records, told, wanted, frozenset(tokens(noun))):
            names = candidate.counted.names
            if names not in found or found[names].chance < candidate.chance:
                found[names] = candidate  # a list that a page shows twice is one
    return sorted(found.values(), key=lambda one: -one.chance)


def _of_list(records: RecordSet, told: _Told, wanted: _Asked, kind: frozenset[str]) -> Iterator[ListCandidate]:
    close = _close(records)
    weight = sum(told.rarity[word] for word in wanted.words if word in close) / max(1e-6, sum(told.rarity.values()))
    traits, beside = list_traits(records, wanted.observation, wanted.asked), words_beside(records, wanted.observation)
    of_list = _ListWords(traits, beside, close, _heading_fit(records, wanted.asked))
    for choice in wanted.choices(records, kind):
        counted = named_records(msgspec.structs.replace(records, records=choice.kept), told.fit)
        if counted is None:
            continue
        signals = (
            *_rule_signals(records, counted, wanted, told.meaning, of_list),
            weight,
            *_form_signals(counted),
            float(choice.by == "words"),
            min(1.0, math.log(len(counted.records)) / math.log(MANY)),
            float(records.nested),
            float(choice.by == "compared"),
            float(choice.by == "column"),
            _share(wanted.words, choice.words),
            float(told.form == "lines"),
            float(told.form == "names"),
        )
        yield ListCandidate(
            counted=counted,
            signals=signals,
            chance=first_list_weights().list.chance(LIST_SIGNALS, signals),
            before=records.caption[-220:],
            above=" ".join(records.headings[-2:]),
        )


def _rarity(words: Sequence[str], sets: Sequence[RecordSet]) -> dict[str, float]:
    """What each word of a question weighs: more, the fewer lists of the page it stands beside."""
    held = Counter(word for records in sets for word in _close(records))
    return {word: math.log(1 + (1 + len(sets)) / (1 + held[word])) for word in dict.fromkeys(words)}


def _close(records: RecordSet) -> frozenset[str]:
    """The words directly beside a list."""
    return frozenset(tokens(f"{' '.join(records.headings)} {records.caption[-220:]} {' '.join(records.columns)}"))


def _share(words: Sequence[str], held: frozenset[str]) -> float:
    return sum(word in held for word in words) / len(words) if words else 0.0


def _heading_fit(records: RecordSet, asked: AskedList) -> float:
    """0..1: the best match of a heading above the list with a section or a name of the question."""
    wanted = (*asked.sections, *asked.maybe_sections, *asked.names)
    nothing = frozenset[str]()
    return max((match_title(text, name, nothing) for text in records.headings[-2:] for name in wanted), default=0.0)


class _ListWords(NamedTuple):
    """What holds for a list, whichever of its entries are meant."""

    traits: tuple[float, float, float, bool, bool, bool]
    beside: frozenset[str]
    close: frozenset[str]
    heading_fit: float


def _rule_signals(
    records: RecordSet, counted: CountedList, wanted: _Asked, meaning: float, of_list: _ListWords
) -> tuple[float, ...]:
    """The signals up to "stated"."""
    observation, asked, words, names = wanted.observation, wanted.asked, wanted.words, wanted.names
    noun, kind, place, is_contents, is_links, _ = of_list.traits
    beside, close = of_list.beside, of_list.close
    kept, held = len(counted.records), _shared(counted.records)
    goes_on = bool(observation.pagination.next_url or observation.pagination.next_control)
    return (
        counted.fit,
        max(noun, kind),
        _share(words, close),
        sum(word in beside and word not in close for word in words) / len(words) if words else 0.0,
        sum(name <= beside | held for name in names) / len(names) if names else 1.0,
        meaning,
        float(records.region in MARGINS or is_contents),
        float(is_links),
        float(kept >= asked.target or goes_on) if asked.target else 0.5,
        float(kept < len(records.records)),
        float(kept == 1),
        place,
        of_list.heading_fit,
        wanted.fit - 0.5,
        float(records.id == 0),
        float(kept == len(records.records) and states_length(records)),
    )


def _form_signals(counted: CountedList) -> tuple[float, float]:
    """Share of entries whose name is short, and of names that stand once."""
    names = counted.names
    return sum(len(name.split()) <= NAME_WORDS for name in names) / len(names), len(frozenset(names)) / len(names)


def _shared(records: tuple[Record, ...]) -> frozenset[str]:
    """Words that every entry holds."""
    texts = [frozenset(tokens(record.text)) for record in records[:60]]
    return frozenset.intersection(*texts) if texts else frozenset()


def _told(records: RecordSet) -> str:
    names = ", ".join(record.name for record in records.records[:SAMPLE])
    return f"{' '.join(records.headings[-2:])} {records.caption[-160:]} {names}"[:400]


msgspec.json.Decoder(FirstListWeights)  # described at import: docs/design/msgspec.md
