"""What one page answers to one part of a question: its passages, weighed, and the likeliest spans in them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec

from memory.retrieval import Ranker
from memory.words import lazy_re
from perception.observation import Observation
from walker.rules.language import language_of_page
from walker.strategies.answers.answer_chance import (
    FORMED,
    MOST_LOG,
    PASSAGE_SIGNALS,
    Likeness,
    passage_chance,
    passage_signals,
    read_signal,
    span_chance,
)
from walker.strategies.answers.evidence import PageWords, WeighedPassage, page_fit
from walker.strategies.answers.extraction import MEASURED, SpanCandidate, passage_answer, spans_of
from walker.strategies.answers.new_words import says_more
from walker.strategies.answers.passages import Passage, split_passages
from walker.strategies.answers.spans import SPELLED_FIT, WORDS_FIT
from walker.strategies.builtin.texts_to_read import chosen_texts
from walker.strategies.builtin.word_likeness import ABOVE_CHARS, NEAR_CHARS, likeness_by_words
from walker.strategies.joining.composing import COMPUTED
from walker.strategies.question.answer_type import AnswerType, read_answer_type
from walker.strategies.question.asked_comparison import bound_of
from walker.strategies.question.question import Part, Question
from walker.strategies.question.question_terms import content_words, specific_words
from walker.strategies.reader.passage_reader import PassageReader, ReaderText, Reading
from walker.strategies.reader.windows import Place, reading_windows
from walker.strategies.values.other_numbers import numbers_named, speaks_of_another
from walker.strategies.values.periods import LASTING, periods_in
from walker.strategies.values.polarity import yes_or_no
from walker.strategies.values.value_kinds import Measure
from walker.strategies.values.written_values import values_in
from walker.strategies.wording.filling import filled

PASSAGES_WEIGHED = 40
PASSAGES_RANKED = 24
"""Best passages by words whose embedding is compared with the question's, too."""
READ_AT_MOST = 12
"""Likeliest passages by words that the reader reads."""
SURE_READING = 0.0
"""Log odds of a text from which its passage may answer with a number, though no rule finds one in it."""
FOUND_A_TEXT = 2
"""Passages of a text that the reader may find: an address stands beside its room, an entry of a list beside the next."""
SURE_SPAN, SURE_FORM = 0.8, 0.4
"""Chance of a span from which it is the answer, of any type and of one that has a form of its own; else the passage is, as far as it
fits in `PASSAGE_CHARS`. From 0.6 to 0.8 a span without a form is wrong where its passage is right for 4 of 211 questions of
building sites, and never the other way round."""
SPELLED_CHANCE = 0.85
"""Least chance of words that spell an abbreviation which stands beside them: of 70 such, drawn from pages of 30 public sites, 64 do
explain it."""
PASSAGE_CHARS = 190


_APART = r".*\b(?:before|after|between|passed|elapsed|earlier|later|first|vor|nach|zwischen)\b"
_COMPUTED_WITH: tuple[tuple[re.Pattern[str], AnswerType], ...] = tuple(
    (lazy_re.compile(pattern, re.IGNORECASE), found)
    for pattern, found in (
        (rf"\b(?:minutes?|hours?|minuten|stunden)\b{_APART}", AnswerType(kind="time")),
        (rf"\b(?:days?|weeks?|tagen?|wochen)\b{_APART}", AnswerType(kind="date")),
        (r"year|\bjahre?\b|年", AnswerType(kind="year")),
        (r"version|\breleases?\b", AnswerType(kind="version")),
    )
)
"""What the parts of a question are computed with, by words of the whole."""
_NAMED_THING = lazy_re.compile(r"\b[Ww]hich (?P<name>[A-Z][\w'’-]*(?: (?:of |the )?[A-Z][\w'’-]*)+)")
NAME_CHARS = 70
_WHICH_DAY = lazy_re.compile(r"\bwhich (?:month|day|week|date)\b|哪个?月|哪一?天", re.IGNORECASE)
_DIGIT = lazy_re.compile(r"\d")
_WEEKDAY = lazy_re.compile(
    r"\b(?:day of the week|weekday|wochentag|jour de la semaine|día de la semana)\b|星期几|周几", re.IGNORECASE
)
_LASTS = lazy_re.compile(r"\bwie lange\b|\bcombien de temps\b|\bcuánto tiempo\b|多久|多长时间", re.IGNORECASE)
_HOW_LONG = lazy_re.compile(r"\bhow long\b", re.IGNORECASE)
_TIME_UNIT = lazy_re.compile(
    r"\b(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|took|takes?|lasts?|lasted)\b", re.IGNORECASE
)
_WHICH_YEAR = lazy_re.compile(r"\bin welchem jahr\b|\bquelle année\b|\bqué año\b", re.IGNORECASE)
_COUNTED = lazy_re.compile(r"\b(?:wie ?viele|combien (?:de |d['’])|cu[aá]nt[oa]s)\s*(?P<noun>[\w-]+)", re.IGNORECASE)


