"""Scoring of short answers after ReAG (appendix B): numbers within a tolerance or an interval, intervals and lists by overlap,
everything else by normalised exact match."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence

import msgspec

from evaluation.dataset.question import SET_MARK, AnswerType, Question
from evaluation.grading.granularity import read_date
from evaluation.grading.match import Match
from evaluation.grading.wording import choice_of, contracted, digits_for_words, digits_of, written_out
from evaluation.metrics.rates import plain, word_f1
from evaluation.sample import Sample

TOLERANCE = 0.1
"""Of numbers, either way: ReAG has it absolute (appendix B)."""
OVERLAP = 0.5
"""Least intersection over union of intervals, and of sets of items."""
UNIT_WORDS = 2
"""Most words of a unit beside a number."""

_NUMBER = r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
_RANGE = re.compile(rf"({_NUMBER})\s*(?:\S{{0,12}}\s+)?(?:-|–|—|~|to|and|至|到)\s*({_NUMBER})")
_BRACKETED = re.compile(rf"[\[(]\s*({_NUMBER})\s*,\s*({_NUMBER})\s*[\])]")
_ONE = re.compile(_NUMBER)
_MONTH = re.compile(
    r"\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?"
    r"|dec(?:ember)?)\b|\d\s*[年月日号]"
)
_LED_CHOICE = re.compile(r"([A-H])(?:[.):]\s+\S|\s*[\n.:]\s*$)")
"""A letter at the start, with the choice behind it."""
_NAMED_CHOICE = re.compile(
    r"[(\[]([A-H])[)\]]|\b(?:answer|option|choice|letter|答案|选项)\W{0,4}(?:is|是|为)?\W{0,6}([A-H])(?![a-z'’])"
)
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION = str.maketrans(dict.fromkeys(string.punctuation + "。，、；：？！“”‘’（）《》", " "))


class Span(msgspec.Struct, frozen=True):
    """A closed interval of numbers; a single number is an interval of length 0."""

    low: float
    high: float

    @property
    def is_number(self) -> bool:
        """Whether it is a single number."""
        return self.low == self.high


def match_short(question: Question, sample: Sample) -> Match:
    """Score an answer as ReAG does, instead of by normalised match: sets by overlap, numbers by distance, intervals by place and
    overlap, choices by letter or text, everything else exactly. The question's `answer_type` says which; where it has none, items
    are a set, and golds that are figures are numbers."""
    right, how = _scored(question, sample, question.answer_type or _type_by_golds(question))
    return Match(right=right, f1=word_f1(sample.answer, question.answers), reason=how)


def _type_by_golds(question: Question) -> AnswerType:
    if question.items:
        return "set"
    return "number" if question.answers and all(map(is_figure, question.answers)) else "text"


def _scored(question: Question, sample: Sample, kind: AnswerType) -> tuple[bool, str]:
    language = question.language
    match kind:
        case "set":
            named = sample.items or members_of(sample.answer)
            golds = [question.items] if question.items else [members_of(form) for form in question.answers]
            right = any(score_items(named, gold, question.count, language=language) for gold in golds)
            return right, "overlap of items"
        case "number" | "interval":
            return score_number(sample.answer, question.answers), f"number within {TOLERANCE} or interval"
        case "choice":
            return score_choice(sample.answer, question.answers), "letter or text of the choice"
        case _:
            return score_exact(sample.answer, question.answers, language=language), "exact match, normalised"


def members_of(text: str) -> tuple[str, ...]:
    """The members of an answer that is a set: divided by "&&", else by semicolons, else by commas and "and"."""
    if SET_MARK in text:
        parts = text.split(SET_MARK)
    elif re.search(r"[;；\n]", text):
        parts = re.split(r"[;；\n]", text)
    else:
        parts = re.split(r"[、,，]|\band\b|\bund\b|\bet\b|和", text)
    return tuple(part.strip() for part in parts if part.strip())


def score_choice(answer: str, accepted: Sequence[str]) -> bool:
    """Whether the answer is an accepted choice: its letter ("B", "The answer is (B).", "B. Paris"), or the text of it."""
    letters = {letter for form in accepted for letter, _ in (choice_of(form),) if letter}
    said = choice_said(answer)
    if said:
        return said in letters or (not letters and score_exact(answer, accepted))
    return score_exact(answer, [form for form in accepted if not choice_of(form)[0] or choice_of(form)[1]])


def choice_said(answer: str) -> str:
    """The lower-case letter that an answer chooses, "" for none or for several."""
    letter, _ = choice_of(answer.strip())
    if letter:
        return letter
    led = _LED_CHOICE.match(answer.strip())
    if led is not None:
        return led[1].lower()
    named = {found[1] or found[2] for found in _NAMED_CHOICE.finditer(answer)}
    return named.pop().lower() if len(named) == 1 else ""


def is_figure(text: str) -> bool:
    """Whether a text is a single number or interval, with a unit of at most two words; not a date, time or version, which must
    match exactly."""
    said = _spelt(text)
    found = _span_in(said)
    if found is None or len(read_date(text)) > 1 or _MONTH.search(said):
        return False
    rest = said[: found.start()] + " " + said[found.end() :]
    return not _ONE.search(rest) and len(re.findall(r"[^\W\d_]+", rest)) <= UNIT_WORDS


def score_exact(answer: str, accepted: Sequence[str], *, language: str = "") -> bool:
    """Whether the answer equals an accepted one as `normal` reads them, or one of the two is the letter of the other's choice."""
    return any(_is_same(answer, form, language) for form in accepted)


