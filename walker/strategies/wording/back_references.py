"""Says again what the second of two questions only points back to, by what the first one names: "that class", "its part", "wer leitet
ihn", "quand a-t-il fermé", "cuántos socios tiene su club"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from memory.words import lazy_re

LONGEST = 8
"""Most words of a thing that is said again."""
_Gender = Literal["m", "f", ""]


class _Thing(NamedTuple):
    """A thing that a question names: its article's gender ("" for either) and its words without the article."""

    gender: _Gender
    noun: str


_DEMONSTRATIVE = lazy_re.compile(r"\b(?:that|this|these|those|the same|said)\s+(?P<noun>[a-z][\w-]+)\b", re.IGNORECASE)
_NO_NOUN = frozenset("is was are were has had did does do can may will of in on at which who".split())
_GERMAN_THING = lazy_re.compile(
    r"(?P<before>\b[\w-]+\s)?\b(?P<article>der|die|das|dem|den|des|ein(?:e[rnms]?)?|beim|vom|zum|zur|im|am|ins)\s"
    r"(?P<noun>(?:(?!(?:d|k?ein|jed|dies|welch)e[rnms]?\b)(?-i:[a-zäöüß])[\w-]*(?:e|en|er|em)\s){0,2}?(?-i:[A-ZÄÖÜ])[\w-]+(?:\s(?:(?:der|des|von|vom)\s)?(?-i:[A-ZÄÖÜ0-9])[\w-]*)*)",
    re.IGNORECASE,
)
_GERMAN_BACK = lazy_re.compile(
    r"\b(?:(?P<own>sein(?:e[rnms]?)?|ihr(?:e[rnms]?)?)\s(?P<owned>(?:[a-zäöüß][\w-]*\s)?(?-i:[A-ZÄÖÜ])[\w-]+)"
    r"|(?P<m>er|ihn|ihm)|(?P<f>sie|ihr)|(?P<n>es))\b",
    re.IGNORECASE,
)
_GERMAN_GENDER: Mapping[str, _Gender] = {
    **dict.fromkeys(("den", "dem", "des", "beim", "vom", "zum", "im", "am", "einen", "einem", "eines", "ein"), "m"),
    **dict.fromkeys(("die", "zur", "eine", "einer"), "f"),
    "das": "m",
    "ins": "m",
}
_PREPOSITION_BEFORE = lazy_re.compile(r"(?:in|an|auf|bei|mit|von|zu|aus|nach|seit|vor|für|unter|über)\s", re.IGNORECASE)
_ROMANCE_BACK = {
    "fr": lazy_re.compile(
        r"(?P<inverted>-(?:t-)?)(?P<pronoun>ils?|elles?)\b"
        r"|\b(?P<own>son|sa|ses|leurs?)\s(?P<owned>(?:(?:derni(?:er|ère)|premi(?:er|ère)|nouveau|nouvelle|ancienne|ancien|petite?|grande?|propre)\s)?[\w'’-]+)"
        r"|\b(?P<plain>il|elle)\b",
        re.IGNORECASE,
    ),
    "es": lazy_re.compile(r"\b(?P<own>sus?)\s(?P<owned>[\w-]+)|\b(?P<plain>él|ella)\b", re.IGNORECASE),
}
_ROMANCE_OBJECT = {
    "fr": lazy_re.compile(
        r"(?:(?P<before>\bqui\s)(?:(?P<f>la\s)|(?P<m>le\s)|l['’]|les\s)(?P<verb>(?:a|ont|avait|avaient)\s[\w-]+|[\w-]+)"
        r"|\b(?P<inverted>l['’]|l[ea]\s)(?P<asked>\w+-(?:t-)?(?:on|ils?|elles?)))(?=\s|$|[?.,])",
        re.IGNORECASE,
    ),
    "es": lazy_re.compile(
        r"^(?P<before>\W*(?:(?:a|con|de|desde|en|para|por)\s)?(?:quién(?:es)?|cuándo|dónde|cómo)\s)(?:(?P<f>las?\s)|(?P<m>los?\s))"
        r"(?P<verb>(?:ha|han|había)\s[\w-]+|[\w-]+)(?=\s*$|[?.,]|\s(?:en|desde|hoy|ahora|actualmente|por|con|durante)\b)",
        re.IGNORECASE,
    ),
}
"""A thing that is the object: "quién la preside", "le groupe qui la prépare"."""
_POINTS_TO_OBJECT = lazy_re.compile(
    r"\bqui (?:l[ea]s? |l['’])\w|\bl(?:['’]|[ea] )\w+-(?:t-)?(?:on|ils?|elles?)\b|\ben (?:fut|est|était|sont|furent|a|ont|avait)\b"
    r"|^\W*(?:quién(?:es)?|cuándo|dónde|cómo) l[ao]s? [\w-]+(?: (?:hoy|ahora|actualmente)| (?:desde|en|por|con) .*)?\W*$",
    re.IGNORECASE,
)
_OF_IT = lazy_re.compile(r"\ben\s(?=(?:fut|est|était|sont|furent|a|ont|avait)\b)", re.IGNORECASE)
_ROMANCE_THING = {
    "fr": lazy_re.compile(
        r"(?:(?P<m>\ble|\bdu|\bau|\bun)\s|(?P<f>\b(?:de |à )?la|\bune)\s|\b(?:de )?l['’])(?P<noun>(?!plus\b|premi|sien)[\w'’-]+"
        r"(?:\s(?:de la |de l['’]|du |des |de |d['’])?(?:(?-i:[A-ZÀ-Ý])[\w'’-]*|(?<=de )[\w'’-]+|(?<=du )[\w'’-]+))*)",
        re.IGNORECASE,
    ),
    "es": lazy_re.compile(
        r"(?:(?P<m>\b(?:el|del|al|un))|(?P<f>\b(?:la|una)))\s(?P<noun>(?!que\b|más\b)[\w-]+"
        r"(?:\s(?:de la |del |de )?(?:(?-i:[A-ZÁ-Ú])[\w-]*|(?<=de )[\w-]+|(?<=del )[\w-]+))*)",
        re.IGNORECASE,
    ),
}
_LE: Mapping[_Gender, str] = {"m": "le", "f": "la", "": "le"}
_EL: Mapping[_Gender, str] = {"m": "el", "f": "la", "": "el"}
_OWN: Mapping[str, str] = {"sa": "la", "ses": "les", "leurs": "les"}
_OF: Mapping[str, str] = {"le": "du", "la": "de la", "el": "del"}


