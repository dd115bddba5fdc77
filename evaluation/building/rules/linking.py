"""Questions over two pages that speak of the same thing: a fact of one page names what the other is about, or says something of."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice

from evaluation.building.candidate import Candidate
from evaluation.building.facts.fact import (
    Amount,
    Ascribed,
    Cell,
    Dated,
    Default,
    Described,
    Expansion,
    Extreme,
    Fact,
    Given,
    Happened,
    Link,
    Listed,
    Located,
    Meaning,
    Omitted,
    form_of,
)
from evaluation.building.facts.lines import headings_of
from evaluation.building.rules.pointing import led_to, links_of, named_by
from evaluation.building.rules.site_facts import NamedPage, answers_of, is_single, modality_of
from evaluation.grading.match import says
from evaluation.metrics.rates import plain

A_LINK = 2
"""Most questions over one link."""
FEWEST_NAME_CHARS = 3
MOST_PAGES = 6
"""A name of which more pages say something is a word of the site ("Options", "Name"), and no thing."""
Way = tuple[NamedPage, Link]


def write_linked(pages: Sequence[NamedPage], chance: random.Random) -> Iterator[Candidate]:
    """A question for each fact that can be asked of a page by way of another."""
    by_key = {page.page.key: page for page in pages}
    by_name = {plain(page.name): page for page in pages}
    ways = [(page, link) for page in pages for link in links_of(page)]
    chance.shuffle(ways)
    for start, link in ways:
        by_its_name = None if isinstance(link, Omitted) else by_name.get(plain(named_by(link)))
        end = by_its_name or by_key.get(led_to(start, link))
        if end is None or end is start or end.language != start.language:
            continue
        facts = [
            fact for fact in end.facts if is_single(fact) and not isinstance(fact, Expansion | Described | Meaning)
        ]
        chance.shuffle(facts)
        made = (_linked((start, link), end, fact) for fact in facts)
        yield from islice((candidate for candidate in made if candidate is not None), A_LINK)


def write_named(pages: Sequence[NamedPage], chance: random.Random) -> Iterator[Candidate]:
    """A question for each thing that one page singles out, and of which another says something under the same name."""
    said: dict[str, list[tuple[NamedPage, Ascribed]]] = defaultdict(list)
    for page in pages:
        for fact in page.facts:
            if (name := _ascribed_to(fact)) and is_single(fact):
                said[plain(name)].append((page, fact))  # type: ignore[arg-type]
    headings = Counter(head for page in pages for head in set(headings_of(page.page)))
    known = {
        name
        for name, found in said.items()
        if max(headings[name], len({page.page.key for page, _ in found})) <= MOST_PAGES
    }
    ways = [
        (page, link)
        for page in pages
        for link in links_of(page)
        if (name := plain(named_by(link))) in known and len(name) >= FEWEST_NAME_CHARS
    ]
    chance.shuffle(ways)
    for way in ways:
        name = named_by(way[1])
        found = [
            one for one in said[plain(name)] if one[0] is not way[0] and _is_written_alike(_ascribed_to(one[1]), name)
        ]
        chance.shuffle(found)
        made = (_of_the_same_name(way, end, fact) for end, fact in found if end.language == way[0].language)
        yield from islice((candidate for candidate in made if candidate is not None), A_LINK)


def _ascribed_to(fact: Fact) -> str:
    """The name of the thing of which something is said, "" where that is the page itself."""
    match fact:
        case Cell(row=name) | Default(option=name) | Dated(entry=name) | Meaning(term=name):
            return name
        case Expansion(short=name) | Listed(heading=name):
            return name
        case Happened(subject=name) | Amount(subject=name) | Located(subject=name):
            return name
        case _:
            return ""


def _is_written_alike(one: str, other: str) -> bool:
    """Whether two names are one but for the case of their first letters: the option TOS is not the file tos."""
    return one[:1].casefold() == other[:1].casefold() and one[1:].strip(".:： ") == other[1:].strip(".:： ")


def _linked(way: Way, end: NamedPage, fact: Fact) -> Candidate | None:
    start, link = way
    words = start.wording
    if _says_it_all(start, end, fact):
        return None
    if (
        isinstance(fact, Happened | Amount | Located)
        and isinstance(link, Given)
        and plain(fact.subject) == plain(link.value)
    ):
        question = words.ask_about(fact, words.thing_of(link, start.place))
    else:
        question = words.ask(fact, words.page_of(link, start.place))
    if says(question, end.name):
        return None  # the link would not be needed
    return _candidate(way, end, fact, question, "linked")


def _of_the_same_name(way: Way, end: NamedPage, fact: Ascribed) -> Candidate | None:
    start, link = way
    if _says_it_all(start, end, fact) or not _needs_its_name(end, fact):
        return None
    words = start.wording
    question = words.ask_same(words.thing_of(link, start.place), fact, end.place)
    return None if says(question, named_by(link)) else _candidate(way, end, fact, question, "named")


def _says_it_all(start: NamedPage, end: NamedPage, fact: Fact) -> bool:
    """Whether the first page alone would be enough."""
    worked_out = isinstance(fact, Listed | Extreme)
    return not worked_out and any(says(start.page.text, answer) for answer in answers_of(fact, end.language))


def _needs_its_name(end: NamedPage, fact: Ascribed) -> bool:
    """Whether the page says other things of others in the same way, so that one has to know which is meant."""
    column = fact.column if isinstance(fact, Cell) else ""
    alike = Counter(
        plain(one.value)
        for one in end.facts
        if form_of(one) == form_of(fact) and (not isinstance(one, Cell) or one.column == column)
    )
    return len(alike) > 1


def _candidate(way: Way, end: NamedPage, fact: Fact, question: str, form: str) -> Candidate:
    start, link = way
    return Candidate(
        question=question,
        answers=answers_of(fact, end.language),
        pages=(start.page.key, end.page.key),
        quotes=(link.quote, fact.quote),
        language=end.language,
        modality=modality_of(link, fact),
        form=f"{form} {form_of(link)} {form_of(fact)}",
        answer="worked out" if isinstance(fact, Listed | Extreme) else "quoted",
    )
