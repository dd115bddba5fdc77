"""The counting requirement of a question: some number of items, all of them, or nothing to count."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

import msgspec

from memory.counting.afterthoughts import sentences_of
from memory.counting.asked_number import NOTHING
from memory.counting.counting_chinese import may_be_stated_chinese, read_chinese
from memory.counting.counting_english import may_be_stated_english, read_english
from memory.counting.counting_european import european_count_noun, may_be_stated_european, read_european
from memory.counting.counting_japanese import may_be_stated_japanese, read_japanese
from memory.words import lazy_re

CountMode = Literal["none", "quota", "exhaustive"]


class Requirement(msgspec.Struct, frozen=True, kw_only=True):
    """`quota`: `target` distinct items of `noun`; `exhaustive`: every one of them; `none`: not a counting question.

    A "how many" question about a figure the page states ("how many bytes") is `exhaustive` only if what is asked for
    are things that a page lists; the counter then tells the number, and the critic may still find it stated in words.
    """

    mode: CountMode = "none"
    target: int = 0
    noun: str = ""
    """The noun that is counted, as the question writes it ("virtual tables", 「教授」)."""


QUESTION_LENGTH = 2000
"""Characters that are parsed; of a longer text the end, since the question comes last."""

HOW_MANY = lazy_re.compile(
    r"\bhow many\b|\b(?:number|count) of\b|多少|(?<!哪)[几幾]|总数|数量|\bwie ?viele?\b|\banzahl\b|\bcombien\b|\bnombre d"
    r"|\bcuánt[oa]s\b|\bnúmero de\b|\bquant[oaie]s?\b|いくつ|何[人個本冊台件回枚匹軒点名つ]",
    re.IGNORECASE,
)
"""Asks for a number of things."""
_WHICH_SEVERAL = lazy_re.compile(r"哪[几幾]")
"""Asks with the word for "how many" which ones."""
_HAN = lazy_re.compile(r"[\u3400-\u9fff]")
_KANA = lazy_re.compile(r"[\u3040-\u309f]|[\u30a0-\u30ff]{2}")
"""Signs that only Japanese has; one sign of katakana may stand for a dot or a name in Chinese."""


def read_requirement(question: str, language: str = "") -> Requirement:
    """The counting requirement of a question in English, Chinese, Japanese, German, French, Spanish, Portuguese or Italian;
    `language` says which parser runs first. A question in another language has none, unless part of it is in one of these.
    """
    text = _plain(question)
    of_han = read_japanese if _KANA.search(text) else read_chinese
    readers = [of_han, read_english] if _HAN.search(text) or _KANA.search(text) else [read_english]
    if language == "en":
        readers.reverse()
    asked = next((found for read in readers if (found := read(text)) != NOTHING), NOTHING)
    if asked == NOTHING:
        asked = read_european(text, language)
    return Requirement(mode=asked.mode, target=asked.target, noun=asked.noun)


def may_be_stated(question: str) -> bool:
    """Whether a "how many" question leaves open if the site lists the things or states their number.

    "How many offices does the firm have?" does, "How many offices are listed?" does not: a sentence that states the number may
    answer the first, and only the list the second.
    """
    text = _plain(question)
    if _KANA.search(text):
        return may_be_stated_japanese(text)
    if _HAN.search(text):
        return may_be_stated_chinese(text)
    return may_be_stated_english(text) or may_be_stated_european(text)


def wants_names(question: str, requirement: Requirement) -> bool:
    """Whether a whole list is wanted for its entries, and not only for their number: "How many tools are there? List them all." is,
    for its last sentence wants no number."""
    last = (sentences_of(_plain(question)) or [""])[-1]
    if requirement.mode == "none":
        return _WHICH_SEVERAL.search(last) is not None
    return requirement.mode == "exhaustive" and HOW_MANY.search(last) is None


def counted_noun(question: str, language: str) -> str:
    """What "how many" asks for in German, French, Spanish, Portuguese or Italian, even where a page may state the number; "" for a
    figure, and in other languages."""
    return european_count_noun(_plain(question), language)


def _plain(question: str) -> str:
    return unicodedata.normalize("NFKC", question[-QUESTION_LENGTH:]).replace("\u2019", "'")


msgspec.json.Decoder(Requirement)  # described at import: docs/design/msgspec.md
