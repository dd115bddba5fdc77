"""The search index of Sphinx (`searchindex.js`): names and titles of all pages, and which words stand on which."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from heapq import nlargest
from typing import Any
from urllib.parse import quote, urljoin

from memory.words import lazy_re
from walker.finding.aids.js_values import NotAValue, read_value
from walker.finding.aids.named_page import MOST_PAGES, NamedPage

SUFFIXES = (".html", "/", ".xhtml", ".htm", "")
"""After the name of a document, in its address; the builder decides which."""
IN_TITLE = 3.0
"""Weight of a word in a title, against one in the text."""
ABOUT_CHARS = 600
LEAST_PREFIX = 4
_WORD = lazy_re.compile(r"\w+")


class SphinxIndex:
    """One index. Raises `NotAValue` for a file that is none."""

    def __init__(self, text: str, base: str, links: Iterable[str]) -> None:
        """`base`: address of the folder of the index; `links`: addresses on the site's first page, by which the suffix is known."""
        value = read_value(text)
        names = value.get("docnames") if isinstance(value, dict) else None
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise NotAValue("it is no index of Sphinx")
        self._names: list[str] = names[:MOST_PAGES]
        titles = value.get("titles")
        self._titles = [str(title) for title in titles] if isinstance(titles, list) else []
        self._terms, self._title_terms = _postings(value.get("terms")), _postings(value.get("titleterms"))
        self._sections = _sections(value.get("alltitles"), len(self._names))
        known = {link.partition("#")[0] for link in links}
        fits = Counter(suffix for suffix in SUFFIXES for name in self._names if _address(base, name, suffix) in known)
        self._suffix = max(SUFFIXES, key=lambda suffix: (fits[suffix], -SUFFIXES.index(suffix)))
        self._base = base

    def pages(self) -> tuple[NamedPage, ...]:
        """All pages, with the titles of their sections."""
        return tuple(self._page(number) for number in range(len(self._names)))

    def search(self, query: str, most: int) -> tuple[NamedPage, ...]:
        """The pages with most of the words of a query, the rarer the better. The index has stems of its own, so a word is looked up by
        its beginning."""
        scores: dict[int, float] = defaultdict(float)
        for word in dict.fromkeys(word.lower() for word in _WORD.findall(query)):
            for weight, index in ((1.0, self._terms), (IN_TITLE, self._title_terms)):
                found = _look_up(word, index)
                rarity = math.log(1 + len(self._names) / (1 + len(found)))
                for number in found:
                    if number < len(self._names):
                        scores[number] += weight * rarity
        return tuple(self._page(number) for number in nlargest(most, scores, key=lambda one: (scores[one], -one)))

    def _page(self, number: int) -> NamedPage:
        title = self._titles[number] if number < len(self._titles) else ""
        about = "; ".join(self._sections.get(number, ()))[:ABOUT_CHARS]
        return NamedPage(url=_address(self._base, self._names[number], self._suffix), title=title, about=about)


def _address(base: str, name: str, suffix: str) -> str:
    if suffix == "/":
        name = "" if name == "index" else name.removesuffix("/index")
        suffix = "/" if name else ""
    return urljoin(base, quote(name + suffix))


def _postings(value: Any) -> dict[str, list[int]]:
    if not isinstance(value, dict):
        return {}
    return {str(word): _numbers(found) for word, found in value.items()}


def _numbers(found: Any) -> list[int]:
    several = found if isinstance(found, list) else [found]
    return [one for one in several if isinstance(one, int) and not isinstance(one, bool) and one >= 0]


def _look_up(word: str, index: dict[str, list[int]]) -> Sequence[int]:
    """The documents of a word, or of its longest beginning that the index has."""
    for end in range(len(word), LEAST_PREFIX - 1, -1):
        if word[:end] in index:
            return index[word[:end]]
    return index.get(word, [])


def _sections(value: Any, pages: int) -> dict[int, list[str]]:
    """Titles of sections by page: `{"Title": [[page, "anchor"], ...]}`."""
    found: dict[int, list[str]] = {}
    for title, places in value.items() if isinstance(value, dict) else ():
        for place in places if isinstance(places, list) else ():
            number = place[0] if isinstance(place, list) and place else None
            if isinstance(number, int) and 0 <= number < pages:
                found.setdefault(number, []).append(str(title))
    return found
