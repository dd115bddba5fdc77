"""Entries that lead to the page of a name in the question, which they do not say: those of an index of other names for things."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.words import lazy_re, tokens
from perception.observation import Record
from walker.strategies.entries.asked_columns import Chosen

SHORTEST = 5
"""Letters and digits of a name, run together, from which an address is taken for its page's."""
_NAME = lazy_re.compile(r"(?<=\s)[A-ZÀ-Þ][\w'’-]*(?:\s+[A-ZÀ-Þ0-9][\w'’-]*)*")


def led_to(records: Sequence[Record], text: str) -> Chosen | None:
    """The entries whose address ends in a name of the question, written as one word; None where fewer than two do, or an entry says
    the name."""
    for match in _NAME.finditer(text):
        name = _run_together(match[0])
        if len(name) < SHORTEST:
            continue
        places = frozenset(place for place, record in enumerate(records) if _last_part(record.url) == name)
        if len(places) > 1 and not any(name in _run_together(record.text) for record in records):
            return Chosen(places, frozenset(tokens(match[0])))
    return None


def _last_part(url: str) -> str:
    """The last part of an address without its ending, run together: "betsyross" of "/rules/betsy-ross.html"."""
    path = url.partition("://")[2].partition("/")[2].partition("#")[0].partition("?")[0].rstrip("/")
    return _run_together(re.sub(r"\.[a-zA-Z]{2,5}$", "", path.rpartition("/")[2]))


def _run_together(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())