def pointed_back(first: str, second: str) -> str | None:
    """The second question with what the first names in the place of the words that point back; None where it cannot be told."""
    told = first.rstrip("?？ ")
    for reader in (_english, _german, _french, _spanish):
        if (found := reader(told, second)) is not None:
            return found
    return None


def points_to_object(second: str) -> bool:
    """Whether a French or Spanish question has a pronoun as its object: "qui la prépare", "quién la preside"."""
    return _POINTS_TO_OBJECT.search(second) is not None


def _english(first: str, second: str) -> str | None:
    """With "that class" as "the high-precision class"."""
    for back in _DEMONSTRATIVE.finditer(second):
        noun = back["noun"].lower()
        if noun in _NO_NOUN:
            continue
        named = [
            match
            for match in re.finditer(
                rf"\b(?:the|an?)\s((?:(?!(?:the|an?|of|in|on|at|by|for|to|with|and|is|was|did|does)\b)[\w'’-]+\s){{0,4}}?{re.escape(noun)}"
                rf"(?:\s(?:of|in|on|for|called|named)\s(?:the\s)?[\w'’-]+(?:\s(?-i:[A-Z0-9])[\w'’-]*)*)?)",
                first,
                re.IGNORECASE,
            )
            if len(match[1].split()) > 1
        ]
        if named:
            return f"{second[: back.start()]}the {named[-1][1].strip()}{second[back.end() :]}"
    return None


def _german(first: str, second: str) -> str | None:
    if re.search(r"\b(?:der|die|das|dem|den|des|beim|vom|zum|zur|im|am|ein\w*)\s", first, re.IGNORECASE) is None:
        return None
    back = _GERMAN_BACK.search(second)
    if back is None or re.search(r"\bgibt es\b|\bgab es\b", second):
        return None
    is_feminine = back["f"] is not None or (back["own"] or "").lower().startswith("ihr")
    thing = _last_of(_german_things(first), "f" if is_feminine else "m")
    if thing is None:
        return None
    article = (
        "die" if is_feminine else "den" if back[0].lower() == "ihn" else "dem" if back[0].lower() == "ihm" else "der"
    )
    if back["n"] is not None:
        article = "das"
    said = (
        f"{back['owned']} {'der' if is_feminine else 'von'} {thing.noun}" if back["own"] else f"{article} {thing.noun}"
    )
    return f"{second[: back.start()]}{said}{second[back.end() :]}"


