"""Questions that put facts of two pages together: dates, quantities and lists compared, and two facts at once."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal

import msgspec

from evaluation.building.candidate import Candidate
from evaluation.building.facts.dates import date_forms, number_forms, only_date
from evaluation.building.facts.fact import Amount, Fact, Given, Headed, Listed, Marked
from evaluation.building.facts.tables import quantity
from evaluation.building.rules.site_facts import NamedPage, answers_of, is_single, mixed_by, modality_of
from evaluation.metrics.rates import plain

Pair = tuple[tuple[NamedPage, Fact], tuple[NamedPage, Fact]]
MOST_PAIRS = 3000
"""Of a site and a form; they are drawn by lot."""
A_PAGE = 6
"""Most questions of a form that a page is in."""
JOINED = {"en": ("; ", " and "), "de": ("; ", " und "), "fr": ("; ", " et "), "zh": ("；",)}
"""What stands between two answers, by language."""
A_PAGE_MIXED = 20
"""The same for two facts of different forms, which are asked for last."""


def write_dates(pages: Sequence[NamedPage], chance: random.Random) -> Iterator[Candidate]:
    """Which of two pages bears the earlier date, and how many days lie between them, in turn."""
    for kind in (Headed, Marked):
        dated = [(page, fact) for page in pages for fact in page.facts if isinstance(fact, kind) and _is_day(fact)]
        yield from _of_dates(_drawn(dated, chance))


def _is_day(fact: Fact) -> bool:
    return not isinstance(fact, Marked) or fact.prop == "published"


def _of_dates(pairs: Iterator[Pair]) -> Iterator[Candidate]:
    for number, ((first, one), (second, other)) in enumerate(pairs):
        assert isinstance(one, Headed | Marked), "dates of pages are compared"
        days = only_date(one.value), only_date(other.value)
        if days[0] is None or days[1] is None or days[0] == days[1]:
            continue
        words, gap = first.wording, abs((days[0] - days[1]).days)
        if number % 2 and gap <= 365:
            question, answers, answer = (
                words.days_between(one, first.place, second.place),
                words.days(gap),
                "worked out",
            )
        else:
            which: Literal["earlier", "later"] = "earlier" if number % 4 < 2 else "later"
            is_first = (days[0] < days[1]) == (which == "earlier")
            fact, day = (one, days[0]) if is_first else (other, days[1])
            question = words.which_date(one, which, first.place, second.place)
            answers, answer = date_forms(fact.value, day), "quoted"
        yield _of_two(((first, one), (second, other)), question, answers, f"dates {answer}")


def write_larger(pages: Sequence[NamedPage], chance: random.Random) -> Iterator[Candidate]:
    """The larger of two quantities with the same unit under the same label."""
    by_label: dict[str, list[tuple[NamedPage, Fact]]] = defaultdict(list)
    for page in pages:
        for fact in page.facts:
            label, (_, unit) = _measured(fact)
            if unit:
                by_label[f"{plain(label)} {unit}"].append((page, fact))
    for stated in by_label.values():
        for (first, one), (second, other) in _drawn(stated, chance):
            (label, (amount, _)), (_, (others, _)) = _measured(one), _measured(other)
            if amount == others:
                continue
            more = one if amount > others else other
            question = first.wording.larger(label, first.place, second.place)
            yield _of_two(((first, one), (second, other)), question, answers_of(more, first.language), "larger quoted")


def _measured(fact: Fact) -> tuple[str, tuple[float, str]]:
    """The label of a quantity, its number and its unit; a unit of "" where a fact is none."""
    match fact:
        case Given(label=label, value=value):
            return label, quantity(value) or (0.0, "")
        case Amount(subject="", unit=unit, value=value) if value.isdigit():
            return unit if unit.endswith("s") else f"{unit}s", (float(value), unit.rstrip("s"))
        case _:
            return "", (0.0, "")


def write_lists(pages: Sequence[NamedPage], chance: random.Random) -> Iterator[Candidate]:
    """The only entry that two lists under the same heading share; else how many entries both have together."""
    by_heading: dict[str, list[tuple[NamedPage, Fact]]] = defaultdict(list)
    for page in pages:
        for fact in page.facts:
            if isinstance(fact, Listed):
                by_heading[plain(fact.heading)].append((page, fact))
    for listed in by_heading.values():
        for (first, one), (second, other) in _drawn(listed, chance):
            assert isinstance(one, Listed), "lists are compared"
            assert isinstance(other, Listed), "lists are compared"
            pair: Pair = ((first, one), (second, other))
            there = {plain(entry) for entry in other.entries}
            shared = [entry for entry in one.entries if plain(entry) in there]
            if len(shared) == 1:
                question = first.wording.shared(one.heading, first.place, second.place)
                yield _of_two(pair, question, (shared[0],), "shared quoted")
            elif not shared:
                count = int(one.value) + int(other.value)
                question = first.wording.together(one.heading, first.place, second.place)
                yield _of_two(pair, question, number_forms(count, first.language), "together worked out")


def write_both(pages: Sequence[NamedPage], chance: random.Random) -> Iterator[Candidate]:
    """Two facts at once, of the same form before others."""
    by_form: dict[str, list[tuple[NamedPage, Fact]]] = defaultdict(list)
    for page in pages:
        for fact in page.facts:
            if is_single(fact):
                by_form[mixed_by(fact)].append((page, fact))
    mixed = [(page, fact) for page in pages for fact in page.facts if is_single(fact)]
    chance.shuffle(mixed)
    by_form["any"] = mixed
    for form, stated in by_form.items():
        for (first, one), (second, other) in _drawn(stated, chance, A_PAGE_MIXED if form == "any" else A_PAGE):
            values = answers_of(one, first.language)[0], answers_of(other, second.language)[0]
            if plain(values[0]) == plain(values[1]) or plain(one.quote) == plain(other.quote):
                continue
            words = first.wording
            question = words.both(words.ask(one, first.place), words.ask(other, second.place))
            joined = tuple(sign.join(values) for sign in JOINED[first.language])
            candidate = _of_two(((first, one), (second, other)), question, joined, "both")
            worked = "worked out" if isinstance(one, Listed) else "quoted"
            yield msgspec.structs.replace(candidate, parts=values, answer=worked)


def _drawn(
    stated: Sequence[tuple[NamedPage, Fact]], chance: random.Random, most: int = A_PAGE
) -> Iterator[tuple[tuple[NamedPage, Fact], tuple[NamedPage, Fact]]]:
    """Pairs of facts of two pages in one language, in an order drawn by lot, each page in a few of them."""
    pairs = [
        (one, other)
        for one, other in combinations(stated[:400], 2)
        if one[0] is not other[0] and one[0].language == other[0].language
    ]
    chance.shuffle(pairs)
    seen: dict[str, int] = defaultdict(int)
    for one, other in pairs[:MOST_PAIRS]:
        if max(seen[one[0].page.key], seen[other[0].page.key]) < most:
            seen[one[0].page.key] += 1
            seen[other[0].page.key] += 1
            yield one, other


def _of_two(pair: Pair, question: str, answers: tuple[str, ...], form: str) -> Candidate:
    (first, one), (second, other) = pair
    return Candidate(
        question=question,
        answers=answers,
        pages=(first.page.key, second.page.key),
        quotes=(one.quote, other.quote),
        language=first.language,
        modality=modality_of(one, other),
        form=form.removesuffix(" quoted").removesuffix(" worked out"),
        answer="worked out" if form.endswith("worked out") else "quoted",
    )
