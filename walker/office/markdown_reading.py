"""A Markdown file to blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from walker.office.parts.limits import BlockLimit, Deadline
from walker.office.parts.office_document import Block, Cell, OfficeDocument, Section, Span
from walker.office.parts.ooxml import TITLE_CHARS, web_address
from walker.office.parts.spans import tidied, without_controls
from walker.office.parts.unreadable import Unreadable

_FRONT = re.compile(r"---\s*\n(.*?)\n(?:---|\.\.\.)\s*(?:\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"^title:\s*[\"']?(.+?)[\"']?\s*$", re.MULTILINE)
_TAG = re.compile(r"<!--.*?-->|<[^>]*>", re.DOTALL)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)


def read_markdown(text: str, deadline: Deadline) -> OfficeDocument:
    """The document. Raises `Unreadable`."""
    front = _FRONT.match(text)
    named = _TITLE.search(front[1]) if front else None
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    reader = _Reader(BlockLimit(deadline))
    blocks = list(reader.blocks(parser.parse(text[front.end() :] if front else text)))
    if not blocks:
        raise Unreadable("it is empty")
    title = named[1].strip()[:TITLE_CHARS] if named else ""
    if blocks[0].kind == "heading" and blocks[0].level == 1 and (not title or title == blocks[0].text):
        title = " ".join(blocks.pop(0).text.split())[:TITLE_CHARS]
    return OfficeDocument(title=title, sections=(Section(blocks=tuple(blocks)),), left_out=reader.limit.left_out)


class _Reader:
    """Blocks of the parser's tokens, which open and close what they are in."""

    def __init__(self, limit: BlockLimit) -> None:
        self.limit = limit
        self._lists: list[int] = []
        """Number of the next item of each list that is open, 0 for one without numbers."""
        self._marked = True
        """Whether the item that is open has its mark already: further paragraphs of it have none."""
        self._heading = 0
        self._rows: list[tuple[Cell, ...]] = []
        self._row: list[Cell] = []
        self._cell = ""

    def blocks(self, tokens: Sequence[Token]) -> Iterator[Block]:
        """The blocks of a text."""
        for token in tokens:
            if self.limit.is_reached:
                return
            if token.type == "inline":
                yield from self._text(token)
            elif token.type in ("fence", "code_block"):
                self.limit.count()
                yield Block(kind="code", spans=(Span(without_controls(token.content).rstrip("\n")),))
            elif token.type == "html_block":
                yield from self._paragraph((Span(_TAG.sub("", _BREAK.sub("\n", token.content))),))
            elif token.type == "table_close":
                yield Block(kind="table", rows=tuple(self._rows))
                self._rows = []
            else:
                self._structure(token)

    def _structure(self, token: Token) -> None:
        """Take note of what opens and closes."""
        name, _, end = token.type.rpartition("_")
        if name in ("bullet_list", "ordered_list"):
            if end == "open":
                self._lists.append(int(token.attrs.get("start", 1)) or 1 if name == "ordered_list" else 0)
            else:
                self._lists.pop()
        elif name == "list_item":
            self._marked = end == "close"
        elif name == "heading":
            self._heading = int(token.tag[1]) if end == "open" else 0
        elif name in ("th", "td"):
            self._cell = token.tag if end == "open" else ""
        elif name == "tr":
            self._end_row()

    def _end_row(self) -> None:
        if self._row:
            self.limit.count()
            self._rows.append(tuple(self._row))
        self._row = []

    def _text(self, token: Token) -> Iterator[Block]:
        spans = tidied(_spans(token.children or ()))
        if self._cell:
            self._row.append(Cell(spans, self._cell == "th"))
        elif self._heading and spans:
            self.limit.count()
            yield Block(kind="heading", level=self._heading, spans=spans)
        else:
            yield from self._paragraph(spans)
            alts = (one.content for one in token.children or () if one.type == "image" and one.content.strip())
            for alt in alts:
                yield Block(kind="picture", spans=(Span(" ".join(alt.split())),))

    def _paragraph(self, given: Sequence[Span]) -> Iterator[Block]:
        spans = tidied(given)
        if not spans:
            return
        self.limit.count()
        if not self._lists or self._marked:
            yield Block(kind="paragraph", spans=spans)
            return
        self._marked = True
        number = self._lists[-1]
        self._lists[-1] += number > 0
        yield Block(kind="item", level=len(self._lists), number=number, spans=spans)


def _spans(tokens: Sequence[Token]) -> Iterator[Span]:
    url = ""
    for token in tokens:
        if token.type == "link_open":
            url = web_address(str(token.attrs.get("href", "")))
        elif token.type == "link_close":
            url = ""
        elif token.type in ("text", "code_inline"):
            yield Span(token.content, url)
        elif token.type == "softbreak":
            yield Span(" ", url)
        elif token.type == "hardbreak" or (token.type == "html_inline" and _BREAK.fullmatch(token.content)):
            yield Span("\n", url)
        elif token.type == "image" and url:
            # A picture that leads somewhere: the link needs a text.
            yield Span(" ".join(token.content.split()), url)
