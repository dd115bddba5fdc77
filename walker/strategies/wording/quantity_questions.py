"""Words one of two quantities that a question compares as a question of its own: a reader learnt from questions, and their
words tell the type of the answer ("How long did the course last?", "At what time did the panel begin?")."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from memory.words import lazy_re
from walker.strategies.wording.shared_verbs import verb_place

WordingLanguage = Literal["en", "de", "fr", "es"]


class Asked(NamedTuple):
    """What a comparison asks of both of its things: in which unit, by which comparative ("longer", "after"), with which verb."""

    language: WordingLanguage
    unit: str = ""
    order: str = ""
    verb: str = ""


_Sort = Literal["clock", "day", "year", "version", "length", "age", "amount", "value"]
_HOURS = lazy_re.compile(r"(?:\b|^)(?:minut|hour|stunde|heure|hora)", re.IGNORECASE)
_DAYS = lazy_re.compile(
    r"(?:\b|^)(?:day|week|month|tage?n?\b|woche|monat|jour|semaine|mois\b|día|semana|mes(?:es)?\b)", re.IGNORECASE
)
_YEARS = lazy_re.compile(r"(?:\b|^)(?:year|jahre?n?\b|année|ans?\b|años?\b)", re.IGNORECASE)
_VERSIONS = lazy_re.compile(r"(?:\b|^)(?:(?:minor |major )?(?:version|release)|versión)", re.IGNORECASE)
_TIME_ORDER = lazy_re.compile(
    r"after|before|later|earlier|newer|between|sooner|nach|vor\b|später|früher|neuer|zwischen|après|avant"
    r"|plus (?:tard|tôt|ancien|récent)|entre|después|antes|más (?:tarde|temprano|antigu|nuev|reciente)",
    re.IGNORECASE,
)
_AGE_ORDER = lazy_re.compile(
    r"older|younger|älter|jünger|plus (?:vieux|vieille|âgé|jeune)|más (?:viej|joven)", re.IGNORECASE
)
_LENGTH_ORDER = lazy_re.compile(
    r"longer|shorter|länger|kürzer|plus (?:long|court)|más (?:larg|cort)|dur|last|take|took|dauer", re.IGNORECASE
)
_ASKING: Mapping[WordingLanguage, Mapping[_Sort, str]] = {
    "en": {
        "clock": "At what time",
        "day": "When",
        "year": "In which year",
        "version": "In which version",
        "length": "How long",
        "age": "How old",
        "amount": "How many {unit}",
        "value": "What",
    },
    "de": {
        "clock": "Um wie viel Uhr",
        "day": "Wann",
        "year": "In welchem Jahr",
        "version": "In welcher Version",
        "length": "Wie lange",
        "age": "Wie alt",
        "amount": "Wie viele {unit}",
        "value": "Wie viel",
    },
    "fr": {
        "clock": "À quelle heure",
        "day": "Quand",
        "year": "En quelle année",
        "version": "Dans quelle version",
        "length": "Combien de temps",
        "age": "Quel âge",
        "amount": "Combien de {unit}",
        "value": "Combien",
    },
    "es": {
        "clock": "¿A qué hora",
        "day": "¿Cuándo",
        "year": "¿En qué año",
        "version": "¿En qué versión",
        "length": "¿Cuánto tiempo",
        "age": "¿Qué edad",
        "amount": "¿Cuántos {unit}",
        "value": "¿Cuánto",
    },
}
_BE: Mapping[WordingLanguage, str] = {"en": "was", "de": "war", "fr": "a eu lieu", "es": "fue"}
_VALUE_OF: Mapping[WordingLanguage, str] = {"de": "Wie hoch ist", "fr": "Quelle est", "es": "¿Cuál es"}
"""Where neither a unit nor a verb says what is asked of a thing."""
_HAVE: Mapping[WordingLanguage, str] = {"en": "", "de": "hat", "fr": "a", "es": "tiene"}
_MEASURE = lazy_re.compile(
    r"prix|âge|taille|hauteur|longueur|poids|durée|tarif|surface|précio|precio|edad|altura|longitud|peso|tamaño|duración"
    r"|tarifa|superficie"
    r"|preis|alter|größe|höhe|länge|gewicht|dauer",
    re.IGNORECASE,
)
_OF_MEASURE: Mapping[WordingLanguage, str] = {
    "en": "What is the {measure} of {thing}?",
    "de": "Welche {measure} hat {thing}?",
    "fr": "Quel est le {measure} de {thing} ?",
    "es": "¿Cuál es el {measure} de {thing}?",
}
_EDGE = lazy_re.compile(
    r"(?:the|das|dem|den|der|die|la|le|el|l['’])\s*(?:(?P<end>end|ende|fin|final)|(?P<start>start|beginning|beginn|anfang"
    r"|début|comienzo"
    r"|inicio|principio))\s+(?:of\s+|de\s+|du\s+|del\s+|d['’]|des\s+|der\s+)?(?P<rest>.+)",
    re.IGNORECASE,
)
"""The end or the start of something that lasts."""
_EDGE_VERBS: Mapping[WordingLanguage, tuple[str, str]] = {
    "en": ("did {thing} begin", "did {thing} end"),
    "de": ("begann {thing}", "endete {thing}"),
    "fr": ("a commencé {thing}", "a fini {thing}"),
    "es": ("empezó {thing}", "terminó {thing}"),
}
_MOMENT = lazy_re.compile(
    r"(?:the|das|dem|der|la|le|el|l['’])\s*(?:[\w-]+ ){0,2}?(?:year|date|day|time|month|version|release|jahr|datum|tag"
    r"|zeitpunkt|année"
    r"|jour|heure|año|fecha|día|hora)\b",
    re.IGNORECASE,
)
"""A thing that is a moment itself: "the year in which the lock was built"."""
_WHAT_IS: Mapping[WordingLanguage, str] = {
    "en": "What is",
    "de": "Welches ist",
    "fr": "Quelle est",
    "es": "¿Cuál es",
}
_DE = lazy_re.compile(r"\bde (?=[aeéèêiouœ])", re.IGNORECASE)
_CLAUSE = lazy_re.compile(
    r"^(?:(?!\b(?:that|which|who|whose|where|when|in which|at which)\b).)*?\s(?:was|were|is|are|became|began|had|got|came"
    r"|opened|started)\b",
    re.IGNORECASE,
)
_VERB_FIRST: Mapping[WordingLanguage, re.Pattern[str]] = {
    "en": lazy_re.compile(r",?\s*(?:did|does|do|is|are|was|were|has|have|had)\s", re.IGNORECASE),
    "de": lazy_re.compile(
        r"(?:wurde|begann|war|kam|startet|fand|gab|entstand|öffnet|erschien|ist|hat|sind|haben)\w*\s", re.IGNORECASE
    ),
    "fr": lazy_re.compile(r"(?:a|ont|est|sont|fut|furent)\s|.*-(?:il|elle|on|ils|elles)\b", re.IGNORECASE),
    "es": lazy_re.compile(r"(?:se|ha|han|fue|fueron|\w+(?:ó|aron|ieron))\s", re.IGNORECASE),
}
_OF_NUMBERS = frozenset("higher lower larger smaller greater bigger".split())
"""Comparatives of bare numbers: a port is no higher one, though its number is."""


def quantity_question(asked: Asked, thing: str) -> str:
    """The question for one thing of a comparison."""
    thing = thing.strip(" ,")
    sort = _sort(asked)
    if sort in ("day", "year", "version", "clock") and _MOMENT.match(thing):
        return f"{_WHAT_IS[asked.language]} {thing}?"
    if sort in ("clock", "day", "year") and (edge := _EDGE.match(thing)) is not None:
        said = _EDGE_VERBS[asked.language][edge["end"] is not None]
        return f"{_ASKING[asked.language][sort]} {said.format(thing=edge['rest'])}?"
    asking = _DE.sub("d'", _ASKING[asked.language][sort].format(unit=asked.unit))
    if sort == "value" and asked.language == "en" and asked.order not in _OF_NUMBERS and (how := how_of(asked.order)):
        asking = how
    if sort == "amount" and asked.language != "en" and _MEASURE.fullmatch(asked.unit):
        return _OF_MEASURE[asked.language].format(measure=asked.unit, thing=thing)
    if _VERB_FIRST[asked.language].match(thing) or (
        sort in ("clock", "day", "year", "version") and _CLAUSE.match(thing)
    ):
        return f"{asking} {thing}?"
    if sort == "value" and asked.language == "en" and asked.verb in ("does", "do", "did"):
        return f"How much {asked.verb} {thing}?" if verb_place(thing) is not None else f"What is {thing}?"
    if sort == "value" and not asked.verb and asked.language != "en":
        return f"{_VALUE_OF[asked.language]} {thing}?"
    verb = asked.verb or (_HAVE[asked.language] if sort == "amount" else _BE[asked.language])
    if asked.language == "en" and sort == "amount" and verb in ("does", "do", "did") and verb_place(thing) is None:
        verb = "is"  # what "exceed" compares
    thing = re.sub(r"^der (?=\w+(?:ung|heit|keit|ion|tät)\b)", "die ", thing)  # "nach der Gründung"
    thing = thing.removeprefix("dem ")
    if asked.language == "fr" and sort != "amount":
        return f"{asking} {verb} {thing}?" if verb.startswith("a ") else f"{asking} {thing} {verb}?"
    return f"{' '.join(f'{asking} {verb} {thing}'.split())}?"


def _sort(asked: Asked) -> _Sort:
    is_order = _TIME_ORDER.search(asked.order) is not None
    if _VERSIONS.search(asked.unit):
        return "version"
    is_time = [pattern.search(asked.unit) is not None for pattern in (_HOURS, _DAYS, _YEARS)]
    if any(is_time) and _LENGTH_ORDER.search(f"{asked.order} {asked.verb}") and not is_order:
        return "length"
    if is_time[2] and _AGE_ORDER.search(asked.order):
        return "age"
    if any(is_time) and is_order:
        sorts: tuple[_Sort, ...] = ("clock", "day", "year")
        return sorts[is_time.index(True)]
    return "amount" if asked.unit else "value"


_HOW: Mapping[str, str] = {
    **{word: word for word in ("long", "large", "high", "tall", "heavy", "old", "wide", "deep")},
    **{f"{word}er": word for word in ("long", "high", "old", "deep", "fast", "tall", "thick", "cheap", "warm")},
    "larger": "large", "bigger": "large", "smaller": "large", "heavier": "heavy", "lighter": "heavy", "lower": "high",
    "wider": "wide", "narrower": "wide", "shorter": "long", "younger": "old", "nearer": "far", "closer": "far",
    "farther": "far", "further": "far",
}  # fmt: skip


def how_of(comparative: str) -> str:
    """How one asks for what a comparative compares: "How wide" of "narrower"; "" for any other word."""
    word = next((word for word in comparative.lower().split() if word in _HOW), "")
    return f"How {_HOW[word]}" if word else ""
