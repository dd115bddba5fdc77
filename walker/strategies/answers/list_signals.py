"""What speaks for a list being the one that a question counts or names entries of, as numbers for a fitted chance."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from memory.retrieval import Ranker
from memory.words import tokens
from perception.observation import Observation, Record, RecordSet
from walker.strategies.answers.answer_chance import answer_weights
from walker.strategies.answers.evidence import page_fit
from walker.strategies.answers.list_fit import fit_of, list_traits, states_length, words_beside
from walker.strategies.answers.list_question import AskedList, read_asked_list
from walker.strategies.answers.lists import CountedList, lists_on, named_records
from walker.strategies.question.name_match import match_title
from walker.strategies.question.question import Part
from walker.strategies.question.question_terms import content_words, specific_names

LIST_SIGNALS = (
    "fit", "noun", "beside", "title", "named", "meaning", "margin", "links", "enough", "narrowed", "single",
    "place", "heading", "page_fit", "written", "stated",
)  # fmt: skip
"""The fit by rules; whether the words beside it, or its entries, are of the counted noun; shares of the question's words that stand
beside it, and in the page's title and address; share of its names that stand beside the list or in each of its entries; likeness in
meaning of what stands beside it; margin of the page; only links; whether it has as many entries as asked for; whether entries were
singled out by a name; whether that left one; its place by the rules; how well a name of the question fits the heading above it; fit
of the page that the question names, less 0.5; whether it is written as text; whether the words before it state its length."""
LISTS_COMPARED = 40
SAMPLE = 3
"""Entries that are shown to the comparison of meaning."""
MARGINS = ("nav", "footer", "header", "aside")


class ListCandidate(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A list that may be meant, with the chance that it is, 0..1, and what `LIST_SIGNALS` names."""

    counted: CountedList
    signals: tuple[float, ...]
    chance: float


def list_candidates(
    observation: Observation, part: Part, noun: str, target: int, site: frozenset[str], ranker: Ranker
) -> list[ListCandidate]:
    """The lists of a page, whole and singled out by the question's names or its whole noun, likeliest first."""
    asked = read_asked_list(part, noun, target, site)
    sets = [records for records in lists_on(observation, asked) if len(records.records) > 1]
    fits = {id(records): fit_of(records, observation, asked) for records in sets}
    words = content_words(part.text)
    near = {id(records): _share(words, _close(records)) for records in sets}
    order = sorted(sets, key=lambda records: (-fits[id(records)] - near[id(records)], -len(records.records)))
    chosen = order[:LISTS_COMPARED]
    told = [_told(records) for records in chosen]
    meanings = ranker.similarities(part.text, told)
    names = [name for name in _named_things(part.text, site) if name != {str(target)}]
    fit = page_fit(part, observation)
    kind = frozenset(tokens(noun))
    singling = [*names, kind] if len(kind) > 1 else names  # "site reports": those that say so
    found = []
    for records, meaning in zip(chosen, meanings, strict=True):
        beside = words_beside(records, observation)
        close = _close(records)
        for kept in _choices(records, [name for name in singling if not name <= beside]):
            counted = named_records(msgspec.structs.replace(records, records=kept), fits[id(records)])
            if counted is not None:
                signals = _signals(records, counted, (observation, asked, words, names, beside, close, fit), meaning)
                chance = answer_weights().list.chance(LIST_SIGNALS, signals)
                found.append(ListCandidate(counted=counted, signals=signals, chance=chance))
    return sorted(found, key=lambda one: -one.chance)


def _named_things(text: str, site: frozenset[str]) -> list[frozenset[str]]:
    """The names of a question, each as its tokens, without the site's own."""
    return [words for name in specific_names(text) if (words := frozenset(tokens(name))) and not words & site]


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


_Around = tuple[Observation, AskedList, tuple[str, ...], list[frozenset[str]], frozenset[str], frozenset[str], float]


def _signals(records: RecordSet, counted: CountedList, around: _Around, meaning: float) -> tuple[float, ...]:
    observation, asked, words, names, beside, close, fit = around
    noun, kind, place, is_contents, is_links, _ = list_traits(records, observation, asked)
    kept, held = len(counted.records), _shared(counted.records)
    return (
        counted.fit,
        max(noun, kind),
        _share(words, close),
        sum(word in beside and word not in close for word in words) / len(words) if words else 0.0,
        sum(name <= beside | held for name in names) / len(names) if names else 1.0,
        meaning,
        float(records.region in MARGINS or is_contents),
        float(is_links),
        float(kept >= asked.target) if asked.target else 0.5,
        float(kept < len(records.records)),
        float(kept == 1),
        place,
        _heading_fit(records, asked),
        fit - 0.5,
        float(records.id == 0),
        float(kept == len(records.records) and states_length(records)),
    )


def _choices(records: RecordSet, names: list[frozenset[str]]) -> list[tuple[Record, ...]]:
    """All entries, those alone that hold every name that does not stand beside the list, and those that hold one of these."""
    held = [(record, frozenset(tokens(record.text))) for record in records.records]
    choices = [records.records]
    for wanted in (frozenset[str]().union(*names), *names):
        kept = tuple(record for record, words in held if wanted and wanted <= words)
        if 0 < len(kept) < len(records.records) and kept not in choices:
            choices.append(kept)
    return choices


def _shared(records: tuple[Record, ...]) -> frozenset[str]:
    """Words that every entry holds."""
    texts = [frozenset(tokens(record.text)) for record in records[:60]]
    return frozenset.intersection(*texts) if texts else frozenset()


def _told(records: RecordSet) -> str:
    names = ", ".join(record.name for record in records.records[:SAMPLE])
    return f"{' '.join(records.headings[-2:])} {records.caption[-160:]} {names}"[:400]
