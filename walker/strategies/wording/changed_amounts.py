"""Reads a question by how much one quantity changed between two times as two questions, one for each time: "By how many boats did
the fleet grow between May 2011 and 2014?"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from memory.words import lazy_re

ChangeLanguage = Literal["en", "de", "fr", "es"]


class Changed(NamedTuple):
    """Both times with what is asked of each, where they stand in the question, and whether the first value was more."""

    texts: tuple[str, str]
    things: tuple[str, str]
    spans: tuple[tuple[int, int], tuple[int, int]]
    first_is: Literal["", "more", "less"]


_GREW = (
    r"(?:grow|grown|rise|risen|increased?|climb(?:ed)?|expand(?:ed)?|gain(?:ed)?|swell|swollen|go(?:ne)? up)(?: by)?"
)
_FELL = r"(?:fall|fallen|drop(?:ped)?|shrink|shrunk|decreased?|declined?|los[et]|go(?:ne)? down)(?: by)?"
_WUCHS = (
    r"(?:wuchs(?:en)?|wächst|wachsen|stieg(?:en)?|steigt|gestiegen|gewachsen|angewachsen|angestiegen"
    r"|erhöhte|erhöht|vergrößert\w*|nahm(?:en)?|zugenommen)"
)
_SANK = (
    r"(?:sank(?:en)?|sinkt|fiel(?:en)?|fällt|gesunken|gefallen"
    r"|schrumpfte\w*|geschrumpft|verringert\w*|verkleinert\w*|abgenommen)"
)
_CRUT = (
    r"(?:augment(?:é|er|ait|e)|grandi|cr[uû]|progressé|monté|grimpé|a augmenté|a grandi|a progressé|a cr[uû]|a monté)"
)
_BAISSA = r"(?:diminué|baissé|chuté|reculé|a diminué|a baissé|a chuté|a reculé)"
_CRECIO = r"(?:creció|crecieron|aumentó|aumentaron|subió|subieron|se amplió|ha crecido|ha aumentado|ha subido)"
_BAJO = r"(?:bajó|bajaron|disminuyó|disminuyeron|cayó|cayeron|se redujo|ha bajado|ha disminuido)"
_BETWEEN: Mapping[ChangeLanguage, str] = {
    "en": r"(?:between (?P<a>.+?) and (?P<b>.+)|from (?P<c>.+?) (?:to|until|till) (?P<d>.+))",
    "de": (
        r"(?:zwischen (?P<a>.+?) und (?P<b>.+?)|(?:von|vom) (?P<c>.+?) (?:bis|auf)(?: (?:zum?|zur|Ende))?"
        r" (?P<d>.+?))(?: (?:zu|an|ab|sich))?"
    ),
    "fr": r"(?:entre (?P<a>.+?) et (?P<b>.+)|(?:de|d['’]) ?(?P<c>.+?) (?:à|jusqu['’]à|jusqu['’]en) (?P<d>.+))",
    "es": r"(?:entre (?P<a>.+?) y (?P<b>.+)|(?:de|desde) (?P<c>.+?) (?:a|hasta) (?P<d>.+))",
}
_WORDED: tuple[tuple[ChangeLanguage, str], ...] = (
    (
        "en",
        (
            r"by how (?:many|much)(?: (?P<unit>(?!(?:did|has|have|had|does|do)\b)[\w -]+?))? (?:did|has|have|had|does|do)"
            rf" (?P<thing>.+?) (?:(?P<more>{_GREW})|(?P<less>{_FELL})|change[d]?)(?P<rest> .+?)?,? BETWEEN"
        ),
    ),
    (
        "de",
        (
            r"um wie ?viele?n?(?: (?P<unit>[\w-]+))? (?:ist|sind|hat|haben) (?:sich )?(?P<thing>.+?) BETWEEN"
            rf" (?:(?P<more>{_WUCHS})|(?P<less>{_SANK})|(?:ver|ge)ändert)"
        ),
    ),
    (
        "de",
        (
            rf"um wie ?viele?n?(?: (?P<unit>[\w-]+))? (?:(?P<more>{_WUCHS})|(?P<less>{_SANK})|änderte)"
            r" (?:sich )?(?P<thing>.+?) (?:sich )?BETWEEN"
        ),
    ),
    (
        "fr",
        (
            r"de combien(?: (?:de |d['’])(?P<unit>[\w-]+))? (?P<thing>.+?) (?:a-t-(?:il|elle)|ont-(?:ils|elles))"
            rf" (?:(?P<more>{_CRUT})|(?P<less>{_BAISSA})|changé) BETWEEN"
        ),
    ),
    (
        "fr",
        (
            rf"de combien(?: (?:de |d['’])(?P<unit>[\w-]+))? (?:(?P<more>{_CRUT})|(?P<less>{_BAISSA}))"
            r" (?P<thing>.+?) BETWEEN"
        ),
    ),
    (
        "es",
        (
            rf"(?:en|por) cu[aá]nt[oa]s?(?: (?P<unit>[\w-]+))? (?:(?P<more>{_CRECIO})|(?P<less>{_BAJO})|cambió)"
            r" (?P<thing>.+?) BETWEEN"
        ),
    ),
)
_CHANGED: tuple[tuple[ChangeLanguage, re.Pattern[str]], ...] = tuple(
    (language, lazy_re.compile(pattern.replace("BETWEEN", _BETWEEN[language]), re.IGNORECASE))
    for language, pattern in _WORDED
)
_MEASURE = lazy_re.compile(
    r"(?:euros?|dollars?|pounds?|francs?|franken|yuan|pesos?|kronor|percent|per cent|prozent|pour ?cent|por ciento"
    r"|(?:kilo|centi|milli)?met(?:er|re)s?|metern?|m[eè]tres?|metros?|kilogram\w*|kilos?|tonn\w+|lit\w+|hect?ares?|hektar|hectáreas|degrees?|grad|degrés|grados|points?|punkten?|puntos)",
    re.IGNORECASE,
)
"""Units of one amount, where other words count things."""
_NOW = r"(?:now|today|heute|aujourd['’]hui|hoy|ahora)\b"
_TIME = lazy_re.compile(rf"\d|\b{_NOW}", re.IGNORECASE)
_TODAY = lazy_re.compile(_NOW, re.IGNORECASE)
_HAS_PREPOSITION = lazy_re.compile(r"(?:in|on|at|im|am|en|au|le|el|al)\s", re.IGNORECASE)
_EDGE = lazy_re.compile(
    r"(?:the )?(?:end|start|beginning|close|turn) of|(?:ende|anfang|mitte)\b|(?:la )?fin |(?:le )?début|finales|principios",
    re.IGNORECASE,
)
_IN: Mapping[ChangeLanguage, str] = {"en": "in", "de": "im Jahr", "fr": "en", "es": "en"}
_AT_EDGE: Mapping[ChangeLanguage, str] = {"en": "at", "de": "", "fr": "à", "es": "a"}
_COUNTED: Mapping[ChangeLanguage, str] = {
    "en": "How many {unit} were in {thing} {when}?",
    "de": "Wie viele {unit} hatte {thing} {when}?",
    "fr": "Combien de {unit} avait {thing} {when} ?",
    "es": "¿Cuántos {unit} tenía {thing} {when}?",
}
_MEASURED: Mapping[ChangeLanguage, str] = {
    "en": "How many {unit} was {thing} {when}?",
    "de": "Wie viele {unit} betrug {thing} {when}?",
    "fr": "Combien de {unit} faisait {thing} {when} ?",
    "es": "¿Cuántos {unit} era {thing} {when}?",
}
_HOW_MUCH: Mapping[ChangeLanguage, str] = {
    "en": "How much was {thing} {when}?",
    "de": "Wie hoch war {thing} {when}?",
    "fr": "Combien était {thing} {when} ?",
    "es": "¿Cuánto era {thing} {when}?",
}


def changed_amount(core: str, blanked: str) -> Changed | None:
    """Both times of a question by how much something changed; None for any other. `blanked`: the same text with quoted words
    blanked."""
    for language, pattern in _CHANGED:
        match = pattern.fullmatch(blanked)
        if match is None:
            continue
        one, other = ("a", "b") if match["a"] is not None else ("c", "d")
        times = core[slice(*match.span(one))], core[slice(*match.span(other))]
        if not all(_TIME.search(time) for time in times):
            continue
        texts = tuple(_asked(language, core, match, time) for time in times)
        first_is: Literal["", "more", "less"] = "less" if match["more"] else "more" if match["less"] else ""
        return Changed((texts[0], texts[1]), times, (match.span(one), match.span(other)), first_is)
    return None


def _asked(language: ChangeLanguage, core: str, match: re.Match[str], time: str) -> str:
    thing, unit = core[slice(*match.span("thing"))], match["unit"] or ""
    wording = _HOW_MUCH if not unit else _MEASURED if _MEASURE.fullmatch(unit) else _COUNTED
    told = wording[language].format(unit=unit, thing=thing, when=_when(language, time))
    return f"{told[0].upper()}{told[1:]}"


def _when(language: ChangeLanguage, time: str) -> str:
    """The time with its preposition: "in May 2011", "at the end of 2006", "today"."""
    if _TODAY.match(time) or _HAS_PREPOSITION.match(time):
        return time
    if _EDGE.match(time):
        return f"{_AT_EDGE[language]} {time}".strip()
    if language == "de" and not time.strip().isdigit():
        return f"im {time}"
    return f"{_IN[language]} {time}"
