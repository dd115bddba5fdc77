"""Finds the thing that a question only describes before it asks something of it: "Which topic did the director named in the
brochure present at the fair?" asks first who the director named in the brochure is."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from memory.words import lazy_re
from walker.strategies.wording.shared_verbs import verb_place

MANY_WORDS = 3
"""Least words of what is asked besides the verb: "what did the director of the choir study" is told where the director is."""
ROLES = (
    r"(?:president|vice-president|chair(?:man|woman|person)?|director|author|founder|co-founder|creator|maintainer|leader"
    r"|head|manager|captain|coach"
    r"|trainer|doctor|physician|organi[sz]er|winner|editor|secretary|treasurer|speaker|host|owner|inventor|developer"
    r"|designer|architect|composer"
    r"|ceo|cto|cfo|coordinator|supervisor|professor|dean|mayor|minister|curator|packager|contributor)"
)
_GERMAN_ROLES = (
    r"[\w-]*(?:ärztin|arzt|trainer(?:in)?|leiter(?:in)?|vorsitzende[rn]?|präsident(?:in)?|autor(?:in)?|gründer(?:in)?"
    r"|direktor(?:in)?|kapitän(?:in)?"
    r"|sprecher(?:in)?|redner(?:in)?|chef(?:in)?|manager(?:in)?|professor(?:in)?|betreuer(?:in)?|wart(?:in)?"
    r"|schatzmeister(?:in)?)"
)
_FRENCH_ROLES = (
    r"(?:présidente?|directeur|directrice|auteure?|autrice|fondateur|fondatrice|créateur|créatrice|responsable"
    r"|trésori(?:er|ère)|secrétaire"
    r"|capitaine|entraîneuse?|entraîneur|médecin|orateur|oratrice|rédacteur|rédactrice|coordinateur|coordinatrice"
    r"|gagnante?|animateur|animatrice)"
)
_SPANISH_ROLES = (
    r"(?:president[ea]|director[a]?|autora?|fundadora?|creadora?|responsable|tesorer[oa]|secretari[oa]|capit[aá]na?"
    r"|entrenadora?|médic[oa]"
    r"|ponente|editora?|coordinadora?|ganadora?)"
)
_HAN_ROLES = r"(?:会长|副会长|主席|主任|院长|校长|所长|负责人|作者|队长|部长|社长|教授|老师|创始人|开发者|维护者|讲者|主讲人|主持人)"
_SAID_OF_IT = lazy_re.compile(
    r"\b(?:named|mentioned|listed|described|given|cited|quoted|called|known|shown|credited|thanked|pictured|who|whose"
    r"|that|which)\b",
    re.IGNORECASE,
)
_ROLE_OF = lazy_re.compile(rf"\b{ROLES}\b(?:\s*\([^)]*\))?\s+(?:of|at|in|for)\s+\w", re.IGNORECASE)
_ENGLISH = lazy_re.compile(r"(?P<before>.*?\b(?:did|does|do)\s+)(?P<rest>(?:the|an?)\s.+?)[?. ]*$", re.IGNORECASE)
_RELATIVE_BEHIND = lazy_re.compile(
    r"(?P<verb>.+?)(?<!\bso)(?<!\bunless)(?<!\bsuch)(?<!\bknow)(?<!\bsay)\s+(?:that|which|who)\s+"
    r"(?P<said>(?:is|was|are|were|has|had|can|also|[a-z]+(?:s|ed))\s.+)$",
    re.IGNORECASE,
)
"""What is said of the thing behind the verb: "does the game have that is also known as ..."."""
_LONG_ROLE = 6
"""Least words of a description by a role: "the author of X" is told where X is."""
_WHOSE = lazy_re.compile(r"(?:the|an?)\s+(?P<noun>[\w -]+?)\s+whose\s+(?P<said>.+)$", re.IGNORECASE)
_IS_ROLE = lazy_re.compile(rf"\b{ROLES}\b", re.IGNORECASE)
_ARTICLE = lazy_re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)


class Described(NamedTuple):
    """What is described as a question of its own, what is asked of it, and where the description stands in the question."""

    inner: str
    outer: str
    start: int
    end: int


def described_within(question: str) -> Described | None:
    """What a question describes before its verb, None where it names what it asks of."""
    for reader in _READERS:
        if (found := reader(question)) is not None:
            return found
    return None


def _english(question: str) -> Described | None:
    match = _ENGLISH.match(question)
    place = verb_place_after_start(match["rest"]) if match is not None else None
    if match is None or not place:
        return None
    thing, said = match["rest"][:place].strip(), match["rest"][place:]
    before, start = match["before"].strip(), match.start("rest")
    if len(thing.split()) <= MANY_WORDS and (behind := _RELATIVE_BEHIND.match(said)) is not None:
        noun = _ARTICLE.sub("", thing)
        return Described(
            f"Which {noun} {behind['said']}?",
            f"{before} it {behind['verb']}?",
            start + place + behind.start("said"),
            match.end("rest"),
        )
    if len(said.split()) < MANY_WORDS or not (_SAID_OF_IT.search(thing) or _is_by_role(thing)):
        return None
    if (whose := _WHOSE.match(thing)) is not None:
        inner = f"Which {whose['noun']}'s {whose['said']}?"
    else:
        inner = f"{'Who' if _IS_ROLE.search(thing) else 'What'} is {thing}?"
    return Described(inner, f"{before} it {said}?", start, start + place)


def _is_by_role(thing: str) -> bool:
    return _ROLE_OF.search(thing) is not None and len(thing.split()) >= _LONG_ROLE


def verb_place_after_start(text: str) -> int | None:
    """The place of the first verb of a text that begins with a noun; None where none is one surely."""
    words = list(re.finditer(r"[\w'’-]+", text))
    for number in range(3, len(words) + 1):
        end = words[number - 1].end()
        if (place := verb_place(text[:end])) is not None and place >= words[1].start():
            return place
    return None


_ROLE_FORMS: tuple[tuple[str, str, str, str], ...] = (
    (
        (
            rf"(?P<before>(?:an |in |auf |mit |für |seit |bei )?(?:welche\w*|was|wie|wann|wo|woher|wen"
            rf"|wem)\b.*?)\s(?P<thing>(?:der|die|das|den|dem)\s+"
            rf"(?:\w+ )?{_GERMAN_ROLES}\s+(?:der|des|von|vom|im|am)\s+[\w-]+(?: (?-i:[A-ZÄÖÜ])[\w-]*)*)\s+(?P<after>(?:im|in"
            rf"|am|an|auf|beim?|bei|zum|für|nach|laut)\s.+?)[?. ]*$"
        ),
        "Wer ist {thing}?",
        "{before} er {after}?",
        "de",
    ),
    (
        (
            rf"(?P<before>.*?\b(?:quel(?:le)?s?|qu['’]|que|quand|où|combien|de quoi|sur quoi)\b.*?)\s?(?P<thing>(?:le |la "
            rf"|l['’]){_FRENCH_ROLES}\s+(?:de |d['’]|du |des )"
            r"[^?]+?)\s*(?P<after>(?:a-t-(?:il|elle)|est-(?:il|elle)|[\w]+-(?:t-)?(?:il|elle))\s.+?)[?. ]*$"
        ),
        "Qui est {thing}?",
        "{before} il {after}?",
        "fr",
    ),
    (
        (
            rf"(?P<before>¿?\s*(?:sobre |en |de |a |con )?(?:qué|cuál|cuándo|dónde|cuánt[oa]s?)\b.*?)\s(?P<thing>(?:el"
            rf"|la)\s+{_SPANISH_ROLES}\s+(?:del?|de la)\s+[\w-]+"
            r"(?: (?:del?|de la) [\w-]+| (?-i:[A-ZÁÉÍÓÚÑ])[\w-]*)*)\s+(?P<after>(?:en|durante|para|con|según)\s.+?)[?. ]*$"
        ),
        "¿Quién es {thing}?",
        "{before} él {after}?",
        "es",
    ),
    (
        rf"(?P<thing>(?P<before>).{{3,}}?的?{_HAN_ROLES})(?P<after>(?:在|于|曾|现在|目前|担任|毕业|讲|做).{{3,}})$",
        "{thing}是谁？",
        "他{after}",
        "zh",
    ),
)


def _by_role(pattern: re.Pattern[str], inner: str, outer: str) -> Callable[[str], Described | None]:
    def read(question: str) -> Described | None:
        match = pattern.match(question)
        if match is None:
            return None
        said = {name: match[name].strip() for name in ("before", "thing", "after")}
        if said["thing"].startswith(("谁", "哪")):
            return None
        return Described(
            inner.format(**said), " ".join(outer.format(**said).split()), match.start("thing"), match.end("thing")
        )

    return read


_READERS: tuple[Callable[[str], Described | None], ...] = (
    _english,
    *(_by_role(lazy_re.compile(pattern, re.IGNORECASE), inner, outer) for pattern, inner, outer, _ in _ROLE_FORMS),
)
