"""Composes the answer to a question from the answers to its parts."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from memory.words import lazy_re
from walker.seams.calculations import CalculationName
from walker.strategies.answers.calculation import YES_NO, Calculation, calculate
from walker.strategies.question.answer_type import read_answer_type
from walker.strategies.question.asked_comparison import bound_of, checks_of, options_of, orders_of
from walker.strategies.question.question import Question
from walker.strategies.values.periods import Period, periods_in
from walker.strategies.values.value_kinds import Measure
from walker.strategies.values.written_values import only_value, values_in
from walker.strategies.wording.choice_questions import BESIDES

COMPUTED = frozenset(("difference", "sum", "ratio", "compare", "whether"))
"""Operations by which two values are joined."""
_VALUES = frozenset(("version", "year", "date", "time", "number"))
_LENGTH = lazy_re.compile(
    r"\bhow long\b|\bwie lange\b|\bcombien de temps\b|\bcuánto tiempo\b|多久|多长时间|どれくらい", re.IGNORECASE
)
_LAST = lazy_re.compile(
    r"\b(?:ends?|ended|finish\w*|closes?|closed|oldest|highest|maximum|largest|at most|end\w*|schlie\w+|ältest\w+"
    r"|höchst\w+|fini\w*|termin\w+"
    r"|âgés?|maxim\w+|mayores)\b|结束|截止|最大|最高|最多",
    re.IGNORECASE,
)
"""Words of a part that ask for the last value of a period; else the first is meant."""
_FIRST = lazy_re.compile(
    r"\b(?:begin\w*|began|starts?|started|opens?|youngest|lowest|minimum|smallest|at least|beginn\w*|begann|jüngst\w+"
    r"|mindest\w*|commenc\w+|empez\w+)\b"
    r"|开始|最小|最低|最少",
    re.IGNORECASE,
)


def compose(question: Question, found: Sequence[str], quotes: Sequence[str] = ()) -> str:
    """The answer; "" where it has to be computed and cannot be. `found`: what was found for each part, "" for nothing;
    `quotes`: the passages that say it."""
    last = found[-1] if found else ""
    if question.operation == "both" and len(found) == 2:
        told = [_whole_period(*one, question.language) for one in zip(found, quotes or ("", ""), strict=True)]
        return "; ".join(told) if all(found) else ""
    if question.operation in COMPUTED and len(found) >= 2:
        if not all(found[:2]):
            return ""
        return _computed(question, values_of(question, found, quotes))
    if last and (bound := bound_of(question.text)) is not None:
        return _first_result(question, (last, bound.text), (bound.check,)) or last
    return last


def values_of(question: Question, found: Sequence[str], quotes: Sequence[str] = ()) -> list[str]:
    """The two values that are computed with. Of both the same end is meant where only one part says which: "the youngest"."""
    told = quotes or ("",) * len(found)
    asked = [part.text for part in question.parts]
    says = [_LAST.search(text) is not None or _FIRST.search(text) is not None for text in asked]
    if len(asked) == 2 and says[0] != says[1]:
        asked = [f"{text} {other}" for text, other in zip(asked, reversed(asked), strict=True)]
    return [
        value_of(text, _with_unit(value, quote, question.language), quote, question.language)
        for text, value, quote in zip(asked, found[:2], told, strict=False)
    ]


def _with_unit(text: str, quote: str, language: str) -> str:
    """A bare number with the unit that its quote gives it: 1.97 of "Height: 1.97 m"."""
    value = only_value(text, language)
    if not isinstance(value, Measure) or value.unit or text != value.written:
        return text
    told = {
        one.written for one in values_in(quote, language) if isinstance(one, Measure) and one.digits == value.digits
    }
    return told.pop() if len(told) == 1 else text


def are_as_taken(question: Question, values: Sequence[str]) -> bool:
    """Whether two values differ as the question takes for granted: "how many more" wants a first value that is more."""
    if question.operation != "difference":
        return True
    asked = Calculation(operation="is_equal", values=tuple(values), question=question.text, language=question.language)
    is_same = _says_yes(asked)
    if is_same or not question.first_is:
        return not is_same
    operation: CalculationName = "is_more" if question.first_is == "more" else "is_less"
    return _says_yes(msgspec.structs.replace(asked, operation=operation)) is not False


def _says_yes(asked: Calculation) -> bool | None:
    computed = calculate(asked)
    yes = YES_NO.get(asked.language, YES_NO["en"])[0]
    return None if computed is None else computed.answer.startswith(yes)


def value_of(asked: str, text: str, quote: str, language: str) -> str:
    """The one value that a part asks for, of a text that may tell from when to when: "At what time did it end?" wants 14:25 of
    "13:00 - 14:25", "How long was it?" 85 minutes."""
    period = next(iter(periods_in(text, language)), None) or _around(text, quote, language)
    if period is None:
        return text
    if _LENGTH.search(asked):
        return period.length or text
    if _LAST.search(asked):
        return period.last.written
    return period.first.written if periods_in(text, language) or _FIRST.search(asked) else text


def _around(text: str, quote: str, language: str) -> Period | None:
    """The period of a quote of which a text is one end."""
    return next((one for one in periods_in(quote, language) if text in one.written), None) if text else None


def _whole_period(text: str, quote: str, language: str) -> str:
    """The period of a quote whose end a text is: who asks when it is held wants 14:00 - 15:00."""
    if not text or periods_in(text, language):
        return text
    period = _around(text, quote, language)
    return period.written if period is not None and period.written.endswith(text) else text


def _asks_value(question: Question) -> bool:
    """Whether a choice asks for a value ("Which version brought the earlier of two ...") rather than for one of its things, which may
    be values themselves ("In which year were there more, 2016 or 2022?"); what it asks besides says nothing of that."""
    asked = BESIDES.sub("?", question.text)
    if read_answer_type(asked, question.language).kind not in _VALUES:
        return False
    return not question.things or not all(values_in(thing, question.language) for thing in question.things)


def is_choice(question: Question) -> bool:
    """Whether the answer is one of two that the question offers: yes or no, or one of two things."""
    return question.operation == "whether" or (
        question.operation == "compare" and bool(_names(question)) and not _asks_value(question)
    )


def _names(question: Question) -> tuple[str, ...]:
    return question.things or options_of(question.text)


def _computed(question: Question, values: Sequence[str]) -> str:
    names = _names(question) if question.operation == "compare" else ()
    operations: tuple[CalculationName, ...]
    match question.operation:
        case "compare":
            operations = orders_of(question.text)
            if _asks_value(question):
                names = tuple(values)  # "which version brought the earlier of two": a value is asked for, no name
        case "whether":
            operations = checks_of(question.text)
        case "sum" | "ratio":
            operations = (question.operation,)
        case _:
            operations = ("difference",)
    return _first_result(question, values, operations, names)


def _first_result(
    question: Question, values: Sequence[str], operations: Sequence[CalculationName], names: tuple[str, ...] = ()
) -> str:
    """The result of the first operation that has one: "older" is the earlier of two dates, and more of two ages."""
    for operation in operations:
        computed = calculate(
            Calculation(
                operation=operation,
                values=tuple(values),
                names=names,
                question=question.text,
                language=question.language,
            )
        )
        if computed is not None:
            return computed.text
    return ""
