"""The names that an answer enumerates."""

from __future__ import annotations

import re

from memory.counting.identity import bare_name
from memory.words import lazy_re

_BETWEEN_NAMES = lazy_re.compile(
    r"\s*[;\n、；]\s*|,\s+|，\s*|\s+(?:and|und|et|y|e|和|&)\s+|\s*及\s*|(?:^|\s+)\(?\d{1,3}[.)]\s+(?=\S)"
)

_MORE = lazy_re.compile(r"\.\.\.|and \d+ more")
_NUMBER_WITH_NAMES = lazy_re.compile(r"(?P<number>\d{1,4}) \((?P<names>.+)\)", re.DOTALL)


def names_in(answer: str) -> frozenset[str]:
    """The distinct names that an answer enumerates, as `bare_name` writes them.

    >>> sorted(names_in("1. Mantis 2. Squid")) == sorted(names_in("Squid and Mantis"))
    True
    """
    return frozenset(map(bare_name, enumerated(answer)))


def enumerated(answer: str) -> tuple[str, ...]:
    """The names that an answer enumerates, as it writes them."""
    return tuple(name.strip() for name in _BETWEEN_NAMES.split(answer) if name.strip())


def names_told(answer: str) -> tuple[str, ...]:
    """The names of an answer that is a number and as many different names in brackets; none of any other answer.

    >>> names_told("2 (Mantis; Squid)"), names_told("12 (Mantis; Squid; ...)")
    (('Mantis', 'Squid'), ())
    """
    match = _NUMBER_WITH_NAMES.fullmatch(answer.strip())
    if match is None:
        return ()
    names = tuple(name.strip() for name in match["names"].split("; "))
    is_all = len(set(names)) == int(match["number"]) == len(names) and not _MORE.fullmatch(names[-1])
    return names if is_all else ()
