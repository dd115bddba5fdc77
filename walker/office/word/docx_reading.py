"""A Word file (.docx) to blocks: headings with their numbers, paragraphs, lists, tables, footnotes, alternative texts of pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from walker.office.parts.limits import BlockLimit
from walker.office.parts.office_document import Block, Cell, OfficeDocument, Section, Span
from walker.office.parts.ooxml import MC, W, chosen, main_part, of_kind, relations_of, title_and_language
from walker.office.parts.package import Element, Package
from walker.office.parts.spans import tidied
from walker.office.parts.table_heads import with_head
from walker.office.word.docx_runs import Gathered, NoteMarks, RunReader
from walker.office.word.docx_styles import Numbering, ParagraphStyle, Styles
from walker.office.word.docx_tables import RawCell, placed

_WITHIN = tuple(f"{W}{tag}" for tag in ("ins", "moveTo", "smartTag", "customXml", "sdt", "sdtContent"))
HEADING_CHARS = 300
_TITLES = ("title", "subtitle")


def read_docx(package: Package) -> OfficeDocument:
    """The document. Raises `Unreadable`."""
    part = main_part(package)
    relations = relations_of(package, part)
    named = {
        kind: next(iter(of_kind(relations, kind)), "") for kind in ("styles", "numbering", "footnotes", "endnotes")
    }
    styles = Styles(package.xml(named["styles"]))
    marks = NoteMarks()
    limit = BlockLimit(package.deadline)
    reader = _Reader(styles, Numbering(package.xml(named["numbering"])), RunReader(relations, marks), limit)
    root = package.xml(part)
    body = root.find(f"{W}body") if root is not None else None
    blocks = list(reader.blocks(body if body is not None else ()))
    notes = [*_notes(package, named["footnotes"], "footnote", styles, marks)]
    notes += _notes(package, named["endnotes"], "endnote", styles, marks)
    title, language = title_and_language(package)
    title = title or reader.title
    sections = [Section(blocks=tuple(_without_title(blocks, title)))]
    if notes:
        sections.append(Section(title="Notes", blocks=tuple(notes)))
    return OfficeDocument(title=title, language=language, sections=tuple(sections), left_out=limit.left_out)


class _Reader:
    """Blocks of one part of a file."""

    def __init__(self, styles: Styles, numbering: Numbering, runs: RunReader, limit: BlockLimit) -> None:
        self._styles, self._numbering, self._runs = styles, numbering, runs
        self.limit = limit
        self.title = ""
        """The first paragraph in the style of a title, "" without one."""

    def blocks(self, parent: Sequence[Element] | Element) -> Iterator[Block]:
        """The blocks of what a part, a cell or a text box holds."""
        for element in parent:
            if self.limit.is_reached:
                return
            if element.tag == f"{W}p":
                yield from self._paragraph(element)
            elif element.tag == f"{W}tbl":
                yield from self._table(element)
            elif element.tag in _WITHIN:
                yield from self.blocks(element)
            elif element.tag == f"{MC}AlternateContent":
                yield from self.blocks(chosen(element))

    def _paragraph(self, element: Element) -> Iterator[Block]:
        style = self._styles.of(element.find(f"{W}pPr"))
        gathered = self._runs.read(element)
        spans = tidied(gathered.spans)
        if spans and not style.is_hidden and not style.name.startswith("toc "):
            self.limit.count(sum(len(span.text) for span in spans))
            yield self._made(style, spans)
        yield from self._beside(gathered)

    def _made(self, style: ParagraphStyle, spans: tuple[Span, ...]) -> Block:
        text = "".join(span.text for span in spans)
        if style.name in _TITLES and not self.title and style.name == "title":
            self.title = " ".join(text.split())
        number, label = self._numbering.count(style)
        if (style.heading or style.name in _TITLES) and len(text) <= HEADING_CHARS:
            return Block(
                kind="heading", level=max(1, style.heading), spans=(Span(f"{label} "), *spans) if label else spans
            )
        if self._numbering.level(style) is None:
            return Block(kind="paragraph", spans=spans)
        # A label that is more than the number ("2.1", "a)") is text: a list of HTML would not show it.
        is_plain = label.strip("().") == str(number)
        spans = spans if is_plain or not label else (Span(f"{label} "), *spans)
        return Block(kind="item", level=style.list_level + 1, number=number if is_plain else 0, spans=spans)

    def _beside(self, gathered: Gathered) -> Iterator[Block]:
        """Pictures and text boxes that are anchored in a paragraph."""
        for text in gathered.pictures:
            yield Block(kind="picture", spans=(Span(text),))
        for box in gathered.boxes:
            yield from self.blocks(box)

    def _table(self, element: Element) -> Iterator[Block]:
        rows: list[list[RawCell]] = []
        for row in element.iter(f"{W}tr"):
            if _table_of(row) is not element or row.find(f"{W}trPr/{W}del") is not None or self.limit.is_reached:
                continue
            self.limit.count()
            is_head = row.find(f"{W}trPr/{W}tblHeader") is not None
            rows.append([self._cell(cell, is_head=is_head) for cell in row.iter(f"{W}tc") if _row_of(cell) is row])
        placed_rows = with_head(placed(rows))
        if any(cell.spans for row in placed_rows for cell in row):
            yield Block(kind="table", rows=placed_rows)

    def _cell(self, element: Element, *, is_head: bool) -> RawCell:
        spans: list[Span] = []
        inner = list(self.blocks(element))
        for block in inner:
            if spans:
                spans.append(Span("\n"))
            if block.kind == "table":
                spans += _flat(block)
            else:
                spans += block.spans
        properties = element.find(f"{W}tcPr")
        merged = properties.find(f"{W}vMerge") if properties is not None else None
        wide = properties.find(f"{W}gridSpan") if properties is not None else None
        number = wide.get(f"{W}val", "1") if wide is not None else "1"
        return RawCell(
            cell=Cell(tidied(spans), is_head=is_head, wide=max(1, min(100, int(number) if number.isdecimal() else 1))),
            goes_on=merged is not None and merged.get(f"{W}val", "continue") == "continue",
        )


def _flat(table: Block) -> Iterator[Span]:
    """A table within a cell, a line for each row."""
    for number, row in enumerate(table.rows):
        yield Span("\n" if number else "")
        for place, cell in enumerate(row):
            yield Span(" | " if place else "")
            yield from cell.spans


def _table_of(element: Element) -> Element | None:
    return next(element.iterancestors(f"{W}tbl"), None)


def _row_of(element: Element) -> Element | None:
    return next(element.iterancestors(f"{W}tr"), None)


def _notes(package: Package, part: str, kind: str, styles: Styles, marks: NoteMarks) -> Iterator[Block]:
    """The notes that the text refers to, in the order in which it does."""
    numbers = marks.of(kind)
    root = package.xml(part) if numbers else None
    if root is None:
        return
    by_id = {one.get(f"{W}id", ""): one for one in root.iter(f"{W}{kind}")}
    reader = _Reader(
        styles, Numbering(None), RunReader(relations_of(package, part), NoteMarks()), BlockLimit(package.deadline)
    )
    for key, number in numbers.items():
        if key not in by_id:
            continue
        spans: list[Span] = []
        for block in reader.blocks(by_id[key]):
            spans += ([Span(" ")] if spans else []) + list(block.spans)
        if spans:
            yield Block(kind="paragraph", spans=(Span(f"[{number}] "), *tidied(spans)))


def _without_title(blocks: Sequence[Block], title: str) -> Sequence[Block]:
    """Without the paragraph that is the title of the file, which its page begins with."""
    first = next((place for place, block in enumerate(blocks[:3]) if block.kind == "heading"), -1)
    if first < 0 or " ".join(blocks[first].text.split()) != title:
        return [_lower(block) if block.kind == "heading" else block for block in blocks]
    return [_lower(block) if block.kind == "heading" else block for block in (*blocks[:first], *blocks[first + 1 :])]


def _lower(block: Block) -> Block:
    """A heading of the file below the title of its page."""
    return msgspec.structs.replace(block, level=block.level + 1)
