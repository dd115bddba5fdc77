"""Splits a name, tag or query into the words of the icon vocabulary."""

from __future__ import annotations

import re

_EMPTY = frozenset("a an and as at by for from my of or the this to with your icon button".split())


def words_of(text: str) -> tuple[str, ...]:
    """Words in order, each once, in lower case and singular, without stop words.

    >>> words_of("Shopping_Carts of the user")
    ('shopping', 'cart', 'user')
    """
    found = re.findall(r"[a-z]+|[0-9]+", text.lower())
    return tuple(dict.fromkeys(singular(word) for word in found if word not in _EMPTY))


def singular(word: str) -> str:
    """An English word without its plural ending; a word that only looks like a plural stays.

    >>> [singular(word) for word in ("batteries", "boxes", "files", "glass", "status", "news")]
    ['battery', 'box', 'file', 'glass', 'status', 'news']
    """
    if (
        len(word) <= 3
        or word in ("news", "canvas", "atlas", "gas", "lens", "series")
        or word.endswith(("ss", "us", "is"))
    ):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("xes", "ches", "shes", "sses")):
        return word[:-2]
    return word.removesuffix("s")
