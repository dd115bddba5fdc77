"""Answers a question by the labels in the pictures of a page: the value that stands beside, below or behind the words it asks with."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from memory.findings import PicturePlace
from memory.words import lazy_re, tokens
from perception.observation import Observation
from perception.ocr.picture_layout import LabelledValue, cell_at, labelled_values
from perception.picture_lines import PictureLines
from walker.strategies.answers.extraction import MEASURED
from walker.strategies.answers.spans import candidate_spans
from walker.strategies.pictured.pictured_answer import PicturedAnswer, picture_share
from walker.strategies.question.answer_type import AnswerType

ASKED_WHOLE = 0.97
"""Chance of a value whose label is in the question with all its words, where both hold all that the question asks with."""
BY = {"line": 1.0, "row": 1.0, "tree": 1.0, "label": 0.85, "column": 0.85, "bar": 0.75}
"""What the place of a value is worth: beside its label more often than below it."""
PLACES: dict[str, PicturePlace] = {
    "line": "label", "row": "label", "tree": "label", "label": "below", "column": "below", "bar": "below",
}  # fmt: skip
PART_OF_LABEL = 0.6
"""Least share of a label's words that the question must have."""
FEW_WORDS = 0.75
"""Worth of a label with none of the question's words, as a share; all of them count whole."""
OTHER_NOUN = 0.45
"""Worth of a label that has none of the words for what is asked for: the description of the user, but "User"."""
OF_THING, BARE_OF_THING = 0.9, 0.7
"""The same of a label that is a thing of the question by itself ("eth1", of which the address is asked for); of one whose value is a
bare number where a name is asked for: a port, or something else."""
NAMES = ("name", "person")
"""Types of answers that most often have letters."""
FORM_SAYS_IT = frozenset(("time", "date", "year"))
"""Types of answers that are told from all others by their form."""
OTHER_NAME, OTHER_THAN_NAMED = 0.6, 0.2
"""The same of one that has none of the names with a digit that the question has, and where another label of the picture has it."""
BESIDE_CELL = 0.35
"""The same of what stands at a label, where the question names a head and a row of the picture."""
BESIDE_LABELS = 0.35
"""Worth of a line where its picture has labels of the question's words too, or any picture one for what is asked for."""
SHORT_FROM = 4
"""Least letters of a head of a table that is the beginning of a word."""
NOUN_WORDS = 2
"""Words for what is asked for from which a label that has them all is meant whatever else it says; one alone must be all of it."""
IN_LINE = 0.9
"""Worth of a whole line that holds words of the question and a value: "LNCS 14759" for the volume of the LNCS."""
BROKEN = tuple(".,;:)]}!?…。，；：）")
"""Signs that no text begins with: what was read begins in the middle of one."""
BRACKETS = (("(", ")"), ("[", "]"), ("（", "）"))
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
    marks: frozenset[str]
    """Those, and bare numbers: the job 2222729."""
    title: frozenset[str]
    """Words of the page's title: they say which page is meant, not which line."""
    wanted: AnswerType
    noun: frozenset[str]
    """Words for what is asked for; none where the form of the answer says it: no label of a time reads "time"."""


def labelled_answers(question: str, wanted: AnswerType, observation: Observation) -> tuple[PicturedAnswer, ...]:
    """Values in the pictures that were read, likeliest first."""
    is_share = _PERCENTAGE.search(question) is not None
    words = frozenset(tokens(question))
    marks = frozenset(word for word in words if any(sign.isdigit() for sign in word))
    asked = _Asked(
        words=words,
        named=frozenset(word for word in marks if not word.isdigit()),
        marks=marks,
        title=frozenset(tokens(observation.title)),
        wanted=AnswerType(kind="number") if is_share else wanted,
        noun=frozenset(tokens("" if wanted.kind in FORM_SAYS_IT else wanted.noun)),
    )
    found: dict[str, PicturedAnswer] = {}
    by_picture = [(picture, _at_labels(asked, picture)) for picture in observation.picture_lines]
    is_labelled = any(one.named for _, at_labels in by_picture for one in at_labels)
    for picture, at_labels in by_picture:
        share = picture_share(question, picture)
        in_lines = _in_lines(asked, picture, share=BESIDE_LABELS if at_labels or is_labelled else 1.0)
        for one in (*at_labels, *in_lines):
            if is_share and "%" not in one.text:
                continue
            if one.text not in found or found[one.text].chance < share * one.chance:
                found[one.text] = msgspec.structs.replace(one, chance=round(share * one.chance, 4))
    return tuple(sorted(found.values(), key=lambda one: -one.chance))


def _at_labels(asked: _Asked, picture: PictureLines) -> list[PicturedAnswer]:
    """What stands at labels, worth less where the question names the head and the row of a cell: its head alone names a column."""
    cells, others = list(_by_cells(asked, picture)), _by_labels(asked, picture)
    share = BESIDE_CELL if any(one.named for one in cells) else 1.0
    return [*cells, *(msgspec.structs.replace(one, chance=share * one.chance) for one in others)]


