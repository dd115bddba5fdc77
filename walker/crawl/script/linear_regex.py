"""Regular expressions of users, searched for in time that no address can make grow beyond measure.

RE2 does that in time proportional to the address, whatever the expression. It lacks a few things of Python's `re` (lookaround,
atomic groups, references back to groups); those few expressions go to `regex` with a limit on the time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import re2
import regex

from walker.errors import WalkerError

MOST_SECONDS = 1.0
"""For one address, where RE2 cannot be used. An expression whose steps grow with the square of 4,096 characters takes 0.2 s."""
_READ_OTHERWISE = re.compile(r"\{,\d")
"""`a{,3}` is one to Python and a text to RE2."""
_POSIX_CLASS = re.compile(r"\[[^\]]*\[:\^?\w+:\]")
_REPEATS_REPEATED = re.compile(r"(?<!\\)[*+}][?+]?[^()]*\)+[*+{]")
Search = Callable[[str], object | None]
"""Gives a match, None for none."""
_OPTIONS = re2.Options()
_OPTIONS.never_capture = True
_OPTIONS.log_errors = False


class BadExpression(ValueError):
    """The text is no regular expression that can be used; the message says why."""


class ExpressionTooSlow(WalkerError):
    """An address keeps an expression busy for longer than `MOST_SECONDS`, so nobody knows whether it matches."""


def compile_search(expression: str) -> Search:
    """Finds whether a text of ASCII characters, as addresses are, holds a match of an expression as Python's `re` understands it.

    Raises `BadExpression`; the function that is returned raises `ExpressionTooSlow`.
    """
    try:
        re.compile(expression)
    except (re.error, RecursionError, OverflowError) as error:
        raise BadExpression(f"not a regular expression ({error})") from None
    if _POSIX_CLASS.search(expression):
        raise BadExpression("a class such as [[:alpha:]] is none in Python; write [A-Za-z]")
    if not _READ_OTHERWISE.search(expression):
        try:
            search: Search = re2.compile(expression, _OPTIONS).search
        except re2.error:
            pass
        else:
            return search
    if _REPEATS_REPEATED.search(expression):
        raise BadExpression("a regular expression with lookaround or the like repeats what repeats, such as (a+)+")
    try:
        return partial(_search_in_time, regex.compile(expression))
    except regex.error as error:
        raise BadExpression(f"not a regular expression ({error})") from None


def _search_in_time(compiled: regex.Pattern[str], text: str) -> object | None:
    try:
        found: object | None = compiled.search(text, timeout=MOST_SECONDS)
    except TimeoutError:
        raise ExpressionTooSlow(
            f"the pattern re:{compiled.pattern} takes more than {MOST_SECONDS:g} s",
            where=text if len(text) <= 120 else f"{text[:120]}...",
            advice="Write it without lookaround, or without repeats one behind the other",
        ) from None
    return found
