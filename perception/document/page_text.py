"""What one pass over a page collects: text fragments, and the blocks, marks and lists that are ranges of them."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import NamedTuple

from perception.document.controls.openers import Opener
from perception.document.dom import Element
from perception.observation import Block, Region

LABEL_CHARS = 40
"""Characters of the longest label whose value may be a picture ("Type:")."""
LOOKED_BACK = 12
"""Most fragments that are looked at for the label before a picture."""
LINE_BREAK = "\u2028"
"""Placeholder for `<br>`: counts as white space, and marks the end of a line where lines matter."""


@dataclass(slots=True)
class Mark:
    """A marked-up run of text: a link, bold, code or a heading."""

    kind: str
    start: int
    end: int = -1
    """-1 while it is open."""
    element: Element = None
    block: int = 0
    """Id of the block that it begins in, 0 for none."""
    text_start: int = 0
    text_end: int = 0
    """Of a link: its range of characters in that block's text."""
    span: Span | None = None
    """The element that it is."""


@dataclass(slots=True)
class Span:
    """An open or closed element: its range of fragments, its children by tag and class, and its position in the page."""

    element: Element
    tag: str
    start: int
    region: Region
    hidden: bool
    opener: str = ""
    """What opens the closed part that it is in, "" where it is in none."""
    end: int = 0
    first_block: int = 0
    last_block: int = 0
    """Its blocks, by index: of a list and of a card all, of a row its own."""
    names: str = ""
    id: str = ""
    """Its fragment identifier."""
    groups: dict[tuple[str, str], list[Span]] | None = None
    inside_article: bool = False
    breaks: bool = False
    """A block element, or an inline one that is not rendered and so must not be joined with rendered text."""
    headings: tuple[str, ...] = ()
    before: str = ""
    """Text of the block before it: what introduces a list."""
    children: list[Span] | None = None
    within: tuple[str, int] = ("", 0)
    """Of a list: tag and start of its parent element, by which sibling lists are recognised."""
    nested: bool = False
    """Of a list: nested in an item of another list."""
    list_start: int = 0
    """Of a list item: where the first list inside it begins, 0 for none."""


class Pictured(NamedTuple):
    """A picture-like element, and where it was passed."""

    element: Element
    heading: str
    """The heading above it."""
    block: int
    """Id of the block that it stands in or before."""
    inside: Span
    """The innermost element around it."""


@dataclass(slots=True)
class PageText:
    """Everything the pass found, in document order."""

    fragments: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    lists: list[Span] = field(default_factory=list)
    """Closed ul, ol, dl and data tables, outermost last."""
    card_groups: list[tuple[Span, list[Span]]] = field(default_factory=list)
    """Three or more siblings of one tag and class, with their parent."""
    counts: dict[str, int] = field(default_factory=dict)
    controls: list[tuple[Element, str]] = field(default_factory=list)
    """What can be pressed or typed into, with the heading above it."""
    openers: dict[Element, Opener] = field(default_factory=dict)
    """The closed parts that a visible control opens."""
    figures: list[Pictured] = field(default_factory=list)
    _mark_starts: list[int] = field(default_factory=list)

    def text(self, start: int, end: int) -> str:
        """The text between two positions, white space collapsed."""
        return " ".join("".join(self.fragments[start:end]).split())

    @property
    def ends_with_label(self) -> bool:
        """Whether the text so far ends with a label that waits for its value ("Type:")."""
        before = self.fragments[-LOOKED_BACK:]
        label = next((text for fragment in reversed(before) if (text := fragment.strip(" |\t\r\n\u2028"))), "")
        return label.endswith((":", "：")) and len(label) <= LABEL_CHARS

    def add_figure(self, element: Element, heading: str, inside: Span) -> None:
        """Note a picture-like element at this place, below a heading."""
        self.figures.append(Pictured(element, heading, len(self.blocks) + 1, inside))

    def introduction(self, headings: tuple[str, ...]) -> str:
        """The text right above this place, below the same headings, or "" for none."""
        last = self.blocks[-1] if self.blocks else None
        if last is None or last.headings != headings or last.kind == "heading" or last.hidden:
            return ""
        return last.text[-300:]

    @staticmethod
    def nesting(open_: list[Span]) -> int:
        """How many lists the innermost list of these open elements is nested in."""
        return max(0, sum(span.tag in ("ul", "ol") for span in open_) - 1)

    def first_mark(self, start: int, end: int, kinds: tuple[str, ...]) -> Mark | None:
        """The first marked run of one of these kinds within a range."""
        if len(self._mark_starts) != len(self.marks):
            self._mark_starts = [mark.start for mark in self.marks]
        for place in range(bisect_left(self._mark_starts, start), bisect_left(self._mark_starts, end)):
            mark = self.marks[place]
            if mark.kind in kinds and mark.end > mark.start:
                return mark
        return None


def outline_of(region: Region) -> Region:
    """The outline that a region's headings belong to: those of navigation and asides do not head the main text; the header's do."""
    return "main" if region == "header" else region


def line_starts(raw: str) -> tuple[int, ...]:
    """Where the lines after the first begin in a text of which white space is collapsed; empty lines count for nothing.

    >>> line_starts(f"Ada {LINE_BREAK} {LINE_BREAK}Bo Lind{LINE_BREAK}Cleo")
    (4, 12)
    """
    starts: list[int] = []
    end = 0
    for line in raw.split(LINE_BREAK):
        length = len(" ".join(line.split()))
        if length and end:
            starts.append(end + 1)
        end += length + 1 if length and end else length
    return tuple(starts)
