"""How many entries the only list under a heading has, the date below the title, and the hours of an event."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from evaluation.building.facts.dates import dates_in
from evaluation.building.facts.fact import Headed, Hours, Listed
from evaluation.building.facts.lines import headings_of, is_name
from evaluation.building.tree import HarvestedPage
from evaluation.metrics.rates import plain

FEWEST, MOST = 2, 20
MOST_LIST_CHARS = 900
_HOURS = re.compile(r"^(?:[01]?\d|2[0-3])[:.][0-5]\d ?(?:[-–—]|to|bis|à|至) ?(?:[01]?\d|2[0-3])[:.][0-5]\d(?: Uhr)?$")
_MENU = re.compile(
    r"\b(?:contents|related|see also|inhalt|sommaire|share|links?|siehe auch|ähnliche\w*|"
    r"voir aussi|à lire|relacionad[oa]s?|ver también)\b|"
    r"目录|猜您|相关",
    re.IGNORECASE,
)
_ALL = frozenset({"all", "alle", "tous", "toutes", "全部"})
LINES_BELOW = 3
"""The date of an article stands in one of so many lines below its title."""


def listed_facts(page: HarvestedPage) -> Iterator[Listed | Headed | Hours]:
    """The counted lists of a page, and the times that stand alone."""
    yield from _lists(page)
    spans = [line for line in page.lines if _HOURS.match(line.strip())]
    if len(spans) == 1:
        yield Hours(page=page.key, value=spans[0].strip(), quote=spans[0])
    texts = [passage.text for passage in page.passages]
    title = next((place for place, passage in enumerate(page.passages) if passage.level == 1), None)
    if title is not None:
        below = [text for text in texts[title + 1 : title + 1 + LINES_BELOW] if len(text) <= 60]
        dated = [(text, found) for text in below if (found := dates_in(text))]
        if len(dated) == 1 and len(dated[0][1]) == 1:
            text, ((written, _),) = dated[0]
            if len(text) <= len(written) + 12 and (quote := f"{texts[title]} {text}") and page.has(quote):
                yield Headed(page=page.key, value=written, quote=quote)


def _lists(page: HarvestedPage) -> Iterator[Listed]:
    sets = [found for found in page.record_sets if found.kind in ("list", "table", "definitions") and not found.nested]
    under = Counter(found.headings for found in sets)
    nested = {found.headings for found in page.record_sets if found.nested}
    heads = headings_of(page)
    lines = [plain(line) for line in page.lines]
    for found in sets:
        heading = found.headings[-1] if found.headings else ""
        alone = under[found.headings] == 1 and heads[plain(heading)] <= 1 and found.headings not in nested
        if found.kind != "list" or not alone or not FEWEST <= len(found.records) <= MOST or not is_name(heading):
            continue
        entries = [record.text for record in found.records]
        if _MENU.search(heading) or any(len(entry) > 200 for entry in entries) or len(set(entries)) < len(entries):
            continue
        if _ALL.intersection(map(plain, entries)):
            continue  # what a list is filtered by
        quote = _with_its_ends(page, lines, heading, entries)
        if quote:
            yield Listed(
                page=page.key,
                value=str(len(entries)),
                quote=quote,
                heading=heading.rstrip(":： "),
                entries=tuple(entries),
            )


def _with_its_ends(page: HarvestedPage, lines: list[str], heading: str, entries: list[str]) -> str:
    """The text from the heading to the line after the list, "" if the list does not begin right below its heading."""
    for place, line in enumerate(lines):
        if line != plain(heading):
            continue
        for end in range(place + 1, min(place + 2 + 3 * len(entries), len(lines))):
            said = " ".join(lines[place + 1 : end + 1])
            if said == plain(" ".join(entries)) and end + 1 < len(lines):
                quote = " ".join(page.lines[place : end + 2])
                return quote if len(quote) <= MOST_LIST_CHARS else ""
    return ""