def _by_labels(asked: _Asked, picture: PictureLines) -> Iterator[PicturedAnswer]:
    noun = asked.noun - _said_about(picture)
    is_named = any(asked.named & frozenset(tokens(line.text)) for line in picture.lines)
    pairs = labelled_values(picture.lines)
    values: dict[tuple[str, str], set[str]] = {}
    for pair in pairs:
        values.setdefault((pair.by, pair.label), set()).add(pair.value)
    for pair in pairs:
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
        is_thing = bool(asked.named & met) and met == label
        if noun and not noun & (more | frozenset(tokens(pair.value))):
            is_like = is_thing and (asked.wanted.kind not in NAMES or any(sign.isalpha() for sign in text))
            chance *= OF_THING if is_like else BARE_OF_THING if is_thing else OTHER_NOUN
        chance *= 1.0 if not asked.named or asked.named & more else OTHER_THAN_NAMED if is_named else OTHER_NAME
        # A label that stands in many rows names none of them.
        chance /= len(values[pair.by, pair.label])
        is_noun = bool(noun) and noun <= label and (len(noun) >= NOUN_WORDS or noun == label)
        yield PicturedAnswer(
            text=text, chance=chance, quote=_quote(pair), place=PLACES[pair.by], named=is_noun or is_thing
        )


def _by_cells(asked: _Asked, picture: PictureLines) -> Iterator[PicturedAnswer]:
    """Cells of a table whose head and whose row the question names with all their words: PRIORITY of the job 2222729."""
    said = [(line, frozenset(tokens(line.text))) for line in picture.lines]
    met = [(line, words) for line, words in said if words and all(_asked_or_short(word, asked) for word in words)]
    noun = asked.noun - _said_about(picture)
    for head, words in met:
        for row, others in met:
            cell = cell_at(head, row, picture.lines) if not words & others else None
            text = _value_in(cell.text, asked) if cell is not None else ""
            if not text:
                continue
            is_noun = not noun or any(word in noun or _is_short_of(word, noun) for word in words)
            is_row = not asked.marks or bool(asked.marks & others)
            chance = ASKED_WHOLE * (1.0 if is_noun else OTHER_NOUN) * (1.0 if is_row else OTHER_NAME)
            yield PicturedAnswer(text=text, chance=chance, place="cell", named=is_noun and is_row)


def _said_about(picture: PictureLines) -> frozenset[str]:
    """Words that the page says of a picture: what all of its labels are of, as the boats of a chart of boats."""
    return frozenset(tokens(f"{picture.name} {picture.heading}"))


def _asked_or_short(word: str, asked: _Asked) -> bool:
    return word in asked.words or _is_short_of(word, asked.words)


def _is_short_of(word: str, words: frozenset[str]) -> bool:
    """Whether a word is the beginning of another, as heads of tables have it: PRIO."""
    return len(word) >= SHORT_FROM and any(other.startswith(word) for other in words)


def _in_lines(asked: _Asked, picture: PictureLines, *, share: float) -> Iterator[PicturedAnswer]:
    """Lines that hold a word of the question, and beside it something that tells one of its kind from another: a number, or a name of
    what is asked for ("Debian Buster", which release)."""
    noun = asked.noun
    found: list[PicturedAnswer] = []
    for line in picture.lines:
        said = frozenset(tokens(line.text))
        met = (asked.words & said) - asked.title
        if not met or len(line.text.split()) > LINE_WORDS or _is_cut(line.text):
            continue
        others = said - asked.words
        tells = any(any(sign.isdigit() for sign in word) for word in others) and bool(_value_in(line.text, asked))
        is_name = bool(noun & met) and bool(others) and _is_name(line.text, asked)
        if tells or is_name:
            chance = share * IN_LINE * min(1.0, len(met) / ENOUGH_WORDS + len(met) / len(said))
            found.append(PicturedAnswer(text=line.text, chance=chance, place="line", named=is_name))
    # Of lines that are equally likely none is.
    for one in found:
        alike = sum(other.chance >= one.chance for other in found)
        yield msgspec.structs.replace(one, chance=one.chance / alike)


def _is_name(text: str, asked: _Asked) -> bool:
    """Whether a line names one of what is asked for: a word that the question has not, with a capital letter."""
    words = [word for word in re.findall(r"[^\W\d_]+", text) if not frozenset(tokens(word)) & asked.words]
    return any(len(word) > 1 and word[0] != word[0].lower() for word in words)


def _value_in(value: str, asked: _Asked) -> str:
    """What of a value answers: of a type with a form the part of that form, else all of it unless the question says it; or ""."""
    if asked.wanted.kind in MEASURED:
        spans = list(candidate_spans(value, asked.wanted, asked.words))
        best = max(spans, key=lambda span: (span.fit, len(span.text)), default=None)
        if best is not None and _SIZE.fullmatch(value.strip()):
            return value.strip()
        return best.text.strip() if best is not None else ""
    if value[:1] in BROKEN or _is_cut(value):
        return ""
    # A lone sign is a stroke of the drawing most often.
    is_text = sum(sign.isalnum() for sign in value) > 1 or any(sign.isdigit() for sign in value)
    return value if is_text and frozenset(tokens(value)) - asked.words and len(value) <= VALUE_CHARS else ""


def _is_cut(text: str) -> bool:
    """Whether a text ends within its brackets: the line goes on below, or begins above."""
    return any(text.count(left) != text.count(right) for left, right in BRACKETS)


def _quote(pair: LabelledValue) -> str:
    """Verbatim: of entries of a tree the first."""
    return pair.value.split(", ")[0] if pair.by == "tree" else pair.value
