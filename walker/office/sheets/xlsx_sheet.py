"""One sheet of an Excel file: its cells as they are shown, without hidden rows and columns."""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Mapping, Sequence

import msgspec

from walker.office.parts.limits import COLUMNS_AT_MOST, ROWS_A_SHEET, CellRoom
from walker.office.parts.ooxml import R, Relation, S, of_kind, relations_of, web_address
from walker.office.parts.package import Element, Package
from walker.office.parts.spans import without_controls
from walker.office.sheets.number_format import BUILT_IN, general, shown_number
from walker.office.sheets.sheet_tables import Grid, GridCell

_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7})")
MERGED_AT_MOST, LINKS_AT_MOST = 20_000, 5_000
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?")
_ISO = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d)?.*")


class Book(msgspec.Struct, frozen=True, kw_only=True):
    """What all sheets of a file share."""

    texts: Sequence[str]
    formats: Sequence[str]
    """Number formats by the style of a cell."""
    bold: Sequence[bool]
    from_1904: bool = False


class ReadSheet(msgspec.Struct, frozen=True, kw_only=True):
    """A sheet, and what of it was left out."""

    grid: Grid
    rows_in_all: int = 0
    """Number of the last row that holds something."""
    rows_read: int = 0
    """Number of the last row that was read."""
    hidden_rows: int = 0
    hidden_columns: int = 0
    unstored: int = 0
    """Formulas without a value."""
    unread_columns: int = 0
    is_late: bool = False
    """It has more rows than `rows_in_all`, for which the time was over."""


def styles_of(root: Element | None) -> tuple[list[str], list[bool]]:
    """The number format of each style of cells, and whether it is bold."""
    if root is None:
        return [], []
    own = {one.get("numFmtId", ""): one.get("formatCode", "") for one in root.iter(f"{S}numFmt")}
    fonts = root.find(f"{S}fonts")
    bold = [one.find(f"{S}b") is not None for one in fonts.iterfind(f"{S}font")] if fonts is not None else []
    formats: list[str] = []
    is_bold: list[bool] = []
    styles = root.find(f"{S}cellXfs")
    for one in styles.iterfind(f"{S}xf") if styles is not None else ():
        number, font = one.get("numFmtId", "0"), one.get("fontId", "0")
        formats.append(own.get(number) or BUILT_IN.get(int(number) if number.isdecimal() else 0, ""))
        place = int(font) if font.isdecimal() else 0
        is_bold.append(place < len(bold) and bold[place])
    return formats, is_bold


def read_sheet(package: Package, part: str, book: Book, room: CellRoom) -> ReadSheet:
    """A sheet, of which no more is read than there is room for. Raises `Unreadable`."""
    reading = _SheetReading(book, room)
    links: list[tuple[str, str]] = []
    readers: dict[str, Callable[[Element], None]] = {
        f"{S}row": reading.row,
        f"{S}cols": reading.columns,
        f"{S}pane": reading.pane,
        f"{S}mergeCell": lambda element: reading.merge(element.get("ref", "")),
        f"{S}autoFilter": lambda element: reading.head(element.get("ref", "")),
        f"{S}hyperlink": lambda element: links.append((element.get("ref", ""), element.get(f"{R}id", ""))),
    }
    for element in package.elements(part, *readers):
        readers[element.tag](element)
        if package.deadline.is_over:
            reading.is_late = True
            break
    relations = relations_of(package, part)
    reading.link(links[:LINKS_AT_MOST], relations)
    for name in of_kind(relations, "table"):
        table = package.xml(name)
        if table is not None and table.get("headerRowCount", "1") != "0":
            reading.head(table.get("ref", ""))
    return reading.read()


