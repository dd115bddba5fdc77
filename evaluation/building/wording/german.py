"""Questions in German. A place is in the dative: "der Seite", since most prepositions of place ask for it."""

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
    "author": "Wer ist auf {} als Autor genannt?",
    "published": "Welches Datum der Veröffentlichung ist auf {} angegeben?",
    "location": "Welcher Ort ist auf {} angegeben?",
    "starts": "An welchem Tag beginnt die Veranstaltung, von der auf {} die Rede ist?",
    "price": "Welcher Preis ist auf {} angegeben?",
    "founded": "Welches Datum der Gründung ist auf {} angegeben?",
}
_ARTICLE = re.compile(r"^(Der|Die|Das|Ein|Eine) ")
_PLACES = {"first": "ersten", "second": "zweiten", "third": "dritten", "last": "letzten"}


class German:
    """Implements `Wording`."""

    def page(self, name: str) -> str:
        return f"der Seite „{name}“"

    def page_of(self, link: Link, place: str) -> str:
        match link:
            case Omitted(sentence=said):
                return f"der Seite, zu der die Wörter führen, die auf {place} an der Stelle der Auslassung in „{said}“ stehen,"
            case Given(label=label):
                return f"der Seite über das, was auf {place} unter „{label}“ steht,"
            case Entered(row=row, column=column):
                return f"der Seite über das, was in der Tabelle auf {place} bei „{row}“ in der Spalte „{column}“ steht,"
            case Cell(column=column, value=value):
                return (
                    f"der Seite zu der Tabellenzeile, die auf {place} in der Spalte „{column}“ den Wert „{value}“ hat,"
                )
            case Described(description=said) | Meaning(value=said):
                return f"der Seite zu dem Eintrag, der auf {place} mit „{said}“ beschrieben wird,"
            case Placed(heading=heading, place=which):
                return f"der Seite zum {_PLACES[which]} Eintrag der Liste unter „{heading}“ auf {place}"
            case Dated(value=day):
                return f"der Seite zu dem Eintrag, für den auf {place} das Datum „{day}“ angegeben ist,"
            case Extreme(column=column, which=which):
                most = "höchsten" if which == "highest" else "niedrigsten"
                return f"der Seite zu der Tabellenzeile, die auf {place} den {most} Wert in der Spalte „{column}“ hat,"

    def thing_of(self, link: Link, place: str) -> str:
        match link:
            case Given(label=label):
                return f"das, was auf {place} unter „{label}“ steht,"
            case Entered(row=row, column=column):
                return f"das, was in der Tabelle auf {place} bei „{row}“ in der Spalte „{column}“ steht,"
            case Cell(column=column, value=value):
                return f"die Tabellenzeile, die auf {place} in der Spalte „{column}“ den Wert „{value}“ hat,"
            case Described(description=said) | Meaning(value=said):
                return f"der Eintrag, der auf {place} mit „{said}“ beschrieben wird,"
            case Placed(heading=heading, place=which):
                return f"der {_PLACES[which][:-1]} Eintrag der Liste unter „{heading}“ auf {place}"
            case Dated(value=day):
                return f"der Eintrag, für den auf {place} das Datum „{day}“ angegeben ist,"
            case Omitted(sentence=said):
                return f"das, was auf {place} an der Stelle der Auslassung in „{said}“ steht,"
            case Extreme(column=column, which=which):
                most = "höchsten" if which == "highest" else "niedrigsten"
                return f"die Tabellenzeile, die auf {place} den {most} Wert in der Spalte „{column}“ hat,"

    def ask_same(self, thing: str, fact: Ascribed, place: str) -> str:
        match fact:
            case Cell(column=column):
                asked = f"Was steht in der Tabelle auf {place} in der Zeile dieses Namens in der Spalte „{column}“?"
            case Dated():
                asked = f"Welches Datum ist auf {place} für den Eintrag dieses Namens angegeben?"
            case Listed():
                asked = f"Wie viele Einträge hat auf {place} die Liste unter der Überschrift dieses Namens?"
            case Default():
                asked = f"Welchen Standardwert hat die Option dieses Namens laut {place}?"
            case Expansion():
                asked = f"Wofür steht die Abkürzung dieses Namens auf {place}?"
            case Meaning():
                asked = f"Wie wird der Begriff dieses Namens auf {place} erklärt?"
            case Happened() | Amount() | Located():
                asked = f"{self.ask_about(fact, 'was diesen Namen trägt,').rstrip('?')} nach {place}?"
        return f"Gemeint ist {thing.rstrip(',')}. {asked}"

    def ask(self, fact: Fact, place: str) -> str:
        match fact:
            case Cell(row=row, column=column):
                return f"Was steht in der Tabelle auf {place} bei „{row}“ in der Spalte „{column}“?"
            case Given(label=label):
                return f"Was ist auf {place} unter „{label}“ angegeben?"
            case Dated(entry=entry):
                return f"Welches Datum ist auf {place} für „{entry}“ angegeben?"
            case Headed():
                return f"Welches Datum steht auf {place} direkt unter dem Titel?"
            case Hours():
                return f"Welche Uhrzeit, von wann bis wann, ist auf {place} angegeben?"
            case Listed(heading=heading):
                return f"Wie viele Einträge hat auf {place} die Liste unter „{heading}“?"
            case Placed(heading=heading, place=which):
                return f"Wie lautet auf {place} der {_PLACES[which][:-1]} Eintrag der Liste unter „{heading}“?"
            case Extreme(column=column, which=which):
                most = "höchsten" if which == "highest" else "niedrigsten"
                return f"Welche Zeile der Tabelle auf {place} hat den {most} Wert in der Spalte „{column}“?"
            case Marked(prop=prop):
                return _MARKED[prop].format(place)
            case _:
                return self._ask_on(fact, place)

    def _ask_on(self, fact: Textual, place: str) -> str:
        match fact:
            case Default(option=option):
                return f"Welchen Standardwert hat „{option}“ laut {place}?"
            case Expansion(short=short):
                return f"Wofür steht die Abkürzung „{short}“ auf {place}?"
            case Described(description=description):
                return f"Welcher Eintrag wird auf {place} mit den Worten „{description}“ beschrieben?"
            case Meaning(term=term):
                return f"Wie wird „{term}“ auf {place} erklärt?"
            case Amount(subject="", unit=unit):
                return f"Wie viele {unit} sind auf {place} angegeben?"
            case Happened() | Amount() | Located():
                asked = self.ask_about(fact, _ARTICLE.sub(lambda match: f"{match[1].lower()} ", fact.subject))
                return f"{asked.rstrip('?')}, wie auf {place} steht?"

    def ask_about(self, fact: Textual, subject: str) -> str:
        match fact:
            case Happened(verb=verb, auxiliary=auxiliary):
                return f"In welchem Jahr {auxiliary} {subject} {verb}?"
            case Amount(verb=verb, unit=unit):
                return f"Wie viele {unit} {verb} {subject}?"
            case Located(verb=verb):
                return f"Wo {verb} {subject} statt?"
            case _:
                raise ValueError(f"{type(fact).__name__} has no subject")

    def both(self, first: str, second: str) -> str:
        return f"{first.rstrip('?')}, und {second[0].lower()}{second[1:]}"

    def which_date(self, dated: Day, which: Literal["earlier", "later"], first: str, second: str) -> str:
        more = "frühere" if which == "earlier" else "spätere"
        if isinstance(dated, Marked):
            return f"Wo ist das {more} Datum der Veröffentlichung angegeben, auf {first} oder auf {second}, und wie lautet es?"
        return f"Auf welcher von beiden steht unter dem Titel das {more} Datum, auf {first} oder auf {second}, und wie lautet es?"

    def days_between(self, dated: Day, first: str, second: str) -> str:
        if isinstance(dated, Marked):
            return f"Wie viele Tage liegen zwischen den Daten der Veröffentlichung, die auf {first} und auf {second} angegeben sind?"
        return f"Wie viele Tage liegen zwischen den Daten, die auf {first} und auf {second} unter dem Titel stehen?"

    def days(self, count: int) -> tuple[str, ...]:
        return (f"{count} Tage", str(count)) if count != 1 else ("1 Tag", "1", "ein Tag")

    def larger(self, label: str, first: str, second: str) -> str:
        return f"Wo ist unter „{label}“ der größere Wert angegeben, auf {first} oder auf {second}, und wie lautet er?"

    def together(self, heading: str, first: str, second: str) -> str:
        return f"Wie viele Einträge haben die Listen unter „{heading}“ auf {first} und auf {second} zusammen?"

    def shared(self, heading: str, first: str, second: str) -> str:
        return f"Welcher Eintrag steht sowohl auf {first} als auch auf {second} in der Liste unter „{heading}“?"
