"""Divides a question that asks two things at once: "Which release does the hub need, and from which version on does it
print?"."""

from __future__ import annotations

import re

_JOINED = re.compile(
    r",?\s+(?:and|und|et|y)\s+(?P<second>(?:(?:by|in|at|on|with|from|since|to|for|ab|seit|mit|von|in|auf|um|à|de|en"
    r"|depuis|dans|sur|desde|con|para)\s+)?"
    r"(?:which|what|who|when|where|how (?:many|much|long|old|high)|welche\w*|wer|wann|wo|wie ?viele?|quel(?:le)?s?|qui"
    r"|quand|où|combien|qué|cuál(?:es)?"
    r"|quién|cuándo|dónde|cuánt[oa]s?)\b.+)$",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"\b(?:which|what|who|when|where|how|welche\w*|wer|wann|wo|wie|quel(?:le)?s?|qui|quand|où|combien|qué|cuál(?:es)?"
    r"|quién|cuándo|dónde|cuánt[oa]s?)\b",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"(?<!-)\b(?:it|its|they|their|them|he|his|him|she|her|that|this|those|these|there|es|er|sie|ihr\w*|sein\w*|dies\w*"
    r"|il|elle|ils|elles|son|sa|ses|leur|cela"
    r"|su|sus|él|ella|ellos|eso|esta|este)\b",
    re.IGNORECASE,
)
MANY_WORDS = 5
"""Least words of the second question, so that it names what it asks of."""
FEW_WORDS = 4
"""Least words of the first."""
_ONE = re.compile(r"^(?P<wh>which) ones?\b", re.IGNORECASE)
_WHICH_THING = re.compile(r"\bwhich (?P<noun>(?!(?:is|was|are|were|of)\b)[\w-]+)\b", re.IGNORECASE)
_HAN_EACH = re.compile(r"^(?P<first>.{2,}?)(?:和|与|及|以及|、)(?P<second>.{2,}?)(?P<rest>(?:各自|分别).+)$")


def asked_at_once(question: str, blanked: str) -> tuple[str, str, int] | None:
    """Both questions and where the second begins; None where the second points back to the first, or has no words of its own."""
    if (each := _HAN_EACH.match(blanked)) is not None:
        return _each_in_chinese(question, each)
    joined = next((match for match in _JOINED.finditer(blanked) if _ASKING.search(blanked[: match.start()])), None)
    if joined is None:
        return None
    start = joined.start("second")
    first, second = question[: joined.start()].strip(" ,"), question[start:].strip()
    if _BACK.search(second) or len(second.split()) < MANY_WORDS or len(first.split()) < FEW_WORDS:
        return None
    if (named := _WHICH_THING.search(first)) is not None:
        second = _ONE.sub(rf"\g<wh> {named['noun']}", second)
    return f"{first.rstrip('?')}?", f"{second[0].upper()}{second[1:]}", start


def _each_in_chinese(question: str, each: re.Match[str]) -> tuple[str, str, int]:
    """甲和乙分别…: 甲…, 乙…; what is said of both behind 的 belongs to each."""
    first, second = question[slice(*each.span("first"))], question[slice(*each.span("second"))]
    rest = question[each.start("rest") :].replace("分别", "", 1).replace("各自", "", 1)
    if "的" in second and "的" not in first:
        first = f"{first}的{second.rpartition('的')[2]}"
    return f"{first}{rest}", f"{second}{rest}", each.start("second")
