"""Addresses of pages of our own: hits of searches, and the start of a walk that has no root, several, or a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal
from urllib.parse import parse_qs, urlencode, urlsplit

from perception.geometry import Box

SEARCH_HOST = "library.invalid"
"""A host that can never exist (RFC 6761, section 6.4), so that no such address is ever asked for on a network."""
_OWN = f"https://{SEARCH_HOST}/"
_SEARCH = f"{_OWN}search?"
_PICTURES = f"{_OWN}pictures?"
_START = f"{_OWN}start?"

FOUND_LITTLE = "found little"
"""Outcome of a search with fewer than `FEW_HITS` hits."""
FEW_HITS = 5
SearchReach = bool | Literal["web"]
"""Whether a walk has something to search, and `web` where that reaches beyond the pages of its sites."""


def search_address(*queries: str) -> str:
    """The address of the page of hits for one or several queries.

    >>> search_address("page size?")
    'https://library.invalid/search?q=page+size%3F'
    """
    return _SEARCH + urlencode([("q", " ".join(query.split())) for query in queries], errors="replace")


def pictures_address(page: str, box: Box) -> str:
    """The address of the page of hits for a part of a page's picture, `box` in CSS pixels of the page.

    >>> pictures_address("https://a.org/", Box(x=1, y=2, width=30, height=40.5))
    'https://library.invalid/pictures?page=https%3A%2F%2Fa.org%2F&box=1%2C2%2C30%2C40.5'
    """
    sides = ",".join(f"{side:g}" for side in (box.x, box.y, box.width, box.height))
    return _PICTURES + urlencode({"page": page, "box": sides}, errors="replace")


def start_address(roots: Sequence[str], picture: str = "") -> str:
    """The address of the page that a walk begins on where it has no root, several, or the picture of this digest.

    >>> start_address(("https://a.org/",), "3f")
    'https://library.invalid/start?root=https%3A%2F%2Fa.org%2F&picture=3f'
    """
    named = [("root", root) for root in roots] + ([("picture", picture)] if picture else [])
    return _START + urlencode(named, errors="replace")


def is_own_page(url: str) -> bool:
    """Whether an address is that of a page of our own, which no network is asked for."""
    return url.startswith(_OWN)


def is_search(url: str) -> bool:
    """Whether an address is that of a page of hits for words."""
    return url.startswith(_SEARCH)


def is_picture_search(url: str) -> bool:
    """Whether an address is that of a page of hits for a picture."""
    return url.startswith(_PICTURES)


def is_start(url: str) -> bool:
    """Whether an address is that of the start of a walk, not of a page of a site."""
    return url.startswith(_START)


def queries_of(url: str) -> tuple[str, ...]:
    """The queries of the address of a search, () for any other."""
    return tuple(parse_qs(urlsplit(url).query).get("q", ())) if is_search(url) else ()


def query_of(url: str) -> str:
    """The first query of such an address, "" for any other."""
    return next(iter(queries_of(url)), "")


def searched_part(url: str) -> tuple[str, Box]:
    """The page and the box that a picture search is about. Raises `ValueError` for an address that is none."""
    if not is_picture_search(url):
        raise ValueError(f"not the address of a picture search: {url}")
    values = parse_qs(urlsplit(url).query)
    x, y, width, height = (float(side) for side in values["box"][0].split(","))
    return values["page"][0], Box(x=x, y=y, width=width, height=height)


def roots_of(url: str) -> tuple[str, ...]:
    """The roots that a start address names, () for any other."""
    return tuple(parse_qs(urlsplit(url).query).get("root", ())) if is_start(url) else ()


def picture_of(url: str) -> str:
    """The digest of the picture that a start address names, "" without one."""
    return parse_qs(urlsplit(url).query).get("picture", [""])[0] if is_start(url) else ""
