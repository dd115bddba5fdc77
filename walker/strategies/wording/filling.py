"""Puts the answer of one part where the next part points back to it: "who implemented that proposal?" with "PEP 7" asks who
implemented PEP 7."""

from __future__ import annotations

import re

from memory.words import lazy_re

LONGEST = 80
"""Most characters of an answer that stands in for a pronoun; a longer one is a passage and follows the question."""
_BACK = lazy_re.compile(
    r"\b(?:that|this|the same|said) (?P<noun>(?!(?:is|was|are|were|of|in|on|at|for|from|to|did|does|the|a|an)\b)[a-z]\w+)\b"
    r"|\b(?:the one|it|him|he|she|they|them|er|sie|ihn|il|elle|él|ella)\b"
    r"|(?:该|此|这(?:个|位|名|家|所)?|其)(?P<han>[\u3400-\u9fff]{1,2}?)?(?=[在是的有于中被，从何什怎担获])|[他她它](?!们)",
    re.IGNORECASE,
)


def filled(text: str, known: str) -> str:
    """A part with what is known in the place of the words that point back; behind it, where none do.

    >>> filled("Who implemented that standard?", "STD 9")
    'Who implemented STD 9?'
    >>> filled("How many bugs were fixed in that version?", "2.4")
    'How many bugs were fixed in version 2.4?'
    """
    if not known:
        return text
    back = _BACK.search(text) if len(known) <= LONGEST else None
    if back is None:
        return f"{text} {known}"
    noun = back["noun"] or ""
    stands = known if not noun or not known[:1].isdigit() else f"{noun} {known}"
    return f"{text[: back.start()]}{stands}{text[back.end() :]}"
