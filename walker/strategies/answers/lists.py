"""Finds the record set that a counting question means, and the names of its entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from memory.findings import Findings, Item
from memory.words import lazy_re, tokens
from perception.observation import Block, Observation, Record, RecordSet
from walker.strategies.answers.entry_names import entry_name, with_names, with_titles, without_numbers
from walker.strategies.answers.enumerations import enumerations_on, written_lists_on
from walker.strategies.answers.list_fit import fit_of, narrowed, words_beside
from walker.strategies.answers.list_forms.broken_lines import lines_of_texts
from walker.strategies.answers.list_forms.grouped_entries import (
    below_headings,
    taking_turns,
    with_whole_sections,
)
from walker.strategies.answers.list_forms.joined_names import names_joined
from walker.strategies.answers.list_forms.labelled import behind_counts, holders, labelled_paragraphs
from walker.strategies.answers.list_forms.list_pager import ends_before_pager
from walker.strategies.answers.list_forms.section_lines import section_lists, with_lines
from walker.strategies.answers.list_forms.table_columns import (
    by_asked_columns,
    by_telling_column,
    columns_as_entries,
    groups_of,
    with_groups,
)
from walker.strategies.answers.list_question import AskedList, read_asked_list
from walker.strategies.question.question import Part

ENOUGH_FIT = 0.5
"""Fit below which a list is not even a guess."""
SURE_FIT = 0.6
"""Fit from which a list is counted. On the shared sites the right lists have 0.63 and more, those of other questions at most 0.55 on a
page of the name that is asked for."""
_RUN = lazy_re.compile(r"[\"'“‘]([\w.+-]+)[\"'”’]|\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b")
_FILE = lazy_re.compile(r"(?<![\w/.@-])(?:[\w.+-]+/)*[\w+-]*[\w-]\.[A-Za-z][A-Za-z0-9]{0,5}(?![\w/(.])")


ListForm = Literal["markup", "lines", "sentence", "names"]
"""How a page writes a list: with the markup of one, as lines or paragraphs of their own, introduced in a sentence or in code, or as
names that a sentence joins in its midst."""


class CountedList(msgspec.Struct, frozen=True, kw_only=True):
    """A record set that fits the question, 0..1, with the names of its entries and their records."""

    fit: float
    names: tuple[str, ...]
    records: tuple[Record, ...]


class PageLists:
    """The lists of one page, read once for each thing that is asked of it: that takes longer than to weigh them."""

    def __init__(self, observation: Observation) -> None:
        """Nothing is read yet."""
        self.observation = observation
        self._read: dict[AskedList, tuple[tuple[ListForm, RecordSet], ...]] = {}

    def by_form(self, asked: AskedList) -> tuple[tuple[ListForm, RecordSet], ...]:
        """All lists of the page, each with how the page writes it."""
        if asked not in self._read:
            self._read[asked] = _lists_by_form(self.observation, asked)
        return self._read[asked]


def find_list(
    page: PageLists, part: Part, noun: str, target: int, site: frozenset[str] = frozenset()
) -> CountedList | None:
    """The list whose entries the question counts, None if no list of the page fits; `site` are the words of the site's name."""
    asked = read_asked_list(part, noun, target, site)
    best: CountedList | None = None
    for _, records in page.by_form(asked):
        fit = fit_of(records, page.observation, asked)
        if fit >= ENOUGH_FIT and (best is None or fit > best.fit):
            kept = narrowed(records.records, asked, words_beside(records, page.observation))
            best = named_records(msgspec.structs.replace(records, records=kept), fit) or best
    return best


def _lists_by_form(observation: Observation, asked: AskedList) -> tuple[tuple[ListForm, RecordSet], ...]:
    """The lists of a page's markup, in sentences and help texts, runs of identifiers, and files or lines of code where these are
    asked for."""
    blocks = {block.id: block for block in observation.blocks}
    sets = with_whole_sections(observation)
    whole = [with_titles(without_numbers(with_names(records, blocks))) for records in sets]
    named = [behind_counts(records, asked) for records in whole]
    written = [by_telling_column(with_groups(records)) for records in named]
    tables = [records for records in named if records.kind == "table"]
    labelled = list(labelled_paragraphs(observation))
    found: tuple[tuple[ListForm, Iterable[RecordSet]], ...] = (
        ("markup", _in_parts(written, asked)),  # first: what fits as well as a part of it
        ("lines", _in_parts(with_lines(observation), asked)),
        ("markup", written),
        ("lines", (group for records in written for group in below_headings(records, observation.blocks))),
        ("markup", (one for table in tables for one in by_asked_columns(with_groups(table), asked))),
        ("markup", (one for table in tables for one in groups_of(table, asked))),
        ("markup", filter(None, (columns_as_entries(table) for table in tables))),
        ("markup", filter(None, (holders(records, asked) for records in named))),
        ("lines", filter(None, (holders(records, asked) for records in labelled))),
        ("lines", labelled),
        ("lines", section_lists(observation)),
        ("lines", taking_turns(observation)),
        ("lines", lines_of_texts(observation)),
        ("sentence", enumerations_on(observation)),
        ("names", names_joined(observation)),
        ("sentence", written_lists_on(observation)),
        ("sentence", _identifier_runs(observation.blocks)),
        ("sentence", _in_code(observation, asked)),
    )
    return tuple((form, records) for form, sets in found for records in sets)


