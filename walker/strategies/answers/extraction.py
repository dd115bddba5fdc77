"""Candidate answers in a passage: every span that has the form of the wanted type, and what speaks for each."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import msgspec

from memory.words import lazy_re, tokens
from walker.strategies.answers.evidence import WeighedPassage
from walker.strategies.answers.spans import UNIT_FORMS, Span, candidate_spans
from walker.strategies.question.answer_type import AnswerType
from walker.strategies.values.periods import periods_in

NEAR_CHARS = 40
"""A noun or a rare word this close to a candidate belongs to it."""
BEFORE = 0.8
"""Worth of a noun before the candidate, as a share of one behind it."""
ANSWER_CHARS = 120
VALUE_FIT = 0.85
"""Fit of a whole cell or short definition for a type that any text may have."""
READ_FIT, NAMELESS_FIT = 0.5, 0.1
"""Fit of a span that a reader takes for the answer, whatever its form; of that and of a cell where they name nobody, and a person is
asked for."""
MEASURED = frozenset(("number", "year", "date", "time", "version", "email", "phone", "url"))
"""Types of which a passage without such a span says nothing. One that a reader takes for the answer fits as well as what it holds of
that form: "3000 to 30000 dollars" as well as "30000 dollars"."""
_NAME_WORD = lazy_re.compile(r"\b(?:[A-ZÀ-Þ][a-zß-ÿ'’]|[A-Z]\.\s*[A-Z])|[\u3040-\u9fff\uac00-\ud7af]{2}|@")
_ROLE_BEFORE_NAME = lazy_re.compile(
    r"(?:(?!(?:van|von|de|del|der|den|da|di|du|la|le|el|al|bin|ibn|ter)\b)[a-z][\w'-]*,? )+(?=[\w'-]*[A-Z])"
)
_SHOWN_OF = lazy_re.compile(r"\d+\s*[-–—]\s*\d+(?=\s+(?:of|von|de|sur|di)\s+\d)")
"""What a page shows of a longer list."""
_PAIRED_MARKS = (
    ("'", "'"),
    ('"', '"'),
    ("“", "”"),
    ("‘", "’"),
    ("«", "»"),
    ("„", "“"),
    ("「", "」"),
    ("《", "》"),
    ("(", ")"),
)
_PLACEHOLDER = lazy_re.compile(r"[<＜]\s*[^<>＜＞]{1,40}[>＞]|\{\{?\s*\w[\w .-]{0,38}\}?\}")
"""What a manual writes where a value goes: "<number>", "{name}"."""
_BARE_YEAR = lazy_re.compile(r"1[5-9]\d\d|20\d\d")
_VALUE_BEFORE = lazy_re.compile(r"(?:\b(?:is|are|be|to|than|most|least)|[=:])\s{0,2}$")
"""Before a number that is no year, though it looks like one: "the default is 2000"."""
_WORD_BEFORE = lazy_re.compile(
    r"([A-Za-zÀ-ɏ]+)[ \u00a0]*(?:\d+[ \u00a0]*(?:through|thru|to|and|or|bis|und|à|et|hasta|y|[-–,])[ \u00a0]*)?$"
)
"""Before a number, or the last one of two. The space may be the reader's, who takes it for a part of the number."""
_AND = lazy_re.compile(r"\s(?:and|und|et|y|e|&)\s|[和与、]", re.IGNORECASE)
_JOINED_NAMES = lazy_re.compile(r"\s*,\s*|,?\s(?:and|und|et|y|e|&)\s|\s?[和与、]\s?", re.IGNORECASE)
SENTENCE_WORDS = 6
"""Least words of a text that is a sentence; less is a label, and its value behind it."""
_ROLES = frozenset(
    tokens(
        "developer author team member staff maintainer contributor creator editor group community people founder crew manager"
        " Entwickler Autoren Mitglieder Mitarbeiter développeurs auteurs équipe membres desarrolladores autores equipo miembros"
        " 开发者 作者 团队 成员"
    )
)
NAME_WORDS = 8
"""Most words of a cell or definition that names something; more describe it."""
_MEASURE = lazy_re.compile(
    r"\b(?:length|size|height|width|depth|distance|weight|area|capacity|speed|duration|temperature|limit)\b",
    re.IGNORECASE,
)
"""Nouns of what is measured, of which a number alone is one only where its passage names it."""
SPAN_SIGNALS = ("fit", "noun", "unit", "closeness", "adjacency", "whole", "words", "rank", "alone")
"""Fit of the form; nearness of the counted noun; whether the unit is right; share of the question's words around it and directly
beside it; whether it is the whole passage; length; place among the spans of the passage; whether it is the only one."""


