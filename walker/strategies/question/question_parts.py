"""Splits a question that needs several pages into what is to be found on each.

Comparisons name two quantities; a bridge describes a thing that one page names and another explains ("... refers to a
PEP. Who implemented that PEP?").
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

import msgspec

from memory.words import lazy_re
from walker.strategies.question.page_hints import Hint, quoted_spans
from walker.strategies.question.two_quantities import find_quantities
from walker.strategies.wording.descriptions import ROLES, Described, described_within
from walker.strategies.wording.relative_clauses import asks_no_more, clause_described, perfect_described
from walker.strategies.wording.two_questions import asked_at_once, asked_in_turn, asks_twice

Operation = Literal["none", "difference", "sum", "compare", "whether", "ratio", "chain", "both"]


class Clause(msgspec.Struct, frozen=True, kw_only=True):
    """One part's words and the names of places in them."""

    text: str
    hints: tuple[Hint, ...] = ()


class Split(msgspec.Struct, frozen=True, kw_only=True):
    """The clauses in the order in which they are to be found."""

    clauses: tuple[Clause, ...]
    operation: Operation = "none"
    things: tuple[str, ...] = ()
    """The two things of a comparison, as the question names them."""
    first_is: Literal["", "more", "less"] = ""
    """Whether the first of two compared values is taken to be more, or later, than the second."""
    may_be_one: bool = False
    """Whether one sentence of a page may well say all that is asked: a thing that a clause describes may be described nowhere else."""
    is_half: bool = False
    """Whether two things are asked at once that could not be taken apart."""


_SENTENCE_END = lazy_re.compile(
    r"(?<=[.!?])(?<!\b[A-Z]\.)(?<!\b(?:Dr|Mr|Ms|St|vs|No)\.)\s+(?=[\"'A-Z(0-9\x01])|(?<=[。！？])"
)
_BACK = lazy_re.compile(
    r"\b(?:that|this|those|these|the same|such an?|said)\s+[a-z]\w*"
    r"|\b(?:than|of|to|for|by|with|in|on|at|from) (?:that|this|it|them)\b"
    r"|\b(?:it|its|he|she|his|her|their|they|there)\b|\bthe (?:one|former|latter|last|first)\b|该|这|此|其|那|它|他|她",
    re.IGNORECASE,
)
"""Words of a second sentence that point back to the first."""
_MORE_THAN_THAT = lazy_re.compile(r"how (?:many|much) (?:more|fewer|less)\b.*\bthan (?:that|this|those)", re.IGNORECASE)
_THING = (
    r"(?:date|day|year|month|person|man|woman|author|version|release|company|organi[sz]ation|place|city|country|name|value"
    r"|number|book|project|module|function|tool|professor|researcher|department|event)s?"
)
_EVENT = (
    r"(?:meeting|conference|game|talk|session|workshop|course|lecture|article|paper|page|file|option|command|room"
    r"|track|league)s?"
)
_NESTED = lazy_re.compile(
    r"\b(?:before|after|in|on|by|of|with|to|than|from|at|since|for|until)\s+(?P<inner>(?:the|that)\s+"
    rf"(?:[\w-]+\s+){{0,3}}?{_THING}\s+(?:of|in which|on which|at which|when|where|who|whom|whose|that|which|mentioned"
    r"|named|given|described)\s.+)$",
    re.IGNORECASE,
)
_SOMEBODY = (
    r"(?:person|man|woman|author|professor|researcher|user|player|speaker|member|student|developer|team|company"
    rf"|{ROLES})s?"
)
_LINK = r"(?:of|in|at|on|by|for|from|with|to|and|or|is|was|are|were)"
_DESCRIBED = lazy_re.compile(
    rf"\b(?:the|that)\s+(?P<noun>(?:(?!{_LINK}\b)[\w-]+\s+){{0,3}}?(?:{_THING}|{_SOMEBODY}|{_EVENT}))(?:\s+(?:has|have"
    rf"|had|use|need|offer)s?)?,?\s+"
    r"(?:(?:in|at|on|by|for|from|during|with)\s+)?(?P<link>which|whom|whose|who|that|when|where)\s+(?P<said>.+)$",
    re.IGNORECASE,
)
"""A thing that is only described, at the end of a question: "in the month in which it was released"."""
_HAN_DESCRIBED = lazy_re.compile(
    r"^(?P<said>.{6,}?)的(?P<noun>同学|老师|作者|学生|成员|嘉宾|讲者|公司|学校|网站|版本|文章|活动|比赛|城市|人)[，,]\s*(?P<outer>.+[?？])$"
)
_ALSO = lazy_re.compile(
    r"^(?P<wh>which|who)\s+(?P<noun>[\w-]+)\s(?:(?!\b(?:who|that|which|but|not)\b).)*?(?P<verb>\b(?:is|was|are|were|has"
    r"|had)\s)?\balso\s+"
    r"(?P<said>.+)$",
    re.IGNORECASE,
)
"""One thing of which two things are said: what is said last singles it out."""
_AS_WELL = lazy_re.compile(
    r"^(?P<start>(?:which|who)\s.+\s)(?P<verb>is|was|are|were|has|had)\s(?P<said>.+?)\s(?:as well|too)(?P<end>[?. ]*)$",
    re.IGNORECASE,
)
_RESTRICTED = lazy_re.compile(r"^\w+\s+[\w-]+\s+(?:of|in|at|on|from)\s+\S+", re.IGNORECASE)
"""Which of these things: "Which author of the paper"."""
_ASKED = lazy_re.compile(r"\b(?:which|what|who|whom|when|where|how)\b", re.IGNORECASE)
_AT = lazy_re.compile(r"\s+(?:in|at|on|by|for|from|during|with)\s*$", re.IGNORECASE)
_WAITING = lazy_re.compile(r"^\S*\s*$|\b(?:did|does|do)\s*$", re.IGNORECASE)
"""Before what is described: nothing that could be asked, or a verb that is still to come."""
_HAN_PERSONS = frozenset(("同学", "老师", "作者", "学生", "成员", "嘉宾", "讲者", "人"))
MANY_WORDS = 3
"""Least words of what is said of a thing, and of what is asked."""
_PLACES = ("page", "section", "container", "topic")


