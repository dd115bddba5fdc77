"""Answers a question by the labels in the pictures of a page: the value that stands beside, below or behind the words it asks with."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from memory.words import lazy_re, tokens
from perception.observation import Observation
from perception.ocr.picture_layout import LabelledValue, labelled_values
from perception.picture_lines import PictureLines
from walker.strategies.answers.extraction import MEASURED
from walker.strategies.answers.spans import candidate_spans
from walker.strategies.pictured.pictured_answer import PicturedAnswer, picture_share
from walker.strategies.question.answer_type import AnswerType

ASKED_WHOLE = 0.97
"""Chance of a value whose label is in the question with all its words, where both hold all that the question asks with."""
BY = {"line": 1.0, "row": 1.0, "tree": 1.0, "label": 0.85, "column": 0.85}
"""What the place of a value is worth: beside its label more often than below it."""
PART_OF_LABEL = 0.6
"""Least share of a label's words that the question must have."""
FEW_WORDS = 0.75
"""Worth of a label with none of the question's words, as a share; all of them count whole."""
OTHER_NOUN = 0.45
"""Worth of a label that has none of the words for what is asked for: the description of the user, but "User"."""
OTHER_NAME, OTHER_THAN_NAMED = 0.6, 0.2
"""The same of one that has none of the names with a digit that the question has, and where another label of the picture has it."""
BESIDE_LABELS = 0.35
"""Worth of a line where the picture has labels of the question's words, too."""
IN_LINE = 0.9
"""Worth of a whole line that holds words of the question and a value: "LNCS 14759" for the volume of the LNCS."""
LINE_WORDS, VALUE_CHARS = 6, 120
ENOUGH_WORDS = 3
"""Words of the question in a label from which it needs no more."""
_SIZE = lazy_re.compile(r"\d[\d.,]*(?:\s?[×x]\s?\d[\d.,]*)+(?:\s?[a-z]{1,3})?")
"""Two numbers that are one value: 128×96."""
_PERCENTAGE = lazy_re.compile(
    r"\bper ?cent(?:age)?\b|\bprozent|\bpourcentage|\bpor(?:centaje|centagem)|百分|パーセント", re.IGNORECASE
)


class _Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What of a question its labels are compared with."""

    words: frozenset[str]
    named: frozenset[str]
    """Those with a digit, which tell one thing from its like: Account A2, eth1."""
    title: frozenset[str]
    """Words of the page's title: they say which page is meant, not which line."""
    wanted: AnswerType


def labelled_answers(question: str, wanted: AnswerType, observation: Observation) -> tuple[PicturedAnswer, ...]:
    """Values in the pictures that were read, likeliest first."""
    is_share = _PERCENTAGE.search(question) is not None
    words = frozenset(tokens(question))
    asked = _Asked(
        words=words,
        named=frozenset(word for word in words if any(sign.isdigit() for sign in word) and not word.isdigit()),
        title=frozenset(tokens(observation.title)),
        wanted=AnswerType(kind="number") if is_share else wanted,
    )
    found: dict[str, PicturedAnswer] = {}
    for picture in observation.picture_lines:
        share = picture_share(question, picture)
        at_labels = list(_by_labels(asked, picture))
        for one in (*at_labels, *_in_lines(asked, picture, share=BESIDE_LABELS if at_labels else 1.0)):
            if is_share and "%" not in one.text:
                continue
            if one.text not in found or found[one.text].chance < share * one.chance:
                found[one.text] = msgspec.structs.replace(one, chance=round(share * one.chance, 4))
    return tuple(sorted(found.values(), key=lambda one: -one.chance))


def _by_labels(asked: _Asked, picture: PictureLines) -> Iterator[PicturedAnswer]:
    noun = frozenset(tokens(asked.wanted.noun))
    is_named = any(asked.named & frozenset(tokens(line.text)) for line in picture.lines)
    for pair in labelled_values(picture.lines):
        if pair.value.rstrip().endswith((":", "：")):
            continue  # the label of the next value
        label = frozenset(tokens(pair.label))
        met = label & asked.words
        text = _value_in(pair.value, asked) if met and len(met) >= PART_OF_LABEL * len(label) else ""
        if not text:
            continue
        more = met | (frozenset(tokens(pair.over)) & asked.words)
        words = FEW_WORDS + (1 - FEW_WORDS) * min(1.0, len(more) / ENOUGH_WORDS)
        chance = ASKED_WHOLE * BY[pair.by] * words * len(met) / len(label)
        chance *= 1.0 if not noun or noun & (more | frozenset(tokens(pair.value))) else OTHER_NOUN
        chance *= 1.0 if not asked.named or asked.named & more else OTHER_THAN_NAMED if is_named else OTHER_NAME
        yield PicturedAnswer(text=text, chance=chance, quote=_quote(pair))


def _in_lines(asked: _Asked, picture: PictureLines, *, share: float) -> Iterator[PicturedAnswer]:
    """Lines that hold a word of the question, and beside it something that tells one of its kind from another."""
    found: list[PicturedAnswer] = []
    for line in picture.lines:
        said = frozenset(tokens(line.text))
        met = (asked.words & said) - asked.title
        tells = any(any(sign.isdigit() for sign in word) for word in said - asked.words)
        if met and tells and len(line.text.split()) <= LINE_WORDS and _value_in(line.text, asked):
            chance = share * IN_LINE * min(1.0, len(met) / ENOUGH_WORDS + len(met) / len(said))
            found.append(PicturedAnswer(text=line.text, chance=chance))
    # Of lines that are equally likely none is.
    for one in found:
        alike = sum(other.chance >= one.chance for other in found)
        yield msgspec.structs.replace(one, chance=one.chance / alike)


def _value_in(value: str, asked: _Asked) -> str:
    """What of a value answers: of a type with a form the part of that form, else all of it unless the question says it; or ""."""
    if asked.wanted.kind in MEASURED:
        spans = list(candidate_spans(value, asked.wanted, asked.words))
        best = max(spans, key=lambda span: (span.fit, len(span.text)), default=None)
        if best is not None and _SIZE.fullmatch(value.strip()):
            return value.strip()
        return best.text.strip() if best is not None else ""
    # A lone sign is a stroke of the drawing most often.
    is_text = sum(sign.isalnum() for sign in value) > 1 or any(sign.isdigit() for sign in value)
    return value if is_text and frozenset(tokens(value)) - asked.words and len(value) <= VALUE_CHARS else ""


def _quote(pair: LabelledValue) -> str:
    """Verbatim: of entries of a tree the first."""
    return pair.value.split(", ")[0] if pair.by == "tree" else pair.value