class SpanCandidate(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A possible answer, the part of the passage that is quoted for it, and what `SPAN_SIGNALS` names."""

    text: str
    quote: str
    signals: tuple[float, ...]
    start: int = 0
    end: int = 0
    """Its characters in the passage."""


def spans_of(
    weighed: WeighedPassage,
    wanted: AnswerType,
    question: str,
    language: str = "en",
    read: tuple[int, int] | None = None,
) -> list[SpanCandidate]:
    """Candidates of one passage in its order, each text once, without those that repeat the question. `read`: characters that a
    reader takes for the answer, a candidate too."""
    text = weighed.passage.text
    asked = frozenset(tokens(question))
    plain_question = _plain(question)
    spans = list(candidate_spans(text, wanted, asked, language))
    spans += _whole_spans(weighed, wanted, spans, read)
    if wanted.kind == "person":
        spans = _named_together(spans, text, lambda span: _is_asked(_trim(span.text), asked, plain_question))
    if wanted.unit == "money":  # a price has its currency
        spans = [span for span in spans if _has_unit(span, text, wanted)]
    elif wanted.kind == "number" and wanted.noun and not wanted.unit:
        spans = [
            span
            for span in spans
            if not _counts_other_things(span, text, wanted.noun) and not _is_numbering(span, text, wanted.noun)
        ]
    if wanted.kind == "number" and _MEASURE.search(wanted.noun):
        spans = [span for span in spans if not _is_bare_count(span, weighed, wanted.noun)]
    if wanted.kind == "number":  # of "4-6 of 23" the whole number is 23
        shown = [match.span() for match in _SHOWN_OF.finditer(text)]
        spans = [span for span in spans if not any(span.start < end and start < span.end for start, end in shown)]
    kept: dict[str, Span] = {}
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        answer = _trim(span.text)
        if not answer or len(answer) > ANSWER_CHARS or _PLACEHOLDER.fullmatch(answer):
            continue
        if _is_asked(answer, asked, plain_question) or (wanted.kind == "person" and _is_role(answer, asked)):
            continue
        if answer not in kept or kept[answer].fit < span.fit:
            kept[answer] = span
    return [
        SpanCandidate(
            text=answer,
            quote=weighed.passage.quote or _quote(text, span),
            signals=_signals(span, weighed, wanted, asked, (place, len(kept))),
            start=span.start,
            end=span.end,
        )
        for place, (answer, span) in enumerate(kept.items())
    ]


def _whole_spans(
    weighed: WeighedPassage, wanted: AnswerType, spans: Sequence[Span], read: tuple[int, int] | None
) -> list[Span]:
    """What is a candidate whatever its form: what a reader takes for the answer, and a cell; of an abbreviation only the cell beside
    it, where no words spell it."""
    text, whole = weighed.passage.text, []
    if wanted.kind == "expansion":
        is_named = weighed.passage.is_value and wanted.noun in weighed.passage.near and not spans
        return [Span(text=text, start=0, end=len(text), fit=VALUE_FIT)] if is_named else []
    if read is not None:
        told = _read_span(text, read, wanted, spans)
        if wanted.kind not in MEASURED or not wanted.unit or _has_unit(told, text, wanted):
            whole.append(told)
    is_name = wanted.kind in ("name", "place", "person", "time") and len(text.split()) <= NAME_WORDS
    if weighed.passage.is_value and (is_name or wanted.kind in ("phrase", "value")):
        is_nobody = wanted.kind == "person" and _NAME_WORD.search(text) is None
        whole.append(Span(text=text, start=0, end=len(text), fit=NAMELESS_FIT if is_nobody else VALUE_FIT))
    return whole


def _read_span(text: str, read: tuple[int, int], wanted: AnswerType, spans: Sequence[Span]) -> Span:
    """What a reader takes for the answer, in whole words."""
    start, end = _whole_words(text, read)
    fit = READ_FIT
    if wanted.kind == "person":
        start, end = _without_role(text, (start, end))
        fit = READ_FIT if _NAME_WORD.search(text, start, end) else NAMELESS_FIT
    elif wanted.kind in MEASURED:
        fit = max((span.fit for span in spans if start <= span.start and span.end <= end), default=READ_FIT)
    return Span(text=text[start:end], start=start, end=end, fit=fit)


def _whole_words(text: str, read: tuple[int, int]) -> tuple[int, int]:
    """Characters widened to whole words, in scripts that put spaces between them: a reader's tokens are parts of words."""
    start, end = read
    while start > 0 and _is_letter(text[start]) and _is_letter(text[start - 1]):
        start -= 1
    while end < len(text) and _is_letter(text[end]) and _is_letter(text[end - 1]):
        end += 1
    return start, end


def _is_letter(sign: str) -> bool:
    return sign.isalnum() and sign < "\u2e80"


def _without_role(text: str, read: tuple[int, int]) -> tuple[int, int]:
    """A person's name without the role before it: "Maren Holt" of "engineer Maren Holt"."""
    role = _ROLE_BEFORE_NAME.match(text, *read)
    return (role.end(), read[1]) if role else read


def _named_together(spans: Sequence[Span], text: str, is_asked: Callable[[Span], bool]) -> list[Span]:
    """The spans, each name with those that "and" joins to it: of "Ana Ruiz and Ben Okafor" one alone is half an answer. Not with one
    that the question names."""
    names = sorted((span for span in spans if span.fit > READ_FIT and not is_asked(span)), key=lambda one: one.start)
    runs: list[list[Span]] = []
    for name in names:
        if runs and _JOINED_NAMES.fullmatch(text, runs[-1][-1].end, name.start):
            runs[-1].append(name)
        elif not runs or name.start >= runs[-1][-1].end:
            runs.append([name])
    together = []
    for run in runs:
        start, end = run[0].start, run[-1].end
        if len(run) > 1 and _AND.search(text, start, end):
            together.append(Span(text=text[start:end], start=start, end=end, fit=max(one.fit for one in run)))
    parts = [span for span in spans if any(one.start <= span.start and span.end <= one.end for one in together)]
    return [*(span for span in spans if span not in parts), *together]


def passage_answer(text: str, most: int, around: str = "") -> str:
    """A passage as an answer of at most so many characters; a longer one is cut to whole words, around a text if one is given."""
    if len(text) <= most:
        return text
    middle = max(0, text.find(around)) if around else 0
    start = max(0, min(middle + len(around) // 2 - most // 2, len(text) - most))
    piece = text[start : start + most]
    if start and " " in piece[:30]:
        piece = piece[piece.index(" ") + 1 :]
    if start + most < len(text) and " " in piece[-30:]:
        piece = piece[: piece.rindex(" ")]
    return piece.strip()


def _signals(
    span: Span, weighed: WeighedPassage, wanted: AnswerType, asked: frozenset[str], place: tuple[int, int]
) -> tuple[float, ...]:
    text = weighed.passage.text
    noun = 0.5
    if wanted.noun:
        noun = _noun_near(span, text, wanted.noun)
        if weighed.passage.is_value:
            named = frozenset(tokens(wanted.noun)) & frozenset(tokens(weighed.passage.near))
            noun = 1.0 if named else noun
    unit = 0.5
    if wanted.unit:
        unit = float(_has_unit(span, text, wanted))
    elif wanted.kind == "number" and "year" not in wanted.noun and _BARE_YEAR.fullmatch(span.text):
        unit = 0.5 if _is_set_to(span, text) else 0.0
    at, of = place
    return (
        span.fit,
        noun,
        unit,
        _closeness(span, text, asked),
        _adjacency(span, text, asked),
        float(len(_trim(span.text)) >= len(text) - 2),
        min(1.0, len(span.text.split()) / 8),
        1 - at / of,
        1 / of,
    )


def _has_unit(span: Span, text: str, wanted: AnswerType) -> bool:
    if not wanted.unit:
        return False
    if wanted.unit == "duration" and any(one.length for one in periods_in(span.text)):
        return True
    return UNIT_FORMS[wanted.unit].search(text[max(0, span.start - 2) : span.end + 12]) is not None


def _is_bare_count(span: Span, weighed: WeighedPassage, noun: str) -> bool:
    """Whether a number written as a word, without a unit, stands where nothing names the length or size that is asked for: "Choose any
    three" is no length."""
    written, told = weighed.passage.text[span.start : span.end], _trim(span.text)
    if any(map(str.isdigit, written)) or not (told.isdigit() or all(map(_is_letter, told))):
        return False
    said = frozenset(tokens(f"{weighed.passage.text} {weighed.passage.near}"))
    return said.isdisjoint(tokens(" ".join(_MEASURE.findall(noun))))


def _counts_other_things(span: Span, text: str, noun: str) -> bool:
    """Whether a number is one of minutes, metres or euros, or a year, where the noun that is counted is none of these and does not
    stand beside it: how many boats there are is not "1 minute"."""
    words = frozenset(tokens(noun))
    around = frozenset((*tokens(span.text), *tokens(text[span.end : span.end + NEAR_CHARS])[:2]))
    if words & around or any(form.search(noun) for form in UNIT_FORMS.values()):
        return False
    is_measured = any(form.search(span.text) for form in UNIT_FORMS.values())
    return is_measured or (_BARE_YEAR.fullmatch(span.text) is not None and not _is_set_to(span, text))


def _is_numbering(span: Span, text: str, noun: str) -> bool:
    """Whether a number says which of the things it is, not how many there are: "stored in bytes 24 through 27"."""
    before = _WORD_BEFORE.search(text[max(0, span.start - NEAR_CHARS) : span.start])
    if before is None or len(text.split()) < SENTENCE_WORDS:
        return False
    words = frozenset(tokens(noun))
    behind = tokens(text[span.end : span.end + NEAR_CHARS])[:1]
    return bool(words.intersection(tokens(before[1]))) and words.isdisjoint((*tokens(span.text), *behind))


def _is_role(span: str, asked: frozenset[str]) -> bool:
    """Whether a span names but a role and what was asked about: "SQLite Developers" wrote SQLite."""
    named = frozenset(tokens(span))
    return bool(named) and named <= asked | _ROLES


def _is_set_to(span: Span, text: str) -> bool:
    """Whether a text says that something is this number."""
    return _VALUE_BEFORE.search(text, max(0, span.start - 10), span.start) is not None


def _noun_near(span: Span, text: str, noun: str) -> float:
    """How near the noun that is counted or named is to the candidate, 0..1: directly after it is best."""
    words = frozenset(tokens(noun))
    if not words:
        return 0.5
    if words & frozenset(tokens(span.text)):
        return 1.0
    behind = tokens(text[span.end : span.end + NEAR_CHARS].split(",", maxsplit=1)[0])
    before = tokens(text[max(0, span.start - NEAR_CHARS) : span.start])[::-1]
    return max(_nearness(behind, words), BEFORE * _nearness(before, words))


def _nearness(order: tuple[str, ...], words: frozenset[str]) -> float:
    """1 where the first is one of the words, less the later it comes, 0 for never."""
    return max((1 / (1 + place / 2) for place, word in enumerate(order) if word in words), default=0.0)


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
    """Without marks of a sentence at its ends, and without a quotation mark or bracket that has no partner."""
    bare = text.strip(" \t,;:，。；：").removesuffix(".")
    for mark, partner in _PAIRED_MARKS:
        if bare.startswith(mark) and partner not in bare[1:]:
            bare = bare[1:]
        if bare.endswith(partner) and mark not in bare[:-1]:
            bare = bare[:-1]
    return bare


def _quote(text: str, span: Span) -> str:
    """The passage, shortened to a readable length around the answer; still verbatim."""
    if len(text) <= 300:
        return text
    start = max(0, span.start - 150)
    return text[start : min(len(text), span.end + 150)].strip()
