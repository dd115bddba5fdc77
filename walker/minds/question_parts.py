"""Splits a question that needs several pages into what is to be found on each.

Comparisons and differences name two quantities; a bridge describes a thing that one page names and another explains
("... refers to a PEP. Who implemented that PEP?").
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from walker.minds.page_hints import Hint, quoted_spans

Operation = Literal["none", "difference", "sum", "compare", "chain"]


class Clause(msgspec.Struct, frozen=True, kw_only=True):
    """One part's words and the names of places in them."""

    text: str
    hints: tuple[Hint, ...] = ()


class Split(msgspec.Struct, frozen=True, kw_only=True):
    """The clauses in the order in which they are to be found."""

    clauses: tuple[Clause, ...]
    operation: Operation = "none"


_HAN = re.compile(r"[\u3400-\u9fff]")
_HAN_COMPARED = re.compile(r"^(?:多|少|早|晚|长|短|高|低|大|小|贵|便宜|相差|相隔|差|间隔)了?(?=多少|几|$)")
_PREPOSITIONS = frozenset(
    ("in", "on", "at", "by", "for", "from", "with", "between", "among", "under", "during", "before", "after")
)
_SOURCE = re.compile(r"^(?P<source>(?:according to|in|on|per)\s[^,?]*?),\s+(?P<rest>.+)$", re.IGNORECASE)
_TAIL_SOURCE = re.compile(r",?\s+according to\s+(?P<source>(?:(?!\bthan\b)[^?])+)(?P<mark>\??)\s*$", re.IGNORECASE)

_PAIRS: tuple[tuple[Operation, re.Pattern[str]], ...] = tuple(
    (operation, re.compile(pattern, re.IGNORECASE))  # type: ignore[misc]
    for operation, pattern in (
        ("difference", r"^by how (?:much|many \w+) (?:does|do|did|is|are|was|were)\s+(?P<a>.+?)\s+"
                       r"(?:exceeds?|surpass(?:es)?|outnumbers?|(?:differs?|(?:larger|greater|higher|longer|older|more|bigger|taller)) (?:from|than))\s+(?P<b>.+)$"),
        ("difference", r"^how (?:many|much) (?P<noun>(?:more|fewer|less)\s.+?)\s+than\s+(?P<b>.+)$"),
        ("difference", r"^how (?:many|much) (?P<noun>[\w\s]*?(?:years?|days?|months?|weeks?|hours?|minutes?|versions?|points?|percent)) "
                       r"(?:lie|lies|passed|pass|elapsed|elapse|are|were|is there|are there) between\s+(?P<a>.+?)\s+and\s+(?P<b>.+)$"),
        ("difference", r"^how (?:many|much) (?P<noun>[^,?]*?\b(?:years?|days?|months?|weeks?|hours?|minutes?|versions?|releases?)) "
                       r"(?P<order>after|before|later than|earlier than)\s+(?P<a>.+?)\s*(?P<b>,?\s\b(?:did|was|were|does|do|is|are|has|had)\s.+)$"),
        ("difference", r"^how much (?:\w+er|more \w+|less \w+) (?:is|are|was|were|does|did)\s+(?P<a>.+?)\s+than\s+(?P<b>.+)$"),
        ("difference", r"^what is the difference (?:in (?P<noun>.+?) )?between\s+(?P<a>.+?)\s+and\s+(?P<b>.+)$"),
        ("sum", r"^(?:what is|give|compute|find) (?:the )?(?:sum|total) of\s+(?P<a>.+?)\s+and\s+(?P<b>.+)$"),
        ("sum", r"^how (?:many|much) (?P<noun>.+?) (?:do|does|are|have|has)\s+(?P<a>.+?)\s+and\s+(?P<b>.+?)\s+(?:have\s+)?(?:together|combined|in total|altogether)\b.*$"),
        ("compare", r"^(?:which|who|what) (?P<noun>.*?(?:more|most|fewer|less|larger|largest|higher|highest|older|oldest|earlier|first|later|longer|newer|bigger|\w+er)\b[^,:]*)[,:]\s*(?P<a>.+?),?\s+or\s+(?P<b>.+)$"),
        ("compare", r"^(?:which|who) of\s+(?P<a>.+?)\s+and\s+(?P<b>.+?)\s+(?P<noun>(?:is|are|was|were|has|have|had|came|appeared|began|started)\s.+)$"),
    )
)  # fmt: skip
_HAN_PAIRS: tuple[tuple[Operation, re.Pattern[str]], ...] = tuple(
    (operation, re.compile(pattern))  # type: ignore[misc]
    for operation, pattern in (
        ("difference", r"^(?P<a>.+?)比(?P<b>.+?)(?P<noun>(?:多|少|早|晚|长|短|高|低|大|小|贵|便宜)了?(?:多少|几).*)$"),
        ("difference", r"^(?P<a>.+?)(?:和|与|跟|同)(?P<b>.+?)(?P<noun>(?:相差|相隔|之间相隔|间隔|之间相差|差|的差)(?:是|了)?(?:多少|几)?.*)$"),
        ("sum", r"^(?P<a>.+?)(?:和|与|加上?)(?P<b>.+?)(?P<noun>(?:一共|总共|合计|共有|共计|加起来).*)$"),
        ("compare", r"^(?P<a>.+?)(?:和|与|跟)(?P<b>.+?)(?:，|,|中|之中|相比)*(?P<noun>(?:哪个|哪一个|谁|哪所|哪位|哪门)(?:更|比较|先|最).*)$"),
    )
)  # fmt: skip
_SENTENCE_END = re.compile(r"(?<=[.!?])(?<!\b[A-Z]\.)(?<!\b(?:Dr|Mr|Ms|St|vs|No)\.)\s+(?=[\"'A-Z(0-9])|(?<=[。！？])")
_BACK = re.compile(
    r"\b(?:that|this|those|these|the same|such an?|said)\s+[a-z]\w*|\b(?:than|of|to|for|by|with|in|on|at|from) (?:that|this|it|them)\b"
    r"|\b(?:it|its|he|she|his|her|their|they|there)\b|\bthe (?:one|former|latter|last|first)\b|该|这|此|其|那|它|他|她",
    re.IGNORECASE,
)
_NESTED = re.compile(
    r"\b(?:before|after|in|on|by|of|with|to|than|from|at|since|for|until)\s+(?P<inner>(?:the|that)\s+"
    r"(?:[\w-]+\s+){0,3}?(?:date|day|year|month|person|man|woman|author|version|release|company|organi[sz]ation|place|city"
    r"|country|name|value|number|book|project|module|function|tool|professor|researcher|department|event)s?\s+"
    r"(?:of|in which|on which|at which|when|where|who|whom|whose|that|which|mentioned|named|given|described)\s.+)$",
    re.IGNORECASE,
)