def score_number(answer: str, accepted: Sequence[str], *, tolerance: float = TOLERANCE) -> bool:
    """Whether the number or interval in the answer, in digits or else in words, is within the tolerance of an accepted one."""
    given = read_span(answer) or read_span(digits_for_words(plain(answer)))
    if given is None:
        return False
    return any(_fits(given, wanted, tolerance) for form in accepted if (wanted := read_span(form)) is not None)


def score_items(answer: Sequence[str], accepted: Sequence[str], enough: int = 0, *, language: str = "") -> bool:
    """Whether named and accepted items have an intersection over union of at least one half; `enough` items suffice, all if 0."""
    given = {normal(item, language) for item in answer} - {""}
    wanted = {normal(item, language) for item in accepted} - {""}
    right, missed = len(given & wanted), len(wanted - given)
    union = len(given) + (min(missed, max(0, enough - right)) if enough else missed)
    return bool(union) and right / union >= OVERLAP


def read_span(text: str) -> Span | None:
    """The number or interval in a text, None for none: “256 KiB”, “10–20”, “[3, 5]”, “between 4 and 6 m”."""
    found = _span_in(_spelt(text))
    if found is None:
        return None
    ends = found.groups() or (found[0], found[0])
    low, high = sorted(float(end) for end in ends)
    return Span(low, high)


def _spelt(text: str) -> str:
    """A text prepared for parsing intervals: a hyphen between two numbers is not a minus."""
    return re.sub(r"(?<=\d)\s*-\s*(?=\d)", " to ", plain(text))


def _span_in(said: str) -> re.Match[str] | None:
    """A match of the interval, with both ends as groups, else of the number."""
    return _BRACKETED.search(said) or _RANGE.search(said) or _ONE.search(said)


def normal(text: str, language: str = "") -> str:
    """Normalisation as in ReAG: without articles, punctuation, case and extra white space, contractions expanded, number words as
    digits. A choice is its text ("(B) Paris": "paris"), or its letter where it has no text."""
    letter, rest = choice_of(text)
    if letter and not rest:
        return letter
    said = digits_of(contracted(plain(written_out(rest))), language)
    return " ".join(_ARTICLE.sub(" ", said.translate(_PUNCTUATION)).split())


def _is_same(one: str, other: str, language: str) -> bool:
    if normal(one, language) == normal(other, language):
        return True
    (first, first_text), (second, second_text) = choice_of(one), choice_of(other)
    return bool(first) and first == second and not (first_text and second_text)


def _fits(given: Span, wanted: Span, tolerance: float) -> bool:
    if wanted.is_number:
        return given.is_number and abs(given.low - wanted.low) <= tolerance + 1e-12
    if given.is_number:
        return wanted.low <= given.low <= wanted.high
    shared = max(0.0, min(given.high, wanted.high) - max(given.low, wanted.low))
    union = max(given.high, wanted.high) - min(given.low, wanted.low)
    return shared / union >= OVERLAP
