"""The part of a passage that shows best why it was found."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from memory.words import lazy_re, token_places

SNIPPET_CHARS = 240
_SPACES = lazy_re.compile(r"\s+")
_NEAR_AN_END = 20
"""Characters within which a snippet is moved to a space, so that it does not begin in a word."""


class Snippet(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of text on one line; `marks` are the ranges of its characters that the query asked for."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()

    def marked(self, before: str, after: str) -> str:
        """The text with these around each marked range."""
        parts, last = [], 0
        for start, end in self.marks:
            parts += [self.text[last:start], before, self.text[start:end], after]
            last = end
        return "".join((*parts, self.text[last:]))


def snippet_of(text: str, terms: Collection[str], chars: int = SNIPPET_CHARS) -> Snippet:
    """The stretch with the most distinct terms, the first of several, or the beginning; "…" stands for text that is left out."""
    line = _SPACES.sub(" ", text).strip()
    wanted = frozenset(terms)
    places = [(start, end, wanted.intersection(forms)) for start, end, forms in token_places(line)]
    found = [(start, end, held) for start, end, held in places if held]
    first = _best_start(found, chars)
    start, end = _bounds(line, first, chars)
    lead, tail = ("… " if start else ""), (" …" if end < len(line) else "")
    shift = len(lead) - start
    marks = [(at + shift, to + shift) for at, to, _ in found if start <= at and to <= end]
    return Snippet(text=f"{lead}{line[start:end]}{tail}", marks=_merged(marks))


def _best_start(found: Sequence[tuple[int, int, frozenset[str]]], chars: int) -> int:
    best, most = 0, 0
    for number, (start, _, _) in enumerate(found):
        held: set[str] = set()
        for _, to, terms in found[number:]:
            if to - start > chars - 2 * _NEAR_AN_END:
                break
            held |= terms
        if len(held) > most:
            best, most = start, len(held)
    return best


def _bounds(line: str, first: int, chars: int) -> tuple[int, int]:
    """Where a stretch of so many characters begins and ends that holds `first`."""
    if len(line) <= chars:
        return 0, len(line)
    start = max(0, min(first - _NEAR_AN_END, len(line) - chars))
    if start:
        space = line.find(" ", start, first + 1)
        start = space + 1 if space >= 0 else start
    end = min(len(line), start + chars)
    if end < len(line):
        space = line.rfind(" ", end - _NEAR_AN_END, end)
        end = space if space > start else end
    return start, end


def _merged(marks: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Overlapping ranges as one, as the pairs of a Chinese word are."""
    merged: list[tuple[int, int]] = []
    for start, end in marks:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)
