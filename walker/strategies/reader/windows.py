"""Cuts the passages of a page into the texts that the reader reads: neighbours of one section together, cells with their names, each
row of a table by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memory.words import lazy_re
from walker.strategies.answers.passages import Passage
from walker.strategies.reader.passage_reader import ReaderText

WINDOW_WORDS = 75
CHARACTERS_A_WORD = 2
"""Of Chinese and Japanese, which leave no spaces: about as many make one token of the reader as one European word does."""
BAR = " | "
"""Between the cells of a row."""
_EAST_ASIAN = lazy_re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")


class Place(NamedTuple):
    """Where a passage stands: the number of its window, and its characters there."""

    window: int
    start: int
    end: int


def reading_windows(passages: Sequence[Passage]) -> tuple[tuple[ReaderText, ...], tuple[Place, ...]]:
    """The windows of a page, and the place of each passage in them."""
    windows: list[ReaderText] = []
    places: list[Place] = []
    section: tuple[str, bool] | None = None
    words = 0
    for passage in passages:
        length = words_in(passage.text)
        if BAR in passage.text:
            places.append(Place(len(windows), 0, len(passage.text)))
            windows.append(ReaderText(passage.above, _row(passage.text)))
            section = None
            continue
        if passage.is_value:
            said = f"{passage.near}: " if passage.near else ""
            places.append(Place(len(windows), len(said), len(said) + len(passage.text)))
            windows.append(ReaderText(passage.above, said + passage.text))
            section = None
            continue
        if section != (passage.above, passage.margin) or words + length > WINDOW_WORDS:
            windows.append(ReaderText(passage.above, passage.text))
            section, words, start = (passage.above, passage.margin), length, 0
        else:
            before = windows[-1].text
            start, words = len(before) + 1, words + length
            windows[-1] = ReaderText(passage.above, f"{before} {passage.text}")
        places.append(Place(len(windows) - 1, start, start + len(passage.text)))
    return tuple(windows), tuple(places)


def words_in(text: str) -> int:
    """How long a text is to read, in words.

    >>> words_in("ten free berths"), words_in("学校历史沿革")
    (3, 3)
    """
    apart, count = _EAST_ASIAN.subn(" ", text)
    return len(apart.split()) + -(-count // CHARACTERS_A_WORD)


def _row(text: str) -> str:
    """A row as a sentence would name its values; each character keeps its place."""
    return text.replace(BAR, " : ", 1).replace(BAR, " , ")
