"""Analyses a question by rules alone: what is made without a model, and what stands where a model's analysis cannot be used."""

from __future__ import annotations

import re
from collections.abc import Mapping

from memory.counting.requirement import HOW_MANY, Requirement
from memory.words import STOP_WORDS, lazy_re, tokens
from walker.rules.pictures.picture_words import picture_named
from walker.seams.task_analysis import AnswerKind, SiteName, TaskAnalysis, TaskOperation, TaskPart
from walker.strategies.question.answer_type import AnswerType, read_answer_type
from walker.strategies.question.asked_kinds import is_yes_no, kind_by_words
from walker.strategies.question.question import Part, Question, read_question

NAMES_KEPT = 6

_KIND_OF: Mapping[str, AnswerKind] = {
    "number": "number",
    "year": "date",
    "date": "date",
    "time": "time",
    "version": "value",
    "code": "value",
    "email": "value",
    "phone": "value",
    "url": "value",
    "value": "value",
    "person": "person",
    "place": "place",
    "name": "name",
}
_DAYS_BETWEEN = lazy_re.compile(
    r"\bhow many (?:\w+ )?(?:days|weeks)\b.*\b(?:between|after|before|later|earlier|pass|passed|elapsed?|lie)\b"
    r"|(?:相差|相隔|间隔|之间|[早晚]了?)(?:是|有|了)?(?:多少|几)(?:天|日|周|个?星期)",
    re.IGNORECASE,
)
_AVERAGE = lazy_re.compile(r"\b(?:average|mean) (?:of|between)\b.*\band\b|(?:和|与|及).*的?平均", re.IGNORECASE)
_RATIO = lazy_re.compile(
    r"\bratio (?:of|between)\b|\bhow many times (?:as|more|larger|bigger|higher|longer|heavier|older|faster)\b"
    r"|是.+的?(?:多少|几)倍|(?:和|与).*的?比(?:例|值)",
    re.IGNORECASE,
)
_SAME = lazy_re.compile(r"\b(?:the same|equal(?:ly)?|identical)\b|一样|相同|相等|同一", re.IGNORECASE)
_WHICH_ONE: tuple[tuple[TaskOperation, re.Pattern[str]], ...] = (
    (
        "earlier",
        lazy_re.compile(
            r"\b(?:earlier|earliest|first|older|oldest|sooner|soonest|longer ago)\b|[更最]?早|先|更老|最老|年长",
            re.IGNORECASE,
        ),
    ),
    (
        "later",
        lazy_re.compile(
            r"\b(?:later|latest|newer|newest|younger|youngest|more recent(?:ly)?|last)\b|[更最]?晚|更新|更年轻|之后",
            re.IGNORECASE,
        ),
    ),
    (
        "less",
        lazy_re.compile(
            r"\b(?:fewer|fewest|less|least|smaller|smallest|lower|lowest|cheaper|cheapest|shorter|shortest|lighter|slower|narrower)\b"
            r"|更少|最少|更小|最小|更低|最低|更短|最短|便宜|更轻",
            re.IGNORECASE,
        ),
    ),
)
_UNIT = lazy_re.compile(
    r"\b(?:in|how many)\s+((?:kilo|centi|milli)?met(?:er|re)s?|km|cm|mm|miles|feet|inches|hectares?|acres"
    r"|(?:kilo)?grams?|kg|tonnes?|tons?"
    r"|euros?|dollars?|pounds|francs|yuan|hours?|minutes?|seconds?|days?|weeks?|months?|years?|percent|lit(?:er|re)s?|watts?"
    r"|(?:kilo|mega|giga)?bytes?|[kmg]i?b|degrees?)\b"
    r"|(?:多少|几)\s*(公里|千米|米|厘米|毫米|平方米|公顷|亩|公斤|千克|克|吨|元|美元|欧元|小时|分钟|秒|天|周|个月|年|岁|度|升)",
    re.IGNORECASE,
)
_SHORT_FORM = (
    lazy_re.compile(
        r"(?P<full>[A-Z][\w'’&-]*(?:\s+(?:of|the|for|and|in|de|für|der|des|du|von|[A-Z][\w'’&-]*))+)\s*\((?P<short>[A-Z][A-Za-z.&-]{1,11})\)"
    ),
    lazy_re.compile(r"(?P<full>[\u3400-\u9fff]{2,20})\s*[（(](?P<short>[A-Za-z][\w .&-]{1,60})[)）]"),
)
_CLAUSE, _COUNTED = (
    lazy_re.compile(r".*(?:的|请问|哪[些个一]|什么|多少|列[举出]|关于|根据)"),
    lazy_re.compile(r"[年月日届次期号个位名篇场]"),
)
"""In a run of Chinese signs before a short form in brackets, what is no name: a clause, and what a number counts."""
LONGEST_NAME = 12
"""Chinese signs of a name with a short form; a longer run is a clause."""
_PROOF: Mapping[AnswerKind, str] = {
    "name": "a sentence or entry with the name",
    "person": "a sentence or entry with the person's name",
    "place": "a sentence or entry with the place",
    "date": "a sentence or row with the date",
    "time": "a sentence or row with the time",
    "number": "a sentence or row with the number",
    "value": "the value as the site writes it",
    "yes/no": "a sentence that says so, or the opposite",
    "list": "the list, or a sentence that names them all",
    "count": "the whole list, or a sentence with the number",
    "comparison": "the figure or date of each",
    "passage": "a sentence that says it",
}


