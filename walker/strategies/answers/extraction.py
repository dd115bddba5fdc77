"""The shortest span of a passage that answers a part of a question."""

from __future__ import annotations

import re

import msgspec

from memory.words import tokens
from walker.strategies.answers.evidence import WeighedPassage
from walker.strategies.answers.spans import UNIT_FORMS, Span, candidate_spans
from walker.strategies.question.answer_type import AnswerType

NEAR_CHARS = 40
"""A noun or a rare word this close to a candidate belongs to it."""
ANSWER_CHARS = 120
_BARE_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")


class Candidate(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A possible answer with its passage and the strength 0..1 of the evidence."""

    text: str
    quote: str
    strength: float


def extract(weighed: WeighedPassage, wanted: AnswerType, question: str) -> list[Candidate]:
    """Candidates of one passage, best first, without those that repeat the question."""
    text = weighed.passage.text
    asked = frozenset(tokens(question))
    plain_question = _plain(question)
    found = []
    spans = list(candidate_spans(text, wanted, asked))
    if weighed.passage.is_value and wanted.kind in ("name", "phrase", "place", "value", "person", "time"):
        spans.append(Span(text=text, start=0, end=len(text), fit=0.85))
    for span in spans:
        if not span.text or len(span.text) > ANSWER_CHARS or _is_asked(span.text, asked, plain_question):
            continue
        strength = _strength(span, text, wanted, asked, weighed)
        quote = weighed.passage.quote or _quote(text, span)
        found.append(Candidate(text=_trim(span.text), quote=quote, strength=round(strength, 4)))
    return sorted(found, key=lambda candidate: -candidate.strength)


def _strength(span: Span, text: str, wanted: AnswerType, asked: frozenset[str], weighed: WeighedPassage) -> float:
    fit = span.fit
    if wanted.noun:
        beside = _noun_near(span, text, wanted.noun)
        if weighed.passage.is_value:
            named = frozenset(tokens(wanted.noun)) & frozenset(tokens(weighed.passage.near))
            beside = 1.0 if named or wanted.kind != "number" else beside
        fit = 0.7 * fit + 0.3 * beside
        if wanted.kind in ("number", "person") and not beside:
            fit *= 0.6
    if wanted.unit:
        fit *= 1.0 if UNIT_FORMS[wanted.unit].search(text[max(0, span.start - 2) : span.end + 12]) else 0.35
    elif wanted.kind == "number" and "year" not in wanted.noun and _BARE_YEAR.fullmatch(span.text):
        fit *= 0.6
    closeness = _closeness(span, text, asked)
    strength = weighed.cover * (0.5 + 0.28 * fit + 0.12 * closeness + 0.1 * _adjacency(span, text, asked))
    if weighed.passage.hidden:
        strength *= 0.7
    if weighed.passage.margin:
        strength *= 0.6
    return strength


def _noun_near(span: Span, text: str, noun: str) -> float:
    """How near the noun that is counted or named is to the candidate, 0..1: directly after it is best."""
    words = frozenset(tokens(noun))
    if not words:
        return 0.5
    inside = frozenset(tokens(span.text))
    behind = frozenset(tokens(text[span.end : span.end + NEAR_CHARS].split(",", maxsplit=1)[0]))
    before = frozenset(tokens(text[max(0, span.start - NEAR_CHARS) : span.start]))
    if words & inside:
        return 1.0
    return max(1.0 * bool(words & behind), 0.8 * bool(words & before))


def _closeness(span: Span, text: str, asked: frozenset[str]) -> float:
    """Share of the words around the candidate that are in the question, weighted by nearness."""
    before = tokens(text[max(0, span.start - NEAR_CHARS) : span.start])[::-1]
    behind = tokens(text[span.end : span.end + NEAR_CHARS])
    if not before and not behind:
        return 0.5
    # The next word counts most: of "16 character salt and 86 character hash" the hash has 86.
    held = total = 0.0
    for words in (before, behind):
        for place, word in enumerate(words):
            total += 1 / (place + 1)
            held += (word in asked) / (place + 1)
    return min(1.0, 1.3 * held / total)


def _adjacency(span: Span, text: str, asked: frozenset[str]) -> float:
    """How well the words directly beside the candidate match the question; the one after it says what is numbered."""
    before = tokens(text[max(0, span.start - NEAR_CHARS) : span.start])[-1:]
    behind = tokens(text[span.end : span.end + NEAR_CHARS])[:1]
    return 0.6 * bool(asked & frozenset(behind)) + 0.4 * bool(asked & frozenset(before))


def _is_asked(span: str, asked: frozenset[str], plain_question: str) -> bool:
    """Whether the span repeats the question."""
    plain = _plain(span)
    if not plain:
        return True
    # A last part of a dotted name is asked for with it; the 11 of "3.11" is not.
    edge = r"\w" if any(character.isalpha() for character in plain) else r"\w."
    if re.search(rf"(?<![{edge}]){re.escape(plain)}(?![\w.]\w|\w)", plain_question):
        return True
    words = frozenset(tokens(span))
    return bool(words) and words <= asked and not any(character.isdigit() for character in span)


def _plain(text: str) -> str:
    folded = re.sub(r"(?<=\d),(?=\d{3})", "", text.casefold())
    return re.sub(r"[\"'“”‘’「」《》]", "", folded).strip(" .,;:，。；：")


def _trim(text: str) -> str:
    return text.strip(" \t,;:，。；：").removesuffix(".")


def _quote(text: str, span: Span) -> str:
    """The passage, shortened to a readable length around the answer; still verbatim."""
    if len(text) <= 300:
        return text
    start = max(0, span.start - 150)
    return text[start : min(len(text), span.end + 150)].strip()