class _SheetReading:
    """A sheet under way."""

    def __init__(self, book: Book, room: CellRoom) -> None:
        self._book, self._room = book, room
        self._rows: dict[int, dict[int, GridCell]] = {}
        self._merged: list[tuple[int, int, int, int]] = []
        self._heads: set[int] = set()
        self._hidden_rows: set[int] = set()
        self._hidden_columns: set[int] = set()
        self._held_back: tuple[set[int], set[int]] = (set(), set())
        """Hidden rows and hidden columns that hold something."""
        self._unstored = self._last = self._last_read = 0
        self._unread_columns: set[int] = set()
        self._is_full = False
        self.is_late = False
        """The time for the file was over before its end."""

    def columns(self, element: Element) -> None:
        """Which columns are hidden."""
        for one in element.iterfind(f"{S}col"):
            if one.get("hidden") in ("1", "true"):
                low, high = int(one.get("min", "1")) - 1, int(one.get("max", "1"))
                self._hidden_columns.update(range(max(0, low), min(high, COLUMNS_AT_MOST)))

    def pane(self, element: Element) -> None:
        """Frozen rows at the top are the head of what is below."""
        top = element.get("ySplit", "0").partition(".")[0]
        if element.get("state", "").startswith("frozen") and top.isdecimal() and 1 <= int(top) <= 4:
            self._heads.add(int(top) - 1)

    def merge(self, reference: str) -> None:
        """Cells that are one."""
        if (area := _area(reference)) is not None and len(self._merged) < MERGED_AT_MOST:
            self._merged.append(area)

    def head(self, reference: str) -> None:
        """The first row of a table or filter."""
        if (area := _area(reference)) is not None and area[3] > area[1]:
            self._heads.add(area[1])

    def row(self, element: Element) -> None:
        """The cells of a row."""
        written = element.get("r", "")
        number = max(self._last, int(written) - 1) if written.isdecimal() else self._last
        is_filled = _is_filled(element)
        if is_filled:
            self._last = number + 1
        if element.get("hidden") in ("1", "true"):
            self._hidden_rows.add(number)
            if is_filled:
                self._held_back[0].add(number)
            return
        if self._is_full or len(self._rows) >= ROWS_A_SHEET or self._room.is_full:
            self._is_full = self._is_full or is_filled
            return
        row = self._cells_of(element)
        if row:
            self._rows[number] = row
            self._room.take(cell.text for cell in row.values())
            self._last_read = number + 1

    def _cells_of(self, element: Element) -> dict[int, GridCell]:
        row: dict[int, GridCell] = {}
        column = -1
        for one in element.iterfind(f"{S}c"):
            place = _REFERENCE.match(one.get("r", ""))
            column = _column(place[1]) if place else column + 1
            if column in self._hidden_columns:
                if one.find(f"{S}v") is not None:
                    self._held_back[1].add(column)
                continue
            if column >= COLUMNS_AT_MOST:
                self._unread_columns.add(column)
                continue
            if (cell := self._cell(one)) is not None:
                row[column] = cell
        return row

    def _cell(self, element: Element) -> GridCell | None:
        kind, style = element.get("t", "n"), element.get("s", "0")
        place = int(style) if style.isdecimal() else 0
        is_bold = place < len(self._book.bold) and self._book.bold[place]
        if kind == "inlineStr":
            inline = element.find(f"{S}is")
            text = "".join(text_pieces(inline)) if inline is not None else ""
            return GridCell(_tidy(text), is_bold=is_bold) if text.strip() else None
        value = element.findtext(f"{S}v")
        if not value:
            self._unstored += element.find(f"{S}f") is not None
            return None
        code = self._book.formats[place] if place < len(self._book.formats) else ""
        text, is_value = self._shown(kind, value, code)
        return GridCell(_tidy(text), is_value=is_value, is_bold=is_bold) if text.strip() else None

    def _shown(self, kind: str, value: str, code: str) -> tuple[str, bool]:
        """A stored value as it is shown, and whether it is no text."""
        if kind == "s":
            place = int(value) if value.strip().isdecimal() else len(self._book.texts)
            return (self._book.texts[place] if place < len(self._book.texts) else ""), False
        if kind in ("str", "e"):
            return value, False
        if kind == "b":
            return ("TRUE" if value.strip() in ("1", "true") else "FALSE"), True
        if kind == "d":
            return _ISO.sub(r"\1 \2", value).removesuffix(" 00:00"), True
        if not _NUMBER.fullmatch(value.strip()):
            return value, False
        number = float(value)
        return (shown_number(number, code, from_1904=self._book.from_1904) if code else general(number)), True

    def link(self, links: Sequence[tuple[str, str]], relations: Mapping[str, Relation]) -> None:
        """Where cells lead to."""
        for reference, key in links:
            named, area = relations.get(key), _area(reference)
            url = web_address(named.target) if named is not None and named.is_outside else ""
            row = self._rows.get(area[1], {}) if area is not None else {}
            if url and area is not None and area[0] in row:
                row[area[0]] = msgspec.structs.replace(row[area[0]], url=url)

    def read(self) -> ReadSheet:
        """The sheet, its merged cells without what is hidden of them."""
        above, left_of = _Gaps(self._hidden_rows), _Gaps(self._hidden_columns)
        merged: dict[tuple[int, int], tuple[int, int]] = {}
        for left, top, right, bottom in self._merged:
            wide = left_of.closed(min(right + 1, COLUMNS_AT_MOST)) - left_of.closed(left)
            high = above.closed(min(bottom + 1, self._last)) - above.closed(top)
            if left not in self._hidden_columns and top not in self._hidden_rows and (wide > 1 or high > 1):
                merged[top, left] = (max(1, wide), max(1, high))
        return ReadSheet(
            grid=Grid(
                rows={
                    above.closed(number): {left_of.closed(column): cell for column, cell in row.items()}
                    for number, row in self._rows.items()
                },
                merged={(above.closed(row), left_of.closed(column)): size for (row, column), size in merged.items()},
                heads=frozenset(above.closed(number) for number in self._heads),
            ),
            rows_in_all=self._last,
            rows_read=self._last_read if self._is_full else self._last,
            hidden_rows=len(self._held_back[0]),
            hidden_columns=len(self._held_back[1]),
            unstored=self._unstored,
            unread_columns=len(self._unread_columns),
            is_late=self.is_late,
        )


class _Gaps:
    """Places closed up where some between them are hidden."""

    def __init__(self, hidden: set[int]) -> None:
        self._hidden = sorted(hidden)

    def closed(self, place: int) -> int:
        """The place, of those that are shown."""
        return place - bisect.bisect_left(self._hidden, place)


def text_pieces(element: Element) -> list[str]:
    """The pieces of a rich text, without how it is pronounced."""
    found: list[str] = []
    for one in element:
        if one.tag == f"{S}t":
            found.append(one.text or "")
        elif one.tag == f"{S}r":
            found.extend(t.text or "" for t in one.iter(f"{S}t"))
    return found


def _is_filled(row: Element) -> bool:
    return any(cell.find(f"{S}v") is not None or cell.find(f"{S}is") is not None for cell in row)


def _tidy(text: str) -> str:
    """A text without control characters, which Excel also writes as _x000D_."""
    if text.isprintable() and "_x" not in text:
        return text.strip()
    return without_controls(_ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)).strip()


def _column(letters: str) -> int:
    """The number of a column from 0: "AA" is 26."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number - 1


def _area(reference: str) -> tuple[int, int, int, int] | None:
    """First column, first row, last column and last row of "A1:C3", from 0."""
    first, _, last = reference.partition(":")
    begin, end = _REFERENCE.fullmatch(first), _REFERENCE.fullmatch(last or first)
    if begin is None or end is None:
        return None
    return _column(begin[1]), int(begin[2]) - 1, _column(end[1]), int(end[2]) - 1
