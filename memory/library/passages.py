"""Cuts a page into passages of about 700 characters, at its lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memory.library.protocol import PageLine, Passage
from memory.words import lazy_re

PASSAGE_CHARS = 700
"""Characters up to which lines are joined into a passage: about 150 tokens, as search engines do."""
LONGEST_LINE = 2 * PASSAGE_CHARS
"""Characters from which a line is cut at the ends of its sentences."""
LEAST_BEFORE_HEADING = PASSAGE_CHARS // 2
"""Characters from which a passage ends before a heading: shorter sections are joined."""

_ENDS = lazy_re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])")


def cut_passages(lines: Sequence[PageLine]) -> tuple[Passage, ...]:
    """The passages of a page, in order; together they hold every line that has text."""
    found: list[Passage] = []
    held: list[PageLine] = []
    size = 0
    for line in (piece for one in lines if one.text.strip() for piece in _pieces(one)):
        ends = size + len(line.text) > PASSAGE_CHARS or (line.is_heading and size >= LEAST_BEFORE_HEADING)
        if held and ends:
            found.append(_joined(held, len(found)))
            held, size = [], 0
        held.append(line)
        size += len(line.text)
    if held:
        found.append(_joined(held, len(found)))
    return tuple(found)


def encodable(text: str) -> str:
    """Text as it can be stored: half a surrogate pair has no encoding, and becomes a question mark."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _joined(lines: Sequence[PageLine], place: int) -> Passage:
    # A heading is not above itself: the first line below it knows it.
    first = next((line for line in lines if not line.is_heading), lines[0])
    return Passage(
        text=encodable("\n".join(line.text for line in lines)),
        headings=tuple(encodable(heading) for heading in first.headings),
        anchor=encodable(first.anchor),
        place=place,
    )


def _pieces(line: PageLine) -> Iterator[PageLine]:
    """The line, or pieces of one that is too long: at ends of sentences, else at spaces, else anywhere."""
    if len(line.text) <= LONGEST_LINE:
        yield line
        return
    held = ""
    for sentence in _ENDS.split(line.text):
        for part in _short(sentence):
            if held and len(held) + len(part) > PASSAGE_CHARS:
                yield PageLine(text=held, headings=line.headings, anchor=line.anchor)
                held = ""
            held = f"{held} {part}" if held else part
    if held:
        yield PageLine(text=held, headings=line.headings, anchor=line.anchor)


def _short(sentence: str) -> Iterator[str]:
    while len(sentence) > LONGEST_LINE:
        at = sentence.rfind(" ", 1, PASSAGE_CHARS)
        at = at if at > 0 else PASSAGE_CHARS
        yield sentence[:at]
        sentence = sentence[at:].lstrip()
    if sentence:
        yield sentence
