"""Which entries of a list a question singles out: those that hold its names, an ordinal or a word of it that only some of them have,
those of a value of a column, those of numbers and dates within its bounds, and those without what it excludes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import msgspec

from memory.words import lazy_re, tokens
from perception.observation import Record
from walker.strategies.entries.asked_bounds import Bound, bounds_of
from walker.strategies.entries.asked_calendar import Calendar, calendar_asked, is_within
from walker.strategies.entries.asked_columns import (
    AskedOf,
    Chosen,
    asked_of,
    by_group,
    by_value,
    by_yes_or_no,
    columns_of,
    is_denied,
    totals_of,
)
from walker.strategies.entries.asked_words import Held, asked_word, folded, han_runs
from walker.strategies.entries.compared_entries import within_bound
from walker.strategies.values.value_kinds import Measure

By = Literal["all", "names", "words", "column", "compared"]
MOST_CHOICES = 6
PLAIN_WORDS = 4
"""Plain words that are tried, the rarest among the entries first."""
MOST_HELD = 0.8
"""Share of the entries that may hold a plain word: one of most of them is true of the list."""
MOST_COMPARED = 300
"""Entries whose values and words are looked at."""
ENTRY_CHARS = 600
_ORDINALS = {
    word: str(number)
    for number, word in enumerate(
        "fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth"
        " eighteenth nineteenth twentieth".split(),
        4,
    )
}
"""From the fourth on: "first" and "second" are said of much that has no number."""
_OR = lazy_re.compile(r"\b(?:or|oder|ou|o|and|und|et|y)\b|或|和|、", re.IGNORECASE)
_HAN = lazy_re.compile(r"[\u3400-\u9fff]")
SHORTEST = 5
"""Letters and digits of a name, run together, from which an address is taken for its page's."""
_NAME = lazy_re.compile(r"(?<=\s)[A-ZÀ-Þ][\w'’-]*(?:\s+[A-ZÀ-Þ0-9][\w'’-]*)*")


class Choice(NamedTuple):
    """Entries that may be meant, what they were chosen by, and the words of the question that did it."""

    kept: tuple[Record, ...]
    by: By
    words: frozenset[str] = frozenset()


class Singling(msgspec.Struct, frozen=True, kw_only=True):
    """What a question says that may be true of some entries only."""

    names: tuple[frozenset[str], ...] = ()
    """Names, numbers and ordinals, as stems."""
    plain: tuple[str, ...] = ()
    """Plain words, as the question writes them."""
    pairs: tuple[str, ...] = ()
    """Its pairs of Chinese signs, in order."""
    text: str = ""
    language: str = "en"
    target: int = 0
    """How many are to be named, which is no number of an entry."""


def numbers_meant(text: str) -> list[frozenset[str]]:
    """The ordinals of a question as entries write them: "twelfth" is "12"."""
    return [frozenset((number,)) for word in re.findall(r"[a-z]+", text.lower()) if (number := _ORDINALS.get(word))]


def choices_of(records: Sequence[Record], said: Singling) -> list[Choice]:
    """All entries, and at most `MOST_CHOICES` - 1 parts of them, those chosen by most of the question first."""
    totals = totals_of(columns_of(records))
    found: dict[frozenset[int], tuple[By, frozenset[str]]] = {}
    if totals:
        found[frozenset(range(len(records))) - totals] = ("column", frozenset())
    for chosen, by in _all_parts(records, said):
        places = chosen.places - totals
        if not 0 < len(places) < len(records):
            continue
        if places not in found or len(found[places][1]) < len(chosen.words):
            found[places] = (by, chosen.words)  # in the place of the first, told by what says most
    choices = [Choice(tuple(records), "all")]
    for places, (by, words) in list(found.items())[: MOST_CHOICES - 1]:
        choices.append(Choice(tuple(record for place, record in enumerate(records) if place in places), by, words))
    return choices


def _all_parts(records: Sequence[Record], said: Singling) -> Iterator[tuple[Chosen, By]]:
    """The parts that may be meant; of a long list those alone that names tell."""
    if (led := _led_to(records, said.text)) is not None:
        yield led, "names"
    yield from _by_names(_held(records), said) if len(records) > MOST_COMPARED else _parts(records, said)


def _parts(records: Sequence[Record], said: Singling) -> Iterator[tuple[Chosen, By]]:
    """The parts that may be meant, likeliest first; what two say together comes before each of them."""
    held, asked, columns = _held(records), asked_of(said.text), columns_of(records)
    names = list(_by_names(held, said))
    compared = _by_bounds(records, columns, asked, said)
    column: list[Chosen] = [
        one
        for one in (*by_value(columns, asked), *by_group(columns, asked), *by_yes_or_no(columns, asked))
        if 0 < len(one.places) < len(records)
    ]
    words = list(_by_words(held, said))
    yield from names[:1]
    for one in compared:
        for other in (*column[:2], *(chosen for chosen, _ in (*names[:2], *words[:2]))):
            both = one.places & other.places
            if both and both not in (one.places, other.places):
                yield Chosen(both, one.words | other.words), "compared"
                break
        yield one, "compared"
    if len(column) > 1 and (both := column[0].places & column[1].places):
        yield Chosen(both, column[0].words | column[1].words), "column"
    for place in range(max(len(column), len(words), len(names))):
        if place < len(column):
            yield column[place], "column"
        yield from words[place : place + 1]
        yield from names[place + 1 : place + 2]


def _held(records: Sequence[Record]) -> list[Held]:
    texts = [record.text[:ENTRY_CHARS] for record in records]
    return [
        Held(frozenset(tokens(text)), folded(text), frozenset(tokens(record.name)))
        for record, text in zip(records, texts, strict=True)
    ]


