"""The lines of a page that can be quoted."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from evaluation.building.tree import HarvestedPage
from evaluation.metrics.rates import plain

MOST_ANSWER_CHARS, MOST_NAME_CHARS = 60, 80
MOST_QUOTE_CHARS = 400
_PLACEHOLDER = re.compile(
    r"^[\W_]*$|^(?:n/?a|none|unknown|see|more|read more|tba|tbd|here|link|yes|no|click|siehe|voir|mehr|ja|nein|oui|non|"
    r"无|暂无|更多)\b|^(?:fixme|todo|wip|x{3,}|to be (?:announced|confirmed|decided|determined)|待定|未定|待补充|待更新)\W*$",
    re.IGNORECASE,
)
_PRESS = re.compile(
    r"\b(?:click(?:ing)? (?:here|on)|read more|hier klicken|klicken sie|cliquez|haga clic)\b|点击", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]")


@lru_cache(maxsize=50_000)
def folded(line: str) -> str:
    """`plain` of a line, which is looked through for many facts."""
    return plain(line)


def headings_of(page: HarvestedPage) -> Counter[str]:
    """How often each heading stands on the page."""
    return Counter(plain(passage.text) for passage in page.passages if passage.kind == "heading")


def quote_of(page: HarvestedPage, wanted: str, name: str = "") -> str:
    """A line of the page that contains `wanted`, preferably with `name` too; "" for none."""
    whole, other = plain(wanted), plain(name)
    lines = [line for line in page.lines if whole in folded(line)]
    named = [line for line in lines if other in folded(line)] if other else []
    for line in named or lines:
        if len(line) <= MOST_QUOTE_CHARS:
            return line
        place = line.casefold().find(wanted.casefold())
        if place >= 0:  # a long line is quoted around the place, from word to word
            start = line.rfind(" ", 0, max(0, place - MOST_QUOTE_CHARS // 2)) + 1
            end = line.find(" ", min(len(line) - 1, place + len(wanted) + MOST_QUOTE_CHARS // 3))
            return line[start : end if end > 0 else None]
    return ""


def is_name(text: str) -> bool:
    """Whether a text can name what is asked about."""
    bare = text.strip()
    return 2 <= len(bare) <= MOST_NAME_CHARS and bool(_WORD.search(bare)) and not bare.endswith(("?", "？", "…", "..."))


def is_answer(text: str) -> bool:
    """Whether a text can be an answer: short, and not a mark for nothing."""
    return (
        0 < len(text.strip()) <= MOST_ANSWER_CHARS
        and not _PLACEHOLDER.match(text.strip("'\"“”„«» "))
        and not text.endswith(("…", "..."))
        and not _PRESS.search(text)
    )
