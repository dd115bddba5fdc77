"""Yes or no, as a model says it: by the probabilities of its first token, or by its first word."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from memory.words import lazy_re
from walker.models.replies import without_reasoning

YES, NO = frozenset(("yes", "是", "是的")), frozenset(("no", "否", "不", "不是"))
_AROUND = " \t\r\n\"'“”‘’「」*_`.,:;!()[]。，：；！▁Ġ"
"""What may stand around a word in a token: space in the spellings of several tokenisers, quotes, marks."""
_FIRST = lazy_re.compile(r"是的|不是|[是否不]|[^\W\d_]+")


def chance_of_yes(first_token: Mapping[str, float]) -> float | None:
    """Probability of the spellings of yes among those of yes and of no; None where no token is either.

    >>> chance_of_yes({"Yes": 0.6, " yes": 0.15, "No": 0.25, "Maybe": 0.0})
    0.75
    """
    yes = sum(chance for token, chance in first_token.items() if _plain(token) in YES)
    no = sum(chance for token, chance in first_token.items() if _plain(token) in NO)
    return yes / (yes + no) if yes + no > 0 else None


def says_yes(reply: str) -> bool | None:
    """Whether a reply begins with yes or with no, its reasoning left aside; None where it begins with neither.

    >>> says_yes("**Yes**, in the second line."), says_yes("否。"), says_yes("Maybe")
    (True, False, None)
    """
    first = _FIRST.match(_plain(without_reasoning(reply)))
    word = first[0] if first is not None else ""
    return True if word in YES else False if word in NO else None


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip(_AROUND).casefold()
