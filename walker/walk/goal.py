"""What a page is opened for: the phrase of what is missing that its link serves."""

from __future__ import annotations

from collections.abc import Sequence

from memory.words import tokens


def goal_of(why: str, missing: Sequence[str]) -> str:
    """The phrase that shares most words with the reason for opening a page, the first of equal ones; "" where nothing is missing.

    >>> goal_of("follow [3] “Opening hours”", ("price of a ticket", "hours of the museum"))
    'hours of the museum'
    """
    said = frozenset(tokens(why))
    return max(missing, key=lambda phrase: len(said.intersection(tokens(phrase))), default="")