def _german_things(first: str) -> list[_Thing]:
    things = []
    for match in _GERMAN_THING.finditer(first):
        article, noun = match["article"].lower(), match["noun"]
        if article == "der":
            gender: _Gender = "f" if match["before"] and _PREPOSITION_BEFORE.fullmatch(match["before"]) else ""
        else:
            gender = _GERMAN_GENDER.get(article, "")
        if article in ("des", "eines"):
            head, *rest = noun.split(" ")
            noun = " ".join((re.sub(r"(?<=[^s])s$", "", head), *rest))
        things.append(_Thing(gender, noun))
        things += _german_things(match["noun"])  # a thing within: "der Spitze des Vereins"
    return things


def _french(first: str, second: str) -> str | None:
    if (told := _object(first, second, "fr")) is not None:
        return told
    if (of_it := _OF_IT.search(second)) is not None and (owner := _last_of(_romance_things("fr", first), "")):
        rest = second[of_it.end() :].rstrip("? ")
        return f"{second[: of_it.start()]}{rest} {_of(_with_article(_LE, owner))} ?"
    back = _ROMANCE_BACK["fr"].search(second)
    if back is None or not re.search(r"\b(?:quel(?:le)?s?|qui|quand|où|combien|comment)\b", second, re.IGNORECASE):
        return None
    pronoun = (back["pronoun"] or back["plain"] or "").lower()
    thing = _last_of(_romance_things("fr", first), "f" if pronoun.startswith("elle") else "m" if pronoun else "")
    if thing is None:
        return None
    named = _with_article(_LE, thing)
    if back["own"]:
        said = f"{_OWN.get(back['own'].lower(), 'le')} {back['owned']} {_of(named)}"
        return f"{second[: back.start()]}{said}{second[back.end() :]}"
    return f"{second[: back.start()]}{' ' if back['inverted'] else ''}{named}{second[back.end() :]}"


def _object(first: str, second: str, language: Literal["fr", "es"]) -> str | None:
    """A second question with the thing behind the verb of which it is the object."""
    back = _ROMANCE_OBJECT[language].search(second)
    if back is None:
        return None
    said = back.groupdict()
    gender: _Gender = "f" if said["f"] else "m" if said["m"] else ""
    thing = _last_of(_romance_things(language, first), gender)
    if thing is None:
        return None
    named = _with_article(_LE if language == "fr" else _EL, thing)
    if said.get("asked"):
        return f"{second[: back.start()]}{back['asked']} {named}{second[back.end() :]}"
    return f"{second[: back.start()]}{back['before']}{back['verb']} {named}{second[back.end() :]}"


def _spanish(first: str, second: str) -> str | None:
    if (told := _object(first, second, "es")) is not None:
        return told
    if not re.search(r"\b(?:qué|cuál(?:es)?|quién(?:es)?|cuándo|dónde|cuánt[oa]s?|cómo)\b", second, re.IGNORECASE):
        return None
    back = _ROMANCE_BACK["es"].search(second)
    thing = _last_of(_romance_things("es", first), "")
    if back is None or thing is None:
        return None
    named = _with_article(_EL, thing)
    said = f"{back['owned']} {_of(named)}" if back["own"] else named
    return f"{second[: back.start()]}{said}{second[back.end() :]}"


def _romance_things(language: Literal["fr", "es"], first: str) -> list[_Thing]:
    return [
        _Thing("m" if match["m"] else "f" if match["f"] else "", match["noun"])
        for match in _ROMANCE_THING[language].finditer(first)
    ]


def _last_of(things: list[_Thing], gender: _Gender) -> _Thing | None:
    """The last thing of a gender, one that may be of either last; None where none is short enough."""
    short = [one for one in things if len(one.noun.split()) <= LONGEST]
    alike = [one for one in short if not gender or one.gender == gender] or [one for one in short if not one.gender]
    return alike[-1] if alike else None


def _with_article(articles: Mapping[_Gender, str], thing: _Thing) -> str:
    return f"{articles[thing.gender]} {thing.noun}"


def _of(named: str) -> str:
    article, _, noun = named.partition(" ")
    if article in ("le", "la") and noun[:1].lower() in "aeiouhéèêâîôû" and not noun[:1].isupper():
        return f"de l'{noun}"
    return f"{_OF.get(article, f'de {article}')} {noun}"
