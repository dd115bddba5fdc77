"""The lists of a page that a question may count, by number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec

from memory.words import lazy_re, tokens
from perception.document.regions.surroundings import mark_of_block
from perception.document.visible import shortened, visible_text
from perception.observation import Observation, Record, RecordSet, Region
from walker.models.token_count import count_tokens
from walker.strategies.answers.list_fit import fit_of
from walker.strategies.answers.list_forms.broken_lines import lines_of_texts
from walker.strategies.answers.list_forms.grouped_entries import entries_of_sections
from walker.strategies.answers.list_forms.section_lines import section_lists
from walker.strategies.answers.list_question import AskedList
from walker.strategies.model.digest.digest_words import said as word

LISTS_AT_MOST = 24
LIST_TOKENS = 300
LENGTHS_SHOWN = 12
"""Lists without a line of their own whose numbers and lengths are told."""
NAMES_SHOWN = ((4, 40), (2, 40), (2, 25), (1, 25), (1, 12))
"""Entries that a line names, and characters of each; of many lists fewer, so that each has a line."""
FIRST_NAMES, FIRST_TOKENS = ((24, 50), (12, 50), (6, 40)), 200
"""The same for the likeliest list of a page that is not shown whole, whose entries the text may not show: within so many tokens."""
TITLE_CHARS, LEAD_CHARS = 60, 45
REPEATED_SHARE = 0.8
"""Of the entries of a menu, those that stood on an earlier page; of headings, those that another list says."""
_WORDS_OF: Mapping[Region, str] = {
    "footer": "footer foot fußzeile pied rodapé 页脚 フッター",
    "nav": "navigation menu menus navbar menü navigationsleiste menú 导航 菜单 メニュー ナビ",
    "header": "header menu navigation kopfzeile menü en-tête cabecera cabeçalho 导航 菜单 メニュー",
    "aside": "sidebar seitenleiste latérale lateral 侧栏 侧边栏 サイドバー",
}
"""How a question may call the parts of a page beside its text."""
MOST_FIGURES = 8
"""Entries of the longest row of figures ("350 members") that stands for no list."""
LEAST_HEADINGS = 3
"""Headings that may enumerate something, unless the question's words fit that above them."""
LEAST_ENTRIES = 3
"""Entries of a list from which lists in one of them are told after it."""
LEAST_UNMARKED = 3
"""Entries from which lines without the markup of a list are shown as one."""
FEW_TAGS = 6
FEW_WORDS = 3
LONGEST_PATH = 5
"""Most entries of a list that leads from the root to the page."""
_TAG_FOLDER = lazy_re.compile(r"/(?:tags?|categor(?:y|ies)|topics?|labels?|keywords?)/", re.IGNORECASE)
_LIST = lazy_re.compile(r"^list (\d+):", re.MULTILINE)
_FIGURE = lazy_re.compile(r"^\W*\d[\d.,:\s]*\W*|\W*\d[\d.,:\s]*\W*$")


class ListedSets(NamedTuple):
    """The lines that tell of a page's lists, the likeliest first."""

    lines: tuple[str, ...] = ()
    likeliest: RecordSet | None = None
    heads: frozenset[str] = frozenset()
    """Texts of the page's headings."""
    language: str = "en"

    def text(self, *, is_cut: bool = False) -> str:
        """The lines. `is_cut`: the page is not shown whole, so that the first list tells more of its entries."""
        if not is_cut or self.likeliest is None:
            return "\n".join(self.lines)
        first, heads, language = self.likeliest, self.heads, self.language
        whole = (_line_of(first, heads, names, chars, language, with_text=True) for names, chars in FIRST_NAMES)
        fuller = next((line for line in whole if count_tokens(line) <= FIRST_TOKENS), self.lines[0])
        return "\n".join((fuller, *self.lines[1:]))


