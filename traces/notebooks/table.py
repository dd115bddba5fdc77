"""How answers, runs and comparisons look in a notebook: a heading and a table. Everything is escaped, for what pages say is data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from urllib.parse import urlsplit

MOST_ROWS = 200
"""Rows that are drawn; how many more there are stands below them."""
MOST_CHARS = 600
"""Of a cell, then it is cut."""
CELL = 'style="text-align:left;vertical-align:top;white-space:pre-wrap"'


class Linked(str):
    """A cell's text that leads to an address; only one of http or https becomes a link."""

    address: str

    def __new__(cls, text: str, address: str) -> Linked:
        """`text` is shown, `address` opened."""
        made = super().__new__(cls, text)
        made.address = address
        return made


def notebook_table(title: str, rows: Iterable[Sequence[str]], *, heads: Sequence[str] = ()) -> str:
    """The HTML of a table. `heads` name the columns; without them the first cell of each row is its name."""
    drawn = list(rows)
    body = "".join(f"<tr>{_cells(row, is_named=not heads)}</tr>" for row in drawn[:MOST_ROWS])
    top = f"<tr>{''.join(f'<th {CELL}>{escape(head)}</th>' for head in heads)}</tr>" if heads else ""
    more = f"<p>{len(drawn) - MOST_ROWS} more rows</p>" if len(drawn) > MOST_ROWS else ""
    return f"<div><strong>{escape(_cut(title))}</strong><table>{top}{body}</table>{more}</div>"


def _cells(row: Sequence[str], *, is_named: bool) -> str:
    tags = ["th" if is_named and not place else "td" for place in range(len(row))]
    return "".join(f"<{tag} {CELL}>{_shown(cell)}</{tag}>" for tag, cell in zip(tags, row, strict=True))


def _shown(cell: str) -> str:
    text = escape(_cut(cell))
    if not isinstance(cell, Linked) or urlsplit(cell.address).scheme not in ("http", "https"):
        return text
    return f'<a href="{escape(cell.address)}" target="_blank" rel="noopener noreferrer">{text}</a>'


def _cut(text: str) -> str:
    return text if len(text) <= MOST_CHARS else f"{text[:MOST_CHARS]} ..."