def split_question(question: str, hints: tuple[Hint, ...]) -> Split:
    """The parts of a question; one part if it does not name several things to find."""
    blanked = _blank_quotes(question)
    for reader in (
        _two_quantities,
        _two_sentences,
        _both,
        _nested_description,
        _also,
        _described_within,
        _within_a_perfect,
        _described,
        _described_in_chinese,
        _by_a_clause,
    ):
        if (split := reader(question, blanked, hints)) is not None:
            return split
    return Split(clauses=(Clause(text=question, hints=hints),), is_half=asks_twice(blanked))


def _blank_quotes(question: str) -> str:
    blanked = question
    for start, end in quoted_spans(question):
        blanked = blanked[:start] + "\x01" * (end - start) + blanked[end:]
    return blanked


def _two_quantities(question: str, blanked: str, hints: tuple[Hint, ...]) -> Split | None:
    sentence_end = _SENTENCE_END.search(blanked.rstrip())
    if sentence_end is not None and sentence_end.end() < len(blanked.rstrip()):
        if not blanked[sentence_end.end() :].lstrip().startswith("("):
            return None
        blanked = blanked[: sentence_end.start()]
    found = find_quantities(question, blanked)
    if found is None:
        return None
    dealt = _deal_hints(hints, found.spans)
    clauses = tuple(Clause(text=text, hints=own) for text, own in zip(found.texts, dealt, strict=True))
    things = found.things if all(found.things) else ()
    return Split(clauses=clauses, operation=found.comparison, things=things, first_is=found.first_is)


