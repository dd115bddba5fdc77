"""Where texts stand on a page, and whether two of them stand near one another: a name in a heading, and below it what proves it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from perception.observation import Block, Observation
from walker.strategies.model.quotes import pieces_of, squeezed

NEAR_BLOCKS = 8
"""Blocks within which two texts stand near one another."""
SECTION_BLOCKS = 40
"""The same where they stand under one heading, as the rows of a table do."""
MOST_PLACES = 200
"""Of one text; a short name may stand everywhere."""


class QuotePlaces:
    """The blocks of one page, made ready for finding texts in them."""

    def __init__(self, observation: Observation) -> None:
        self._blocks = tuple(block for block in observation.blocks if not block.hidden)
        self._title = squeezed(observation.title)
        texts = [squeezed(block.text) for block in self._blocks]
        self._whole = "".join(texts)
        self._starts: list[int] = []
        done = 0
        for text in texts:
            self._starts.append(done)
            done += len(text)

    def are_near(self, name: str, quote: str) -> bool:
        """Whether a name stands in a quote, beside it, in a heading above it, or in the page's title. A quote that no block holds, as
        one that was read in a picture, is near to all of its page."""
        wanted = squeezed(name)
        if not wanted or wanted in squeezed(quote) or wanted in self._title:
            return True
        pieces = [piece for text in pieces_of(quote) if (piece := squeezed(text))]
        quoted = [place for piece in pieces for place in self._places(piece)]
        if not quoted or any(self._is_under(wanted, self._blocks[first]) for first, _ in quoted):
            return True
        named = list(self._places(wanted))
        return any(self._is_beside(one, other) for one in named for other in quoted)

    def _places(self, text: str) -> Iterator[tuple[int, int]]:
        """The first and the last block of each place where a text stands."""
        at = self._whole.find(text)
        for _ in range(MOST_PLACES):
            if at < 0:
                return
            yield self._block_at(at), self._block_at(at + len(text) - 1)
            at = self._whole.find(text, at + 1)

    def _block_at(self, place: int) -> int:
        return bisect_right(self._starts, place) - 1

    def _is_beside(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        apart = max(one[0] - other[1], other[0] - one[1])
        within = self._blocks[one[0]].headings == self._blocks[other[0]].headings
        return apart <= (SECTION_BLOCKS if within else NEAR_BLOCKS)

    @staticmethod
    def _is_under(wanted: str, block: Block) -> bool:
        return any(wanted in squeezed(heading) for heading in block.headings)
