"""A PowerPoint file (.pptx) to a document: a section for each slide that is shown, with its title, texts, tables and notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from walker.office.parts.limits import SLIDES_AT_MOST, BlockLimit
from walker.office.parts.office_document import Block, Cell, OfficeDocument, Section, Span
from walker.office.parts.ooxml import (
    MC,
    A,
    P,
    R,
    Relation,
    chosen,
    main_part,
    of_kind,
    relations_of,
    title_and_language,
    web_address,
)
from walker.office.parts.package import Element, Package
from walker.office.parts.spans import alternative_text, tidied
from walker.office.sheets.sheet_sections import counted

_TITLES = ("title", "ctrTitle")
_UNTOLD = ("dt", "ftr", "sldNum", "hdr")
"""Placeholders of dates, footers and numbers."""
_DRAWN = ("/chart", "/diagram", "/chartex")
"""Ends of the names of what a frame holds that is drawn from data."""
_BODIES = ("body", "obj", "")


def read_pptx(package: Package) -> OfficeDocument:
    """The document. Raises `Unreadable`."""
    part = main_part(package)
    root, relations = package.xml(part), relations_of(package, part)
    ids = root.iterfind(f"{P}sldIdLst/{P}sldId") if root is not None else ()
    limit = BlockLimit(package.deadline)
    sections: list[Section] = []
    hidden = further = number = 0
    for one in ids:
        named = relations.get(one.get(f"{R}id", ""))
        slide = package.xml(named.target) if named is not None else None
        if named is None or slide is None:
            continue
        number += 1
        if slide.get("show") in ("0", "false"):
            hidden += 1
        elif len(sections) >= SLIDES_AT_MOST or limit.is_reached:
            further += 1
        else:
            sections.append(_Slide(package, named.target, limit).section(slide, number))
    title, language = title_and_language(package)
    left_out = (
        counted(hidden, "hidden slide is left out", "hidden slides are left out"),
        counted(further, "further slide is not shown", "further slides are not shown"),
    )
    return OfficeDocument(
        title="" if title.casefold() in _UNTITLED else title,
        language=language,
        sections=tuple(sections),
        left_out=tuple(line for line in left_out if line),
    )


_UNTITLED = (
    "powerpoint presentation",
    "powerpoint-präsentation",
    "présentation powerpoint",
    "presentación de powerpoint",
)
"""What PowerPoint itself writes as a title."""


class _Shape(msgspec.Struct, frozen=True, kw_only=True):
    """What is told of a shape beside its text."""

    placeholder: str | None
    """Its type as a placeholder, None where it is none."""
    alt: str


class _Slide:
    """One slide, and the part that its links are named in."""

    def __init__(self, package: Package, part: str, limit: BlockLimit) -> None:
        self._package, self._limit = package, limit
        self._relations = relations_of(package, part)
        self._undrawn = 0
        """Charts and diagrams, which are not read."""

    def section(self, slide: Element, number: int) -> Section:
        """The slide with its notes."""
        tree = slide.find(f"{P}cSld/{P}spTree")
        blocks = list(self._shapes(tree)) if tree is not None else []
        titles = [block for block in blocks if block.kind == "heading"]
        title = " ".join(titles[0].text.split()) if titles else ""
        rest = [block for block in blocks if not titles or block is not titles[0]]
        return Section(
            anchor=f"slide={number}",
            title=f"Slide {number}: {title}" if title else f"Slide {number}",
            blocks=(*rest, *self._notes()),
            left_out=tuple(
                line
                for line in (counted(self._undrawn, "chart or diagram is left out", "charts or diagrams are left out"),)
                if line
            ),
        )

    def _shapes(self, parent: Sequence[Element] | Element) -> Iterator[Block]:
        for element in parent:
            if self._limit.is_reached:
                return
            if element.tag == f"{P}sp":
                yield from self._shape(element)
            elif element.tag == f"{P}grpSp":
                yield from self._shapes(element)
            elif element.tag == f"{P}graphicFrame":
                yield from self._frame(element)
            elif element.tag == f"{P}pic":
                yield from _picture(_told(element).alt)
            elif element.tag == f"{MC}AlternateContent":
                yield from self._shapes(chosen(element))

    def _shape(self, element: Element) -> Iterator[Block]:
        told = _told(element)
        body = element.find(f"{P}txBody")
        if told.placeholder in _UNTOLD:
            return
        paragraphs = list(self._paragraphs(body, told.placeholder)) if body is not None else []
        if told.placeholder in _TITLES and paragraphs:
            spans = [span for block in paragraphs for span in (*block.spans, Span(" "))]
            yield Block(kind="heading", level=3, spans=tidied(spans))
            return
        yield from paragraphs
        if not paragraphs:
            yield from _picture(told.alt)

    def _frame(self, element: Element) -> Iterator[Block]:
        table = element.find(f".//{A}tbl")
        if table is None:
            self._undrawn += any(one.get("uri", "").endswith(_DRAWN) for one in element.iter(f"{A}graphicData"))
            yield from _picture(_told(element).alt)
            return
        properties = table.find(f"{A}tblPr")
        has_head = properties is not None and properties.get("firstRow") in ("1", "true")
        rows: list[tuple[Cell, ...]] = []
        for number, row in enumerate(table.iterfind(f"{A}tr")):
            self._limit.count()
            is_head = has_head and number == 0
            cells = [self._cell(cell, is_head=is_head) for cell in row.iterfind(f"{A}tc") if not _is_covered(cell)]
            rows.append(tuple(cells))
        if any(cell.spans for row in rows for cell in row):
            yield Block(kind="table", rows=tuple(rows))

    def _cell(self, cell: Element, *, is_head: bool) -> Cell:
        body = cell.find(f"{A}txBody")
        spans: list[Span] = []
        for block in self._paragraphs(body, None) if body is not None else ():
            spans += ([Span("\n")] if spans else []) + list(block.spans)
        return Cell(tidied(spans), is_head, _span(cell, "gridSpan"), _span(cell, "rowSpan"))

    def _paragraphs(self, body: Element, placeholder: str | None) -> Iterator[Block]:
        for paragraph in body.iterfind(f"{A}p"):
            spans = tidied(self._spans(paragraph))
            if not spans or self._limit.is_reached:
                continue
            self._limit.count(sum(len(span.text) for span in spans))
            properties = paragraph.find(f"{A}pPr")
            level = _level(properties)
            if _is_item(properties, placeholder):
                yield Block(kind="item", level=level, spans=spans)
            else:
                yield Block(kind="paragraph", spans=spans)

    def _spans(self, paragraph: Element) -> Iterator[Span]:
        for element in paragraph:
            if element.tag in (f"{A}r", f"{A}fld"):
                link = element.find(f"{A}rPr/{A}hlinkClick")
                yield Span(element.findtext(f"{A}t") or "", self._address(link))
            elif element.tag == f"{A}br":
                yield Span("\n")

    def _address(self, link: Element | None) -> str:
        named: Relation | None = self._relations.get(link.get(f"{R}id", "")) if link is not None else None
        return web_address(named.target) if named is not None and named.is_outside else ""

    def _notes(self) -> Iterator[Block]:
        for name in of_kind(self._relations, "notesSlide"):
            root = self._package.xml(name)
            reader = _Slide(self._package, name, self._limit)
            for shape in root.iter(f"{P}sp") if root is not None else ():
                body = shape.find(f"{P}txBody")
                if _told(shape).placeholder != "body" or body is None:
                    continue
                for number, block in enumerate(reader._paragraphs(body, None)):
                    spans = (Span("Notes: "), *block.spans) if number == 0 else block.spans
                    yield Block(kind="aside", spans=spans)


def _told(element: Element) -> _Shape:
    """What a shape says of itself, in whichever of its first children."""
    own = next((one for one in element if one.tag.rpartition("}")[2].startswith("nv")), None)
    if own is None:
        return _Shape(placeholder=None, alt="")
    named = own.find(f"{P}cNvPr")
    place = own.find(f"{P}nvPr/{P}ph")
    alt = alternative_text(named.get("descr")) if named is not None else ""
    return _Shape(placeholder=place.get("type", "") if place is not None else None, alt=alt)


def _picture(alt: str) -> Iterator[Block]:
    if alt:
        yield Block(kind="picture", spans=(Span(alt),))


def _is_item(properties: Element | None, placeholder: str | None) -> bool:
    """Whether a paragraph has a bullet: its own, or that of the texts of a layout."""
    if properties is not None:
        if properties.find(f"{A}buNone") is not None:
            return False
        if any(properties.find(f"{A}{tag}") is not None for tag in ("buChar", "buAutoNum", "buBlip")):
            return True
    return placeholder in _BODIES


def _level(properties: Element | None) -> int:
    written = properties.get("lvl", "0") if properties is not None else "0"
    return min(9, int(written) + 1) if written.isdecimal() else 1


def _is_covered(cell: Element) -> bool:
    return cell.get("hMerge") in ("1", "true") or cell.get("vMerge") in ("1", "true")


def _span(cell: Element, attribute: str) -> int:
    written = cell.get(attribute, "1")
    return max(1, min(200, int(written))) if written.isdecimal() else 1
