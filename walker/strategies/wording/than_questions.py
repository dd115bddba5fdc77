"""Reads an English question by how much one thing is more than another, whatever stands between its words: "How many GB more memory
does the guide advise on a board than it demands of a server?"."""

from __future__ import annotations

import re
from typing import NamedTuple

from memory.words import lazy_re
from walker.strategies.wording.quantity_questions import Asked, how_of, quantity_question
from walker.strategies.wording.shared_verbs import verb_place, with_the_same_verb

_AUXILIARY = r"(?:does|do|did|is|are|was|were|has|have|had|can|could|may|might|must|should|will|would|gets?|got)"
_COMPARATIVE = (
    r"(?:more|less|fewer|(?:long|short|high|low|larg|great|bigg|small|tall|wid|deep|heavi|light|old|young|earli|lat|new|cheap|dear"
    r"|costli|strong|weak|quick|fast|slow|near|clos|farth|furth|warm|cold|hott|thick|thin|soon|broad|rich|poor|easi|hard)er)"
)
_THAN = lazy_re.compile(
    rf"(?:by )?how (?:many|much)\s+(?!times\b)(?P<unit>(?:(?!{_AUXILIARY}\b)[\w'’%-]+\s+){{0,3}}?)(?P<order>{_COMPARATIVE})\s+"
    rf"(?P<of>(?:(?!{_AUXILIARY}\b)[\w'’/%-]+\s+){{0,5}}?)(?P<verb>{_AUXILIARY})\s+(?P<a>.+)\s+than\s+(?P<b>.+)",
    re.IGNORECASE,
)
_MONEY = lazy_re.compile(r"dearer|cheaper|costlier", re.IGNORECASE)
_IN_TIME = lazy_re.compile(r"earlier|later|sooner|newer", re.IGNORECASE)
_COUNTING = lazy_re.compile(r"more|less|fewer", re.IGNORECASE)
_PREPOSITION = r"(?:in|on|of|at|for|from|to|with|by|under|inside|outside|within|during|if|when|without)"
_AT = lazy_re.compile(rf"(?P<at>{_PREPOSITION})\s", re.IGNORECASE)
_CLAUSE = lazy_re.compile(
    rf"(?:(?P<it>it|they|he|she|one|there)\s+)?(?:{_AUXILIARY}|demands?|needs?|wants?|costs?|asks?|allows?|requires?|takes?)\b",
    re.IGNORECASE,
)
_BEHIND = lazy_re.compile(
    rf"\s{_PREPOSITION}\s(?:(?!\b{_PREPOSITION}\b).)*(?:[A-Z0-9]|\b(?:the|that)\b)(?:(?!\b{_PREPOSITION}\b).)*$"
)
_ONE = lazy_re.compile(r"\b(?:ones?|that)\b(?=\s|$)", re.IGNORECASE)


class Than(NamedTuple):
    """Both quantities as questions of their own, the things, and the comparative."""

    texts: tuple[str, str]
    things: tuple[str, str]
    order: str


def than_question(core: str, blanked: str) -> tuple[Than, re.Match[str]] | None:
    """The two quantities; None where the question is no such one. `blanked`: the same text with quoted words blanked."""
    match = _THAN.fullmatch(blanked)
    if match is None:
        return None
    said = {name: core[slice(*match.span(name))].strip(" ,") for name in ("unit", "order", "of", "verb", "a", "b")}
    one, other = said["a"], said["b"]
    if (clause := _CLAUSE.match(other)) is not None:
        return Than((_asked(said, one), _of_clause(said, one, other, clause["it"])), (one, other), said["order"]), match
    if (at := _AT.match(other)) is not None:
        place = f" {one.lower()} ".find(f" {at['at'].lower()} ")
        things = (one, f"{one[:place].strip()} {other}".strip() if place >= 0 else f"{one} {other}")
    else:
        other = _ONE.sub(lambda _: _head_noun(_subject(one)), other, count=1)
        behind = _BEHIND.search(other) if _BEHIND.search(one) is None else None
        if behind is not None and behind.start() > 0:
            shared = with_the_same_verb(one, other[: behind.start()])
            things = (f"{shared[0]}{behind.group()}", f"{shared[1]}{behind.group()}")
        else:
            things = with_the_same_verb(one, other)
    return Than((_asked(said, things[0]), _asked(said, things[1])), things, said["order"]), match


def _asked(said: dict[str, str], thing: str) -> str:
    unit, order, of, verb = said["unit"], said["order"], said["of"], said["verb"]
    if _MONEY.search(order):
        return (
            f"How much does {thing}{_with_space(of)} cost?"
            if verb_place(thing) is None
            else f"How much {verb} {thing}?"
        )
    if _COUNTING.fullmatch(order):
        counted = " ".join(filter(None, (unit, of)))
        return f"{'How many' if unit or of.endswith('s') else 'How much'}{_with_space(counted)} {verb} {thing}?"
    if _IN_TIME.fullmatch(order) or re.fullmatch(r"longer|shorter", order, re.IGNORECASE):
        return quantity_question(Asked(language="en", unit=unit, order=order, verb=verb), thing)
    if unit:
        return f"How many {unit} {verb} {thing}?"
    return f"{how_of(order) or 'How much'} {verb} {thing}?"


def _of_clause(said: dict[str, str], one: str, clause: str, pronoun: str | None) -> str:
    """The second question where a clause of its own is what is compared: "than it demands of a server"."""
    if pronoun is not None and pronoun.lower() != "there":
        clause = clause.replace(pronoun, _subject(one), 1)
    counted = " ".join(filter(None, (said["unit"], said["of"])))
    return f"{'How many' if said['unit'] else 'How much'}{_with_space(counted)} {clause}?"


def _subject(thing: str) -> str:
    place = verb_place(thing)
    return thing[:place].strip() if place else re.split(rf"\s{_PREPOSITION}\s", thing)[0]


def _head_noun(subject: str) -> str:
    return re.split(rf"\s{_PREPOSITION}\s", subject)[0].rsplit(" ", 1)[-1]


def _with_space(text: str) -> str:
    return f" {text}" if text else ""
