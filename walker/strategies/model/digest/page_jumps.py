"""The ways through a long list: its pages by number, and its tags, categories and dates, where these are shown nowhere else."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from perception.observation import Link, Observation
from walker.strategies.model.digest.digest_request import DigestRequest

PAGES_NAMED, ARCHIVES_NAMED = 7, 10
MOST_DIGITS = 4
_LAST = re.compile(
    r"^\W*(?:last|end|letzte|ende|derni[eè]re|fin|[uú]ltim[ao]|末[页頁]|尾[页頁]|最[后後]一?[页頁]|最後)(?:\s+(?:page|seite|página|pagina))?\W*$",
    re.IGNORECASE,
)
_ARCHIVE = re.compile(
    r"/(?:tags?|categor(?:y|ies)|topics?|archives?|kategorien?|themen|schlagwort|étiquettes?|catégories?|etiquetas?|categorias?)/[^/]"
    r"|/(?:19|20)\d\d(?:/(?:0?[1-9]|1[0-2]))?/?(?:index\.\w+)?$"
    r"|[?&](?:tag|cat|category|topic|year|month|m)=",
    re.IGNORECASE,
)
"""Addresses of entries chosen by subject or date."""


def ways_through(observation: Observation, asked: DigestRequest, shown: str) -> str:
    """A line or two for a page of a numbered list; "" for any other, and for links that `shown`, the rest of the prompt, has."""
    pagination = observation.pagination
    if not (pagination.page_urls or (pagination.next_url and pagination.last)):
        return ""
    free = [link for link in observation.links if asked.marks.states.get(link.id) == "" and not link.hidden]
    pages = _spread(_numbered(free, frozenset(pagination.page_urls)))
    pages += [link for link in free if _LAST.match(link.label) and link not in pages][:1]
    lines: list[str] = []
    if any(not _stands_in(shown, link) for link in pages):
        lines.append("Pages of this list: " + " · ".join(map(asked.marks.label_of, pages)))
    likely = {link.id: place for place, link in enumerate(asked.promising)}
    archives = [link for link in free if link.label and _is_archive(link) and not _stands_in(shown, link)]
    archives.sort(key=lambda link: (likely.get(link.id, len(likely)), link.id))
    if archives:
        named = " · ".join(map(asked.marks.label_of, archives[:ARCHIVES_NAMED]))
        lines.append(f"By subject or date: {named}")
    return "\n".join(lines)


def _numbered(links: list[Link], urls: frozenset[str]) -> list[Link]:
    """The links to pages of the list, each number once, in its order."""
    found: dict[int, Link] = {}
    for link in links:
        if link.url in urls and link.label.isdecimal() and len(link.label) <= MOST_DIGITS:
            found.setdefault(int(link.label), link)
    return [found[number] for number in sorted(found)]


def _spread(pages: list[Link]) -> list[Link]:
    """At most `PAGES_NAMED`, the first and the last among them."""
    if len(pages) <= PAGES_NAMED:
        return pages
    return [pages[round(place * (len(pages) - 1) / (PAGES_NAMED - 1))] for place in range(PAGES_NAMED)]


def _is_archive(link: Link) -> bool:
    parts = urlsplit(link.url)
    return _ARCHIVE.search(f"{parts.path}?{parts.query}" if parts.query else parts.path) is not None


def _stands_in(shown: str, link: Link) -> bool:
    return f"[{link.id}]" in shown