def _deal_hints(
    hints: tuple[Hint, ...], spans: tuple[tuple[int, int], tuple[int, int]]
) -> tuple[tuple[Hint, ...], tuple[Hint, ...]]:
    """The names that belong to each quantity; two pages named beside both quantities go to them in order."""
    first, second = (tuple(hint for hint in hints if start <= hint.start < end) for start, end in spans)
    outside = [hint for hint in hints if hint not in first and hint not in second]
    pages = tuple(hint for hint in outside if hint.level == "page")
    shared = tuple(hint for hint in outside if hint.level != "page")
    if len(pages) == 2:
        return (*first, pages[0], *shared), (*second, pages[1], *shared)
    named = [any(hint.level == "page" for hint in own) for own in (first, second)]
    # A page named beside both belongs to the quantity that names none; to both if both or neither do.
    to_first = pages if not named[0] or named[1] else ()
    to_second = pages if not named[1] or named[0] else ()
    return (*first, *to_first, *shared), (*second, *to_second, *shared)


def _two_sentences(question: str, blanked: str, hints: tuple[Hint, ...]) -> Split | None:
    """A statement that describes something, and a question that refers back to it."""
    cuts = [match.end() for match in _SENTENCE_END.finditer(blanked) if match.end() < len(blanked)]
    if not cuts:
        return None
    cut = cuts[-2] if len(cuts) > 1 and blanked[cuts[-1] :].lstrip().startswith("(") else cuts[-1]
    first, second = question[:cut].strip(), question[cut:].strip()
    if not re.search(r"[?？]", second) or not _BACK.search(blanked[cut:]):
        return None
    before = tuple(hint for hint in hints if hint.start < cut)
    after = tuple(hint for hint in hints if hint.start >= cut)
    operation: Operation = "chain"
    if not any(hint.level in _PLACES for hint in after):
        if not _MORE_THAN_THAT.search(second):
            return None
        after, operation = before, "difference"
    return Split(clauses=(Clause(text=first, hints=before), Clause(text=second, hints=after)), operation=operation)


def _nested_description(question: str, blanked: str, hints: tuple[Hint, ...]) -> Split | None:
    """A question about something that is only described: "... before the date of the press release that ..."."""
    asked = _ASKED.search(blanked)
    match = _NESTED.search(blanked, asked.end()) if asked else None
    if match is None:
        return None
    start = match.start("inner")
    inner = question[start:].rstrip("?. ")
    own = tuple(hint for hint in hints if hint.start >= start)
    rest = tuple(hint for hint in hints if hint.start < start)
    if not any(hint.level == "page" for hint in rest) or len(inner.split()) < 6:
        return None
    outer = Clause(text=question[:start] + "it?", hints=rest)
    return Split(clauses=(Clause(text=inner, hints=own), outer), operation="chain")


def _both(question: str, blanked: str, hints: tuple[Hint, ...]) -> Split | None:
    """Two things asked at once."""
    found = asked_at_once(question, blanked) or asked_in_turn(question, blanked)
    if found is None:
        return None
    first, second, start = found
    before = tuple(hint for hint in hints if hint.start < start)
    after = tuple(hint for hint in hints if hint.start >= start)
    return Split(clauses=(Clause(text=first, hints=before), Clause(text=second, hints=after)), operation="both")


def _described_within(question: str, blanked: str, hints: tuple[Hint, ...]) -> Split | None:
    """A question about something that is described before its verb: first what it is, then what is asked of it."""
    return _chain_of(described_within, question, blanked, hints)


def _within_a_perfect(question: str, blanked: str, hints: tuple[Hint, ...]) -> Split | None:
    """A question about something that is described between the words of its verb."""
    split = _chain_of(perfect_described, question, blanked, hints)
    return msgspec.structs.replace(split, may_be_one=True) if split is not None else None


def _by_a_clause(question: str, blanked: str, hints: tuple[Hint, ...]) -> Split | None:
    """A question about something that a clause describes, whatever its noun."""
    split = _chain_of(clause_described, question, blanked, hints)
    return msgspec.structs.replace(split, may_be_one=True) if split is not None else None


