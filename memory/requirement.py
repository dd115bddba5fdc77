"""What a question asks to be counted: five of a kind, all of a kind, or nothing."""

from __future__ import annotations

from typing import Literal

import msgspec

CountMode = Literal["none", "quota", "exhaustive"]


class Requirement(msgspec.Struct, frozen=True, kw_only=True):
    """`quota`: `target` distinct items of `noun`; `exhaustive`: every one of them; `none`: not a counting question.

    A "how many" question about a figure the page states ("how many bytes") is `exhaustive` only if what is asked for
    are things that a page lists; the counter then tells the number, and the critic may still find it stated in words.
    """

    mode: CountMode = "none"
    target: int = 0
    noun: str = ""
    """What is counted, as the question says it ("virtual tables", 「教授」)."""