def _by_names(held: Sequence[Held], said: Singling) -> Iterator[tuple[Chosen, By]]:
    """Entries that hold all the names; those without a name that the question excludes; one of several that "or" joins; one name."""
    found = [(name, _holding(name, held)) for name in said.names if name]
    if len(found) > 1:
        every = frozenset(range(len(held))).intersection(*(places for _, places in found))
        yield Chosen(every, frozenset[str]().union(*said.names)), "names"
        if _OR.search(said.text):
            some = frozenset[int]().union(*(places for _, places in found))
            yield Chosen(some, frozenset[str]().union(*said.names)), "names"
    for name, places in found:
        yield Chosen(places, name), "names"


def _holding(name: frozenset[str], held: Sequence[Held]) -> frozenset[int]:
    """The entries that hold a name; those with another form of it where it is one word ("Schwerter" in German is no name). Where the
    others say it behind their own names ("Ada (Acme)"), one that is nothing but the name ("Acme") is none of them."""
    places = frozenset(place for place, one in enumerate(held) if name <= one.words)
    rest = frozenset(place for place in places if held[place].words != name)
    if len(rest) > 1 and not any(name <= held[place].name for place in rest):
        return rest
    if places or len(name) > 1:
        return places
    word = asked_word(next(iter(name)))
    return frozenset(place for place, one in enumerate(held) if word.is_in(one))


def _by_words(held: Sequence[Held], said: Singling) -> Iterator[tuple[Chosen, By]]:
    """Entries without a word that the question excludes; those that hold most of the plain words that some have; those of one of
    these words, the rarest first; of those with a form of it the ones that have just this, and that have it in their name."""
    rows = frozenset(range(len(held)))
    found = list(_holding_words(held, said))
    for place, one in found:
        if place >= 0 and one.places < rows and is_denied(said.text, place):
            yield Chosen(rows - one.places, one.words), "words"
    few = [one for _, one in found if len(one.places) <= MOST_HELD * len(rows)]
    telling = sorted(few, key=lambda one: len(one.places))[:PLAIN_WORDS]
    telling.sort(key=lambda one: -len(one.words))
    if len(telling) > 1:
        count = [sum(len(one.words) for one in telling if place in one.places) for place in range(len(held))]
        most = frozenset(place for place, number in enumerate(count) if number == max(count))
        yield Chosen(most, frozenset[str]().union(*(one.words for one in telling if most <= one.places))), "words"
    for one in telling:
        yield one, "words"
    for one in telling:
        for texts in ([each.words for each in held], [each.name for each in held]):
            just = frozenset(place for place in one.places if one.words <= texts[place])
            if just != one.places:
                yield Chosen(just, one.words), "words"


def _holding_words(held: Sequence[Held], said: Singling) -> Iterator[tuple[int, Chosen]]:
    """The entries that hold each plain word of the question, or each longest run of Chinese signs, with its place in the question."""
    for word in dict.fromkeys(said.plain):
        told = asked_word(word)
        if places := frozenset(place for place, one in enumerate(held) if told.is_in(one)):
            yield said.text.find(word), Chosen(places, frozenset((told.stem,)))
    for run, places in han_runs(said.pairs, [one.folded for one in held]) if said.pairs else ():
        yield min((place for pair in run if (place := said.text.find(pair)) >= 0), default=-1), Chosen(places, run)


def _by_bounds(
    records: Sequence[Record], columns: Sequence[tuple[str, list[str]]], asked: AskedOf, said: Singling
) -> list[Chosen]:
    """Entries within all bounds and of the months and days that the question names."""
    calendar = calendar_asked(said.text)
    bounds = [one for one in bounds_of(said.text, said.language) if _is_told(one, said)]
    bounds.sort(key=lambda one: one.is_exact)
    found = [chosen for bound in bounds for chosen in within_bound(records, columns, bound, asked, said.language)]
    if calendar:
        found += _in_calendar(records, calendar, said)
    if len(found) > 1 and (every := frozenset.intersection(*(one.places for one in found))):
        found.insert(0, Chosen(every, frozenset[str]().union(*(one.words for one in found))))
    return [one for one in found if 0 < len(one.places) < len(records)]


def _is_told(bound: Bound, said: Singling) -> bool:
    """Whether a bound may be one of entries: not the number that is to be named, and no date that holds for the whole list."""
    if bound.low is not bound.high:
        return True
    if bound.is_exact:
        return isinstance(bound.end, Measure) and bound.end.amount != said.target
    return any(not name.isdisjoint(tokens(bound.text)) for name in said.names)


def _in_calendar(records: Sequence[Record], calendar: Calendar, said: Singling) -> list[Chosen]:
    places = frozenset(
        place for place, record in enumerate(records) if is_within(record.text[:ENTRY_CHARS], said.language, calendar)
    )
    return [Chosen(places, frozenset())] if places else []


def _led_to(records: Sequence[Record], text: str) -> Chosen | None:
    """The entries whose address ends in a name of the question, written as one word, as in an index of other names for things;
    None where fewer than two do, or an entry says the name."""
    for match in _NAME.finditer(text):
        name = _run_together(match[0])
        if len(name) < SHORTEST:
            continue
        places = frozenset(place for place, record in enumerate(records) if _last_part(record.url) == name)
        if len(places) > 1 and not any(name in _run_together(record.text) for record in records):
            return Chosen(places, frozenset(tokens(match[0])))
    return None


def _last_part(url: str) -> str:
    """The last part of an address without its ending, run together: "betsyross" of "/rules/betsy-ross.html"."""
    path = url.partition("://")[2].partition("/")[2].partition("#")[0].partition("?")[0].rstrip("/")
    return _run_together(re.sub(r"\.[a-zA-Z]{2,5}$", "", path.rpartition("/")[2]))


def _run_together(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())