def _chain_of(
    reader: Callable[[str], Described | None], question: str, blanked: str, hints: tuple[Hint, ...]
) -> Split | None:
    found = reader(question) if "\x01" not in blanked or reader(blanked) else None
    if found is None:
        return None
    own = tuple(hint for hint in hints if found.start <= hint.start < found.end)
    rest = tuple(hint for hint in hints if hint not in own)
    clauses = (Clause(text=found.inner, hints=own), Clause(text=found.outer, hints=rest))
    return Split(clauses=clauses, operation="chain")


def _also(question: str, blanked: str, hints: tuple[Hint, ...]) -> Split | None:
    """Which one of these is also that: asked is which one is that."""
    question, blanked = _AS_WELL.sub(_also_before, question), _AS_WELL.sub(_also_before, blanked)
    match = _ALSO.match(blanked)
    if match is None or len(match["said"].split()) < MANY_WORDS:
        return None
    start = match.start("said")
    asked = f"{match['wh']} {question[slice(*match.span('noun'))]} {match['verb'] or ''}{question[start:]}"
    own = tuple(hint for hint in hints if hint.start >= start)
    first = re.sub(
        r"\s+(?:is|was|are|were|has|had)?\s*$",
        "",
        question[: match.start("said")].rstrip().removesuffix("also").rstrip(),
    )
    if _RESTRICTED.search(first):
        second = Clause(text=" ".join(asked.split()), hints=own)
        rest = tuple(hint for hint in hints if hint.start < start)
        return Split(clauses=(Clause(text=f"{first}?", hints=rest), second), operation="chain")
    return Split(clauses=(Clause(text=" ".join(asked.split()), hints=own or hints),))


def _also_before(match: re.Match[str]) -> str:
    """A question that ends with "as well", with "also" before what it says."""
    return f"{match['start']}{match['verb']} also {match['said']}{match['end']}"


def _described(question: str, blanked: str, hints: tuple[Hint, ...]) -> Split | None:
    """A question about something that is only described by a clause at its end: first what it is, then what is asked of it."""
    asked = _ASKED.search(blanked)
    match = _DESCRIBED.search(blanked, asked.end()) if asked else None
    if match is None or len(match["said"].split()) < MANY_WORDS or _WAITING.search(question[: match.start()]):
        return None
    start = match.start()
    noun, said = question[slice(*match.span("noun"))], question[slice(*match.span("said"))].rstrip("?. ")
    inner = Clause(
        text=_inner_question(noun, question[match.end("noun") : match.start("said")], said),
        hints=tuple(hint for hint in hints if hint.start >= start),
    )
    between = _AT.sub("", question[match.end("noun") : match.start("link")]).rstrip(", ")
    outer = f"{question[:start]}it{between}"
    rest = tuple(hint for hint in hints if hint.start < start)
    if asks_no_more(outer):
        return None
    return Split(clauses=(inner, Clause(text=f"{outer.strip()}?", hints=rest)), operation="chain")


def _inner_question(noun: str, link: str, said: str) -> str:
    """What is described as a question: "At which meeting did she speak" of "the meeting at which she spoke"."""
    words = link.lower().replace(",", " ").split()
    at = next((word for word in words if word in ("in", "at", "on", "by", "for", "from", "during", "with")), "")
    if not at and words and words[-1] in ("when", "where"):
        at = "on" if "day" in noun.lower() or "date" in noun.lower() else "in"
    rest = f", {said}" if said[:1].isupper() else f" {said}"
    return f"{at.capitalize()} which {noun}{rest}?" if at else f"Which {noun}{rest}?"


def _described_in_chinese(question: str, blanked: str, hints: tuple[Hint, ...]) -> Split | None:
    match = _HAN_DESCRIBED.match(blanked)
    if match is None:
        return None
    cut = match.start("outer")
    who = "谁" if match["noun"] in _HAN_PERSONS else f"哪个{match['noun']}"
    inner = Clause(
        text=f"{question[: match.end('said')]}的是{who}？", hints=tuple(one for one in hints if one.start < cut)
    )
    outer = Clause(text=f"他{question[cut:]}", hints=tuple(one for one in hints if one.start >= cut))
    return Split(clauses=(inner, outer), operation="chain")
