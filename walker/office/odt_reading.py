"""An OpenDocument text (.odt) to blocks, and what texts within sheets and slides have in common with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from walker.office.odf import (
    DRAW,
    STYLE,
    TABLE,
    TEXT,
    NoteCounter,
    content_of,
    repeats,
    spanned,
    spans_of,
    title_and_language,
    told_of,
)
from walker.office.parts.limits import COLUMNS_AT_MOST, BlockLimit
from walker.office.parts.office_document import Block, Cell, OfficeDocument, Section, Span
from walker.office.parts.package import Element, Package
from walker.office.parts.spans import tidied
from walker.office.parts.table_heads import with_head

_WITHIN = (f"{TEXT}section", f"{TEXT}list-header", f"{DRAW}text-box", f"{TEXT}numbered-paragraph", f"{DRAW}g")
HEADING_CHARS = 300


def read_odt(package: Package) -> OfficeDocument:
    """The document. Raises `Unreadable`."""
    root, body = content_of(package)
    reader = TextReader(root, BlockLimit(package.deadline))
    title, language = title_and_language(package)
    blocks = list(reader.blocks(body))
    title = title or next((block.text for block in blocks[:3] if block.kind == "heading"), "")
    kept = [
        block
        for place, block in enumerate(blocks)
        if not (place < 3 and block.kind == "heading" and block.text == title)
    ]
    sections = [Section(blocks=tuple(kept))]
    if notes := tuple(reader.note_blocks()):
        sections.append(Section(title="Notes", blocks=notes))
    return OfficeDocument(title=title, language=language, sections=tuple(sections), left_out=reader.limit.left_out)


class TextReader:
    """Blocks of texts; it counts them, and collects their notes."""

    def __init__(self, root: Element, limit: BlockLimit) -> None:
        self.limit = limit
        self._notes = NoteCounter()
        self._numbered = _numbered_styles(root)

    def blocks(self, parent: Sequence[Element] | Element) -> Iterator[Block]:
        """The blocks of what a body, a cell or a box holds."""
        for element in parent:
            if self.limit.is_reached:
                return
            tag = element.tag
            if tag in (f"{TEXT}p", f"{TEXT}h"):
                yield from self._paragraph(element)
            elif tag == f"{TEXT}list":
                yield from self._list(element, 1, "")
            elif tag == f"{TABLE}table":
                yield from self.table(element)
            elif tag == f"{DRAW}frame":
                yield from self._frame(element)
            elif tag in _WITHIN:
                yield from self.blocks(element)

    def spans(self, element: Element) -> tuple[Span, ...]:
        """The text of a paragraph."""
        return tidied(spans_of(element, self._notes))

    def note_blocks(self) -> Iterator[Block]:
        """The notes that the texts so far refer to."""
        for number, note in enumerate(self._notes.notes, start=1):
            spans: list[Span] = []
            for one in note.iter(f"{TEXT}p"):
                spans += ([Span(" ")] if spans else []) + list(tidied(spans_of(one)))
            if spans:
                yield Block(kind="paragraph", spans=(Span(f"[{number}] "), *spans))

    def _paragraph(self, element: Element) -> Iterator[Block]:
        spans = self.spans(element)
        if spans:
            self.limit.count(sum(len(span.text) for span in spans))
            written = element.get(f"{TEXT}outline-level", "1")
            level = int(written) if written.isdecimal() else 1
            if element.tag == f"{TEXT}h" and sum(len(span.text) for span in spans) <= HEADING_CHARS:
                yield Block(kind="heading", level=level + 1, spans=spans)
            else:
                yield Block(kind="paragraph", spans=spans)
        for frame in element.iterfind(f".//{DRAW}frame"):
            if next(frame.iterancestors(f"{DRAW}frame", f"{TEXT}p", f"{TEXT}h"), None) is element:
                yield from self._frame(frame)

    def _frame(self, element: Element) -> Iterator[Block]:
        box = element.find(f"{DRAW}text-box")
        table = element.find(f"{TABLE}table")
        if table is not None:
            yield from self.table(table)
        elif box is not None:
            yield from self.blocks(box)
        elif alt := told_of(element):
            yield Block(kind="picture", spans=(Span(alt),))

    def _list(self, element: Element, level: int, style: str) -> Iterator[Block]:
        style = element.get(f"{TEXT}style-name", "") or style
        count = 0
        for item in element.iterfind(f"{TEXT}list-item"):
            is_first = True
            for one in item:
                if one.tag == f"{TEXT}list":
                    yield from self._list(one, level + 1, style)
                    continue
                for block in self.blocks([one]):
                    if block.kind == "paragraph" and is_first:
                        count, is_first = count + 1, False
                        number = count if (style, level) in self._numbered else 0
                        yield Block(kind="item", level=level, number=number, spans=block.spans)
                    else:
                        yield block

    def table(self, element: Element) -> Iterator[Block]:
        """A table of a text or a slide."""
        heads = {
            id(row) for group in element.iter(f"{TABLE}table-header-rows") for row in group.iter(f"{TABLE}table-row")
        }
        rows: list[tuple[Cell, ...]] = []
        for row in element.iter(f"{TABLE}table-row"):
            if next(row.iterancestors(f"{TABLE}table"), None) is not element or self.limit.is_reached:
                continue
            self.limit.count()
            cells: list[Cell] = []
            for cell in row.iterfind(f"{TABLE}table-cell"):
                made = self._cell(cell, is_head=id(row) in heads)
                cells += [made] * min(repeats(cell, "columns"), COLUMNS_AT_MOST if made.spans else 1)
            rows.append(tuple(cells[:COLUMNS_AT_MOST]))
        if any(cell.spans for row in rows for cell in row):
            yield Block(kind="table", rows=with_head(tuple(rows)))

    def _cell(self, cell: Element, *, is_head: bool) -> Cell:
        spans: list[Span] = []
        for block in self.blocks(cell):
            inner = block.spans or tuple(span for row in block.rows for one in row for span in (*one.spans, Span(" ")))
            spans += ([Span("\n")] if spans else []) + list(inner)
        return Cell(tidied(spans), is_head, spanned(cell, "columns", COLUMNS_AT_MOST), spanned(cell, "rows"))


def _numbered_styles(root: Element) -> frozenset[tuple[str, int]]:
    """Names of list styles with the levels that they number."""
    found: set[tuple[str, int]] = set()
    for style in root.iter(f"{TEXT}list-style"):
        for one in style.iterfind(f"{TEXT}list-level-style-number"):
            level = one.get(f"{TEXT}level", "1")
            if one.get(f"{STYLE}num-format", "1"):
                found.add((style.get(f"{STYLE}name", ""), int(level) if level.isdecimal() else 1))
    return frozenset(found)
