"""The lists of a page that a question may count, by number."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from perception.document.visible import visible_text
from perception.observation import Observation, Record, RecordSet
from walker.models.token_count import count_tokens

LISTS_AT_MOST = 24
LIST_TOKENS = 300
NAMES_SHOWN = ((4, 40), (2, 40), (1, 30), (1, 12))
"""Entries that a line names, and characters of each; of many lists fewer, so that each has a line."""
MOST_FIGURES = 8
"""Entries of the longest row of figures ("350 members") that stands for no list."""
FEW_TAGS = 6
FEW_WORDS = 3
LONGEST_PATH = 5
"""Most entries of a list that leads from the root to the page."""
_TAG_FOLDER = re.compile(r"/(?:tags?|categor(?:y|ies)|topics?|labels?|keywords?)/", re.IGNORECASE)
_FIGURE = re.compile(r"^\W*\d[\d.,:\s]*\W*|\W*\d[\d.,:\s]*\W*$")


def list_sets(observation: Observation) -> str:
    """The page's lists by number, with their kind, the number of their entries and the first of them."""
    heads = _headings(observation)
    shown = _chosen(observation, heads)
    for names, chars in NAMES_SHOWN:
        lines = [_line_of(records, heads, names, chars) for records in shown]
        if count_tokens("\n".join(lines)) <= LIST_TOKENS:
            return "\n".join(lines)
    while len(lines) > 1 and count_tokens("\n".join(lines)) > LIST_TOKENS:
        # The shortest lists are the least likely to be counted.
        shortest = min(range(len(lines)), key=lambda place: (len(shown[place].records), -place))
        shown = (*shown[:shortest], *shown[shortest + 1 :])
        del lines[shortest]
    return "\n".join(lines)


def shown_sets(observation: Observation) -> tuple[RecordSet, ...]:
    """The lists that are shown to a model: those of the main part that may be what a question counts, longest first; headings only
    where there is room."""
    return _chosen(observation, _headings(observation))


def _chosen(observation: Observation, heads: frozenset[str]) -> tuple[RecordSet, ...]:
    tags = frozenset(link.url for link in observation.links if "tag" in link.rel)
    known: set[tuple[str, ...]] = set()
    kept: list[RecordSet] = []
    for records in observation.record_sets:
        names = tuple(record.name for record in records.records)
        if records.region == "main" and names not in known and _is_counted(records, observation, tags):
            kept.append(records)
            known.add(names)
    longest = sorted(kept, key=lambda records: (_is_headings(records, heads), -len(records.records), records.id))
    return tuple(sorted(longest[:LISTS_AT_MOST], key=lambda records: records.id))


def _headings(observation: Observation) -> frozenset[str]:
    return frozenset(block.text for block in observation.blocks if block.kind == "heading")


def _line_of(records: RecordSet, heads: frozenset[str], shown: int, chars: int) -> str:
    names = "; ".join(visible_text(record.name)[:chars] for record in records.records[:shown])
    over = visible_text(records.caption or (records.headings[-1] if records.headings else ""))[:60]
    kind = "headings below " if _is_headings(records, heads) else "table " if records.kind == "table" else ""
    return f"list {records.id}: {kind}{over} ({len(records.records)}): {names}"


def _is_counted(records: RecordSet, observation: Observation, tags: frozenset[str]) -> bool:
    """Whether a list may be what a question counts: not figures with their labels, nor the page's tags, nor the way to it."""
    entries = records.records
    if records.kind == "table":
        return True
    return not (
        (records.kind == "repeated" and _are_figures(entries))
        or (len(entries) <= FEW_TAGS and all(_is_tag(entry, tags) for entry in entries))
        or _is_path(entries, observation)
    )


def _is_headings(records: RecordSet, heads: frozenset[str]) -> bool:
    return records.kind == "repeated" and all(not entry.url and entry.name in heads for entry in records.records)


def _are_figures(entries: tuple[Record, ...]) -> bool:
    """Whether a row of a few numbers says each time how many there are of something else; numbered things of one name are a list."""
    if len(entries) > MOST_FIGURES or not all(map(_is_figure, entries)):
        return False
    return len({_FIGURE.sub("", entry.text).strip().casefold() for entry in entries}) == len(entries)


def _is_figure(entry: Record) -> bool:
    """Whether it is a number and what it counts: "350 members"."""
    return not entry.url and len(entry.text.split()) <= FEW_WORDS and _FIGURE.search(entry.text) is not None


def _is_tag(entry: Record, tags: frozenset[str]) -> bool:
    is_short = len(entry.text.split()) <= FEW_WORDS
    return is_short and (entry.url in tags or _TAG_FOLDER.search(urlsplit(entry.url).path) is not None)


def _is_path(entries: tuple[Record, ...], observation: Observation) -> bool:
    """Whether a list leads from the root to the page."""
    if len(entries) > LONGEST_PATH or not entries[0].url or entries[-1].url not in ("", observation.url):
        return False
    is_root = urlsplit(entries[0].url).path.strip("/") in ("", "index.html")
    return is_root and entries[-1].text.casefold() in observation.title.casefold()
