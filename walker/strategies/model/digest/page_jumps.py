"""The ways through a long list: its pages by number, and its tags, categories and dates, where these are shown nowhere else."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from memory.words import lazy_re
from perception.document.pagination import page_number
from perception.observation import Link, Observation
from walker.strategies.links.list_order import place_in_order
from walker.strategies.model.digest.digest_request import DigestRequest
from walker.strategies.model.digest.digest_words import said
from walker.strategies.model.digest.page_archives import asked_times, is_archive

RUNS_NAMED, ARCHIVES_NAMED = 20, 10
"""Pages, or runs of them, that a line names: what a pager shows has seldom more, and costs five tokens each."""
SHORT_WAY = 1
"""Pages that follow up to which the pager in the text is enough: that its bare numbers lead on to a longer list is passed over."""
LEAST_RUN = 3
"""Pages in a row, with links in a row, that are named by the first and the last."""
LINKS_READ = 2_000
"""Of the main text, in which archives are sought; those beside it are all looked at."""
_LAST = lazy_re.compile(
    r"^\W*(?:last|oldest|end|letzte|älteste|ende|derni[eè]re|fin|[uú]ltim[ao]|末[页頁]|尾[页頁]|最[后後]一?[页頁]|最後|最旧)"
    r"(?:\s+(?:page|seite|página|pagina|posts?|entries))?\W*$|^[»›>]{2,}$|^[»›>]\s?\|$",
    re.IGNORECASE,
)
_OWN_NUMBER = lazy_re.compile(r"\d{1,4}(?=\D*$)")
"""The number of a page in its address."""
_NUMBER = lazy_re.compile(r"\[(\d+)[\] ]")


def may_lead_through(observation: Observation, asked: DigestRequest) -> bool:
    """Whether there may be ways to name: on a page of a numbered list, or where the question asks for a time."""
    return _is_numbered(observation) or asked_times(asked.query) is not None


def _is_numbered(observation: Observation) -> bool:
    pages = observation.pagination
    return bool(pages.page_urls or pages.previous_url or pages.next_url)


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
        lines += filter(None, (_pager(observation, free, there, asked), *_in_order(observation, free, asked)))
    likely = {link.id: place for place, link in enumerate(asked.promising)}
    beside = [link for link in free if link.region != "main" or not link.block]
    looked = dict.fromkeys((*(link.id for link in beside), *(link.id for link in free[:LINKS_READ])))
    archives = [
        link
        for number in looked
        if number not in there and (link := observation.links[number - 1]).label and is_archive(link.label, link.url)
    ]
    archives.sort(key=lambda link: (-_fits(link, times or ()), likely.get(link.id, len(likely)), link.id))
    if archives:
        named = " · ".join(map(asked.marks.label_of, archives[:ARCHIVES_NAMED]))
        lines.append(said("archives", asked.language) + named)
    return "\n".join(lines)


def last_page(observation: Observation) -> int:
    """The number of the last page of this list, as far as the page says it: in words, by a page number, or by the address of the link
    to the last one where numbers of pages stand in their addresses. 0 where it does not say."""
    place = observation.pagination
    pages = _numbered([link for link in observation.links if not link.hidden], frozenset(place.page_urls))
    told = max((place.last, *pages))
    end = _to_the_end(observation)
    return max(told, _number_in(end.url)) if end is not None and _are_in_addresses(pages) else told


def _pager(observation: Observation, free: list[Link], there: set[int], asked: DigestRequest) -> str:
    """The place of this page in its list, how far that goes, the pages before and after it, and all others that can be reached; ""
    where the rest of the prompt has the links and little follows."""
    place = observation.pagination
    pages = _numbered(free, frozenset(place.page_urls))
    end = _to_the_end(observation)
    last = [end] if end is not None and asked.marks.states.get(end.id) == "" and end not in pages.values() else []
    beside = [
        (name, _leading_to(url, free)) for name, url in (("previous", place.previous_url), ("next", place.next_url))
    ]
    links = (*pages.values(), *last, *(link for _, link in beside if link is not None))
    most = last_page(observation)
    if most <= place.current + SHORT_WAY and all(link.id in there for link in links):
        return ""
    here = [said("this of" if most else "this", asked.language, place.current, most)] if place.current else []
    if place.shown_to and place.total:
        here.append(said("entries of", asked.language, place.shown_from, place.shown_to, place.total))
    around = [f"{said(name, asked.language)} [{link.id}]" for name, link in beside if link is not None]
    ways = " · ".join((*here, *around, *_runs(pages, asked, place.current), *map(asked.marks.label_of, last)))
    return said("pages of list", asked.language) + ways


def _in_order(observation: Observation, free: list[Link], asked: DigestRequest) -> list[str]:
    """Where this page stands in the order of its list, and the nearest page with a link to what the question names."""
    place = observation.pagination
    order = place_in_order(observation, asked.query, place.current, last_page(observation))
    if not order.first:
        return []
    page, told = order.page, said("in order", asked.language, order.first, order.last)
    told += said("about page", asked.language, order.wanted, page) if page else ""
    pages = _numbered(free, frozenset(place.page_urls))
    nearest = min(pages, key=lambda number: (abs(number - page), number), default=0) if page else 0
    return [told + said("nearest", asked.language, asked.marks.label_of(pages[nearest])) if nearest else told]


def _to_the_end(observation: Observation) -> Link | None:
    """The link to the last page of the list by a word or a sign; not the next page, which some sites give the same sign."""
    others = (observation.pagination.next_url, observation.url)
    return next(
        (link for link in observation.links if not link.hidden and link.url not in others and _LAST.match(link.label)),
        None,
    )


def _are_in_addresses(pages: dict[int, Link]) -> bool:
    """Whether pages of the list have their number in their address; the first often has none."""
    later = [(number, link) for number, link in pages.items() if number > 1]
    return bool(later) and all(_number_in(link.url) == number for number, link in later)


def _number_in(url: str) -> int:
    found = _OWN_NUMBER.search(url.partition("://")[2].partition("/")[2])
    return int(found[0]) if found else 0


def _leading_to(url: str, links: list[Link]) -> Link | None:
    return next((link for link in links if url and link.url == url), None)


def _numbered(links: list[Link], urls: frozenset[str]) -> dict[int, Link]:
    """The links to pages of the list by number, in its order."""
    found: dict[int, Link] = {}
    for link in links:
        if link.url in urls and (number := page_number(link.label)):
            found.setdefault(number, link)
    return {number: found[number] for number in sorted(found)}


def _runs(pages: dict[int, Link], asked: DigestRequest, current: int) -> list[str]:
    """Each page with its number, or a run of them as "2-17 [12]-[27]" where both count one by one; of many some, the first, the last
    and the neighbours of this page among them."""
    runs: list[list[int]] = []
    for number, link in pages.items():
        before = pages.get(number - 1)
        if runs and before is not None and before.id == link.id - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    named: list[tuple[int, str]] = []
    for run in runs:
        first, last = pages[run[0]], pages[run[-1]]
        if len(run) >= LEAST_RUN:
            named.append((run[0], f"{run[0]}-{run[-1]} [{first.id}]-[{last.id}]"))
        else:
            named += [(number, asked.marks.label_of(pages[number])) for number in run]
    return _spread(named, current)


def _spread(named: list[tuple[int, str]], current: int) -> list[str]:
    if len(named) <= RUNS_NAMED:
        return [text for _, text in named]
    near = sorted(range(len(named)), key=lambda place: (abs(named[place][0] - current), place))[:2] if current else []
    even = [round(place * (len(named) - 1) / (RUNS_NAMED - 1)) for place in range(RUNS_NAMED)]
    return [named[place][1] for place in sorted({*even, *near})]


def _fits(link: Link, times: tuple[str, ...]) -> int:
    """How well an archive fits the times that were asked for: best one of the month, then where all are listed, then one
    of the year."""
    said = f"{link.label} {urlsplit(link.url).path}".casefold()
    years = sum(time in said for time in times if time.isdecimal())
    months = any(time in said for time in times if not time.isdecimal())
    lists_all = not any(map(str.isdigit, link.label)) and "archiv" in said
    return 8 * years + 9 * lists_all + 2 * months
