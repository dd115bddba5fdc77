"""Whether a passage speaks of another version, standard or edition than the one that a question names: what "Python 3.4" is said to be
says nothing of "Python 3.11", however alike the sentences are."""

from __future__ import annotations

import re

from memory.words import STOP_WORDS, lazy_re

_NUMBERED = lazy_re.compile(
    r"(?<![^\W\d_])(?P<name>[^\W\d_](?:[\w+#-]{0,58}[^\W\d_+#-])?)[ \u00a0]{0,20}(?:v|No\. ?|Nr\. ?|n° ?|#)?"
    r"(?P<number>\d+(?:\.\d+)*(?:[a-z]{1,2}\d*)?)(?![\w%€$]|[.,:]\d)",
    re.IGNORECASE,
)
"""A name has at most sixty letters and begins where no letter stands before it, so that a long text is read in time by its length."""
_VERSION = lazy_re.compile(r"\d+(?:\.\d+)+")
LEAST_NAME = 3
"""Characters of a name; "in 3", "at 5" name nothing."""


def numbers_named(question: str) -> frozenset[tuple[str, str]]:
    """The names of a question with the version or number behind each.

    >>> sorted(numbers_named("When was Python 3.11 released, and what does PEP 634 add?"))
    [('pep', '634'), ('python', '3.11')]
    """
    return frozenset(_numbered(question))


def speaks_of_another(text: str, around: str, named: frozenset[tuple[str, str]]) -> bool:
    """Whether one of the names stands in `text` with other numbers only, and its own number neither there nor `around`.

    >>> speaks_of_another("Python 3.4 was released on March 16, 2014.", "Summary", frozenset({("python", "3.11")}))
    True
    >>> speaks_of_another("Python 3.4 and 3.11 are supported.", "Summary", frozenset({("python", "3.11")}))
    False
    """
    others = _numbered(text) if named else ()
    return any(
        any(_is_other(number, other) for other_name, other in others if other_name == name)
        and not _stands_in(number, f"{text}\n{around}")
        for name, number in named
    )


def _numbered(text: str) -> tuple[tuple[str, str], ...]:
    found = ((match["name"].casefold(), match["number"].casefold()) for match in _NUMBERED.finditer(text))
    return tuple(
        (name, number)
        for name, number in found
        if (len(name) >= LEAST_NAME and name not in STOP_WORDS) or _VERSION.fullmatch(number)
    )


def _is_other(number: str, other: str) -> bool:
    """3.11.2 is a 3.11."""
    return number != other and not other.startswith(f"{number}.") and not number.startswith(f"{other}.")


def _stands_in(number: str, text: str) -> bool:
    return re.search(rf"(?<![\w.])v?{re.escape(number)}(?!\w)", text, re.IGNORECASE) is not None