def split_question(question: str, hints: tuple[Hint, ...]) -> Split:
    """The parts of a question; one part where it does not name several things to be found."""
    located = [(hint, hint.start) for hint in hints]
    hidden = _hide_quotes(question)
    for reader in (_two_quantities, _two_sentences, _nested_description):
        if (split := reader(question, hidden, located)) is not None:
            return split
    return Split(clauses=(Clause(text=question, hints=hints),))


def _hide_quotes(question: str) -> str:
    """The question with each quoted text replaced by marks of the same length, for titles hold "and" and "than" too."""
    hidden = question
    for start, end in quoted_spans(question):
        hidden = hidden[:start] + "\x01" * (end - start) + hidden[end:]
    return hidden


def _two_quantities(question: str, hidden: str, located: list[tuple[Hint, int]]) -> Split | None:
    body = hidden.rstrip("?？。. ")
    offset = 0
    sentences = [match.start() for match in _SENTENCE_END.finditer(body)]
    if sentences and not re.match(r"\s*\(", body[sentences[0] :]):
        return None
    if sentences:
        body = body[: sentences[0]].rstrip("?？。. ")
    if source := _SOURCE.match(body):
        offset = source.start("rest")
    tail = _TAIL_SOURCE.search(body, offset)
    core = body[offset : tail.start() if tail and tail.start() > offset else len(body)]
    for operation, pattern in (*_PAIRS, *_HAN_PAIRS):
        if match := pattern.match(core):
            return _pair(question, operation, match, offset, located)
    return None


def _pair(
    question: str, operation: Operation, match: re.Match[str], offset: int, located: list[tuple[Hint, int]]
) -> Split:
    groups = match.groupdict()
    noun = question[offset + match.start("noun") : offset + match.end("noun")] if groups.get("noun") else ""
    start_b, end_b = offset + match.start("b"), offset + match.end("b")
    if "a" in groups:
        start_a, end_a = offset + match.start("a"), offset + match.end("a")
        texts = [
            _with_noun(question[start:end], noun, operation) for start, end in ((start_a, end_a), (start_b, end_b))
        ]
    else:
        start_a, end_a = offset, start_b
        texts = _how_many_pair(noun, question[start_b:end_b])
    hints = _deal_hints(located, ((start_a, end_a), (start_b, end_b)))
    clauses = tuple(Clause(text=text, hints=own) for text, own in zip(texts, hints, strict=True))
    return Split(clauses=clauses, operation=operation)


