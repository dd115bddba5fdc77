"""Lists that a section writes as blocks of one form without the markup of a list: short lines below a heading, paragraphs behind the
letters or numbers of an enumeration, questions, terms, headings with one word in common, and paragraphs that all tell a year, as
references do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from memory.words import lazy_re, tokens
from perception.observation import Block, Observation, Record, RecordSet
from walker.strategies.answers.entry_names import is_label
from walker.strategies.answers.list_forms.unmarked import CAPTION_CHARS, RECORD_TEXT, main_blocks

BY_FORM = -1
"""Number of a list that the markup does not tell, and that is no part of a sentence, which has 0."""
LINE_CHARS, LINE_WORDS = 80, 9
"""Most characters and words of a line that names something and is no sentence."""
LEAST_LINES = 2
LEAST_REFERENCES = 3
REFERENCE_CHARS = 40
"""Least characters of a paragraph that is a reference; the shorter ones between are its links."""
YEARLY = 0.8
"""Share of such paragraphs that tell a year."""
TITLE_CHARS = 12
"""Least characters of a link within a reference that is its title."""
MOST_LABELS = 0.25
"""Share of lines that may be times, dates, numbers or have a label; more are those of a programme or a box of values."""
SAMPLED = 200
"""Blocks of one form that are looked into, of more some: on a page of 20,000 lines each takes 50 microseconds."""
MOST_HEADINGS = 2_000
"""Headings of one level that may be a list: more are the chapters of a book."""
CONTINUED = 3
"""Most paragraphs without a mark that go on with one that has it, as those of PDFs do."""
_SENTENCE_END = lazy_re.compile(r"[.:;!。：；！,，]\s*$")
_VALUED = lazy_re.compile(r"(?![^\W\d]\d{1,2}[:：]).*\S[:：]\s?\S", re.DOTALL)
"""A label with a value, and no count: "T1: Introduction"."""
_MARK = lazy_re.compile(r"\(?(?P<sign>[a-z]|[ivx]{1,4}|\d{1,2})[.)](?!\d)\s*(?P<text>\S.*)", re.DOTALL)
_YEAR = lazy_re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_AFTER_YEAR = lazy_re.compile(r"\((?:19|20)\d\d[a-z]?\)[.:,]?\s+(?P<title>[^.?!]{8,200})")


def section_lists(observation: Observation) -> Iterator[RecordSet]:
    """The lists of the main part of a page that are told from other text by the form of their blocks alone."""
    blocks = main_blocks(observation)
    known = {tuple(record.name for record in records.records) for records in observation.record_sets}
    found = (
        *_lines(blocks),
        *_marked(blocks),
        *_questions(blocks),
        *_terms(blocks),
        *_like_headings(blocks),
        *_references(blocks, observation),
    )
    yield from (one for one in found if tuple(record.name for record in one.records) not in known)


def with_lines(observation: Observation) -> tuple[RecordSet, ...]:
    """The runs of short lines, one or more each, so that those of neighbouring sections can be one list."""
    return tuple(one for one in _lines(main_blocks(observation), least=1) if one.headings)


def _lines(blocks: Sequence[Block], least: int = LEAST_LINES) -> Iterator[RecordSet]:
    """Short lines that are all there is below a heading, and those at its beginning."""
    for run, before in _runs(blocks, _is_line):
        if before is None or before.kind != "heading" or len({one.text for one in run}) < least:
            continue
        sample = _sample(run)
        apart = sum(is_label(one.text) or _VALUED.match(one.text) is not None for one in sample)
        if apart <= MOST_LABELS * len(sample):
            yield list_of_blocks([(one.text, [one]) for one in run], "")


def _runs(blocks: Sequence[Block], belongs: Callable[[Block], bool]) -> Iterator[tuple[list[Block], Block | None]]:
    """Runs of such blocks of one section, each with the block before it."""
    before: Block | None = None
    for (is_run, _), group in groupby(blocks, lambda one: (belongs(one), one.headings)):
        run = list(group)
        if is_run:
            yield run, before
        before = run[-1]


def _sample(blocks: Sequence[Block]) -> Sequence[Block]:
    """Some blocks of many, evenly spread: what most of them are can be told from those."""
    return blocks[:: 1 + len(blocks) // SAMPLED]


def _is_line(block: Block) -> bool:
    text = block.text
    return (
        block.kind == "paragraph"
        and 0 < len(text) <= LINE_CHARS
        and len(text.split()) <= LINE_WORDS
        and not _SENTENCE_END.search(text)
    )


def _marked(blocks: Sequence[Block]) -> Iterator[RecordSet]:
    """Paragraphs behind "a)", "b)" or "1.", "2.", in a row, with what goes on with each."""
    before = ""
    place = 0
    while place < len(blocks):
        entries, end = _marked_from(blocks, place)
        if len(entries) >= LEAST_LINES:
            yield list_of_blocks(entries, before)
            place = end
            continue
        before = blocks[place].text if blocks[place].kind != "heading" else ""
        place += 1


def _marked_from(blocks: Sequence[Block], start: int) -> tuple[list[tuple[str, list[Block]]], int]:
    entries: list[tuple[str, list[Block]]] = []
    sign, since, end = "", 0, start
    for place in range(start, len(blocks)):
        block = blocks[place]
        match = _MARK.fullmatch(block.text) if block.kind in ("paragraph", "item") else None
        if match is not None and (match["sign"] in ("a", "i", "1") if not entries else _follows(sign, match["sign"])):
            entries.append((match["text"].rstrip(" ,;.").strip(), [block]))
            sign, since, end = match["sign"], 0, place + 1
        elif not entries or block.kind == "heading" or since >= CONTINUED:
            break
        else:
            since += 1
    return entries, end


def _follows(one: str, other: str) -> bool:
    if one.isdigit() or other.isdigit():
        return one.isdigit() and other.isdigit() and int(other) == int(one) + 1
    roman = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
    if one in roman and other in roman and roman.index(other) == roman.index(one) + 1:
        return True
    return len(one) == len(other) == 1 and ord(other) == ord(one) + 1


def _questions(blocks: Sequence[Block]) -> Iterator[RecordSet]:
    """The questions of a section that are blocks of their own: headings, terms or items that end with a question mark."""
    asked: dict[tuple[str, tuple[str, ...]], list[Block]] = {}
    for one in blocks:
        if (
            one.text.rstrip().endswith(("?", "？"))
            and len(one.text) <= CAPTION_CHARS
            and one.kind not in ("code", "row")
        ):
            asked.setdefault((one.kind, one.headings), []).append(one)
    for found in asked.values():
        if len({one.text for one in found}) >= LEAST_LINES:
            yield list_of_blocks([(one.text, [one]) for one in found], "")


def _terms(blocks: Sequence[Block]) -> Iterator[RecordSet]:
    """The terms of a section with what explains each, where no list is around them."""
    for _, group in groupby(blocks, lambda one: (one.headings, one.kind in ("term", "definition"))):
        entries: list[tuple[str, list[Block]]] = []
        for one in group:
            if one.kind == "term":
                entries.append((one.text, [one]))
            elif entries:
                entries[-1][1].append(one)
        if len({name for name, _ in entries}) >= LEAST_LINES:
            yield list_of_blocks(entries, "")


def _like_headings(blocks: Sequence[Block]) -> Iterator[RecordSet]:
    """The headings of one level below another one that have a word in common: "Keynote: Ana Ruiz", "Keynote: Bo Lind"."""
    sections: dict[tuple[int, tuple[str, ...]], list[Block]] = {}
    for one in blocks:
        if one.kind == "heading":
            sections.setdefault((one.level, one.headings), []).append(one)
    for found in sections.values():
        if len(found) > MOST_HEADINGS:
            continue
        words = [frozenset(tokens(one.text)) for one in found]
        held = Counter(word for own in words for word in own)
        told = [one for one, own in zip(found, words, strict=True) if any(held[word] > 1 for word in own)]
        is_shared = len(told) in held.values()  # a word that all of them have
        if is_shared and len({one.text for one in told}) >= LEAST_LINES:
            yield list_of_blocks([(one.text, [one]) for one in told], "")


def _references(blocks: Sequence[Block], observation: Observation) -> Iterator[RecordSet]:
    """The long paragraphs of a section where nearly all tell a year; named by their longest link, else by what follows the year."""
    links: dict[int, str] = {}
    for link in observation.links:
        if len(link.label) > max(TITLE_CHARS, len(links.get(link.block, ""))):
            links[link.block] = link.label
    for _, group in groupby(blocks, lambda one: one.headings):
        long = [one for one in group if one.kind == "paragraph" and len(one.text) >= REFERENCE_CHARS]
        sample = _sample(long)
        if (
            len(long) < LEAST_REFERENCES
            or sum(_YEAR.search(one.text) is not None for one in sample) < YEARLY * len(sample) - 1
        ):
            continue
        dated = [one for one in long if _YEAR.search(one.text)]
        if len(dated) >= max(LEAST_REFERENCES, YEARLY * len(long)):
            yield list_of_blocks([(links.get(one.id) or _title(one.text), [one]) for one in dated], "")


def _title(text: str) -> str:
    match = _AFTER_YEAR.search(text)
    return match["title"].strip() if match else text


def list_of_blocks(entries: Sequence[tuple[str, Sequence[Block]]], caption: str) -> RecordSet:
    """Entries that are blocks, each with its name."""
    records = tuple(
        Record(
            name=name,
            text=" ".join(one.text for one in blocks)[:RECORD_TEXT],
            first=blocks[0].id,
            last=blocks[-1].id,
        )
        for name, blocks in entries
    )
    return RecordSet(
        id=BY_FORM, kind="list", records=records, caption=caption[-CAPTION_CHARS:], headings=entries[0][1][0].headings
    )
