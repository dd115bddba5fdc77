"""The edge to passages that are searched directly, such as those of a library, without opening a page of hits first."""

from __future__ import annotations

from typing import Protocol

import msgspec

from memory.library.protocol import PageLine
from perception.observation import Observation
from walker.seams.passage_critic import OfferedPassage


class WholePage(msgspec.Struct, frozen=True, kw_only=True):
    """All text of a page that a reader sees."""

    url: str
    title: str
    lines: tuple[PageLine, ...] = ()

    @property
    def text(self) -> str:
        """Its lines, one below the other."""
        return "\n".join(line.text for line in self.lines)


def whole_page(observation: Observation) -> WholePage:
    """The text of an observed page, that read in its pictures included."""
    lines = tuple(
        PageLine(text=block.text, headings=block.headings, is_heading=block.kind == "heading", anchor=block.anchor)
        for block in observation.blocks
        if not block.hidden and block.text.strip()
    )
    return WholePage(url=observation.url, title=observation.title, lines=lines)


class PassageSource(Protocol):
    """Passages to search. Implementations pass tests/contracts/test_passage_source.py."""

    async def search(self, query: str, most: int) -> tuple[OfferedPassage, ...]:
        """The passages that fit a query best, at most `most`, best first, any number of one page; () where nothing fits or the query
        has no words. Raises `BrowserUnavailable` if the source cannot be read."""
        ...

    async def page(self, url: str) -> WholePage | None:
        """All text of the page that an address leads to, None if it is not here. Raises as `search` does."""
        ...

    async def close(self) -> None:
        """Close files; no call may follow. Raises nothing."""
        ...
