"""Texts of Markdown pages as the reader reads them: a few sentences of a section, or a row of a table with its column names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from tools.reader_training.front_matter import title_and_text
from walker.strategies.reader.windows import WINDOW_WORDS, words_in

LEAST_WORDS, MOST_CHARS = 4, 1200
LETTERS = 0.3
"""Least share of letters in a text that says something."""
HEADING_CHARS = 120
SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]?\s+(?=[\"'(\[¿¡A-ZÀ-Þ0-9])|(?<=[。！？])\s*(?=\S)")
_HEADING = re.compile(r"^(#{1,6})\s+(.*)")
_TABLE_RULE = re.compile(r"^\s*\|?[\s:|-]+\|[\s:|-]*$")
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+\.)\s")
_CODE = re.compile(r"^[ \t]*```[^\n]*\n(.*?)```", re.DOTALL | re.MULTILINE)
_MARKUP = (
    (re.compile(r"<(script|style)[^>]*>.*?</\1>", re.DOTALL | re.IGNORECASE), " "),
    (re.compile(r"<[^>]{1,300}>"), " "),
    (re.compile(r"!\[[^\]]*\]\([^)]*\)"), " "),
    (re.compile(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])"), r"\1"),
    (re.compile(r"\{[{%].*?[}%]\}", re.DOTALL), " "),
    (re.compile(r"\*{1,3}(\S(?:.*?\S)?)\*{1,3}"), r"\1"),
    (re.compile(r"(?<!\w)_{1,3}(\S(?:.*?\S)?)_{1,3}(?!\w)"), r"\1"),
    (re.compile(r"`"), ""),
    (re.compile(r"\s+"), " "),
)


class SiteText(msgspec.Struct, frozen=True, kw_only=True):
    """One text of a page, and the headings above it."""

    site: str
    page: str
    title: str
    heading: str
    text: str


def texts_of(site: str, page: str, source: str) -> Iterator[SiteText]:
    """The texts of one Markdown file."""
    title, written = title_and_text(page, source)
    for heading, text in _sections(title, _CODE.sub(_as_paragraph, written)):
        letters = sum(character.isalpha() for character in text)
        if words_in(text) >= LEAST_WORDS and len(text) < MOST_CHARS and letters > LETTERS * len(text):
            yield SiteText(site=site, page=page, title=title, heading=heading, text=text)


def _as_paragraph(code: re.Match[str]) -> str:
    """A block of code as one paragraph, which begins with no mark of Markdown."""
    return "\n\n" + " ".join(code[1].split()).lstrip("#-*+|> ") + "\n\n"


def plain(markdown: str) -> str:
    """Markdown, HTML and template marks taken out."""
    for pattern, put in _MARKUP:
        markdown = pattern.sub(put, markdown)
    return markdown.strip()


def _sections(title: str, source: str) -> Iterator[tuple[str, str]]:
    headings = [title]
    for block in re.split(r"\n\s*\n", source):
        lines = block.strip().splitlines()
        named = _HEADING.match(lines[0]) if lines else None
        if named:
            headings = [*headings[: max(1, len(named.group(1)))], plain(named.group(2))]
            lines = lines[1:]
        if lines:
            above = " > ".join(dict.fromkeys(one for one in headings if one))[-HEADING_CHARS:]
            yield from ((above, text) for text in _block_texts(lines))


def _block_texts(lines: Sequence[str]) -> list[str]:
    if len(lines) > 2 and _TABLE_RULE.match(lines[1]):
        columns = _cells(lines[0])
        return [_row(columns, _cells(line)) for line in lines[2:]]
    if _ITEM.match(lines[0]):
        items: list[str] = []
        for line in lines:
            if _ITEM.match(line) or not items:
                items.append(line)
            else:
                items[-1] += f" {line}"
        return _packed([plain(_ITEM.sub("", item)) for item in items])
    return _packed([one for one in SENTENCE_END.split(plain(" ".join(lines))) if one])


def _cells(line: str) -> list[str]:
    return [plain(cell) for cell in line.strip().strip("|").split("|")]


def _row(columns: Sequence[str], cells: Sequence[str]) -> str:
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in zip(columns, cells, strict=False) if cell)


def _packed(sentences: Sequence[str]) -> list[str]:
    packed: list[list[str]] = []
    for sentence in sentences:
        if packed and sum(map(words_in, packed[-1])) + words_in(sentence) <= WINDOW_WORDS:
            packed[-1].append(sentence)
        else:
            packed.append([sentence])
    return [" ".join(one) for one in packed]
