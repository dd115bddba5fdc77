"""Reads a question for what two amounts make together as a question for each: "How much does a family pay a year, if you add up
the base fee and the surcharge?"."""

from __future__ import annotations

import re
from typing import NamedTuple

from memory.words import lazy_re


class Added(NamedTuple):
    """What is asked of each amount, the amounts as the question names them, and where they stand."""

    texts: tuple[str, str]
    things: tuple[str, str]
    spans: tuple[tuple[int, int], tuple[int, int]]


_TOGETHER = lazy_re.compile(
    r"\s(?:zusammen|insgesamt|in total|in all|altogether|together|au total|en tout|en total)(?=\s|$)|一共|总共|合计",
    re.IGNORECASE,
)
_ADDED: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (wording, lazy_re.compile(pattern, re.IGNORECASE))
    for wording, pattern in (
        (
            "{main} for {thing}?",
            (
                r"(?P<main>how (?:much|many)\s.+?),?\s(?:if|when)\s(?:you|one|we)\s(?:adds?|counts?|takes?)\s(?:up\s)?(?P<a>.+?)"
                r"\sand\s(?P<b>.+?)(?:\s(?:up|together))?"
            ),
        ),
        (
            "{main} for {thing}?",
            (
                r"(?P<main>how (?:much|many)\s.+?),?\s(?:if|when|with)\s(?P<a>.+?)\sand\s(?P<b>.+?)"
                r"\s(?:are\s)?(?:added|taken|counted|put)"
                r"\s(?:up|together)"
            ),
        ),
        (
            "{main} als {thing}?",
            (
                r"(?P<main>wie ?viele?\s.+?),\swenn\sman\s(?P<a>.+?)\sund\s(?P<b>.+?)\s"
                r"(?:zusammenrechnet|zusammenzählt|zusammennimmt|addiert)"
            ),
        ),
        (
            "{main} pour {thing} ?",
            r"(?P<main>combien\s.+?),?\ssi\s(?:l['’])?on\s(?:additionne|ajoute)\s(?P<a>.+?)\set\s(?P<b>.+?)",
        ),
        (
            "¿{main} por {thing}?",
            r"(?P<main>cu[aá]nt[oa]s?\s.+?),?\s(?:si\sse\s(?:suman?|juntan?)|sumando)\s(?P<a>.+?)\sy\s(?P<b>.+?)",
        ),
        ("{thing}{main}", r"把(?P<a>.+?)[和与](?P<b>.+?)(?:加起来|相加|算在一起)[，,]?(?P<main>.*(?:多少|几).*)"),
    )
)


def amounts_added(core: str, blanked: str) -> Added | None:
    """Both amounts of a question for their sum; None for any other. `blanked`: the same text with quoted words blanked."""
    for wording, pattern in _ADDED:
        match = pattern.fullmatch(blanked)
        if match is None:
            continue
        main = _TOGETHER.sub("", core[slice(*match.span("main"))]).strip(" ,，")
        one, other = core[slice(*match.span("a"))], core[slice(*match.span("b"))]
        if "的" in one and "的" not in other:
            other = f"{one.rpartition('的')[0]}的{other}"
        things = one, other
        texts = tuple(wording.format(main=main, thing=thing) for thing in things)
        return Added((texts[0], texts[1]), things, (match.span("a"), match.span("b")))
    return None
