"""Tokenisation and stemming for retrieval: one form for "Limits", "limited" and "limit"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import Stemmer

from memory.words import lazy_re

_COMMON = (
    "a about above after all also am an and any are as at be been before being below between both but by can could did "
    "do does doing done during each either else ever few for from further had has have having he her here hers him his "
    "how i if in into is it its itself just let may me might more most much must my no nor not of off on once one only "
    "or other our out over own per please same shall she should since so some such than that the their them then there "
    "these they this those through to too under until up upon us very via was we were what when where whether which "
    "while who whom whose why will with within without would yes yet you your"
)
STOP_WORDS = frozenset(_COMMON.split())
"""English stop words."""

_HAN = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_TOKEN = lazy_re.compile(
    rf"[{_HAN}]+|\d{{1,3}}(?:,\d{{3}})+(?![\d.]*\w)|[^\W{_HAN}]+(?:[.:'’-][^\W{_HAN}]+)*(?:\+\+|#)?"
)
_HAN_RUN = lazy_re.compile(rf"[{_HAN}]")
_HAN_FILLER = lazy_re.compile(
    r"为什么|是什么|有多少|有哪些|请问|什么|多少|哪个|哪些|哪里|哪儿|哪年|哪一|怎么|怎样|如何|是否|几个|列出|根据|按照|以及|其中|关于"
    r"|[的吗呢吧啊与及或是谁]"
)
"""Chinese and Japanese stop words; they end a run, so that no bigram crosses them."""
_NUMBER = lazy_re.compile(r"\d+(?:[.:-]\d+)*")
_HUMPS = lazy_re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")
_stem = Stemmer.Stemmer("english", 0).stemWord


@lru_cache(maxsize=1 << 11)
def tokens(text: str) -> tuple[str, ...]:
    """Lower-case stems in order, without stop words (unless there is nothing else).

    An identifier gives itself and its parts ("get_path" -> get_path, get, path); Chinese, Japanese and Korean give
    character bigrams.

    >>> tokens("The limits of get_folderPath()")
    ('limit', 'get_folderpath', 'get', 'folder', 'path')
    >>> tokens("学校的历史沿革")
    ('学校', '历史', '史沿', '沿革')
    """
    words: list[str] = []
    for match in _TOKEN.finditer(unicodedata.normalize("NFKC", text)):
        words.extend(_forms(match[0]))
    return tuple(word for word in words if word not in STOP_WORDS) or tuple(words)


def token_places(text: str) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """The words of a text as ranges of its characters, each with its tokens; of Chinese, Japanese and Korean the pairs.

    >>> list(token_places("The limits"))
    [(0, 3, ('the',)), (4, 10, ('limit',))]
    """
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        if _HAN_RUN.match(match[0]):
            for place in range(start, max(start + 1, end - 1)):
                yield place, min(place + 2, end), (text[place : place + 2][: end - place],)
        else:
            yield start, end, _forms(unicodedata.normalize("NFKC", match[0]))


@lru_cache(maxsize=1 << 13)
def _forms(word: str) -> tuple[str, ...]:
    if _HAN_RUN.match(word):
        return _pairs(word)
    if "," in word:
        return (word.replace(",", ""),)
    if _NUMBER.fullmatch(word):
        return (word, *word.split("-")) if "-" in word else (word,)
    if word.isalpha() and (word.islower() or word.istitle() or word.isupper()):
        return (_folded(word),)
    return _compound(word.replace("’", "'"))


def _compound(word: str) -> tuple[str, ...]:
    """The forms of a compound token: a genitive, a hyphenated word, an identifier, a dotted name."""
    if word.lower().endswith(("'s", "'t", "'re", "'ve", "'ll", "'d", "'m")):
        word = word[: word.rindex("'")]
    parts = tuple(part for piece in re.split(r"[.:'_-]", word) for part in _parts_of(piece))
    whole = word.casefold()
    if re.fullmatch(r"[^\W\d_]+(?:-[^\W\d_]+)+", word):
        whole = whole.replace("-", "")
    forms = (_folded(whole), *(_folded(part) for part in parts if len(part) > 1 or not part.isdigit()))
    return tuple(dict.fromkeys(form for form in forms if form))


def _parts_of(piece: str) -> list[str]:
    """The parts of a camel-case word such as "getPath" or "JavaScript"; a name such as "SQLite" or "MySQL" is one word."""
    humps = _HUMPS.findall(piece)
    if piece[:1].isupper() and any(len(hump) < 3 for hump in humps if hump.isalpha()):
        return re.findall(r"[^\W\d_]+|\d+", piece)
    return [str(hump) for hump in humps]


def _folded(word: str) -> str:
    lower = word.casefold()
    return lower if lower in STOP_WORDS or len(lower) < 4 else str(_stem(lower))


def _pairs(run: str) -> tuple[str, ...]:
    pairs: list[str] = []
    for piece in _HAN_FILLER.split(run):
        if len(piece) == 1:
            pairs.append(piece)
        pairs.extend(piece[place : place + 2] for place in range(len(piece) - 1))
    return tuple(pairs)
