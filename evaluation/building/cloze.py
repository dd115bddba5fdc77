"""Template questions, made without a model from facts in tables, definition lists and dated entries."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations

from evaluation.building.candidate import Candidate
from evaluation.building.facts import Fact, facts_of
from evaluation.building.tree import HarvestedPage, SiteTree
from evaluation.dataset.question import Modality
from evaluation.metrics.rates import plain

A_PAGE, A_PAIR = 6, 2
"""Most questions of one page, and of a pair of pages."""
MOST_PAIRS = 4000


def write_single(tree: SiteTree, *, seed: int = 0) -> Iterator[Candidate]:
    """Single-page questions of every page but the root, round-robin over pages."""
    chance = random.Random(seed)  # noqa: S311 - a sample, no secret
    for page in tree.pages:
        if page is tree.root:
            continue
        facts = list(facts_of(page))
        chance.shuffle(facts)
        yield from (_single(page, fact) for fact in facts[:A_PAGE])


def write_multi(tree: SiteTree, *, seed: int = 0) -> Iterator[Candidate]:
    """Two-page questions: comparisons where both pages state the same quantity, then two facts at once."""
    chance = random.Random(seed)  # noqa: S311 - as above
    facts = {page.key: facts_of(page) for page in tree.pages if page is not tree.root}
    pairs = list(combinations([key for key, known in facts.items() if known], 2))
    chance.shuffle(pairs)
    shown = [(first, second) for one, other in pairs if (first := tree.page(one)) and (second := tree.page(other))]
    for first, second in shown:
        made = (_compared(first, second, pair) for pair in _comparable(facts[first.key], facts[second.key]))
        yield from [candidate for candidate in made if candidate is not None][:A_PAIR]
    for first, second in shown[:MOST_PAIRS]:
        if _language(first) == _language(second):
            yield _both(first, second, chance.choice(facts[first.key]), chance.choice(facts[second.key]))


def _single(page: HarvestedPage, fact: Fact) -> Candidate:
    return Candidate(
        question=_asked(page, fact) + ("？" if _language(page) == "zh" else "?"),
        answers=(fact.value,),
        pages=(page.key,),
        quotes=(fact.quote,),
        language=_language(page),
        modality=_modality(fact),
    )


def _asked(page: HarvestedPage, fact: Fact) -> str:
    """The question without a question mark."""
    title = _title(page)
    if _language(page) == "zh":
        wanted = {"cell": f"“{fact.subject}”的“{fact.attribute}”", "definition": f"“{fact.subject}”"}.get(
            fact.kind, f"“{fact.subject}”的日期"
        )
        return f"根据“{title}”页面，{wanted}是什么"
    match fact.kind:
        case "cell":
            return f"According to the page “{title}”, what is given as “{fact.attribute}” for “{fact.subject}”"
        case "definition":
            return f"According to the page “{title}”, what is given for “{fact.subject}”"
        case _:
            return f"According to the page “{title}”, what is the date of “{fact.subject}”"


def _both(first: HarvestedPage, second: HarvestedPage, one: Fact, other: Fact) -> Candidate:
    chinese = _language(first) == "zh"
    asked = [_asked(first, one), _asked(second, other)]
    joined = f"{asked[0]}；{asked[1]}？" if chinese else f"{asked[0]}, and {asked[1][0].lower()}{asked[1][1:]}?"
    values = (one.value, other.value)
    return Candidate(
        question=joined,
        answers=(f"{values[0]}；{values[1]}",) if chinese else (f"{values[0]}; {values[1]}", " and ".join(values)),
        pages=(first.key, second.key),
        quotes=(one.quote, other.quote),
        language=_language(first),
        modality="table" if "table" in (_modality(one), _modality(other)) else "text",
        parts=values,
    )


def _comparable(first: Sequence[Fact], second: Sequence[Fact]) -> Iterator[tuple[Fact, Fact]]:
    """Pairs of definitions of the same quantity in the same unit."""
    known = {plain(fact.subject): fact for fact in second if fact.kind == "definition" and fact.quantity}
    for one in first:
        other = known.get(plain(one.subject)) if one.kind == "definition" and one.quantity else None
        if other is not None and one.quantity and other.quantity:
            (amount, unit), (others, other_unit) = one.quantity, other.quantity
            if unit and unit == other_unit and amount != others:  # a number without a unit may be a room or a year
                yield one, other


def _compared(first: HarvestedPage, second: HarvestedPage, pair: tuple[Fact, Fact]) -> Candidate | None:
    titles = _title(first), _title(second)
    if _language(first) != _language(second) or titles[0] == titles[1]:
        return None
    one, other = pair
    assert one.quantity is not None, "only quantities are compared"
    assert other.quantity is not None, "only quantities are compared"
    more = one.quantity[0] > other.quantity[0]
    if _language(first) == "zh":
        question = f"“{one.subject}”在“{titles[0]}”和“{titles[1]}”中哪个更大，其数值是多少？"
    else:
        question = f"Which gives the larger figure for “{one.subject}”, “{titles[0]}” or “{titles[1]}”, and what is it?"
    return Candidate(
        question=question,
        answers=(pair[0 if more else 1].value,),
        pages=(first.key, second.key),
        quotes=(one.quote, other.quote),
        language=_language(first),
        modality=_modality(one),
    )


def _title(page: HarvestedPage) -> str:
    """The page's title without the name of the site."""
    for mark in (" — ", " – ", " | ", " · ", " - "):
        head, found, _ = page.title.partition(mark)
        if found and len(head) >= 2:
            return head.strip()
    return page.title or page.label


def _language(page: HarvestedPage) -> str:
    return "zh" if page.language == "zh" else "en"


def _modality(fact: Fact) -> Modality:
    return "table" if fact.kind == "cell" or " | " in fact.quote else "text"
