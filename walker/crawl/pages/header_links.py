"""Links in the headers of a response: `Link` (RFC 8288) and a `Refresh` that leads to another page after a while."""

from __future__ import annotations

import re

import msgspec

from perception.document.addresses import absolute_url

RELATIONS = frozenset(("next", "prev", "previous", "first", "last", "canonical"))
"""Relations that lead to other pages of the site; a page in another language counts as another page."""
REFRESH = re.compile(r"^\s*[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?['\"]?(.*?)['\"]?\s*$", re.IGNORECASE)

_LINK = re.compile(r"<([^<>]*)>((?:\s*;\s*[\w*!#$%&'+.^`|~-]+(?:\s*=\s*(?:\"[^\"]*\"|[^\s\",;]*))?)*)")
_PARAMETER = re.compile(r";\s*([\w*-]+)\s*(?:=\s*(?:\"([^\"]*)\"|([^\s\",;]*)))?")


class HeaderLinks(msgspec.Struct, frozen=True, kw_only=True):
    """Absolute URLs."""

    canonical_url: str = ""
    urls: tuple[str, ...] = ()
    """Of further pages, in the order of the headers."""


def read_header_links(link: str, refresh: str, url: str) -> HeaderLinks:
    """The links of a response at `url`, whose headers of these names may be joined by commas.

    >>> read_header_links('</b>; rel=next, </style.css>; rel=preload', "60; url=/c", "http://a.example/").urls
    ('http://a.example/b', 'http://a.example/c')
    """
    canonical = ""
    found: list[str] = []
    for target, written in _LINK.findall(link):
        parameters: dict[str, str] = {}
        for name, quoted, plain in _PARAMETER.findall(written):
            # Of several parameters of a name the first counts (RFC 8288, section 3.3).
            parameters.setdefault(name.lower(), quoted or plain)
        relations = parameters.get("rel", "").lower().split()
        if "anchor" in parameters:
            continue  # a link of another page
        if not RELATIONS.isdisjoint(relations) or ("alternate" in relations and "hreflang" in parameters):
            found.append(absolute_url(url, target))
        if "canonical" in relations:
            canonical = canonical or absolute_url(url, target)
    if match := REFRESH.match(refresh):
        found.append(absolute_url(url, match[1]))
    return HeaderLinks(canonical_url=canonical, urls=tuple(dict.fromkeys(one for one in found if one)))
