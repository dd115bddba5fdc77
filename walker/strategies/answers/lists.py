"""Finds the record set that a counting question means, and the names of its entries."""

from __future__ import annotations

import re

import msgspec

from memory.findings import Item
from memory.words import tokens
from perception.document.names import item_name, term_name
from perception.observation import Block, Observation, Record, RecordSet
from walker.strategies.question.question import Part

ENOUGH_FIT = 0.3
"""Fit of a record set from which its entries are counted; measured on lists of documentation and institute pages."""
CONTENTS_LESS = 0.2
"""Penalty for a table of contents: it lists parts of a page, and seldom anything else that is counted."""
_PART_NOUNS = frozenset(
    word
    for noun in "sections chapters parts topics questions headings subsections sub-sections entries steps reasons tips items".split()
    for word in tokens(noun)
) | frozenset(("章节", "部分", "问题", "小节", "主题"))
_NUMBERING = re.compile(r"^(?:\d+(?:\.\d+)*\.?|[A-Z]\.(?:\d+(?:\.\d+)*\.?)?|\([a-z0-9]\)|第.{1,3}[章节条])\s+")
_RUN = re.compile(r"[\"'“‘]([\w.+-]+)[\"'”’]|\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b")
_STATED = re.compile(r"\b(\d{1,4}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b", re.IGNORECASE)


class CountedList(msgspec.Struct, frozen=True, kw_only=True):
    """A record set that fits the question, 0..1, with the names of its entries and their records."""

    fit: float
    names: tuple[str, ...]
    records: tuple[Record, ...]


def find_list(observation: Observation, part: Part, noun: str, target: int) -> CountedList | None:
    """The list whose entries the question counts, None if no list of the page fits."""
    wanted = frozenset(tokens(noun)) | frozenset(word for term in part.terms for word in tokens(term))
    head = frozenset(tokens(noun.rsplit(maxsplit=1)[-1])) if noun.split() else frozenset()
    best: CountedList | None = None
    for records in (*observation.record_sets, *_identifier_runs(observation.blocks)):
        fit = _fit(records, observation, part, wanted, head, target)
        if best is None or fit > best.fit:
            names = tuple(name for record in records.records if (name := entry_name(record, records.kind)))
            best = CountedList(fit=fit, names=names, records=records.records)
    return best if best is not None and best.fit >= ENOUGH_FIT and len(best.names) >= 1 else None


def as_items(counted: CountedList, page_url: str, step: int) -> tuple[Item, ...]:
    """The entries as items to be counted."""
    return tuple(
        Item(name=name, page_url=page_url, step=step, quote=record.text[:160], key=record.url)
        for name, record in zip(counted.names, counted.records, strict=False)
    )


def entry_name(record: Record, kind: str) -> str:
    """The name of an entry as a reader would write it: without numbering, arguments or explanation."""
    name = _NUMBERING.sub("", record.name).strip(" ¶:：")
    if kind == "definitions" or re.match(r"^[\w.]+\s*\(", name):
        name = term_name(name)
    if " — " in name or " – " in name or " - " in name:
        name = item_name(name)
    return name


def _fit(
    records: RecordSet,
    observation: Observation,
    part: Part,
    wanted: frozenset[str],
    head: frozenset[str],
    target: int,
) -> float:
    if records.region in ("nav", "footer", "header"):
        return 0.0
    last = records.headings[-1] if records.headings else ""
    close = frozenset(tokens(f"{records.caption} {last} {' '.join(records.columns)}"))
    wide = close | frozenset(tokens(f"{' '.join(records.headings)} {observation.title}"))
    entries = frozenset(word for record in records.records[:12] for word in tokens(record.text[:120]))
    fit = 0.35 * _share(wanted, close) + 0.15 * _share(wanted, wide) + 0.1 * _share(wanted, entries)
    fit += 0.15 * bool(head & close)
    sections = frozenset(word for hint in part.section_hints for word in tokens(hint))
    if sections:
        fit += 0.3 * (_share(sections, close) - 0.3) + 0.1 * _share(sections, wide)
    pages = frozenset(word for hint in part.page_hints for word in tokens(hint))
    if pages:
        fit += 0.1 * _share(pages, wide)
    fit += 0.08 * _shape(records, head)
    if target and len(records.records) < target:
        fit -= 0.2
    if records.nested:
        fit -= 0.12
    if not head & _PART_NOUNS and _is_contents(records, observation):
        fit -= CONTENTS_LESS
    if records.region == "aside":
        fit -= 0.15
    fit += 0.03 * min(1.0, len(records.records) / 10)
    if _states_length(records):
        fit += 0.1
    return max(0.0, min(1.0, fit))


def _is_contents(records: RecordSet, observation: Observation) -> bool:
    """Whether the entries are the parts of one page: its headings, or links to places within it."""
    urls = [record.url for record in records.records if record.url]
    if urls:
        return (
            len(urls) == len(records.records)
            and all("#" in url for url in urls)
            and len({url.partition("#")[0] for url in urls}) == 1
        )
    titles = {block.text for block in observation.blocks if block.kind == "heading"}
    return records.kind == "repeated" and all(record.name in titles for record in records.records)


def _share(wanted: frozenset[str], held: frozenset[str]) -> float:
    return len(wanted & held) / len(wanted) if wanted else 0.0


_IDENTIFIER_NOUNS = frozenset(
    word
    for noun in [
        "functions",
        "methods",
        "constants",
        "macros",
        "modules",
        "commands",
        "options",
        "classes",
        "exceptions",
        "variables",
        "attributes",
        "parameters",
        "types",
        "strings",
        "keywords",
        "pragmas",
        "opcodes",
        "statements",
        "fields",
        "columns",
        "flags",
    ]
    for word in tokens(noun)
)


def _shape(records: RecordSet, head: frozenset[str]) -> float:
    """How well the form of the entries fits what is counted: identifiers for functions, words for everything else."""
    names = [entry_name(record, records.kind) for record in records.records[:20]]
    if not names:
        return 0.0
    plain = sum(bool(re.fullmatch(r"[\w.:-]+(?:\(.*\))?", name)) for name in names) / len(names)
    return plain if head & _IDENTIFIER_NOUNS else 0.5


def _states_length(records: RecordSet) -> bool:
    """Whether the sentence that introduces the list states the right number of entries."""
    words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    for match in _STATED.finditer(records.caption):
        text = match.group(1).lower()
        if (int(text) if text.isdigit() else words.index(text)) == len(records.records):
            return True
    return False


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
                found.append(
                    RecordSet(
                        id=0,
                        kind="list",
                        records=tuple(Record(name=name, text=name) for name in names),
                        caption=before[-300:],
                        headings=block.headings,
                    )
                )
        if block.kind != "heading":
            before = block.text
    return tuple(found)
