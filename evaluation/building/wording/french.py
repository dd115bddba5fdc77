"""Questions in French."""

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
    "author": "Qui est nommé comme auteur sur {} ?",
    "published": "Quelle date de publication est indiquée sur {} ?",
    "location": "Quel lieu est indiqué sur {} ?",
    "starts": "Quel jour commence l’événement présenté sur {} ?",
    "price": "Quel prix est indiqué sur {} ?",
    "founded": "Quelle date de fondation est indiquée sur {} ?",
}
_ARTICLE = re.compile(r"^(Le |La |Les |L[’'])")
_VOWEL = re.compile(r"^[aeiouyàâéèêëîïôöûühAEIOUYÀÂÉÈÊÎÔÛH]")
_PLACES = {"first": "première", "second": "deuxième", "third": "troisième", "last": "dernière"}


class French:
    """Implements `Wording`."""

    def page(self, name: str) -> str:
        return f"la page « {name} »"

    def page_of(self, link: Link, place: str) -> str:
        match link:
            case Omitted(sentence=said):
                return f"la page vers laquelle mènent les mots omis dans « {said} » sur {place}"
            case Given() | Entered():
                return f"la page consacrée à {self.thing_of(link, place)}"
            case Described(description=said) | Meaning(value=said):
                return f"la page de l’entrée décrite sur {place} par « {said} »"
            case Dated(value=day):
                return f"la page de l’entrée pour laquelle {place} indique la date « {day} »"
            case _:
                return f"la page de {self.thing_of(link, place)}"

    def thing_of(self, link: Link, place: str) -> str:
        match link:
            case Given(label=label):
                return f"ce que {place} indique sous « {label} »"
            case Entered(row=row, column=column):
                return f"ce que dit la colonne « {column} » pour « {row} » dans le tableau sur {place}"
            case Cell(column=column, value=value):
                return f"la ligne qui a « {value} » dans la colonne « {column} » du tableau sur {place}"
            case Described(description=said) | Meaning(value=said):
                return f"l’entrée décrite sur {place} par « {said} »"
            case Placed(heading=heading, place=which):
                return f"la {_PLACES[which]} entrée de la liste sous « {heading} » sur {place}"
            case Dated(value=day):
                return f"l’entrée pour laquelle {place} indique la date « {day} »"
            case Omitted(sentence=said):
                return f"les mots omis dans « {said} » sur {place}"
            case Extreme(column=column, which=which):
                most = "élevée" if which == "highest" else "basse"
                return f"la ligne qui a la valeur la plus {most} dans la colonne « {column} » du tableau sur {place}"

    def ask_same(self, thing: str, fact: Ascribed, place: str) -> str:
        match fact:
            case Cell(column=column):
                asked = f"Dans le tableau sur {place}, que dit la colonne « {column} » pour la ligne de ce nom ?"
            case Dated():
                asked = f"Quelle date est indiquée sur {place} pour l’entrée de ce nom ?"
            case Listed():
                asked = f"Combien d’entrées compte la liste sous le titre de ce nom sur {place} ?"
            case Default():
                asked = f"Selon {place}, quelle est la valeur par défaut de l’option de ce nom ?"
            case Expansion():
                asked = f"Que signifie le sigle de ce nom sur {place} ?"
            case Meaning():
                asked = f"Comment le terme de ce nom est-il expliqué sur {place} ?"
            case Happened() | Amount() | Located():
                told = self.ask_about(fact, "ce qui porte ce nom")
                asked = f"Selon {place}, {told[0].lower()}{told[1:]}"
        return f"Trouvez {thing}. {asked}"

    def ask(self, fact: Fact, place: str) -> str:
        match fact:
            case Cell(row=row, column=column):
                return f"Dans le tableau sur {place}, que dit la colonne « {column} » pour « {row} » ?"
            case Given(label=label):
                return f"Qu’est-ce qui est indiqué sous « {label} » sur {place} ?"
            case Dated(entry=entry):
                return f"Quelle date est indiquée sur {place} pour « {entry} » ?"
            case Headed():
                return f"Quelle date figure sous le titre sur {place} ?"
            case Hours():
                return f"Quel horaire, de quelle heure à quelle heure, est indiqué sur {place} ?"
            case Listed(heading=heading):
                return f"Combien d’entrées compte la liste sous « {heading} » sur {place} ?"
            case Placed(heading=heading, place=which):
                return f"Quelle est la {_PLACES[which]} entrée de la liste sous « {heading} » sur {place} ?"
            case Extreme(column=column, which=which):
                most = "élevée" if which == "highest" else "basse"
                return f"Dans le tableau sur {place}, quelle ligne a la valeur la plus {most} dans la colonne « {column} » ?"
            case Marked(prop=prop):
                return _MARKED[prop].format(place)
            case _:
                return self._ask_on(fact, place)

    def _ask_on(self, fact: Textual, place: str) -> str:
        match fact:
            case Default(option=option):
                return f"Selon {place}, quelle est la valeur par défaut de « {option} » ?"
            case Expansion(short=short):
                return f"Que signifie le sigle « {short} » sur {place} ?"
            case Described(description=description):
                return f"Quelle entrée est décrite sur {place} par les mots « {description} » ?"
            case Meaning(term=term):
                return f"Comment « {term} » est-il expliqué sur {place} ?"
            case Amount(subject="", unit=unit):
                return f"Combien {_of(unit)} sont indiqués sur {place} ?"
            case Happened() | Amount() | Located():
                asked = self.ask_about(fact, _ARTICLE.sub(lambda match: match[1].lower(), fact.subject))
                return f"Selon {place}, {asked[0].lower()}{asked[1:]}"

    def ask_about(self, fact: Textual, subject: str) -> str:
        match fact:
            case Happened(verb=verb, auxiliary=auxiliary):
                return f"En quelle année {auxiliary} {verb} {subject} ?"
            case Amount(verb=verb, unit=unit):
                return f"Combien {_of(unit)} {verb} {subject} ?"
            case Located(verb=verb):
                return f"Où {verb} {subject} ?"
            case _:
                raise ValueError(f"{type(fact).__name__} has no subject")

    def both(self, first: str, second: str) -> str:
        return f"{first.rstrip('? ')}, et {second[0].lower()}{second[1:]}"

    def which_date(self, dated: Day, which: Literal["earlier", "later"], first: str, second: str) -> str:
        if isinstance(dated, Marked):
            when = "la première" if which == "earlier" else "la dernière"
            return f"Laquelle a été publiée {when}, {first} ou {second}, et à quelle date ?"
        more = "antérieure" if which == "earlier" else "postérieure"
        return f"Laquelle porte sous son titre la date {more}, {first} ou {second}, et quelle est cette date ?"

    def days_between(self, dated: Day, first: str, second: str) -> str:
        if isinstance(dated, Marked):
            return f"Combien de jours séparent la publication de {first} et celle de {second} ?"
        return f"Combien de jours séparent les dates qui figurent sous les titres sur {first} et sur {second} ?"

    def days(self, count: int) -> tuple[str, ...]:
        return (f"{count} jours", str(count)) if count != 1 else ("1 jour", "1", "un jour")

    def larger(self, label: str, first: str, second: str) -> str:
        return f"Laquelle indique la plus grande valeur sous « {label} », {first} ou {second}, et quelle est-elle ?"

    def together(self, heading: str, first: str, second: str) -> str:
        return f"Combien d’entrées comptent ensemble les listes sous « {heading} » sur {first} et sur {second} ?"

    def shared(self, heading: str, first: str, second: str) -> str:
        return f"Quelle entrée figure dans la liste sous « {heading} » à la fois sur {first} et sur {second} ?"


def _of(unit: str) -> str:
    return f"d’{unit}" if _VOWEL.match(unit) else f"de {unit}"
