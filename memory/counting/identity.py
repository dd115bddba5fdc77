"""Decides whether two listed items are the same one.

Merging distinct items loses one for good, keeping a duplicate costs one; so names merge only where they differ in
case, punctuation, spacing, accents, width of characters, or titles of a person. "Lecture 1" and "Lecture 2",
"SHA256" and "SHA512", "C" and "C++", "Wang Wei" and "Wang Wen" never do, however similar they are.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from urllib.parse import urlsplit

from memory.findings import Item
from memory.url_key import BadUrl, key_of
from memory.words import lazy_re

JOINED_LENGTH = 8
"""Least letters of names that may differ in spacing: "data base systems" is "database systems", "An Na" is not "Anna"."""
CUT_SHORT_LENGTH = 16
"""Least characters of a truncated title, so that it identifies one title rather than several."""

_SPACES = lazy_re.compile(r"\s+")
_HAN_GAP = lazy_re.compile(r"(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])")
_CODE = lazy_re.compile(r"\S*[^\W_]\S*(?:_|\(|::|->)\S*|_\S+|\S*[^\W\d_]\.[^\W\d_]\S*|\S*[a-z][A-Z]\S*|--?\w\S*")
"""Identifiers ("to_string", "os.path", "setUp", "--help"), in which case and punctuation are significant."""
_CALL = lazy_re.compile(r"((?:[a-z_][\w.:]*|\w+_\w*))\((?!\s*\d).*\)", re.ASCII)
"""A call as documentation shows it; a function is identified by its name, whatever the arguments. "Smith(2020)" is none."""
_TOKEN = lazy_re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
_TELLING_PUNCTUATION = "#*/&%@"
_NUMBER = lazy_re.compile(r"\d+")
_FOOTNOTE_MARKS = "*†‡§¶"
_LATIN_TITLES = lazy_re.compile(
    r"(?:(?:associate|assistant|adjunct|full|visiting|emeritus|distinguished)\s+)*"
    r"(?:professor|prof|doctor|dr|mr|mrs|ms|miss|sir|dame|madam|rev|hon)\b\.?\s*",
    re.IGNORECASE,
)
_LATIN_DEGREES = lazy_re.compile(r",?\s+(?:ph\.?\s?d|m\.?d|d\.?sc|m\.?sc|b\.?sc|m\.?b\.?a|esq)\.?$", re.IGNORECASE)
_HAN_TITLES = lazy_re.compile(
    r"(?<=[\u3400-\u9fff]{2})\s*[（(]?(?:(?:讲席|特聘|荣休|客座|兼职|助理|副)?教授|(?:副|助理)?研究员|讲师|老师|博士|院士|先生|女士)[）)]?$"
)


def address_of(item: Item) -> str:
    """The site's own identifier of an item: key and fragment of its link, or its key as given; "" for none.

    The fragment counts here, unlike for pages: one page describes many items.
    """
    if not item.key.startswith(("http://", "https://")):
        return item.key
    try:
        page, fragment = key_of(item.key), urlsplit(item.key).fragment
    except (BadUrl, ValueError):
        return item.key
    return f"{page}#{fragment}" if fragment and "#" not in page else page


@lru_cache(maxsize=16384)
def plain_name(name: str) -> str:
    """A name normalised in character width, white space and (unless it is code) case: equal results are the same name."""
    text = _HAN_GAP.sub("", _SPACES.sub(" ", unicodedata.normalize("NFKC", name)).strip())
    if call := _CALL.fullmatch(text):
        return plain_name(call[1])
    return text if _is_code(text) else text.casefold()


@lru_cache(maxsize=16384)
def bare_name(name: str) -> str:
    """A name normalised in punctuation, spacing, accents and titles too: equal results are near-duplicates."""
    plain = plain_name(name)
    if _is_code(plain):
        return plain
    tokens = [token for token in _TOKEN.findall(_without_accents(_without_titles(plain))) if _tells(token)]
    if not any(token[0].isalnum() for token in tokens):
        return plain
    joined = _joined(tokens)
    return joined if len(joined) >= JOINED_LENGTH else " ".join(tokens)


def _is_code(text: str) -> bool:
    return text.isascii() and _CODE.fullmatch(text) is not None


def are_two_entries(first: str, second: str) -> bool:
    """Whether two addresses are neighbours in one collection ("/people/12", "/people/57"): a site that gives one name
    two such pages means two items, such as two people of one name.
    """
    if not first or not second or first == second:
        return False
    one, other = first.partition("#")[0], second.partition("#")[0]
    if one == other:
        return False
    return _folder(one) == _folder(other)


def _folder(address: str) -> str:
    path, question, _ = address.partition("?")
    return path if question else path.rstrip("/").rpartition("/")[0]


def _without_titles(name: str) -> str:
    text = name.rstrip(_FOOTNOTE_MARKS).rstrip() if " " in name or "\u3400" <= name[:1] <= "\u9fff" else name
    while (match := _LATIN_TITLES.match(text)) and len(text[match.end() :].split()) >= 2:
        text = text[match.end() :]
    while (shorter := _LATIN_DEGREES.sub("", text)) != text and len(shorter.split()) >= 2:
        text = shorter
    return _HAN_TITLES.sub("", text)


def _without_accents(text: str) -> str:
    """Strip combining marks from Latin and Greek letters only: in other scripts a mark makes another letter."""
    output: list[str] = []
    for character in unicodedata.normalize("NFD", text):
        if "\u0300" <= character <= "\u036f" and output and output[-1] < "\u0400":
            continue
        output.append(character)
    return unicodedata.normalize("NFC", "".join(output))


def _tells(word: str) -> bool:
    """Whether a token is significant: words, numbers, symbols (C++) and the vowel signs of many scripts are."""
    if word[0].isalnum() or word in _TELLING_PUNCTUATION:
        return True
    return word not in "®©`´" and unicodedata.category(word)[0] in "SM"


def _joined(tokens: list[str]) -> str:
    """Words without the spaces between them, except between two numbers, for 3.1 is not 31."""
    joined = ""
    for token in tokens:
        joined += " " + token if token.isdigit() and joined[-1:].isdigit() else token
    return joined


def is_truncation(first: str, second: str) -> bool:
    """Whether one name is the beginning of the other, marked with an ellipsis ("Agents that walk the we...")."""
    return _begins(first, second) or _begins(second, first)


def may_be_one_name(one: str, other: str) -> bool:
    """Whether two names under one address are one item: near-duplicates, one within the other, or one missing.

    Neither numbers nor code may differ, for "Lecture 1" is within "Lecture 11".
    """
    first, second = bare_name(one), bare_name(other)
    if first == second or not first or not second:
        return True
    if _is_code(first) or _is_code(second) or _NUMBER.findall(first) != _NUMBER.findall(second):
        return False
    return min(len(first), len(second)) >= JOINED_LENGTH and (first in second or second in first)


def _begins(short: str, whole: str) -> bool:
    beginning = short.rstrip().rstrip(".…").rstrip()
    if not short.rstrip().endswith(("...", "…")) or len(beginning) < CUT_SHORT_LENGTH:
        return False
    return plain_name(whole).startswith(plain_name(beginning))
