"""Lines to headings, paragraphs, list items and table rows, by type size, distance and indentation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from itertools import pairwise
from statistics import median

from walker.pdf.pdf_document import PdfBlock
from walker.pdf.pdf_lines import PdfLine

OTHER_SIZE = 1.12
"""Ratio of type sizes from which two lines are no one paragraph."""
HEADING_SIZE = 1.15
"""Ratio to the size of most text from which a short block is a heading."""
HEADING_CHARS, HEADING_LINES = 150, 3
LEADING = 1.25
"""Distance of base lines within paragraphs, in type sizes, where a page does not tell."""
LOOSER = 1.3
"""How much larger than within them the distance between paragraphs is."""
LEADING_AT_MOST = 2.5
FULL_LINE = 0.8
"""Of the widest line: a line from this width on is assumed to go on in the next."""
INDENT = 0.8
SHORT_LINE = 0.75
"""Of the widest line: a shorter one that ends with a full stop ends a paragraph."""
_BULLET = re.compile(r"^(?:[•‣◦▪▫●○■□►–—*·\u2043\uf0b7\uf0a7]|[-o](?=\s))\s*")
_NUMBERED = re.compile(r"^(?:\(?\d{1,2}[.)]|\(?[a-z][.)]|[§$]\s*\d+)\s")
_ENDS = re.compile(r"[.!?:;。！？：；][\"'”’)\]]?$")
_HYPHENATED = re.compile(r"(\w+)[-\u00ad\u2010]$")
_FIRST_WORD = re.compile(r"^\w+")
_WORD = re.compile(r"\w+(?:-\w+)*")


def body_size(pages: Iterable[Sequence[PdfLine]]) -> float:
    """The type size of most characters, in points; 0 for no text."""
    sizes: Counter[float] = Counter()
    for lines in pages:
        for line in lines:
            sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def words_of(pages: Iterable[Sequence[PdfLine]]) -> frozenset[str]:
    """The words in lower case, those with hyphens as a whole: they tell how a word that a line divides is written."""
    return frozenset(word.casefold() for lines in pages for line in lines for word in _WORD.findall(line.text))


def blocks_of(lines: Sequence[PdfLine], body: float, words: Set[str]) -> tuple[PdfBlock, ...]:
    """The blocks of one page."""
    widest = max((line.end for line in lines), default=0.0)
    farthest = LOOSER * _leading(lines, widest)
    groups: list[list[PdfLine]] = []
    for line in lines:
        if groups and not _begins_block(groups[-1], line, widest, farthest):
            groups[-1].append(line)
        else:
            groups.append([line])
    rows = _rows(groups)
    made = (_block(group, body, words, is_row=number in rows) for number, group in enumerate(groups))
    return tuple(block for block in made if block.text or block.cells)


def joined(lines: Sequence[str], words: Set[str]) -> str:
    """The lines as one text; a word that was divided at the end of a line is put together again."""
    text = lines[0] if lines else ""
    for line in lines[1:]:
        start, rest = _HYPHENATED.search(text), _FIRST_WORD.match(line)
        if start is None or rest is None or not rest[0][0].islower():
            glue = "" if text.endswith("-") or (_is_wide(text[-1:]) and _is_wide(line[:1])) else " "
            text = f"{text}{glue}{line}"
        elif f"{start[1]}-{rest[0]}".casefold() in words and f"{start[1]}{rest[0]}".casefold() not in words:
            text = f"{text}{line}"
        else:
            text = f"{text[: start.end(1)]}{line}"
    return text


def _leading(lines: Sequence[PdfLine], widest: float) -> float:
    """The usual distance of base lines within the paragraphs of a page, in type sizes."""
    drops = [
        (above.y - below.y) / above.size
        for above, below in pairwise(lines)
        if above.end >= FULL_LINE * widest and len(above.cells) == len(below.cells) == 1
    ]
    usual = [drop for drop in drops if 0.9 < drop < LEADING_AT_MOST]
    return max(LEADING, median(usual)) if usual else LEADING


def _begins_block(group: Sequence[PdfLine], line: PdfLine, widest: float, farthest: float) -> bool:
    """Whether a line begins a block; `farthest` is the largest distance of base lines within one, in type sizes."""
    last = group[-1]
    if len(line.cells) > 1 or len(last.cells) > 1 or _BULLET.match(line.text) or _NUMBERED.match(line.text):
        return True
    if max(line.size, last.size) > OTHER_SIZE * min(line.size, last.size) or line.bold != last.bold:
        return True
    drop = last.y - line.y
    if drop < 0:
        # The next column: a sentence may go on there.
        return bool(_ENDS.search(last.text)) or not line.text[:1].islower()
    if drop > farthest * last.size:
        return True
    if not _ENDS.search(last.text):
        return False
    is_indented = line.x - last.x > INDENT * line.size and len(group) > 1
    return is_indented or last.end - group[0].x < SHORT_LINE * (widest - group[0].x)


def _rows(groups: Sequence[Sequence[PdfLine]]) -> frozenset[int]:
    """Numbers of the groups that are rows of a table: lines of several cells below each other."""
    several = [len(group) == 1 and len(group[0].cells) > 1 for group in groups]
    return frozenset(
        number
        for first, second in pairwise(range(len(groups)))
        if several[first] and several[second]
        for number in (first, second)
    )


def _block(group: Sequence[PdfLine], body: float, words: Set[str], *, is_row: bool) -> PdfBlock:
    if is_row:
        return PdfBlock(kind="row", cells=group[0].cells)
    text = joined([line.text for line in group], words)
    bullet = _BULLET.match(text)
    if bullet and len(text) > bullet.end():
        return PdfBlock(kind="item", text=text[bullet.end() :])
    is_short = len(group) <= HEADING_LINES and len(text) <= HEADING_CHARS and not text.endswith((".", ",", ";"))
    stands_out = group[0].size >= HEADING_SIZE * body or (group[0].bold and len(group) == 1)
    if is_short and stands_out and sum(letter.isalpha() for letter in text) > len(text) / 2:
        return PdfBlock(kind="heading", text=text)
    return PdfBlock(kind="paragraph", text=text)


def _is_wide(letter: str) -> bool:
    return "\u2e80" <= letter <= "\uffee"