def _with_noun(quantity: str, noun: str, operation: Operation) -> str:
    text = quantity.strip(" ,，")
    if _HAN.search(text):
        asked = _HAN_COMPARED.sub("", noun)
        return text + asked if asked.startswith(("多少", "几")) else text
    return f"{text} {noun}" if noun and operation in ("sum", "compare") else text


def _how_many_pair(noun: str, second: str) -> list[str]:
    """ "more columns does A have" and "B" make "How many columns does A have" and "How many columns does B have"."""
    what = re.sub(r"^(?:more|fewer|less)\s+", "", noun, flags=re.IGNORECASE).strip(" ,")
    other = second.strip(" ,")
    head = re.split(r"\s(?:does|do|did|are|were|is|was|has|have|had|can|will)\s", what)[0]
    first_word = other.split(" ")[0]
    if there := re.match(r"there (?:are|were|is|was)\s+", other, re.IGNORECASE):
        other = f"How many {other[there.end() :]}"
    elif first_word.lower() in _PREPOSITIONS and (place := f" {what} ".find(f" {first_word} ")) > 0:
        other = f"How many {what[:place]}{other}"
    elif first_word.lower() in _PREPOSITIONS:
        other = f"How many {head} {other}"
    else:
        other = f"How many {head} does {re.sub(r' (?:does|do|did|has|have|had)$', '', other)} have"
    return [f"How many {what}", other]


def _deal_hints(
    located: list[tuple[Hint, int]], spans: tuple[tuple[int, int], tuple[int, int]]
) -> tuple[tuple[Hint, ...], tuple[Hint, ...]]:
    """Each quantity's own names; two pages named beside both quantities go to them in order."""
    first, second = (tuple(hint for hint, at in located if start <= at < end) for start, end in spans)
    outside = [hint for hint, at in located if not any(start <= at < end for start, end in spans)]
    pages = tuple(hint for hint in outside if hint.level == "page")
    shared = tuple(hint for hint in outside if hint.level != "page")
    if len(pages) == 2:
        return (*first, pages[0], *shared), (*second, pages[1], *shared)
    named = [any(hint.level == "page" for hint in own) for own in (first, second)]
    # A page named beside both belongs to the quantity that names none; to both where both or none do.
    to_first = pages if not named[0] or named[1] else ()
    to_second = pages if not named[1] or named[0] else ()
    return (*first, *to_first, *shared), (*second, *to_second, *shared)


def _two_sentences(question: str, hidden: str, located: list[tuple[Hint, int]]) -> Split | None:
    """A statement that describes something, and a question that refers back to it."""
    cuts = [match.end() for match in _SENTENCE_END.finditer(hidden) if match.end() < len(hidden)]
    if not cuts:
        return None
    cut = cuts[-1]
    if hidden[cut:].lstrip().startswith("(") and len(cuts) > 1:
        cut = cuts[-2]
    first, second = question[:cut].strip(), question[cut:].strip()
    if not re.search(r"[?？]", second) or not _BACK.search(hidden[cut:]):
        return None
    before = tuple(hint for hint, at in located if at < cut)
    after = tuple(hint for hint, at in located if at >= cut)
    if not any(hint.level in ("page", "section", "container", "topic") for hint in after):
        more = re.search(r"how (?:many|much) (?:more|fewer|less)\b.*\bthan (?:that|this|those)", second, re.IGNORECASE)
        operation: Operation = "difference" if more else "chain"
        if not more:
            return None
        return Split(clauses=(Clause(text=first, hints=before), Clause(text=second, hints=before)), operation=operation)
    return Split(clauses=(Clause(text=first, hints=before), Clause(text=second, hints=after)), operation="chain")


def _nested_description(question: str, hidden: str, located: list[tuple[Hint, int]]) -> Split | None:
    """ "Which release came before the date of the press release that ...": the description is found first."""
    asked = re.search(r"\b(?:which|what|who|whom|when|where|how)\b", hidden, re.IGNORECASE)
    match = _NESTED.search(hidden, asked.end()) if asked else None
    if not match:
        return None
    start = match.start("inner")
    inner = question[start:].rstrip("?. ")
    outer = question[:start] + "it?"
    own = tuple(hint for hint, at in located if at >= start)
    rest = tuple(hint for hint, at in located if at < start)
    if not any(hint.level == "page" for hint in rest) or len(inner.split()) < 6:
        return None
    return Split(clauses=(Clause(text=inner, hints=own), Clause(text=outer, hints=rest)), operation="chain")
