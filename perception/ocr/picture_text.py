"""Layout analysis of OCR lines: table rows, paragraphs, and labels with their values."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from perception.geometry import Box, box_around
from perception.ocr.ocr import Line

ROW_OVERLAP = 0.5
"""Vertical overlap of two lines of one row, as a share of the lower line's height."""
PARAGRAPH_GAP = 0.9
"""In line heights: a larger gap ends a paragraph."""
HEADING_FACTOR = 1.3
"""Ratio of a heading's line height to that of the text below it."""
ALIGNED = 0.6
"""In line heights: how far edges or centres of one column may be apart."""
_NUMBER = re.compile(r"[^\w]*\d[\d.,:%\s]*[^\w\d]*[a-zA-Z%€$£¥°]{0,4}")
_SEPARATOR = re.compile(r"\s+[·•|]\s+")
"""Separator of cells in a row."""
_CJK_END, _CJK_START = re.compile(r"[\u3040-\u9fff\uff00-\uffef]$"), re.compile(r"^[\u3040-\u9fff\uff00-\uffef]")


class PictureBlock(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One unit of a picture's text. `cells` are set for a row."""

    kind: Literal["heading", "paragraph", "row", "pair"]
    text: str
    box: Box
    confidence: float
    cells: tuple[str, ...] = ()
    heading: str = ""
    """The larger line above it in the same picture."""


def read_blocks(lines: tuple[Line, ...]) -> tuple[PictureBlock, ...]:
    """Blocks from the top down: rows joined, continued lines merged into paragraphs, numbers paired with their column's label."""
    rows = _rows([line for line in lines if line.text.strip()])
    blocks: list[PictureBlock] = []
    heading = ""
    place = 0
    while place < len(rows):
        row = rows[place]
        if len(row) > 1:
            blocks.append(_row(row, heading))
            place += 1
            continue
        if len(pieces := _SEPARATOR.split(row[0].text)) > 1:
            blocks += [
                PictureBlock(
                    kind="paragraph", text=piece, box=row[0].box, confidence=row[0].confidence, heading=heading
                )
                for piece in pieces
                if piece
            ]
            place += 1
            continue
        below = next((rows[after][0] for after in range(place + 1, len(rows))), None)
        if below is not None and row[0].box.height > HEADING_FACTOR * below.box.height and _follows(row[0], below, 3.0):
            heading = row[0].text
            blocks.append(_block("heading", row, heading=""))
            place += 1
            continue
        end = place + 1
        while end < len(rows) and len(rows[end]) == 1 and _runs_on(rows[end - 1][0], rows[end][0]):
            end += 1
        blocks.append(_block("paragraph", [rows[at][0] for at in range(place, end)], heading=heading))
        place = end
    return (*blocks, *_column_pairs(rows, heading), *_row_pairs(rows, heading), *_under_heads(rows, heading))


def _rows(lines: list[Line]) -> list[list[Line]]:
    """Lines side by side, from the top down, each row from left to right."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.box.center.y):
        for row in reversed(rows[-3:]):
            height = min(line.box.height, *(other.box.height for other in row))
            common = min(line.box.bottom, row[-1].box.bottom) - max(line.box.y, row[-1].box.y)
            if common > ROW_OVERLAP * height and all(not _overlap_across(line, other) for other in row):
                row.append(line)
                break
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.box.x) for row in rows]


def _overlap_across(one: Line, other: Line) -> bool:
    common = min(one.box.right, other.box.right) - max(one.box.x, other.box.x)
    return common > 0.3 * min(one.box.width, other.box.width)


def _follows(above: Line, below: Line, gaps: float) -> bool:
    return below.box.y - above.box.bottom < gaps * max(above.box.height, below.box.height)


def _runs_on(above: Line, below: Line) -> bool:
    """Whether two lines belong to one paragraph: same font size, close together, and the upper one is full."""
    alike = 0.75 < above.box.height / max(1.0, below.box.height) < 1.33
    starts = abs(above.box.x - below.box.x) < 2 * above.box.height
    full = not _SEPARATOR.search(below.text) and above.box.right >= below.box.right - 4 * above.box.height
    ends = above.text.rstrip().endswith((".", "!", "?", ":", "。", "！", "？"))
    return alike and starts and full and not ends and _follows(above, below, PARAGRAPH_GAP)


def _row(row: list[Line], heading: str) -> PictureBlock:
    cells = tuple(line.text for line in row)
    return PictureBlock(
        kind="row",
        text=" | ".join(cells),
        box=box_around(line.box for line in row),
        confidence=min(line.confidence for line in row),
        cells=cells,
        heading=heading,
    )


def _block(kind: Literal["heading", "paragraph"], lines: list[Line], *, heading: str) -> PictureBlock:
    text = lines[0].text
    for line in lines[1:]:
        # Chinese and Japanese lines are joined without a space.
        joined = _CJK_END.search(text) and _CJK_START.search(line.text)
        text += line.text if joined else f" {line.text}"
    return PictureBlock(
        kind=kind,
        text=text,
        box=box_around(line.box for line in lines),
        confidence=min(line.confidence for line in lines),
        heading=heading,
    )


def _row_pairs(rows: list[list[Line]], heading: str) -> list[PictureBlock]:
    """Two rows with the same number of cells, each under its label: a plan, or a transposed table."""
    pairs: list[PictureBlock] = []
    for before, upper, lower, after in zip([[], *rows], rows, rows[1:], [*rows[2:], []], strict=False):
        is_alone = len(upper) == len(lower) >= 2 and len(upper) not in (len(before), len(after))
        if not is_alone or any(not _overlap_across(one, other) for one, other in zip(upper, lower, strict=True)):
            continue
        for label, value in zip(upper, lower, strict=True):
            pairs.append(
                PictureBlock(
                    kind="pair",
                    text=f"{label.text}: {value.text}",
                    box=box_around((label.box, value.box)),
                    confidence=min(label.confidence, value.confidence),
                    cells=(label.text, value.text),
                    heading=heading,
                )
            )
    return pairs


def _under_heads(rows: list[list[Line]], heading: str) -> list[PictureBlock]:
    """Rows below a row of fewer cells: tables side by side, each under its heading. Gives the cells of each heading separately."""
    found: list[PictureBlock] = []
    heads: list[Line] = []
    for row in rows:
        if len(heads) < 2 or len(row) <= len(heads):
            heads = row
            continue
        parts: list[list[Line]] = [[] for _ in heads]
        for cell in row:
            under = [at for at, head in enumerate(heads) if head.box.x <= cell.box.x + cell.box.height]
            parts[under[-1] if under else 0].append(cell)
        if all(parts):
            found += [
                PictureBlock(
                    kind="pair",
                    text=f"{head.text}: {' '.join(cell.text for cell in cells)}",
                    box=box_around((head.box, *(cell.box for cell in cells))),
                    confidence=min(cell.confidence for cell in (head, *cells)),
                    cells=(head.text, *(cell.text for cell in cells)),
                    heading=heading,
                )
                for head, cells in zip(heads, parts, strict=True)
            ]
    return found


def _column_pairs(rows: list[list[Line]], heading: str) -> list[PictureBlock]:
    """Labels in a row, each with the number above or below it, at any height: a bar chart."""
    pairs: list[PictureBlock] = []
    lines = [line for row in rows for line in row]
    numbers = [line for line in lines if _NUMBER.fullmatch(line.text.strip())]
    for row in rows:
        labels = [line for line in row if line not in numbers]
        if len(row) < 2 or len(labels) < len(row):
            continue
        for label in labels:
            above = [
                number
                for number in numbers
                if abs(number.box.center.x - label.box.center.x)
                < max(ALIGNED * label.box.height, 0.3 * label.box.width)
            ]
            if len(above) != 1:
                continue
            pairs.append(
                PictureBlock(
                    kind="pair",
                    text=f"{label.text}: {above[0].text}",
                    box=box_around((label.box, above[0].box)),
                    confidence=min(label.confidence, above[0].confidence),
                    cells=(label.text, above[0].text),
                    heading=heading,
                )
            )
    return pairs
