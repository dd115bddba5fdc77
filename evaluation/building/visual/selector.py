"""Stage 8: drops questions that still name what they show, and pictures that a search does not find again."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from memory.words import tokens

LEAST_SCORE = 0.5
_POSSESSIVE = re.compile(r"['’]s\b")


def is_named(text: str, names: Sequence[str]) -> bool:
    """Whether a text has one of the names as whole words; case, width, inflection and marks between words do not matter."""
    words = folded_words(text)
    return any((name := folded_words(one)).strip() and name in words for one in names)


def why_not_selected(named: str, question: str, hidden: Sequence[str], score: float) -> str:
    """Why a question about a picture is dropped, "" for a good one. `named` is the question with the name, `score` 0..1 how surely a
    search finds its picture."""
    if question == named:
        return "nothing in it could be replaced by the picture"
    if is_named(question, hidden):
        return "it still names what the picture shows"
    if score < LEAST_SCORE:
        return "a search does not find its picture again"
    return ""


def folded_words(text: str) -> str:
    """Stems between spaces, Chinese characters each on its own."""
    plain = _POSSESSIVE.sub("", unicodedata.normalize("NFKC", text).casefold())
    spaced = "".join(f" {one} " if _is_han(one) else one for one in plain)
    words = (word.strip(".,;:!?()[]{}<>“”\"'’‘`´…，。；：！？（）《》「」、") for word in spaced.split())
    return f" {' '.join(tokens(word)[0] if word.isascii() and word.isalpha() else word for word in words if word)} "


def _is_han(one: str) -> bool:
    return "\u3400" <= one <= "\u9fff" or "\u3040" <= one <= "\u30ff"
