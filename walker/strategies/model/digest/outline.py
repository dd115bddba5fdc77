"""What a long page holds: the parts that a prompt does not show, named by their headings, their first and last words, and what they
hold; and the names of all its cards with their link numbers."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from perception.document.visible import shortened, visible_text
from perception.observation import Block, Observation, RecordSet
from walker.models.token_count import count_tokens
from walker.strategies.model.digest.digest_request import DigestRequest
from walker.strategies.model.digest.digest_words import said
from walker.strategies.model.digest.link_marks import LINK_NUMBER
from walker.strategies.model.digest.page_parts import Part

OUTLINE_LINES = 40
BEGINNING_CHARS, HEADING_CHARS = 50, 60
RUNS_NAMED = 10
"""Runs of parts that a line names."""
LEAST_ENTRIES = 3
"""Entries, cards or rows in one stretch from which they are counted."""
LEAST_NAMES, LEAST_OF_SMALL = 20, 6
"""Names that make an index; fewer stand in the outline, but for that of a small prompt, which has no line for each of them."""
SMALL_TOKENS = 1500
"""Tokens of a page below which a prompt is small."""
LINKED_SHARE = 0.45
"""Most of the tokens of the page that these names may take: 250 of two words each take 2,022 of 6,000."""
BETWEEN_NAMES = "; "
SHARED_AT_MOST = 0.1
"""Most of the cards of one kind that may say what names one of them."""
NAME_CHARS = 60

_Stretch = tuple[Part, ...]
"""Neighbours under one heading."""
_Sections = list[list[_Stretch]]


def outline_of(parts: Sequence[Part], chosen: frozenset[int], budget: int, language: str = "en") -> str:
    """What was left out: its words, and a line for each stretch under one heading. Where there are too many, those of one section
    share lines: equal neighbours are told by the first, the last and their number."""
    left, shown = [part for part in parts if part.number not in chosen], sorted(chosen)
    words = sum(part.words for part in left)
    gaps = [bisect_left(shown, part.number) for part in left]
    runs = groupby(zip(gaps, left, strict=True), key=lambda pair: (pair[0], pair[1].path))
    stretches = [(gap, tuple(part for _, part in run)) for (gap, _), run in runs]
    by_depth, most = _by_depth(stretches), OUTLINE_LINES
    lines = _lines_of(by_depth, len(stretches), most, language)
    while count_tokens("\n".join(lines)) > budget and most > 1:
        most //= 2
        lines = _lines_of(by_depth, len(stretches), most, language)
    return "\n".join((said("outline", language, words, len(left)), *lines))


def range_of(first: int, last: int, language: str = "en") -> str:
    """Parts by number."""
    return said("part", language, first) if first == last else said("parts", language, f"{first}-{last}")


def _ranges_of(numbers: Sequence[int], language: str) -> str:
    """Parts by number with gaps between them: none that is shown is among them."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    named = [str(first) if first == last else f"{first}-{last}" for first, last in runs]
    if len(named) > RUNS_NAMED:
        named = [*named[: RUNS_NAMED - 1], "…", named[-1]]
    return said("part" if len(numbers) == 1 else "parts", language, ", ".join(named))


