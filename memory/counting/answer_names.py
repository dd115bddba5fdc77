"""The names that an answer enumerates."""

from __future__ import annotations

import re

from memory.counting.identity import bare_name

_BETWEEN_NAMES = re.compile(
    r"\s*[;\n、；]\s*|,\s+|，\s*|\s+(?:and|und|et|y|e|和|&)\s+|\s*及\s*|(?:^|\s+)\(?\d{1,3}[.)]\s+(?=\S)"
)


def names_in(answer: str) -> frozenset[str]:
    """The distinct names that an answer enumerates, as `bare_name` writes them.

    >>> sorted(names_in("1. Mantis 2. Squid")) == sorted(names_in("Squid and Mantis"))
    True
    """
    return frozenset(map(bare_name, enumerated(answer)))


def enumerated(answer: str) -> tuple[str, ...]:
    """The names that an answer enumerates, as it writes them."""
    return tuple(name.strip() for name in _BETWEEN_NAMES.split(answer) if name.strip())