def list_sets(
    observation: Observation,
    query: str,
    seen_before: Mapping[int, int] = MappingProxyType({}),
    language: str = "en",
    counted: AskedList | None = None,
) -> ListedSets:
    """The page's lists by number, with what they are called, the number of their entries and the first of them: those that are likely
    what is `counted` first, then those that the question's words fit; of those without a line the lengths. Lists beside the text, and
    those that stood on an earlier page (`seen_before`: by mark, its step), only where the question points to them."""
    heads, words = _headings(observation), frozenset(tokens(query))
    found = _chosen(observation, heads, words, seen_before, counted)
    if not found:
        return ListedSets()
    shown = found[:LISTS_AT_MOST]
    inside = _within_entries(found)
    for names, chars in NAMES_SHOWN:
        lines = [_line_of(records, heads, names, chars, language) for records in shown if records.id not in inside]
        if count_tokens("\n".join(lines)) <= LIST_TOKENS:
            break
    lines = [
        _line_of(records, heads, *(NAMES_SHOWN[-1] if records.id in inside else (names, chars)), language)
        for records in shown
    ]
    while len(lines) > 1 and count_tokens("\n".join(lines)) > LIST_TOKENS:
        # What fits the question least, and of that the shortest, is the least likely to be counted.
        lines.pop()
    if len(lines) < len(found):
        lengths = ", ".join(f"{one.id} ({len(one.records)})" for one in found[len(lines) :][:LENGTHS_SHOWN])
        lines.append(word("more lists", language, len(found) - len(lines), lengths))
    return ListedSets(lines=tuple(lines), likeliest=shown[0], heads=heads, language=language)


def table_lines(observation: Observation, query: str, seen_before: Mapping[int, int] = MappingProxyType({})) -> str:
    """The same lists under the names of the variables that code has them in ("t3")."""
    return _LIST.sub(r"t\1:", list_sets(observation, query, seen_before).text())


def shown_sets(observation: Observation) -> tuple[RecordSet, ...]:
    """The lists that may be shown to a model for one question or another: those that the page marks as such, then those that only the
    form of its lines tells, last the entries of single sections, numbered on."""
    whole = _whole_sets(observation)
    return (*whole, *_sections(observation, whole))


def _whole_sets(observation: Observation) -> tuple[RecordSet, ...]:
    tags = _tags(observation)
    marked = tuple(
        records
        for records in observation.record_sets
        if records.region != "main" or _is_counted(records, observation, tags)
    )
    return (*marked, *_unmarked(observation))


def _sections(observation: Observation, whole: Sequence[RecordSet]) -> Iterator[RecordSet]:
    """The entries below single headings, numbered on from the `whole` lists, of which some have them too."""
    lists = (*observation.record_sets, *whole)
    number = max((records.id for records in lists), default=0)
    for place, records in enumerate(entries_of_sections(observation, lists), start=number + 1):
        yield msgspec.structs.replace(records, id=place)


def _unmarked(observation: Observation) -> Iterator[RecordSet]:
    """Lists that sites write as lines, terms or like headings: of those whose entries another list has too only the first."""
    number = max((records.id for records in observation.record_sets), default=0)
    said = {record.name for records in observation.record_sets for record in records.records}
    for records in (*section_lists(observation), *lines_of_texts(observation)):
        names = {record.name for record in records.records}
        number += 1
        if len(names) >= LEAST_UNMARKED and len(names & said) < REPEATED_SHARE * len(names):
            said |= names
            yield msgspec.structs.replace(records, id=number)


def _chosen(
    observation: Observation,
    heads: frozenset[str],
    words: frozenset[str],
    seen_before: Mapping[int, int],
    counted: AskedList | None,
) -> list[RecordSet]:
    """The lists to show, the likeliest first: those whose entries or the words beside them are of the counted kind, those that the
    question's words fit, then tables and the longest, headings last; behind them lists within an entry of another, as its tags."""
    known: set[tuple[str, ...]] = set()
    ranked: list[tuple[tuple[float, bool, int, bool, bool, int, int], RecordSet]] = []
    whole = _whole_sets(observation)
    # The entries of one section are a list of their own only for who asks for that section.
    sections = (one for one in _sections(observation, whole) if not words.isdisjoint(tokens(_title_of(one))))
    sets = (*whole, *sections)
    inside = _within_entries(sets)
    said = [frozenset(record.name for record in one.records) for one in sets if not _is_headings(one, heads)]
    for records in sets:
        names = tuple(record.name for record in records.records)
        is_beside = records.region != "main" or _is_repeated(records, observation, seen_before)
        if names in known or (is_beside and not _is_meant(records, words)):
            continue
        known.add(names)
        fit = len(words.intersection(tokens(_title_of(records))))
        is_headings = _is_headings(records, heads)
        if is_headings and _are_no_list(names, said, fits=fit > 0):
            continue
        is_outline = is_headings or _is_contents(records, observation.url)
        likely = round(fit_of(records, observation, counted), 1) if counted is not None else 0.0
        is_inside = records.id in inside
        ranked.append(
            ((-likely, is_inside, -fit, is_outline, records.kind != "table", -len(names), records.id), records)
        )
    return [records for _, records in sorted(ranked, key=lambda pair: pair[0])]


