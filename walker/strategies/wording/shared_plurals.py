"""Divides a German, French or Spanish question that asks one thing of two things, with its verb in the plural: "¿Qué edad tienen
Ana y Luis?", "Quelles sont les tailles de A et de B ?", "Wie alt sind A und B?"."""

from __future__ import annotations

import re

from memory.words import lazy_re

_UPPER = r"(?-i:[A-ZÁÉÍÓÚÑÄÖÜÀÈÇ0-9])[\w'’.-]*"
_NO_AND = {"de": "und", "fr": "et", "es": "[ye]"}
_START = {
    "de": (
        r"(?:(?:ab|an|auf|aus|bei|bis|für|in|mit|nach|seit|um|von|zu)\s)?(?:welche\w*|wie(?:\s*viele?|\s\w+)?|wann|wo|was)"
        r"(?:\s(?-i:[A-ZÄÖÜ])[\w-]+)?\s(?:sind|waren|(?-i:[a-zäöü])[\w-]+en)\s"
    ),
    "fr": (
        r"(?:(?:à|de|depuis|en|dans|pour|sur|avec)\s)?(?:quel(?:le)?s?|combien(?:\s(?:de\s|d['’])[\w-]+)?|quand|où)(?:\s(?!est\b|sont\b)[\w-]+){0,2}?"
        r"\s(?:sont|ont|étaient|avaient|(?-i:[a-zéè])[\w-]+ent)\s(?:été\s[\w-]+\s|n[ée]+s\s)?"
    ),
    "es": (
        r"¿?(?:(?:a|con|de|desde|en|para|por)\s)?(?:qué|cuál(?:es)?|cu[aá]nt[oa]s?|dónde|cuándo|cómo)(?:\s(?!son\b)[\w-]+){0,2}?"
        r"\s(?:se\s)?(?-i:[a-záéíóú])[\w-]*n\s(?:al\s\w+\s)?"
    ),
}
_ASKED = {
    language: lazy_re.compile(
        rf"^(?P<start>{start})(?P<one>[^,?]+?)\s{_NO_AND[language]}\s(?P<two>[^,?]+?)[? ]*$", re.IGNORECASE
    )
    for language, start in _START.items()
}
_TOGETHER = lazy_re.compile(
    r"\b(?:beide[nrs]?|gemeinsam\w*|zusammen|sowohl|zwischen|gleich\w*|à la fois|tou(?:te)?s (?:les )?deux|ensemble"
    r"|communs?|communes?|même"
    r"|entre|partag\w+|séparent|ambos|ambas|juntos|juntas|mism[oa]s?|comparten|separan|tanto|total|común|unen|pasaron|hay)\b",
    re.IGNORECASE,
)
"""Words of a question that asks one thing of both together."""
_ASKING = lazy_re.compile(
    r"\b(?:welche\w*|wann|wo|wer|was|wie|quel(?:le)?s?|quand|où|combien|qui|que|qué|cuál(?:es)?|cuándo|dónde|cuánt[oa]s?|quién(?:es)?)\b",
    re.IGNORECASE,
)
_PREPOSITION = lazy_re.compile(
    r"^(?P<at>de|des|du|d['’]|à|aux?|pour|dans|en|sur|del?|con|para|por|von|vom|der|für|in|im|mit|bei)(?:\s|(?<=['’]))",
    re.IGNORECASE,
)
_ALIKE = {"du": r"du|de la|de l['’]|des|de", "de": r"de|du|des|del|d['’]", "des": r"des|du|de", "del": r"del|de"}
_ARTICLE = lazy_re.compile(r"^(?:l[ea]s?|l['’]|el|los|las|un[ea]?|der|die|das|den|dem|ein\w*)\s?", re.IGNORECASE)
_LAST_NAME = lazy_re.compile(rf"^(?P<head>.*?\s)(?P<name>{_UPPER}(?:\s{_UPPER})*)$", re.IGNORECASE)
_OWN = lazy_re.compile(r"(?:leurs?|sus?|son|sa|ses|ihre?\w*|seine?\w*)\s", re.IGNORECASE)
_BARE = lazy_re.compile(
    r"^(?:l[ea]s?|el|los|las|der|die|das)\s(?:premi\w+|seconde?|\w+ième|derni\w+|ancien\w*|nouv\w+|petite?|grande?|primer\w*|segund\w+|tercer\w*"
    r"|últim\w+|antigu\w+|nuev\w+|erste\w*|zweite\w*|dritte\w*|letzte\w*|alte\w*|neue\w*|kleine\w*|kleinste\w*|große\w*|größte\w*)$",
    re.IGNORECASE,
)
"""A thing that leaves its noun to the other one: "die erste und die dritte Folge"."""
_NUMBER_LAST = lazy_re.compile(r"^(?P<head>.*\s)\d+$")


def plural_asked(question: str, blanked: str) -> tuple[str, str, int] | None:
    """Both questions, and where the second thing stands; None for any other question."""
    language, match = next(
        ((one, found) for one, pattern in _ASKED.items() if (found := pattern.match(blanked)) is not None), ("", None)
    )
    if match is None or _TOGETHER.search(blanked):
        return None
    start, one, two = (question[slice(*match.span(name))] for name in ("start", "one", "two"))
    if (
        _OWN.match(two)
        or _ASKING.search(blanked[match.start("one") :])
        or re.search(r"\s(?:et|y|und)\s", blanked[match.start("two") :])
    ):
        return None
    if language == "de" and len(match["one"].split()) == 1:
        return None  # "Typ und Version meines Routers": German nouns are written as names are
    first, second = _things(one.strip(), two.strip())
    if not first or not second:
        return None
    return f"{start}{first}?", f"{start}{second}?", match.start("two")


def _things(one: str, two: str) -> tuple[str, str]:
    """Each thing with what only the other one says: "les tailles de A" and "de B", "die erste" and "die dritte Folge"."""
    if (at := _PREPOSITION.match(two)) is not None and not _ARTICLE.match(two):
        words = _ALIKE.get(at["at"].lower(), re.escape(at["at"]))
        places = list(re.finditer(rf"\s(?:{words})(?:\s|(?<=['’]))", one, re.IGNORECASE))
        return (one, f"{one[: places[-1].start()]} {two}") if places else ("", "")
    if _BARE.match(one) and len(two.split()) > 2 and _ARTICLE.match(two):
        return f"{one} {two.split(' ', 2)[2]}", two
    if _ARTICLE.match(two):
        return one, two
    if two[:1].isdigit() and (numbered := _NUMBER_LAST.match(one)) is not None:
        return one, f"{numbered['head']}{two}"
    name, other = _LAST_NAME.match(f" {one}"), re.match(_UPPER, two)
    if name is None or other is None:
        return "", ""
    return one, f"{name['head']}{two}".strip()
