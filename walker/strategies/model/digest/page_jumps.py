"""The ways through a long list: its pages by number, and its tags, categories and dates, where these are shown nowhere else."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from perception.observation import Link, Observation
from walker.strategies.model.digest.digest_request import DigestRequest
from walker.strategies.model.digest.page_archives import asked_times, is_archive

PAGES_NAMED, ARCHIVES_NAMED = 7, 10
MOST_DIGITS = 4
LINKS_READ = 2_000
"""Of the main text, in which archives are sought; those beside it are all looked at."""
_LAST = re.compile(
    r"^\W*(?:last|end|letzte|ende|derni[eè]re|fin|[uú]ltim[ao]|末[页頁]|尾[页頁]|最[后後]一?[页頁]|最後)(?:\s+(?:page|seite|página|pagina))?\W*$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\[(\d+)[\] ]")


def may_lead_through(observation: Observation, asked: DigestRequest) -> bool:
    """Whether there may be ways to name: on a page of a numbered list, or where the question asks for a time."""
    return _is_numbered(observation) or asked_times(asked.query) is not None


def _is_numbered(observation: Observation) -> bool:
    pages = observation.pagination
    return bool(pages.page_urls or (pages.next_url and pages.last))


def ways_through(observation: Observation, asked: DigestRequest, shown: str) -> str:
    """A line or two for a page of a numbered list, and the archives of any page where the question asks for a time; "" for all others,
    and for links that `shown`, the rest of the prompt, has."""
    is_long, times = _is_numbered(observation), asked_times(asked.query)
    if not is_long and times is None:
        return ""
    free = [link for link in observation.links if asked.marks.states.get(link.id) == "" and not link.hidden]
    there = {int(number) for number in _NUMBER.findall(shown)}
    lines: list[str] = []
    if is_long:
        pages = _spread(_numbered(free, frozenset(observation.pagination.page_urls)))
        pages += [link for link in free if _LAST.match(link.label) and link not in pages][:1]
        if any(link.id not in there for link in pages):
            lines.append("Pages of this list: " + " · ".join(map(asked.marks.label_of, pages)))
    likely = {link.id: place for place, link in enumerate(asked.promising)}
    beside = [link for link in free if link.region != "main" or not link.block]
    looked = dict.fromkeys((*(link.id for link in beside), *(link.id for link in free[:LINKS_READ])))
    archives = [
        link
        for number in looked
        if number not in there and (link := observation.links[number - 1]).label and is_archive(link)
    ]
    archives.sort(key=lambda link: (-_fits(link, times or ()), likely.get(link.id, len(likely)), link.id))
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


def _fits(link: Link, times: tuple[str, ...]) -> int:
    """How well an archive fits the times that were asked for: best one of the month, then where all are listed, then one
    of the year."""
    said = f"{link.label} {urlsplit(link.url).path}".casefold()
    years = sum(time in said for time in times if time.isdecimal())
    months = any(time in said for time in times if not time.isdecimal())
    lists_all = not any(map(str.isdigit, link.label)) and "archiv" in said
    return 8 * years + 9 * lists_all + 2 * months
