"""An office file as its sections: what the reader's process hands back, and the page for a walk is made from."""

from __future__ import annotations

from typing import Literal

import msgspec

BlockKind = Literal["heading", "paragraph", "item", "table", "code", "aside", "picture"]


class Span(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, array_like=True):
    """A run of text that leads to one address or to none. A line feed in it is a line break."""

    text: str
    url: str = ""


class Cell(msgspec.Struct, frozen=True, omit_defaults=True, array_like=True):
    """A cell of a table, over `wide` columns and `high` rows."""

    spans: tuple[Span, ...] = ()
    is_head: bool = False
    wide: int = 1
    high: int = 1

    @property
    def text(self) -> str:
        """Its text without links."""
        return "".join(span.text for span in self.spans)


class Block(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One heading, paragraph, list item, table, block of code, note beside the text, or the alternative text of a picture."""

    kind: BlockKind
    spans: tuple[Span, ...] = ()
    level: int = 1
    """Of a heading or an item, from 1."""
    number: int = 0
    """Of an item in a numbered list; 0 for another mark."""
    rows: tuple[tuple[Cell, ...], ...] = ()
    """Of a table; a cell that another one covers is left out."""

    @property
    def text(self) -> str:
        """Its text without links."""
        return "".join(span.text for span in self.spans)


class Section(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A sheet, a slide, or all of a text."""

    anchor: str = ""
    """Where its address leads to: `sheet=Budget%202025`, `slide=3`; "" for a text."""
    title: str = ""
    blocks: tuple[Block, ...] = ()
    left_out: tuple[str, ...] = ()
    """What of it is not here, a line each."""


class OfficeDocument(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A file that was read, or the reason why it could not be."""

    title: str = ""
    language: str = ""
    sections: tuple[Section, ...] = ()
    left_out: tuple[str, ...] = ()
    """What of the file is not here, a line each."""
    problem: str = ""
    """Why nothing was read: one line, "" where something was."""


msgspec.json.Decoder(OfficeDocument)  # described at import: docs/design/msgspec.md
