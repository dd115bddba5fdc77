"""Gives the second of two questions what it leaves out but for its time or place: "Which prize did they win in 2022, and which one
three years later?" asks which prize they won in 2025."""

from __future__ import annotations

import re

from memory.words import lazy_re
from walker.strategies.wording.shared_questions import WH

_YEAR = lazy_re.compile(r"(?<![\d.])(?P<year>1[5-9]\d\d|20\d\d)(?![\d/]|\.\d)")
_NUMBERS = {
    word: number
    for number, words in enumerate(
        (
            "one a an ein einem eine un une uno una 一 1",
            "two zwei deux dos 两 二 2",
            "three drei trois tres 三 3",
            "four vier quatre cuatro 四 4",
            "five fünf cinq cinco 五 5",
            "six sechs seis 六 6",
            "seven sieben sept siete 七 7",
            "eight acht huit ocho 八 8",
            "nine neun neuf nueve 九 9",
            "ten zehn dix diez 十 10",
        ),
        start=1,
    )
    for word in words.split()
}
_NUMBER = "|".join(sorted(map(re.escape, _NUMBERS), key=lambda word: -len(word)))
_LATER = tuple(
    (lazy_re.compile(pattern.replace("NUMBER", rf"(?P<number>{_NUMBER})"), re.IGNORECASE), sign)
    for pattern, sign in (
        (r"\bNUMBER years? (?:later|after(?: that)?|afterwards)\b", 1),
        (r"\bNUMBER years? (?:earlier|before(?: that)?)\b", -1),
        (r"\b(?:in )?(?:the )?(?:following|next) year\b|\bthe year after(?: that)?\b", 1),
        (r"\b(?:in )?the (?:previous|preceding) year\b|\bthe year before(?: that)?\b", -1),
        (r"\bNUMBER jahre? (?:später|danach)\b|\bim (?:folgenden|nächsten) jahr\b|\bim jahr (?:darauf|danach)\b", 1),
        (
            r"\bNUMBER jahre? (?:früher|zuvor|davor)\b|\bim (?:vorigen|vorangegangenen) jahr\b|\bim jahr (?:davor|zuvor)\b",
            -1,
        ),
        (r"\bNUMBER ans? (?:plus tard|après)\b|\bl['’]année (?:suivante|d['’]après)\b", 1),
        (r"\bNUMBER ans? (?:plus tôt|auparavant|avant)\b|\bl['’]année (?:précédente|d['’]avant)\b", -1),
        (r"\bNUMBER años? (?:después|más tarde)\b|\b(?:al|el) año siguiente\b", 1),
        (r"\bNUMBER años? (?:antes|atrás)\b|\bel año anterior\b", -1),
        (r"NUMBER ?年(?:之|以)?后|次年|第二年", 1),
        (r"NUMBER ?年(?:之|以)?前|前一年", -1),
    )
)
"""Years that a question counts from the one that it named, forth and back."""
_TODAY = r"(?:today|now|nowadays|currently|heute|jetzt|aujourd['’]hui|maintenant|hoy|ahora|actualmente)"
_PREPOSITION = (
    r"(?:in|on|at|for|from|by|to|with|under|during|im|am|an|auf|bei|beim|für|mit|von|zu|zum|zur|nach|en|au|aux|à|pour|dans|sur|chez"
    r"|el|para|con|por|de)"
)
_BARE = tuple(
    lazy_re.compile(
        rf"^¿?(?P<wh>{wh})(?:(?<!who)(?<!when)(?<!where)(?<!wer)(?<!wann)(?<!wo)(?<!qui)(?<!quand)(?<!où)(?<!quién)(?<!cuándo)(?<!dónde)"
        rf"(?P<noun>(?:\s(?!{_PREPOSITION}\s|{_TODAY}\b)[\w'’-]+){{1,2}}?)?)?"
        rf"\s(?P<at>(?:{_PREPOSITION}\s[^,]+|{_TODAY}|\d{{4}}))[?？ .]*$",
        re.IGNORECASE,
    )
    for wh in WH.values()
)
"""A question word, with a noun or none, and a time or a place: no verb."""
_VERB = lazy_re.compile(
    r"\b(?:is|are|was|were|do|does|did|has|have|had|can|could|may|must|should|will|would|ist|sind|war|waren|hat|hatte|wird|wurde"
    r"|est|sont|était|a|ont|es|son|fue|fueron|era|hay|tiene|ha)\b",
    re.IGNORECASE,
)
_WH_OF = tuple(lazy_re.compile(rf"^¿?(?P<wh>{wh})\b", re.IGNORECASE) for wh in WH.values())


def in_years(first: str, second: str) -> str:
    """The second question with a year in place of one that is counted from the year that the first names; as it is where it
    counts from none, or the first names several."""
    years = list(dict.fromkeys(_YEAR.findall(first)))
    if len(years) != 1:
        return second
    for pattern, sign in _LATER:
        if (match := pattern.search(second)) is not None:
            said = match.groupdict().get("number")
            year = int(years[0]) + sign * (_NUMBERS[said.casefold()] if said else 1)
            named = _YEAR.search(first)
            before = first[: named.start()].rstrip().rsplit(" ", 1)[-1] if named is not None else "in"
            if re.search(r"[\u3400-\u9fff]", match[0]):
                return f"{second[: match.start()]}{year} 年{second[match.end() :]}"
            at = "" if "jahr" in match[0].casefold() else "in "
            at = f"{before} " if re.fullmatch(_PREPOSITION, before, re.IGNORECASE) else at
            return f"{second[: match.start()]}{at}{year}{second[match.end() :]}"
    return second


def with_what_first_says(first: str, second: str) -> str | None:
    """The first question with the time or place of the second one, where that has no verb of its own; None where it has one."""
    bare = next((match for pattern in _BARE if (match := pattern.match(second)) is not None), None)
    if bare is None or _VERB.search(second):
        return None
    at, told = bare["at"].strip(" ?"), first.rstrip("?？ ")
    said = frozenset((*told.casefold().split(), *"one ones die der das".split()))
    if not said.issuperset((bare["noun"] or "").casefold().split()):
        return None
    asking = next((match for pattern in _WH_OF if (match := pattern.match(told)) is not None), None)
    if asking is None or asking["wh"].split()[0].casefold() != bare["wh"].split()[0].casefold():
        return None
    preposition = at.split(" ", 1)[0]
    is_time = bool(_YEAR.search(at)) or re.fullmatch(_TODAY, at, re.IGNORECASE) is not None
    place = _place_of(told, preposition, is_time=is_time)
    if place is None:
        return f"{told} {at}?"
    start, end = place
    return f"{' '.join(f'{told[:start]}{at} {told[end:]}'.split())}?"


def _place_of(told: str, preposition: str, *, is_time: bool) -> tuple[int, int] | None:
    """Where the first question says the same: its last words behind the same preposition, or its year."""
    found = list(
        re.finditer(rf"\b{re.escape(preposition)}\s(?:(?!{_PREPOSITION}\s)[\w'’.&/-]+\s?){{1,4}}$", told, re.IGNORECASE)
    )
    if found or not is_time:
        return found[-1].span() if found else None
    match = re.search(rf"\b(?:(?:{_PREPOSITION})\s)?{_YEAR.pattern}", told, re.IGNORECASE)
    return match.span() if match is not None else None