class PageAnswer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A passage, its spans and the chance that it answers the part."""

    weighed: WeighedPassage
    spans: tuple[SpanCandidate, ...]
    """Likeliest first."""
    signals: tuple[float, ...]
    chance: float
    is_formed: bool = False
    """Whether answers of the wanted type have a form of their own."""

    def text(self, *, short: bool = False) -> str:
        """The span if it is sure, or if a short answer is needed for computing; else the passage."""
        best = self.spans[0] if self.spans else None
        if best is not None and (short or span_chance(best) >= (SURE_FORM if self.is_formed else SURE_SPAN)):
            return best.text
        return passage_answer(self.weighed.passage.text, PASSAGE_CHARS, best.text if best is not None else "")

    def further_values(self, most: int) -> list[tuple[str, str, float]]:
        """Text, quote and chance of the next spans of the passage, each as much less likely than the first as its span is."""
        best = span_chance(self.spans[0]) if self.spans else 0.0
        if not best:
            return []
        return [(span.text, span.quote, self.chance * span_chance(span) / best) for span in self.spans[1:most]]

    def verdict(self, question: str, language: str) -> str:
        """The passage as an answer of yes or no."""
        passage = self.weighed.passage.text
        return yes_or_no(question, passage_answer(passage, PASSAGE_CHARS), language)

    def named_above(self, asked: str) -> str:
        """The rest of the heading above that begins with the thing that is asked for by a name of several words ("Which Users' Meeting
        ..." below "Slides of the Users' Meeting of May 2019"); "" where none does."""
        wanted = _NAMED_THING.search(asked)
        if wanted is None:
            return ""
        above = self.weighed.passage.above
        place = above.casefold().rfind(wanted["name"].casefold())
        return above[place:].strip()[:NAME_CHARS] if place >= 0 else ""

    @property
    def quote(self) -> str:
        """What is cited: verbatim."""
        return self.spans[0].quote if self.spans else self.weighed.passage.quote or self.weighed.passage.text[:300]


class _AskedPart(NamedTuple):
    """A part of a question, with the answer of the part before."""

    question: Question
    part: Part
    known: str
    text: str
    """The part with what is known in its place."""
    wanted: AnswerType
    numbered: frozenset[tuple[str, str]]
    """The names in it that have a number behind them."""

    @property
    def repeated(self) -> str:
        """What is no answer, since it was said already."""
        return f"{self.question.text} {self.known}"

    @property
    def is_measured(self) -> bool:
        """Whether answers have a form of their own."""
        return self.wanted.kind in MEASURED or self.wanted.kind == "expansion"

    @property
    def may_be_worded(self) -> bool:
        """Whether an answer may have a form that no rule finds: "une quinzaine" is a number, "once the tide turns" tells when; no year
        lacks digits."""
        return self.wanted.kind in ("number", "date") and self.question.operation not in COMPUTED

    @classmethod
    def of(cls, question: Question, part: Part, known: str) -> _AskedPart:
        text = filled(part.text, known)
        return cls(question, part, known, text, wanted_type(question, part), numbers_named(text))


class _ReadPassage(NamedTuple):
    """What was read of the text that a passage stands in, and the likeliest span within the passage."""

    reading: Reading
    place: Place
    best: tuple[int, int, float] | None


class PageAnswers:
    """Reads one page for the parts of a question."""

    def __init__(self, observation: Observation, ranker: Ranker, reader: PassageReader | None = None) -> None:
        """With a reader, passages in a language that it reads are read; without, they are weighed by their words alone."""
        self.passages = split_passages(observation)
        self._observation, self._ranker, self._reader = observation, ranker, reader
        self._words = PageWords(self.passages, observation.title)

    def relevance(self, question: str) -> float:
        """Of the page as a whole to the question, 0..1."""
        texts = [self._observation.title, *(passage.text for passage in self.passages if not passage.margin)][:600]
        return round(self._ranker.relevance(question, texts), 4)

    def weighed(self, question: Question, part: Part, known: str = "") -> list[PageAnswer]:
        """The passages that are weighed for a part, likeliest first; `known`: the answer of the part before."""
        asked = _AskedPart.of(question, part, known)
        by_place = question.operation in COMPUTED and asked.is_measured
        by_words = self._words.weigh(
            content_words(asked.text), specific_words(asked.text), PASSAGES_WEIGHED, by_place=by_place
        )
        answers = self._answers(by_words, asked)
        reader = self._reader
        if reader is None or not reader.reads(question.language) or not reader.reads(self._language):
            return answers
        return self._read(reader, answers[:READ_AT_MOST], asked)

    def _answers(
        self, weighed: Sequence[WeighedPassage], asked: _AskedPart, sure: Collection[int] = ()
    ) -> list[PageAnswer]:
        """Those that say more than the question, with their spans and their chance by words, likeliest first; `sure`: places of those
        that are kept without a span."""
        question, part, known, wanted = asked.question, asked.part, asked.known, asked.wanted
        chosen = [one for one in weighed if self._tells(one.passage, asked)]
        texts = [_with_place(one) for one in chosen[:PASSAGES_RANKED]]
        meaning: Sequence[float] = self._ranker.similarities(asked.text if known else part.text, texts)
        words = likeness_by_words(asked.text, [_with_surroundings(one) for one in chosen], self._ranker)
        named = msgspec.structs.replace(part, page_hints=part.page_hints or part.things)
        fit = page_fit(named, self._observation, known)
        answers = []
        for place, one in enumerate(chosen):
            found = spans_of(one, wanted, asked.repeated, question.language)
            spans = sorted(_measured(found, question, wanted), key=span_chance, reverse=True)
            if not spans and asked.is_measured and one.passage.place not in sure:
                continue
            likeness = Likeness(whole=meaning[place] if place < len(meaning) else 0.0, words=words[place])
            signals = passage_signals(one, wanted, spans[0] if spans else None, fit, likeness)
            answers.append(
                PageAnswer(
                    weighed=one,
                    spans=tuple(spans),
                    signals=signals,
                    chance=_chance(wanted, spans, signals),
                    is_formed=wanted.kind in FORMED,
                )
            )
        return sorted(answers, key=lambda one: -one.chance)

    def _tells(self, passage: Passage, asked: _AskedPart) -> bool:
        """Whether a passage says more than the question, and of the numbers that it names."""
        if not says_more(passage.text, asked.question.text, asked.known, asked.question.language):
            return False
        around = f"{passage.near}\n{passage.above}\n{self._observation.title}"
        return not speaks_of_another(passage.text, around, asked.numbered)

    @cached_property
    def _language(self) -> str:
        return language_of_page(self._observation)

    @cached_property
    def _windows(self) -> tuple[Sequence[ReaderText], Sequence[Place]]:
        return reading_windows(self.passages)

    def _read(self, reader: PassageReader, answers: Sequence[PageAnswer], asked: _AskedPart) -> list[PageAnswer]:
        """The answers weighed again, with what the reader makes of the texts around them, and what it finds in these texts itself."""
        windows, places = self._windows
        shown = sorted({place.window for place, one in zip(places, self.passages, strict=True) if not one.margin})
        chosen = [places[one.weighed.passage.place].window for one in answers]
        numbers = chosen_texts(chosen, shown, windows, asked.text, self._ranker)
        readings = dict(zip(numbers, reader.read(asked.text, [windows[number] for number in numbers]), strict=True))
        read = {
            number: _ReadPassage(reading, place, reading.best_span(place.start, place.end))
            for number, place in enumerate(places)
            if (reading := readings.get(place.window)) is not None
        }
        told: list[PageAnswer] = []
        for one in (*answers, *self._found_in(read, answers, asked)):
            passage = read[one.weighed.passage.place]
            spans = _spans_read(one.weighed, asked, passage)
            is_sure = asked.may_be_worded and passage.reading.log_odds >= SURE_READING
            if spans or is_sure or not asked.is_measured:
                told.append(_with_reading(one, asked.wanted, spans, passage))
        return sorted(told, key=lambda one: -one.chance)

    def _found_in(
        self, read: Mapping[int, _ReadPassage], answers: Sequence[PageAnswer], asked: _AskedPart
    ) -> list[PageAnswer]:
        """Of each text that was read the passages that the reader takes for the answer, if words did not find them."""
        best: dict[int, list[tuple[float, int]]] = {}
        for number, passage in read.items():
            if passage.best is not None:
                best.setdefault(passage.place.window, []).append((passage.best[2], number))
        known = {one.weighed.passage.place for one in answers}
        likeliest = [number for each in best.values() for _, number in sorted(each, reverse=True)[:FOUND_A_TEXT]]
        found = sorted(number for number in likeliest if number not in known)
        words = self._words.weigh_at(found, content_words(asked.text), specific_words(asked.text))
        sure = frozenset(
            number for number in found if asked.may_be_worded and read[number].reading.log_odds >= SURE_READING
        )
        return self._answers(words, asked, sure)


def _spans_read(weighed: WeighedPassage, asked: _AskedPart, passage: _ReadPassage) -> list[SpanCandidate]:
    """The spans of a passage, the one that the reader takes for the answer among them. Where answers have a form of their own, it is
    one if it holds that form and further digits ("3000 to 30000 dollars"), or tells in words when ("every Tuesday evening")."""
    question, wanted, start = asked.question, asked.wanted, passage.place.start
    best = passage.best
    own = (best[0] - start, best[1] - start) if best else None
    if not asked.is_measured:
        return spans_of(weighed, wanted, asked.repeated, question.language, own)
    found = _measured(spans_of(weighed, wanted, asked.repeated, question.language), question, wanted)
    if own is None or question.operation in COMPUTED:
        return found
    held = [span for span in found if own[0] <= span.start and span.end <= own[1]]
    longest = max(held, key=lambda span: span.end - span.start, default=None)
    if longest is None:
        return found
    text, is_worded = weighed.passage.text, wanted.kind == "date" and longest.signals[0] <= WORDS_FIT
    if not is_worded and not _DIGIT.search(text[own[0] : longest.start] + text[longest.end : own[1]]):
        return found
    return spans_of(weighed, wanted, asked.repeated, question.language, own)


def _with_reading(
    answer: PageAnswer, wanted: AnswerType, spans: Sequence[SpanCandidate], read: _ReadPassage
) -> PageAnswer:
    """With the reader's log probability of each span, and what it makes of the text."""
    reading, place, best = read
    told = [
        msgspec.structs.replace(
            span,
            signals=(
                *span.signals,
                read_signal(reading.span_log(place.start + span.start, place.start + span.end)),
            ),
        )
        for span in spans
    ]
    told.sort(key=span_chance, reverse=True)
    likeness = Likeness(
        whole=answer.signals[PASSAGE_SIGNALS.index("meaning")], words=answer.signals[PASSAGE_SIGNALS.index("words")]
    )
    fit = answer.signals[PASSAGE_SIGNALS.index("page_fit")] + 0.5
    weighed = passage_signals(answer.weighed, wanted, told[0] if told else None, fit, likeness)
    signals = (*weighed, read_signal(reading.log_odds), read_signal(best[2] if best else -MOST_LOG))
    return msgspec.structs.replace(answer, spans=tuple(told), signals=signals, chance=_chance(wanted, told, signals))


def _chance(wanted: AnswerType, spans: Sequence[SpanCandidate], signals: Sequence[float]) -> float:
    """The chance of a passage; no less than `SPELLED_CHANCE` where words that spell the abbreviation stand beside it."""
    is_spelled = wanted.kind == "expansion" and bool(spans) and spans[0].signals[0] == SPELLED_FIT[True]
    return max(passage_chance(signals), SPELLED_CHANCE if is_spelled else 0.0)


def wanted_type(question: Question, part: Part) -> AnswerType:
    """The type of a part's answer: of one that is computed with, what can be computed with."""
    wanted = read_answer_type(part.text, question.language)
    if question.operation == "chain" and _WHICH_DAY.search(part.text):
        return AnswerType(kind="date")
    if wanted.kind == "date" and _WEEKDAY.search(part.text):
        return AnswerType(kind="phrase")
    is_measured = question.operation in COMPUTED or bound_of(question.text) is not None
    if is_measured and wanted.kind == "number" and not wanted.unit and _asks_how_long(question, part):
        return msgspec.structs.replace(wanted, noun="", unit="duration")
    if is_measured and wanted.kind == "date" and _WHICH_YEAR.search(part.text):
        return AnswerType(kind="year")
    if is_measured and wanted.kind == "number" and not wanted.noun and (counted := _COUNTED.search(part.text)):
        return msgspec.structs.replace(wanted, noun=counted["noun"])
    if is_measured and wanted.kind in ("phrase", "name", "person"):
        return next(
            (found for pattern, found in _COMPUTED_WITH if pattern.search(question.text)), AnswerType(kind="number")
        )
    return wanted


def _asks_how_long(question: Question, part: Part) -> bool:
    """Whether a part asks for a length of time: "how long" alone may ask for metres."""
    if _LASTS.search(part.text):
        return True
    return _HOW_LONG.search(part.text) is not None and _TIME_UNIT.search(question.text) is not None


def _measured(spans: list[SpanCandidate], question: Question, wanted: AnswerType) -> list[SpanCandidate]:
    """Without what cannot be computed with: no length of time, where it is computed with how long something takes, and no date where
    it is with days."""
    if question.operation not in COMPUTED:
        return spans
    if wanted.kind == "date":
        return [span for span in spans if span.signals[0] > WORDS_FIT]
    if wanted.unit != "duration":
        return spans
    return [span for span in spans if _lasts(span.text, question.language)]


def _lasts(text: str, language: str) -> bool:
    values = values_in(text, language)
    is_measured = any(isinstance(value, Measure) and value.unit in LASTING for value in values)
    return is_measured or any(one.length for one in periods_in(text, language))


def _with_surroundings(weighed: WeighedPassage) -> tuple[str, str]:
    passage = weighed.passage
    return passage.text, f"{passage.near[:NEAR_CHARS]} {passage.above[-ABOVE_CHARS:]}"


def _with_place(weighed: WeighedPassage) -> str:
    passage = weighed.passage
    return f"{passage.near} {passage.text}" if passage.is_value else f"{passage.above[-80:]} {passage.text}"
