"""What a page names without the question having to: facts that single out one thing, by which a question goes on to another page."""

from __future__ import annotations

import re
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
    Omitted,
    Placed,
)
from evaluation.building.rules.site_facts import NamedPage
from evaluation.metrics.rates import plain
from memory.url_key import key_of

_PLACES: tuple[Literal["first", "second", "third", "last"], ...] = ("first", "second", "third", "last")
_SENTENCES = re.compile(r"(?<=[^\W\d_)\]”\"»][.!?])\s+(?=[A-ZÀ-Þ„«“])|(?<=[。！？])\s*")
_HAN = re.compile(r"[\u3400-\u9fff]")
FEWEST_SENTENCE_CHARS, MOST_SENTENCE_CHARS = 50, 240
"""Of a sentence that is quoted with an omission; a Chinese character counts for three."""
MOST_OF_ENTRY = 0.6
"""Share of an entry that the label of its link has at least: that of "An Event-B Model (2018)", not a method that a longer entry
mentions beside other things."""


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


def led_to(start: NamedPage, link: Link) -> str:
    """The key of the page that the link with the name of the thing leads to; of an entry of a list, also the link whose label is most
    of it. "" for none or several."""
    wanted = plain(named_by(link))
    found = {key_of(way.url) for way in start.page.ways if plain(way.label) == wanted}
    if not found and isinstance(link, Placed | Dated):
        found = {key_of(way.url) for way in start.page.ways if _is_most_of(plain(way.label), wanted)}
    return str(found.pop()) if len(found) == 1 else ""


def _is_most_of(label: str, entry: str) -> bool:
    return len(label) >= MOST_OF_ENTRY * len(entry) and _stands_in(label, entry)


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
    yield from _omissions(page)


def _omissions(page: NamedPage) -> Iterator[Omitted]:
    """The links within sentences whose label stands once on the page."""
    text = page.page.text
    labels = {way.label for way in page.page.ways if len(way.label) >= 2 and text.count(way.label) == 1}
    for passage in page.page.passages:
        if passage.kind not in ("paragraph", "item") or not any(label in passage.text for label in labels):
            continue
        for sentence in map(str.strip, _SENTENCES.split(passage.text)):
            linked = [label for label in labels if _stands_in(label, sentence)]
            if len(linked) == 1:
                told = sentence.replace(linked[0], "[…]")
                if (
                    FEWEST_SENTENCE_CHARS
                    <= sum(3 if _HAN.match(letter) else 1 for letter in told)
                    <= MOST_SENTENCE_CHARS
                ):
                    yield Omitted(page=page.page.key, value=linked[0], quote=sentence, sentence=told)


def _stands_in(label: str, sentence: str) -> bool:
    """Whether the label stands in the sentence, as whole words if it is ASCII. Most labels do not stand there at all, which is told
    without making an expression for each: of a page with many links these took minutes."""
    if label not in sentence:
        return False
    return not label.isascii() or re.search(rf"(?<!\w){re.escape(label)}(?!\w)", sentence) is not None


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