def analyse_question(question: str, language: str, requirement: Requirement) -> TaskAnalysis:
    """The analysis of a question by the grammar of its language; `requirement` is what it wants counted."""
    read, wanted = read_question(question, language), read_answer_type(question)
    yes_no = is_yes_no(question, language)
    operation = _operation(read, yes_no=yes_no)
    kind = _kind(question, language, requirement, wanted, operation)
    return TaskAnalysis(
        by="rules",
        kind=kind,
        unit=_unit(question, wanted) if kind in ("number", "comparison") or operation != "none" else "",
        parts=_parts(read),
        operation=operation,
        names=_names(read),
        requirement=requirement,
        picture=picture_named(question),
        proof=_PROOF[kind],
    )


def _kind(
    question: str, language: str, requirement: Requirement, wanted: AnswerType, operation: TaskOperation
) -> AnswerKind:
    if operation in ("more", "less", "earlier", "later"):
        return "comparison"
    if operation in ("is_equal", "yes/no"):
        return "yes/no"
    if operation != "none":
        return "number"
    if requirement.mode != "none":
        return "count" if requirement.mode == "exhaustive" and HOW_MANY.search(question) else "list"
    return kind_by_words(question, language) or _KIND_OF.get(wanted.kind, "passage")


def _operation(read: Question, *, yes_no: bool) -> TaskOperation:
    text = read.text
    if yes_no:
        return "is_equal" if _SAME.search(text) else "yes/no"
    if read.operation == "compare":
        return next((operation for operation, pattern in _WHICH_ONE if pattern.search(text)), "more")
    if _RATIO.search(text):
        return "ratio"
    if _AVERAGE.search(text):
        return "average"
    if read.operation == "difference":
        return "days_between" if _DAYS_BETWEEN.search(text) else "difference"
    return "sum" if read.operation == "sum" else "none"


def _parts(read: Question) -> tuple[TaskPart, ...]:
    is_chain = read.operation == "chain"
    return tuple(TaskPart(text=part.text, needs=number if is_chain else 0) for number, part in enumerate(read.parts))


def _unit(question: str, wanted: AnswerType) -> str:
    found = _UNIT.search(question)
    return next(filter(None, found.groups()), "") if found else wanted.unit


def _names(read: Question) -> tuple[SiteName, ...]:
    """The names in a question, the longer ones in place of their parts, with the short form that stands in brackets behind one."""
    short = {
        name: match["short"]
        for pattern in _SHORT_FORM
        for match in pattern.finditer(read.text)
        if (name := _without_start(match["full"], read.text[: match.start()]))
    }
    first = re.match(r"\W*\w+", read.text)
    found = (
        *short,
        *(name for part in read.parts for name in _names_of(part) if not first or name != first[0].strip("¿¡ ")),
    )
    known = {token for name, brief in short.items() for token in tokens(f"{name} {brief}")}
    kept: list[str] = list(short)
    for name in sorted(dict.fromkeys(found), key=lambda name: -len(name)):
        if not known.issuperset(words := tokens(name)):
            kept.append(name)
            known.update(words)
    kept.sort(key=read.text.find)
    return tuple(SiteName(name=name, spellings=(short[name],) if name in short else ()) for name in kept)[:NAMES_KEPT]


def _without_start(name: str, before: str) -> str:
    """A run of words from the first one that is no stop word: "the European Space Agency" after "Does"; of Chinese signs the last that
    may be a name, "" where that cannot be told. `before`: the text before it."""
    if not name.isascii() and " " not in name:
        counted = _COUNTED.match(name) if before.rstrip()[-1:].isdigit() else None
        kept = _CLAUSE.sub("", name[counted.end() :] if counted else name)
        return kept if 1 < len(kept) <= LONGEST_NAME else ""
    words = name.split()
    while len(words) > 1 and words[0].lower() in STOP_WORDS:
        del words[0]
    return " ".join(words)


def _names_of(part: Part) -> tuple[str, ...]:
    """Names of places, and those of the key terms that are written like names."""
    terms = (term for term in part.terms if term[0].isupper() or any(mark in term for mark in "_.0123456789"))
    return (*part.page_hints, *part.section_hints, *part.containers, *terms)
