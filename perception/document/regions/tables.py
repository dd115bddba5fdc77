"""Tables of data and tables of layout, told apart by their cells."""

from __future__ import annotations

from perception.document.dom import Element
from perception.document.link_density import CLEAR_NAVIGATION, density_of

ROWS_READ = 400
FEW_ROWS = 6
"""A table of layout has few rows; with more, cells are not looked into."""
LONG_CELL, PARTS_OF_A_PAGE = 1_200, 3
"""Characters, or paragraphs and lists, from which a cell is a column of the page and not a value."""
LEAST_ENTRIES, SHORT_CELL = 2, 200
"""Cells of a table of one column below its header, and most characters of each."""
LEAST_LINKS, LEAST_PROSE, TIMES = 4, 200, 3
"""A column of navigation has so many links, beside a cell with so many letters of prose, so many times its own."""


def is_data_table(table: Element) -> bool:
    """Whether a table holds data (rows of two or more short cells) rather than page layout."""
    if table.get("role") in ("presentation", "none"):
        return False
    rows = wide = 0
    for element in table.iterdescendants("tr", "h1", "h2", "h3", "h4", "table", "form"):
        if element.tag != "tr":
            return False
        rows += 1
        wide += sum(child.tag in ("td", "th") for child in element) >= 2
        if rows > ROWS_READ:
            break
    has_header = table.find(".//th") is not None
    if has_header:
        return rows >= 2 and (wide >= 1 or _is_column(table))
    return rows >= 2 and wide * 2 > rows and not (rows <= FEW_ROWS and _has_column_of_text(table))


def _is_column(table: Element) -> bool:
    """Whether a table is one header with short cells below it: a list in one column."""
    head, *rows = table.iterdescendants("tr")
    cells = [cell for row in rows for cell in row.iterchildren("td")]
    if [cell.tag for cell in head] != ["th"] or len(cells) < LEAST_ENTRIES or len(cells) != len(rows):
        return False
    return all(len("".join(cell.itertext())) <= SHORT_CELL for cell in cells)


def _has_column_of_text(table: Element) -> bool:
    for cell in table.iterdescendants("td"):
        parts = sum(1 for _ in cell.iterdescendants("p", "ul", "ol", "dl", "pre", "blockquote", "hr"))
        if parts >= PARTS_OF_A_PAGE or len("".join(cell.itertext())) > LONG_CELL:
            return True
    return False


def is_link_column(cell: Element) -> bool:
    """Whether a cell of a layout table is a column of links beside the text."""
    row = cell.getparent()
    if row is None or len(row) < 2 or len(cell.findall(".//a")) < LEAST_LINKS:
        return False
    own = density_of(cell)
    if own.links < LEAST_LINKS or own.share < CLEAR_NAVIGATION or not own.has_short_labels:
        return False
    others = (density_of(other) for other in row if other is not cell and other.tag == "td")
    prose = max((other.letters - other.linked for other in others), default=0)
    return prose >= max(LEAST_PROSE, TIMES * own.letters)