def items_of(records: RecordSet, page_url: str, step: int) -> tuple[Item, ...]:
    """All entries of a record set as items to be counted."""
    counted = named_records(records, 1.0)
    return as_items(counted, page_url, step) if counted is not None else ()


def as_items(counted: CountedList, page_url: str, step: int) -> tuple[Item, ...]:
    """The entries as items to be counted."""
    return tuple(
        Item(name=name, page_url=page_url, step=step, quote=record.text[:160], key=record.url)
        for name, record in zip(counted.names, counted.records, strict=True)
    )


def with_items(
    findings: Findings, items: tuple[Item, ...], observation: Observation, chosen: RecordSet | None = None
) -> Findings:
    """The findings with the items of a list, and whether it ends on this page, by the page's pagination; it is not known to end where
    scrolling may load more. `chosen`: the list, where it is known to be one that the page marks as such."""
    pagination = observation.pagination
    continues = bool(pagination.next_url or pagination.next_control)
    if chosen is not None and pagination.next_url and ends_before_pager(chosen, observation):
        return msgspec.structs.replace(findings, items=items, list_total=0, list_continues=False, list_ended=True)
    return msgspec.structs.replace(
        findings,
        items=items,
        list_total=pagination.total if pagination.total >= len(items) else 0,
        list_continues=continues,
        list_ended=not continues and not observation.may_grow,
    )


def named_records(records: RecordSet, fit: float) -> CountedList | None:
    """The entries that have a name; None if none has."""
    named = [(name, record) for record in records.records if (name := entry_name(record, records.kind))]
    if not named:
        return None
    times = Counter(name for name, _ in named)
    if len(times) < len({record.name for _, record in named}):  # what follows a dash tells them apart
        named = [(record.name if times[name] > 1 else name, record) for name, record in named]
    return CountedList(fit=fit, names=tuple(name for name, _ in named), records=tuple(record for _, record in named))


def _in_parts(written: Sequence[RecordSet], asked: AskedList) -> tuple[RecordSet, ...]:
    """Lists that stand under neighbouring headings ("Papers of 2024", "Papers of 2023"; the days of a programme), each as one; none
    where a word of the question is in some of the headings only, for it means that part."""
    beside: dict[tuple[str, str, tuple[str, ...]], list[RecordSet]] = {}
    for records in written:
        if records.headings and not records.nested and records.id:
            beside.setdefault((records.kind, records.region, records.headings[:-1]), []).append(records)
    found = []
    for (_, _, above), parts in beside.items():
        titles = [part.headings[-1] for part in parts]
        stems = [frozenset(tokens(title)) for title in titles]
        some_have = frozenset[str]().union(*stems) - stems[0].intersection(*stems)
        if len(set(titles)) < len(titles) or len(parts) < 2 or some_have & asked.words:
            continue
        heading = ("; ".join(titles),) if stems[0].intersection(*stems) & asked.stems else ()
        whole = tuple(record for part in parts for record in part.records)
        found.append(msgspec.structs.replace(parts[0], records=whole, caption="", headings=(*above, *heading)))
    return tuple(found)


def _identifier_runs(blocks: tuple[Block, ...]) -> tuple[RecordSet, ...]:
    """Runs of like identifiers within one block: the strings of an example, the constants of a header file."""
    found = []
    before = ""
    for block in blocks:
        if block.kind in ("code", "paragraph") and not block.hidden and block.region == "main":
            names = list(dict.fromkeys(one or other for one, other in _RUN.findall(block.text)))
            if (
                len(names) >= 4
                and sum(map(len, names)) * (2.5 if block.kind == "code" else 1.6) > len(block.text) * 0.5
            ):
                found.append(_record_set(names, before, block))
        if block.kind != "heading":
            before = block.text
    return tuple(found)


def _in_code(observation: Observation, asked: AskedList) -> tuple[RecordSet, ...]:
    """The files or lines of each block of code, for a question that counts them in an example; other nouns are not read there."""
    located = asked.is_placed or asked.sections or asked.maybe_sections or asked.constraint
    if not asked.in_code or not located or not {"files", "lines", "文件"} & set(asked.plurals):
        return ()
    found = []
    before = ""
    for block in observation.blocks:
        if block.kind == "code" and not block.hidden and block.region == "main":
            lines = [line.strip() for line in block.text.splitlines() if line.strip()]
            names = lines if "lines" in asked.plurals else list(dict.fromkeys(_FILE.findall(block.text)))
            if len(names) >= 2:
                found.append(_record_set(names, f"{before} {asked.plurals[0]}:", block))
        if block.kind != "heading":
            before = block.text
    return tuple(found)


def _record_set(names: list[str], before: str, block: Block) -> RecordSet:
    return RecordSet(
        id=0,
        kind="list",
        records=tuple(Record(name=name, text=name) for name in names),
        caption=before[-300:],
        headings=block.headings,
    )
