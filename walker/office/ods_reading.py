"""An OpenDocument workbook (.ods) to a document: a section for each sheet that is shown. The file has its values as they are shown."""

from __future__ import annotations

from collections.abc import Iterator

from walker.office.odf import STYLE, TABLE, TEXT, content_of, repeats, spanned, spans_of, title_and_language
from walker.office.parts.limits import COLUMNS_AT_MOST, ROWS_A_SHEET, SHEETS_AT_MOST, CellRoom
from walker.office.parts.office_document import OfficeDocument, Section
from walker.office.parts.package import Element, Package
from walker.office.parts.spans import tidied
from walker.office.sheets.sheet_sections import counted, sheet_section
from walker.office.sheets.sheet_tables import Grid, GridCell

_KIND = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}value-type"
_CELLS = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")
_GROUPS = tuple(f"{TABLE}{tag}" for tag in ("table-header-rows", "table-row-group", "table-rows", "table-columns"))
_GROUPS += (f"{TABLE}table-column-group", f"{TABLE}table-header-columns")
_HIDDEN = ("collapse", "filter")


def read_ods(package: Package) -> OfficeDocument:
    """The document. Raises `Unreadable`."""
    root, body = content_of(package)
    hidden_styles = {
        style.get(f"{STYLE}name", "")
        for style in root.iter(f"{STYLE}style")
        for properties in style.iterfind(f"{STYLE}table-properties")
        if properties.get(f"{TABLE}display") == "false"
    }
    sections: list[Section] = []
    hidden = further = 0
    room = CellRoom(package.deadline)
    for table in body.iterfind(f"{TABLE}table"):
        if table.get(f"{TABLE}style-name", "") in hidden_styles:
            hidden += 1
        elif len(sections) >= SHEETS_AT_MOST or room.is_full:
            further += 1
        else:
            sheet = _Sheet(room)
            sheet.read(table)
            sections.append(sheet_section(table.get(f"{TABLE}name", ""), sheet.grid, sheet.left_out))
    title, language = title_and_language(package)
    left_out = (
        counted(hidden, "hidden sheet is left out", "hidden sheets are left out"),
        counted(further, "further sheet is not shown", "further sheets are not shown"),
    )
    return OfficeDocument(
        title=title, language=language, sections=tuple(sections), left_out=tuple(line for line in left_out if line)
    )


class _Sheet:
    """A sheet under way. Rows and cells may stand for a million of themselves: only those that hold something are made."""

    def __init__(self, room: CellRoom) -> None:
        self._room = room
        self._rows: dict[int, dict[int, GridCell]] = {}
        self._merged: dict[tuple[int, int], tuple[int, int]] = {}
        self._heads: set[int] = set()
        self._number = self._last = self._last_read = self._hidden_rows = 0
        self._hidden_columns: set[int] = set()
        self._held_back: set[int] = set()
        self._shown_place: dict[int, int] = {}

    @property
    def grid(self) -> Grid:
        """What is shown of it."""
        return Grid(rows=self._rows, merged=self._merged, heads=frozenset(self._heads))

    @property
    def left_out(self) -> tuple[str, ...]:
        """What is not, a line each."""
        is_cut = self._last_read < self._last
        return (
            f"This sheet has {self._last} rows; only those up to row {self._last_read} are shown." if is_cut else "",
            counted(self._hidden_rows, "hidden row is left out", "hidden rows are left out"),
            counted(len(self._held_back), "hidden column is left out", "hidden columns are left out"),
        )

    def read(self, table: Element) -> None:
        """All rows of a sheet."""
        place = 0
        for column in _within(table, f"{TABLE}table-column"):
            count = min(repeats(column, "columns"), COLUMNS_AT_MOST)
            if column.get(f"{TABLE}visibility") in _HIDDEN:
                self._hidden_columns.update(range(place, min(place + count, COLUMNS_AT_MOST)))
            place += count
        shown = [column for column in range(COLUMNS_AT_MOST) if column not in self._hidden_columns]
        self._shown_place = {column: number for number, column in enumerate(shown)}
        for row in _within(table, f"{TABLE}table-row"):
            self._row(row)

    def _row(self, row: Element) -> None:
        count = repeats(row, "rows")
        cells = list(_cells(row))
        is_filled = any(cell.text for _, cell, _ in cells)
        if row.get(f"{TABLE}visibility") in _HIDDEN:
            self._hidden_rows += min(count, ROWS_A_SHEET) if is_filled else 0
            return
        if is_filled:
            for _ in range(min(count, ROWS_A_SHEET)):
                self._fill(cells, is_head=row.getparent().tag == f"{TABLE}table-header-rows")
                self._number += 1
            self._last = self._number
        else:
            self._number += count

    def _fill(self, cells: list[tuple[int, GridCell, tuple[int, int]]], *, is_head: bool) -> None:
        if len(self._rows) >= ROWS_A_SHEET or self._room.is_full:
            return
        made: dict[int, GridCell] = {}
        for column, cell, size in cells:
            if column not in self._shown_place:
                if cell.text:
                    self._held_back.add(column)
                continue
            place = self._shown_place[column]
            if cell.text:
                made[place] = cell
            wide = sum(one in self._shown_place for one in range(column, column + size[0]))
            if wide > 1 or size[1] > 1:
                self._merged[self._number, place] = (wide, size[1])
        self._rows[self._number] = made
        self._room.take(cell.text for cell in made.values())
        self._last_read = self._number + 1
        if is_head:
            self._heads.add(self._number)


def _within(parent: Element, tag: str) -> Iterator[Element]:
    """The rows or columns of a sheet, those in groups too."""
    for element in parent:
        if element.tag == tag:
            yield element
        elif element.tag in _GROUPS:
            yield from _within(element, tag)


def _cells(row: Element) -> Iterator[tuple[int, GridCell, tuple[int, int]]]:
    """Column, cell and size of the cells of a row that hold something, or are merged."""
    column = 0
    for element in row:
        if element.tag not in _CELLS:
            continue
        count = repeats(element, "columns")
        if element.tag == _CELLS[0]:
            cell, size = _cell(element), (spanned(element, "columns", COLUMNS_AT_MOST), spanned(element, "rows"))
            if cell.text or size != (1, 1):
                for place in range(column, min(column + count, COLUMNS_AT_MOST)):
                    yield place, cell, size
        column += count


def _cell(element: Element) -> GridCell:
    spans = [tidied(spans_of(one)) for one in element.iterfind(f"{TEXT}p")]
    text = "\n".join("".join(span.text for span in one) for one in spans).strip()
    url = next((span.url for one in spans for span in one if span.url), "")
    return GridCell(text, url=url, is_value=element.get(_KIND, "string") not in ("string", ""))
