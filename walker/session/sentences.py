"""Sentences that say what to do on a page, taken apart: a verb, a target, and a text in quotes."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

Verb = Literal["open", "press", "type", "search", "scroll", "back", "any"]
_QUOTED = r"[\"“'](?P<text>[^\"”]*?)[\"”']"
_INTO = r"(?:into|in|in to|from|as|for)"
_PRESSING = "press|click|tap|push|tick|untick|check|uncheck|expand|unfold|toggle|choose|select|pick"
_FORMS: tuple[tuple[Verb, str], ...] = (
    ("back", r"(?:go |turn )?back|(?:go )?to the page before|返回"),
    ("scroll", r"scroll\b.*|滚动.*"),
    ("type", rf"(?:type|enter|write|put|input|fill|choose|select|pick)\s+{_QUOTED}\s+{_INTO}\s+(?P<words>.+)"),
    ("type", rf"(?:fill in|fill|set)\s+(?P<words>.+?)\s+(?:with|to)\s+{_QUOTED}"),
    ("type", rf"(?:type|write|put|input|enter)\s+{_INTO}\s+(?P<words>.+)"),
    ("type", r"fill in\s+(?P<words>.+)"),
    ("search", rf"search(?: the site)?(?: for)?\s+{_QUOTED}"),
    ("search", r"search(?: the site)? for\s+(?P<text>.+)"),
    ("search", r"搜索\s*(?P<text>.+)"),
    ("open", r"(?:open|follow|go to|visit|read)\s+(?P<words>.+)"),
    ("open", r"打开\s*(?P<words>.+)"),
    ("press", rf"(?:{_PRESSING})\s+(?:on\s+)?(?P<words>.+)"),
    ("press", r"点击\s*(?P<words>.+)"),
)
"""Verbs, and the sentences that say them; the first that fits counts."""
_COMPILED = tuple((verb, re.compile(form, re.IGNORECASE)) for verb, form in _FORMS)
_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """What a sentence says."""

    verb: Verb
    """`any`: it names a target only."""
    words: str = ""
    """For the target."""
    text: str = ""
    """What is typed, or searched for."""


def read_sentence(sentence: str) -> Sentence:
    """What is to be done, by its form; a sentence of no form that is known names a target.

    >>> read_sentence('type "blue mug" into the search field')
    Sentence(verb='type', words='search field', text='blue mug')
    >>> read_sentence("open the second result").words
    'second result'
    """
    plain = " ".join(sentence.split()).rstrip(".")
    for verb, form in _COMPILED:
        if (found := form.fullmatch(plain)) is not None:
            parts = {name: (value or "").strip() for name, value in found.groupdict().items()}
            return Sentence(verb=verb, words=_ARTICLE.sub("", parts.get("words", "")), text=parts.get("text", ""))
    return Sentence(verb="any", words=_ARTICLE.sub("", plain))
