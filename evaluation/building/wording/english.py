"""Questions in English."""

from __future__ import annotations

import re
from typing import Literal

from evaluation.building.facts.fact import (
    Amount,
    Ascribed,
    Cell,
    Dated,
    Day,
    Default,
    Described,
    Entered,
    Expansion,
    Extreme,
    Fact,
    Given,
    Happened,
    Headed,
    Hours,
    Link,
    Listed,
    Located,
    Marked,
    Meaning,
    Omitted,
    Placed,
    Textual,
)

_MARKED = {
    "author": "Who is named as the author on {}?",
    "published": "On which date was {} published?",
    "location": "Which location does {} name?",
    "starts": "On which date does the event on {} begin?",
    "price": "Which price does {} give?",
    "founded": "When was what {} is about founded?",
}
_ARTICLE = re.compile(r"^(The|A|An) ")
_PLACES = {"first": "first", "second": "second", "third": "third", "last": "last"}


class English:
    """Implements `Wording`."""

    def page(self, name: str) -> str:
        return f"the page “{name}”"

    def page_of(self, link: Link, place: str) -> str:
        match link:
            case Omitted(sentence=said):
                return f"the page to which the words lead that are left out of “{said}” on {place}"
            case Given() | Entered():
                return f"the page about {self.thing_of(link, place)}"
            case _:
                return f"the page of {self.thing_of(link, place)}"

    def thing_of(self, link: Link, place: str) -> str:
        match link:
            case Given(label=label):
                return f"what {place} gives as “{label}”"
            case Cell(column=column, value=value):
                return f"the row that has “{value}” in the column “{column}” of the table on {place}"
            case Entered(row=row, column=column):
                return f"what the table on {place} says in the column “{column}” for “{row}”"
            case Described(description=said) | Meaning(value=said):
                return f"the entry that is described on {place} as “{said}”"
            case Placed(heading=heading, place=which):
                return f"the {_PLACES[which]} entry in the list under “{heading}” on {place}"
            case Dated(value=day):
                return f"the entry to which {place} gives the date “{day}”"
            case Omitted(sentence=said):
                return f"the words that are left out of “{said}” on {place}"
            case Extreme(column=column, which=which):
                return f"the row with the {which} value in the column “{column}” of the table on {place}"

    def ask_same(self, thing: str, fact: Ascribed, place: str) -> str:
        match fact:
            case Cell(column=column):
                asked = f"In the table on {place}, what does the column “{column}” say for the row of that name?"
            case Dated():
                asked = f"Which date does {place} give for the entry of that name?"
            case Listed():
                asked = f"How many entries does the list under the heading of that name on {place} have?"
            case Default():
                asked = f"According to {place}, what is the default value of the option of that name?"
            case Expansion():
                asked = f"What does the abbreviation of that name stand for on {place}?"
            case Meaning():
                asked = f"How does {place} explain the term of that name?"
            case Happened() | Amount() | Located():
                told = self.ask_about(fact, "it")
                asked = f"According to {place}, {told[0].lower()}{told[1:]}"
        return f"Find {thing}. {asked}"

    def ask(self, fact: Fact, place: str) -> str:
        match fact:
            case Cell(row=row, column=column):
                return f"In the table on {place}, what does the column “{column}” say for “{row}”?"
            case Given(label=label):
                return f"What does {place} give as “{label}”?"
            case Dated(entry=entry):
                return f"Which date does {place} give for “{entry}”?"
            case Headed():
                return f"Which date stands below the title of {place}?"
            case Hours():
                return f"Which time, from when to when, is given on {place}?"
            case Listed(heading=heading):
                return f"How many entries does the list under “{heading}” on {place} have?"
            case Placed(heading=heading, place=which):
                return f"Which is the {_PLACES[which]} entry in the list under “{heading}” on {place}?"
            case Extreme(column=column, which=which):
                return f"In the table on {place}, which row has the {which} value in the column “{column}”?"
            case Marked(prop=prop):
                return _MARKED[prop].format(place)
            case _:
                return self._ask_on(fact, place)

    def _ask_on(self, fact: Textual, place: str) -> str:
        match fact:
            case Default(option=option):
                return f"According to {place}, what is the default value of “{option}”?"
            case Expansion(short=short):
                return f"What does the abbreviation “{short}” stand for on {place}?"
            case Described(description=description):
                return f"Which entry on {place} is described with the words “{description}”?"
            case Meaning(term=term):
                return f"How does {place} explain “{term}”?"
            case Amount(subject="", unit=unit):
                many = "How much" if unit == "memory" else "How many"
                return f"{many} {_plural(unit)} are given on {place}?"
            case Happened() | Amount() | Located():
                asked = self.ask_about(fact, _ARTICLE.sub(lambda match: f"{match[1].lower()} ", fact.subject))
                return f"According to {place}, {asked[0].lower()}{asked[1:]}"

    def ask_about(self, fact: Textual, subject: str) -> str:
        match fact:
            case Happened(verb=verb, auxiliary=auxiliary):
                return f"In which year {auxiliary} {subject} {verb}?"
            case Amount(verb=verb, unit=unit):
                return f"How many {unit} does {subject} {verb}?"
            case Located(verb=verb):
                return f"Where {verb.format(np=subject)}?"
            case _:
                raise ValueError(f"{type(fact).__name__} has no subject")

    def both(self, first: str, second: str) -> str:
        return f"{first.rstrip('?')}, and {second[0].lower()}{second[1:]}"

    def which_date(self, dated: Day, which: Literal["earlier", "later"], first: str, second: str) -> str:
        if isinstance(dated, Marked):
            return f"Which was published {which}, {first} or {second}, and on which date?"
        return f"Which bears the {which} date below its title, {first} or {second}, and which date is it?"

    def days_between(self, dated: Day, first: str, second: str) -> str:
        if isinstance(dated, Marked):
            return f"How many days lie between the publication of {first} and that of {second}?"
        return f"How many days lie between the dates below the titles of {first} and {second}?"

    def days(self, count: int) -> tuple[str, ...]:
        return (f"{count} days", str(count)) if count != 1 else ("1 day", "1", "one")

    def larger(self, label: str, first: str, second: str) -> str:
        return f"Which gives the larger figure as “{label}”, {first} or {second}, and what is it?"

    def together(self, heading: str, first: str, second: str) -> str:
        return f"How many entries do the lists under “{heading}” on {first} and on {second} have together?"

    def shared(self, heading: str, first: str, second: str) -> str:
        return f"Which entry is in the list under “{heading}” both on {first} and on {second}?"


def _plural(unit: str) -> str:
    return unit if unit.endswith("s") else f"{unit}s"
