"""An Excel file (.xlsx) to a document: a section for each sheet that is shown, its values as they are shown."""

from __future__ import annotations

from walker.office.parts.limits import CELL_CHARS, COLUMNS_AT_MOST, SHEETS_AT_MOST, CellRoom
from walker.office.parts.office_document import OfficeDocument, Section
from walker.office.parts.ooxml import R, Relation, S, main_part, of_kind, relations_of, title_and_language
from walker.office.parts.package import Element, Package
from walker.office.parts.unreadable import Unreadable
from walker.office.sheets.sheet_sections import counted, sheet_section
from walker.office.sheets.xlsx_sheet import Book, ReadSheet, read_sheet, styles_of, text_pieces


def read_xlsx(package: Package) -> OfficeDocument:
    """The document. Raises `Unreadable`."""
    part = main_part(package)
    if part.endswith(".bin"):
        raise Unreadable("it is a workbook in binary form (.xlsb), which is not read")
    root, relations = package.xml(part), relations_of(package, part)
    if root is None or root.tag != f"{S}workbook":
        raise Unreadable("it holds no workbook")
    book = _book(package, root, relations)
    sections: list[Section] = []
    hidden = charts = further = 0
    room = CellRoom(package.deadline)
    for sheet in root.iter(f"{S}sheet"):
        named = relations.get(sheet.get(f"{R}id", ""))
        if sheet.get("state", "visible") != "visible":
            hidden += 1
        elif named is None or named.kind != "worksheet":
            charts += 1
        elif len(sections) >= SHEETS_AT_MOST or room.is_full:
            further += 1
        else:
            read = read_sheet(package, named.target, book, room)
            sections.append(sheet_section(sheet.get("name", ""), read.grid, _left_out(read)))
    title, language = title_and_language(package)
    left_out = (
        counted(hidden, "hidden sheet is left out", "hidden sheets are left out"),
        counted(charts, "sheet that is a chart is left out", "sheets that are charts are left out"),
        counted(further, "further sheet is not shown", "further sheets are not shown"),
    )
    return OfficeDocument(
        title=title, language=language, sections=tuple(sections), left_out=tuple(line for line in left_out if line)
    )


def _book(package: Package, root: Element, relations: dict[str, Relation]) -> Book:
    settings = root.find(f"{S}workbookPr")
    named = next(iter(of_kind(relations, "sharedStrings")), "")
    formats, bold = styles_of(package.xml(next(iter(of_kind(relations, "styles")), "")))
    return Book(
        texts=["".join(text_pieces(one))[: CELL_CHARS + 1] for one in package.elements(named, f"{S}si")]
        if named
        else [],
        formats=formats,
        bold=bold,
        from_1904=settings is not None and settings.get("date1904") in ("1", "true"),
    )


def _left_out(read: ReadSheet) -> tuple[str, ...]:
    is_cut = read.rows_read < read.rows_in_all
    cut = f"This sheet has {read.rows_in_all} rows; only those up to row {read.rows_read} are shown." if is_cut else ""
    if read.is_late:
        cut = f"Only the rows up to {read.rows_read} are shown: the time for one file was over."
    return (
        cut,
        counted(read.hidden_rows, "hidden row is left out", "hidden rows are left out"),
        counted(read.hidden_columns, "hidden column is left out", "hidden columns are left out"),
        counted(
            read.unread_columns,
            f"column beyond the first {COLUMNS_AT_MOST} is left out",
            f"columns beyond the first {COLUMNS_AT_MOST} are left out",
        ),
        counted(read.unstored, "formula has no stored value", "formulas have no stored value"),
    )
