"""What a page names without the question having to: facts that single out one thing, by which a question goes on to another page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal

from evaluation.building.facts.fact import (
    Cell,
    Dated,
    Described,
    Entered,
    Extreme,
    Given,
    Link,
    Listed,
    Meaning,
    Placed,
)
from evaluation.building.rules.site_facts import NamedPage
from evaluation.metrics.rates import plain
from memory.url_key import key_of

_PLACES: tuple[Literal["first", "second", "third", "last"], ...] = ("first", "second", "third", "last")
FEWEST_LABEL_CHARS = 8
"""Of a link's label that is taken for that of an entry in whose words it stands."""


def links_of(page: NamedPage) -> Iterator[Link]:
    """The facts of a page that single out one thing each."""
    told = Counter(_told_by(link) for link in _links(page))
    yield from (link for link in _links(page) if told[_told_by(link)] == 1 and _leads_to_one(page, link))


def named_by(link: Link) -> str:
    """The name of the thing that a link is about."""
    match link:
        case Cell(row=row):
            return row
        case Meaning(term=term):
            return term
        case Dated(entry=entry):
            return entry
        case _:
            return link.value


def led_to(start: NamedPage, name: str) -> str:
    """The key of the page that the link with this label leads to, or the only one whose label stands in the name; "" for none or
    several."""
    wanted = plain(name)
    by_label = {plain(way.label): key_of(way.url) for way in start.page.ways if way.label}
    found = {key_of(way.url) for way in start.page.ways if plain(way.label) == wanted}
    found = found or {key for label, key in by_label.items() if len(label) >= FEWEST_LABEL_CHARS and label in wanted}
    return str(found.pop()) if len(found) == 1 else ""


def _links(page: NamedPage) -> Iterator[Link]:
    for fact in page.facts:
        match fact:
            case Cell(row=row, column=column):
                yield fact
                yield Entered(page=fact.page, value=fact.value, quote=fact.quote, row=row, column=column)
            case Given() | Described() | Meaning() | Dated() | Extreme():
                yield fact
            case Listed(entries=entries, heading=heading):
                last = len(_PLACES) - 1
                for number, place in enumerate(_PLACES):
                    if number < min(len(entries), last) or (number == last < len(entries)):
                        entry = entries[-1 if number == last else number]
                        yield Placed(page=fact.page, value=entry, quote=fact.quote, heading=heading, place=place)
            case _:
                pass


def _told_by(link: Link) -> tuple[str, ...]:
    """What a question says of the thing."""
    match link:
        case Cell(column=column, value=value):
            return "cell", plain(column), plain(value)
        case Meaning(value=value):
            return "described", plain(value)
        case Dated(value=value):
            return "dated", plain(value)
        case _:
            return tuple(map(plain, link.asked))


def _leads_to_one(start: NamedPage, link: Link) -> bool:
    """Whether the value of a cell stands in one row of the page only, and a date beside one entry."""
    if isinstance(link, Dated):
        return sum(plain(link.value) in plain(line) for line in start.page.lines) == 1
    if not isinstance(link, Cell):
        return True
    fields = (field for found in start.page.record_sets for record in found.records for field in record.fields)
    return sum(field.name == link.column and plain(field.value) == plain(link.value) for field in fields) == 1
