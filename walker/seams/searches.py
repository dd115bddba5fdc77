"""Addresses of searches: the root of a walk through a library is the page of hits for its question."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode, urlsplit

SEARCH_HOST = "library.invalid"
"""A host that can never exist (RFC 6761, section 6.4), so that no such address is ever asked for on a network."""
_START = f"https://{SEARCH_HOST}/search?"


def search_address(query: str) -> str:
    """The address of the page of hits for a query.

    >>> search_address("page size?")
    'https://library.invalid/search?q=page+size%3F'
    """
    return _START + urlencode({"q": " ".join(query.split())}, errors="replace")


def is_search(url: str) -> bool:
    """Whether an address is that of a page of hits."""
    return url.startswith(_START)


def query_of(url: str) -> str:
    """The query of such an address, "" for any other."""
    return parse_qs(urlsplit(url).query).get("q", [""])[0] if is_search(url) else ""
