"""Splits questions that compare two quantities into a question for each.

The patterns are matched with quoted titles blanked, since titles contain "and" and "than" too.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Comparison = Literal["difference", "sum", "compare", "whether"]

_UNITS = r"(?:years?|days?|months?|weeks?|hours?|minutes?|versions?|releases?|points?|percent)"
_AUXILIARY = r"(?:does|do|did|is|are|was|were|has|have|had)"
_LARGER = r"(?:larger|greater|higher|longer|older|more|bigger|taller|heavier|wider|deeper|later|newer)"
_RANKED = (
    r"(?:more|most|fewer|less|larger|largest|higher|highest|older|oldest|earlier|first|later|longer|newer|bigger|\w+er)"
)
_SMALLER = r"(?:smaller|lower|shorter|fewer|less|earlier|younger|cheaper|lighter|slower|nearer|closer)"
_AND = r"\s+(?P<a>.+?)\s+and\s+(?P<b>.+?)"

_ENGLISH: tuple[tuple[Comparison, str], ...] = (
    (
        "difference",
        rf"by how many (?P<counted>[a-z-]+) {_AUXILIARY}\s+(?P<a>.+?)\s+(?:{_LARGER}|{_SMALLER}) than\s+(?P<b>.+)",
    ),
    (
        "difference",
        (
            r"(?:by )?how many (?P<counted>[a-z-]+) (?:more|fewer|less) than\s+(?P<b>.+?)\s+"
            rf"(?P<verb>{_AUXILIARY}|may|can|must|will)\s+(?P<a>.+)"
        ),
    ),
    (
        "difference",
        (
            rf"how (?:many|much) (?P<noun>[^,?]*?\b{_UNITS}) (?:after|before|later than|earlier than)\s+(?P<a>.+?)\s*"
            r"(?P<b>,?\s\b(?:did|does|do)\s.+)"
        ),
    ),
    (
        "difference",
        r"how many (?P<noun>[\w-]+) (?:is|are|was|were|lies?) (?P<a>.+?) (?:above|below|over|under) (?P<b>.+)",
    ),
    (
        "difference",
        (
            rf"by how (?:much|many \w+) {_AUXILIARY}\s+(?P<a>.+?)\s+"
            rf"(?:exceeds?|surpass(?:es)?|outnumbers?|differs? from|{_LARGER} than)\s+(?P<b>.+)"
        ),
    ),
    ("difference", r"how (?:many|much) (?P<noun>(?:more|fewer|less)\s.+?)\s+than\s+(?P<b>.+)"),
    (
        "difference",
        (
            rf"how (?:many|much) (?P<noun>[\w\s]*?{_UNITS}) "
            rf"(?:lie|lies|passed|pass|elapsed|elapse|are|were|is there|are there) between{_AND}"
        ),
    ),
    (
        "difference",
        (
            rf"how (?:many|much) (?P<noun>[^,?]*?\b{_UNITS}) (?:after|before|later than|earlier than)\s+(?P<a>.+?)\s*"
            rf"(?P<b>,?\s\b{_AUXILIARY}\s.+)"
        ),
    ),
    ("difference", rf"how much (?:\w+er|more \w+|less \w+) {_AUXILIARY}\s+(?P<a>.+?)\s+than\s+(?P<b>.+)"),
    (
        "difference",
        (
            rf"(?:by )?how many (?P<noun>[\w\s]*?{_UNITS}) (?:\w+er|more \w+|less \w+) {_AUXILIARY}\s+(?P<a>.+?)\s+than\s+(?P<b>.+)"
        ),
    ),
    ("difference", rf"what is the difference (?:in (?P<noun>.+?) )?between{_AND}"),
    ("sum", rf"(?:what is|give|compute|find) (?:the )?(?:sum|total) of{_AND}"),
    (
        "sum",
        (
            rf"how (?:many|much) (?P<noun>.+?) (?:do|does|are|have|has){_AND}\s+(?:have\s+)?"
            r"(?:together|combined|in total|altogether)\b.*"
        ),
    ),
    ("compare", rf"(?:which|who|what) (?P<noun>.*?\b{_RANKED}\b[^,:]*)[,:]\s*(?P<a>.+?),?\s+or\s+(?P<b>.+)"),
    (
        "whether",
        rf"{_AUXILIARY}\s+(?P<a>.+?)\s+(?P<noun>(?:[a-z]+\s){{0,2}}?(?:{_LARGER}|{_SMALLER})\b[^,:?]*?)\s+than\s+(?P<b>\D+)",
    ),
    (
        "compare",
        rf"(?:which|who) of{_AND}\s+(?P<noun>(?:is|are|was|were|has|have|had|came|appeared|began|started)\s.+)",
    ),
)
_GERMAN: tuple[tuple[Comparison, str], ...] = (
    (
        "difference",
        r"(?P<noun>wie ?viele? .+?) (?P<a>(?:der|die|das|den|dem|ein(?:e[nmrs]?)?) .+?) (?:mehr|weniger) als (?P<b>.+)",
    ),
    (
        "difference",
        r"um wie ?viele? \w+ (?:ist|sind|war|waren|hat|haben|liegt|liegen) (?P<a>.+?) (?:mehr|weniger|[a-zäöü]+er) als (?P<b>.+)",
    ),
    (
        "difference",
        r"wie ?viele? \w+ (?:nach|vor) (?P<a>.+?) (?P<b>(?:begann|wurden?|war|kam|startete|fand|gab|entstand|öffnete) .+)",
    ),
)
_HAN_AND = r"(?:和|与|跟|同)"
_CHINESE: tuple[tuple[Comparison, str], ...] = (
    ("difference", r"(?P<a>.+?)比(?P<b>.+?)(?P<noun>(?:多|少|早|晚|长|短|高|低|大|小|贵|便宜)了?(?:多少|几).*)"),
    (
        "difference",
        (
            rf"(?P<a>.+?){_HAN_AND}(?P<b>.+?)"
            r"(?P<noun>(?:之间)?(?:相差|相隔|间隔|差|的差)(?:是|了)?(?:多少|几)?.*)"
        ),
    ),
    ("whether", r"(?P<a>.+?)比(?P<b>\D+?)(?P<noun>更?(?:多|少|早|晚|长|短|高|低|大|小|贵|便宜|新|旧)[吗嗎])"),
    ("sum", r"(?P<a>.+?)(?:和|与|加上?)(?P<b>.+?)(?P<noun>(?:一共|总共|合计|共有|共计|加起来).*)"),
    (
        "compare",
        (
            rf"(?P<a>.+?){_HAN_AND}(?P<b>.+?)(?:，|,|中|之中|相比)*"
            r"(?P<noun>(?:哪个|哪一个|谁|哪所|哪位|哪门)(?:更|比较|先|最).*)"
        ),
    ),
)
_PATTERNS: tuple[tuple[Comparison, re.Pattern[str]], ...] = tuple(
    (comparison, re.compile(pattern, re.IGNORECASE)) for comparison, pattern in (*_ENGLISH, *_GERMAN, *_CHINESE)
)
_SOURCE_FIRST = re.compile(r"^(?:according to|in|on|per)\s[^,?]*?,\s+(?P<rest>.+)$", re.IGNORECASE)
_SOURCE_LAST = re.compile(r",?\s+according to\s+(?:(?!\bthan\b)[^?])+\??\s*$", re.IGNORECASE)
_ANNOUNCED = re.compile(r"[^:?]{10,}:\s+(?=how (?:many|much)\b)", re.IGNORECASE)
_ADDED = re.compile(
    r",\s+and\s+(?:(?:by|in|at|on|with|from|since|to)\s+)?(?:which|what|how|when|where)\b[^,]*$", re.IGNORECASE
)
"""What a comparing question wants besides: ", and by how many minutes"."""
_SAME_THING = re.compile(
    r"(?:that|those|the (?:\w+ )?ones?)\s+(?=(?:of|on|in|for|from|at|with|by|to)\b)", re.IGNORECASE
)
_FIRST_WORDS = re.compile(r".+?(?=\s(?:of|on|in|for|from|at|with|by|to|about|that|which|who)\b)", re.IGNORECASE)
_HAN = re.compile(r"[\u3400-\u9fff]")
_HAN_COMPARED = re.compile(r"^(?:多|少|早|晚|长|短|高|低|大|小|贵|便宜|相差|相隔|差|间隔)了?(?=多少|几|$)")
_GERMAN_ASKED = re.compile(r"wie ?viele?\b", re.IGNORECASE)
_TIMES = re.compile(_UNITS)
_PREPOSITIONS = frozenset(
    ("in", "on", "at", "by", "for", "from", "with", "between", "among", "under", "during", "before", "after")
)


class Quantities(NamedTuple):
    """Two quantities as questions of their own, and where in the original question each is mentioned."""

    comparison: Comparison
    texts: tuple[str, str]
    spans: tuple[tuple[int, int], tuple[int, int]]


def find_quantities(question: str, blanked: str) -> Quantities | None:
    """The two quantities of a one-sentence comparison, None if the question is not one.

    `blanked` is the question with quoted text replaced by marks of the same length.
    """
    body = blanked.rstrip("?？。. ")
    source = _SOURCE_FIRST.match(body)
    offset = source.start("rest") if source else 0
    if announced := _ANNOUNCED.match(body, offset):
        offset = announced.end()
    tail = _SOURCE_LAST.search(body, offset)
    core = body[offset : tail.start() if tail and tail.start() > offset else len(body)]
    first = core[: added.start()] if (added := _ADDED.search(core)) is not None else core
    for comparison, pattern in _PATTERNS:
        if match := pattern.fullmatch(first if comparison == "compare" else core):
            return _read_match(question, comparison, match, offset)
    return None


def _read_match(question: str, comparison: Comparison, match: re.Match[str], offset: int) -> Quantities:
    groups = match.groupdict()
    noun = question[offset + match.start("noun") : offset + match.end("noun")] if groups.get("noun") else ""
    second = offset + match.start("b"), offset + match.end("b")
    if "a" not in groups:
        return Quantities(comparison, _how_many_pair(noun, question[slice(*second)]), ((offset, second[0]), second))
    first = offset + match.start("a"), offset + match.end("a")
    one, other = question[slice(*first)], question[slice(*second)]
    if (again := _SAME_THING.match(other)) and (named := _FIRST_WORDS.match(one)):
        other = f"{named[0]} {other[again.end() :]}"  # "that of version 4" is the collection of version 4
    elif (again := _SAME_THING.match(one)) and (named := _FIRST_WORDS.match(other)):
        one = f"{named[0]} {one[again.end() :]}"
    if counted := groups.get("counted"):
        start = "" if _TIMES.fullmatch(counted) else f"how many {counted}, "
        return Quantities(comparison, (f"{start}{one}", f"{start}{other}"), (first, second))
    if _GERMAN_ASKED.match(noun):
        return Quantities(comparison, (f"{noun} {one}", f"{noun} {other}"), (first, second))
    texts = (_with_noun(one, noun, comparison), _with_noun(_with_same_thing(one, other), noun, comparison))
    return Quantities(comparison, texts, (first, second))


def _with_noun(quantity: str, noun: str, comparison: Comparison) -> str:
    text = quantity.strip(" ,，")
    if _HAN.search(text):
        asked = _HAN_COMPARED.sub("", noun)
        return text + asked if asked.startswith(("多少", "几")) else text
    return f"{text} {noun}" if noun and comparison in ("sum", "compare") else text


def _with_same_thing(one: str, other: str) -> str:
    """A Chinese quantity with what is compared, which the second one leaves out: 甲的人数比乙多 compares 甲的人数 and 乙的人数."""
    if not _HAN.search(one) or "的" not in one or "的" in other:
        return other
    return f"{other}的{one.rpartition('的')[2]}"


def _how_many_pair(noun: str, second: str) -> tuple[str, str]:
    """From "more columns does A have" and "B": "How many columns does A have", "How many columns does B have"."""
    what = re.sub(r"^(?:more|fewer|less)\s+", "", noun, flags=re.IGNORECASE).strip(" ,")
    other = second.strip(" ,")
    head = re.split(rf"\s(?:{_AUXILIARY}|can|will)\s", what)[0]
    first_word = other.split(" ")[0].lower()
    if there := re.match(r"there (?:are|were|is|was)\s+", other, re.IGNORECASE):
        rest = other[there.end() :]
    elif first_word in _PREPOSITIONS:
        place = f" {what} ".find(f" {first_word} ")
        rest = f"{what[:place] if place > 0 else head + ' '}{other}"
    else:
        rest = f"{head} does {re.sub(rf' {_AUXILIARY}$', '', other)} have"
    return f"How many {what}", f"How many {rest}"