def _within_entries(sets: Sequence[RecordSet]) -> frozenset[int]:
    """The numbers of the lists that stand in one entry of another list of several blocks each."""
    spans = [
        (records.id, record.first, record.last)
        for records in sets
        if len(records.records) >= LEAST_ENTRIES
        for record in records.records
        if 0 < record.first < record.last
    ]
    inside: set[int] = set()
    for records in sets:
        first = min((record.first for record in records.records if record.first), default=0)
        last = max((record.last for record in records.records), default=0)
        if first and any(one != records.id and start <= first and last <= end for one, start, end in spans):
            inside.add(records.id)
    return frozenset(inside)


def _are_no_list(names: tuple[str, ...], said: Sequence[frozenset[str]], *, fits: bool) -> bool:
    """Whether headings enumerate nothing: another list says most of them, such as that of the cards which they head or the table of
    contents, unless the question's words fit the section of a longer one that they stand in; or there are two alone, or the same again
    and again ("Note")."""
    for other in said:
        is_part = fits and len(names) < REPEATED_SHARE * len(other)
        if not is_part and sum(name in other for name in names) >= REPEATED_SHARE * len(names):
            return True
    return len(frozenset(names)) * 2 <= len(names) or (len(names) < LEAST_HEADINGS and not fits)


def _is_repeated(records: RecordSet, observation: Observation, seen_before: Mapping[int, int]) -> bool:
    """Whether its entries are links that stood on an earlier page too, as those of a menu without a name do."""
    entries = [record for record in records.records if record.url and record.last and record.first == record.last]
    again = sum(mark_of_block(observation.blocks[record.first - 1]) in seen_before for record in entries)
    return bool(seen_before) and again >= REPEATED_SHARE * len(records.records)


def _is_contents(records: RecordSet, url: str) -> bool:
    """Whether its entries lead to places on the same page."""
    return all(record.url.partition("#")[0] == url and "#" in record.url for record in records.records)


def _is_meant(records: RecordSet, words: frozenset[str]) -> bool:
    """Whether the question points to a list beside the text: it says its name, or the part of the page that it stands in."""
    named = frozenset(tokens(_title_of(records)))
    return (bool(named) and named <= words) or not words.isdisjoint(tokens(_WORDS_OF.get(records.region, "")))


def _tags(observation: Observation) -> frozenset[str]:
    return frozenset(link.url for link in observation.links if "tag" in link.rel)


def _headings(observation: Observation) -> frozenset[str]:
    return frozenset(block.text for block in observation.blocks if block.kind == "heading")


def _title_of(records: RecordSet) -> str:
    """What a list is called: its label or the words that introduce it, else the heading above; of a long sentence its end."""
    caption, heading = visible_text(records.caption), visible_text(records.headings[-1] if records.headings else "")
    if len(caption) <= TITLE_CHARS:
        return caption or shortened(heading, TITLE_CHARS)
    return f"{shortened(heading, TITLE_CHARS)} … {caption[-LEAD_CHARS:].partition(' ')[2]}".strip(" …")


def _line_of(
    records: RecordSet, heads: frozenset[str], shown: int, chars: int, language: str, *, with_text: bool = False
) -> str:
    entries = records.records[:shown]
    names = "; ".join(shortened(record.text, chars) if with_text else _name_of(record, chars) for record in entries)
    kind = "headings" if _is_headings(records, heads) else "table" if records.kind == "table" else ""
    kind = word(kind, language) if kind else ""
    place = word("beside", language, word(f"in {records.region}", language)) if records.region != "main" else ""
    return f"list {records.id}: {kind}{_title_of(records)} ({len(records.records)}{place}): {names}"


def _name_of(record: Record, chars: int) -> str:
    """The beginning of an entry: its name, unless that is a time or a number alone."""
    name = visible_text(record.name)
    return shortened(name if any(map(str.isalpha, name)) else record.text, chars)


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