def _lines_of(by_depth: Sequence[_Sections], count: int, most: int, language: str) -> list[str]:
    """At most so many lines for so many stretches; none tells of two sections while there are lines for all."""
    lines: list[str] = []
    sections = next(sections for sections in by_depth if len(sections) <= most or len(sections) == 1)
    spare = max(0, most - len(sections))
    for section in sections:
        share = 1 + spare * len(section) // count
        each = -(-len(section) // share)
        lines += [_line_of(section[start : start + each], language) for start in range(0, len(section), each)]
    return lines


def _by_depth(stretches: Sequence[tuple[int, _Stretch]]) -> list[_Sections]:
    """The stretches by the headings above them, from the deepest up: without headings each gap is a section; last all are one."""
    found: list[_Sections] = []
    for depth in range(max((len(stretch[0].path) for _, stretch in stretches), default=0), -1, -1):
        runs = groupby(stretches, key=lambda pair: (pair[0], pair[1][0].path[:depth]))
        found.append([[stretch for _, stretch in run] for _, run in runs])
    return [*found, [[stretch for _, stretch in stretches]]]


def _line_of(stretches: Sequence[_Stretch], language: str) -> str:
    first, last = stretches[0][0], stretches[-1][-1]
    names = list(dict.fromkeys(" > ".join(_shortened(path)) for path in (first.path, last.until or last.path)))
    about = " … ".join(name for name in names if name)
    # Parts under one heading, such as cards, are told by the first and the last of them.
    until = said("until", language, last.last) if first is not last and len(names) == 1 else ""
    entries = sum(part.entries for stretch in stretches for part in stretch)
    words = sum(part.words for stretch in stretches for part in stretch)
    counts = said("counts", language, entries, words) if entries >= LEAST_ENTRIES else said("words", language, words)
    numbers = _ranges_of([part.number for stretch in stretches for part in stretch], language)
    return f"{numbers}: {about} “{_beginning(first)}…”{until} ({counts})"


def _beginning(part: Part) -> str:
    """The first words of a part below its heading."""
    lines = [line for line in part.text.splitlines() if not line.startswith("#")] or [part.text]
    return visible_text(lines[0])[:BEGINNING_CHARS]


def _shortened(path: Sequence[str]) -> list[str]:
    return [shortened(heading, HEADING_CHARS) for heading in path[-2:]]


def name_run(observation: Observation, asked: DigestRequest, tokens: int) -> str:
    """A line with the names of the cards of a page that has many, "" for any other page or where the names would take too many of the
    tokens."""
    names = list(dict.fromkeys(_linked(observation, asked)))
    if len(names) < (LEAST_NAMES if tokens >= SMALL_TOKENS else LEAST_OF_SMALL):
        return ""
    line = said("names", asked.language, len(names)) + BETWEEN_NAMES.join(names)
    return line if count_tokens(line) <= LINKED_SHARE * tokens else ""


def _linked(observation: Observation, asked: DigestRequest) -> Iterator[str]:
    """The names that have a link, in the page's order: linked headings of the main text and what else names a card."""
    blocks = observation.blocks
    shown = (block for block in blocks if block.kind == "heading" and block.region == "main" and not block.hidden)
    alone = {block.id for block in shown} | {card.name for card in asked.marks.cards}
    found: dict[int, tuple[int, ...]] = {number: (number,) for number in alone}
    for records in observation.record_sets:
        if records.kind != "table" and records.region == "main":
            found |= _named_records(records, blocks)
    for number, places in sorted(found.items()):
        if name := _name_of(blocks[number - 1], [blocks[place - 1] for place in places], asked):
            yield name


def _named_records(records: RecordSet, blocks: Sequence[Block]) -> dict[int, tuple[int, ...]]:
    """The blocks of each record of several, by the first that says what few others say: a label such as "Type", which each card
    begins with, names none of them."""
    several = [range(one.first, one.last + 1) for one in records.records if 0 < one.first < one.last]
    saying = Counter(text for places in several for text in {blocks[place - 1].text for place in places})
    most = max(1, int(SHARED_AT_MOST * len(several)))
    telling = (next((one for one in places if saying[blocks[one - 1].text] <= most), 0) for places in several)
    return {name: tuple(places) for name, places in zip(telling, several, strict=True) if name}


def _name_of(block: Block, within: Sequence[Block], asked: DigestRequest) -> str:
    """A short name with the number of its link, or of the only one of the blocks that it names; "" where there is none, or several."""
    name = visible_text(block.text)[:NAME_CHARS]
    if block.hidden or not name or len(block.text) > 2 * NAME_CHARS:
        return ""
    for blocks in ([block], within):
        linked = [one for one in blocks if asked.marks.by_block.get(one.id)]
        if numbers := {number for one in linked for number in LINK_NUMBER.findall(asked.marks.text_of(one))}:
            return f"{name} [{numbers.pop()}]" if len(numbers) == 1 else ""
    return ""
