"""Repeated things on a page as records: tables, lists, definitions, cards, and sections under one heading."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

import msgspec

from perception.document.addresses import absolute_url
from perception.document.dom import text_in
from perception.document.names import item_name, term_name
from perception.document.page_text import LINE_BREAK, PageText, Span
from perception.document.regions.link_rows import read_link_rows
from perception.document.regions.text_lists import read_text_lists
from perception.observation import Block, Field, Record, RecordSet, RecordSetKind

RECORD_TEXT = 1500
"""A record's text is truncated to so many characters."""
SPAN_AT_MOST = 100
LEAST_ROWS, LEAST_COLUMNS, HEAD_CHARS = 2, 3, 24
"""Least rows and columns of a table with a head below its title, and most characters of a name in it."""
_NAMING = ("a", "b", "strong", "code", "heading")


def read_record_sets(page: PageText, base: str) -> tuple[RecordSet, ...]:
    """All record sets in document order, numbered from 1."""
    found: list[tuple[int, RecordSet]] = []
    definitions: dict[tuple[object, ...], tuple[int, RecordSet]] = {}
    for span in page.lists:
        made = _from_list(page, span, base)
        if made is None:
            continue
        if made.kind == "definitions":
            _join_definitions(definitions, span, made)
        elif len(made.records) >= 2:
            found.append((span.start, made))
    found += [entry for entry in definitions.values() if len(entry[1].records) >= 2]
    found += [(parent.start, made) for parent, group in page.card_groups if (made := _from_cards(page, group, base))]
    cards = [record for _, made in found for record in made.records if record.last > record.first]
    found += read_link_rows(page, base, {number for card in cards for number in range(card.first, card.last + 1)})
    ordered = [made for _, made in sorted(found, key=lambda pair: pair[0])]
    ordered += [*read_text_lists(page.blocks, item_name), *_from_headings(page.blocks)]
    return tuple(
        RecordSet(
            id=number,
            kind=made.kind,
            records=made.records,
            columns=made.columns,
            caption=made.caption,
            headings=made.headings,
            region=made.region,
            nested=made.nested,
        )
        for number, made in enumerate(ordered, start=1)
    )


def _from_list(page: PageText, span: Span, base: str) -> RecordSet | None:
    children = span.children or []
    if span.tag == "table":
        return _from_table(page, span, base)
    if span.tag == "dl":
        records = _definition_records(page, children, base)
        return _record_set(span, "definitions", records) if records else None
    items = [child for child in children if child.tag == "li" and not child.hidden]
    records = [_list_record(page, item, base) for item in items]
    return _record_set(span, "list", [record for record in records if record.text])


def _record_set(span: Span, kind: RecordSetKind, records: list[Record], columns: tuple[str, ...] = ()) -> RecordSet:
    caption = " ".join((span.element.get("aria-label") or "").split())
    if span.tag == "table":
        caption = text_in(span.element.find("caption")) or caption
    return RecordSet(
        id=0,
        kind=kind,
        records=tuple(records),
        columns=columns,
        caption=caption or span.before,
        headings=span.headings,
        region=span.region,
        nested=span.nested,
    )


def _list_record(page: PageText, item: Span, base: str) -> Record:
    end = item.list_start or item.end
    text = page.text(item.start, end) or page.text(item.start, item.end)
    first, last = (0, 0) if item.list_start else _blocks_of(item)
    url = _main_link(page, item.start, end, base)
    return Record(name=_name(page, item, text), text=text[:RECORD_TEXT], url=url, first=first, last=last)


def _blocks_of(span: Span) -> tuple[int, int]:
    """Ids of the first and the last block of an element; both 0 for one that stands within a block, or is empty."""
    is_whole = span.breaks or (span.tag == "a" and span.first_block >= 0)
    return (span.first_block + 1, span.last_block) if is_whole and span.last_block > span.first_block else (0, 0)


def _name(page: PageText, span: Span, text: str) -> str:
    """The marked run at the beginning, or the words up to the first explanation."""
    mark = page.first_mark(span.start, span.end, _NAMING)
    if mark is not None:
        named = page.text(mark.start, mark.end)
        before = page.text(span.start, mark.start)
        if named and (mark.kind == "heading" or len(before) <= 3):
            return item_name(named) if mark.kind in ("b", "strong") else named
    first_line = "".join(page.fragments[span.start : span.list_start or span.end]).split(LINE_BREAK)[0]
    return item_name(" ".join(first_line.split()) or text)


def _main_link(page: PageText, start: int, end: int, base: str) -> str:
    mark = page.first_mark(start, end, ("a",))
    href = mark.element.get("href") if mark is not None else None
    return absolute_url(base, href) if href else ""


def _definition_records(page: PageText, children: list[Span], base: str) -> list[Record]:
    records: list[Record] = []
    terms: list[Span] = []
    answered = False
    for child in children:
        if child.tag == "dt":
            if answered:
                terms = []
            terms.append(child)
            answered = False
            text = page.text(child.start, child.end)
            if text:
                url = _main_link(page, child.start, child.end, base)
                first, last = _blocks_of(child)
                records.append(Record(name=term_name(text), text=text[:RECORD_TEXT], url=url, first=first, last=last))
        elif child.tag == "dd" and terms and records:
            answered = True
            body = page.text(child.start, child.end)[:RECORD_TEXT]
            last = 0 if len(terms) > 1 else _blocks_of(child)[1]
            for place in range(max(0, len(records) - len(terms)), len(records)):
                old = records[place]
                records[place] = Record(
                    name=old.name,
                    text=f"{old.text} {body}"[:RECORD_TEXT],
                    fields=(Field(name=old.name, value=body),),
                    url=old.url,
                    first=old.first if last else 0,
                    last=last if old.first else 0,
                )
    return records


def _join_definitions(
    definitions: dict[tuple[object, ...], tuple[int, RecordSet]], span: Span, made: RecordSet
) -> None:
    """Merge definition lists of one kind under one heading: documentation puts every function in a list of its own."""
    key = (span.element.get("class") or "", span.within, made.headings)
    if key in definitions:
        start, before = definitions[key]
        joined = RecordSet(
            id=0,
            kind="definitions",
            records=(*before.records, *made.records),
            caption=before.caption,
            headings=before.headings,
            region=before.region,
            nested=before.nested,
        )
        definitions[key] = (start, joined)
    else:
        definitions[key] = (span.start, made)


def _from_table(page: PageText, span: Span, base: str) -> RecordSet | None:
    rows = [row for row in span.children or [] if row.tag == "tr" and row.children]
    if not rows:
        return None
    is_wide = sum(len(row.children or ()) > 1 for row in rows) * 2 > len(rows)
    heads, columns = _head(page, rows)
    records = []
    for row in rows[heads:]:
        cells = row.children or []
        values = [_cell(page, cell) for cell in cells]
        if not any(values) or (len(cells) == 1 and is_wide) or all(cell.tag == "th" for cell in cells):
            continue
        fields = tuple(
            Field(name=columns[place] if place < len(columns) else "", value=value)
            for place, value in enumerate(values)
        )
        naming = _naming_cell(values)
        name = _cell_name(page, cells[naming], values[naming])
        url = _main_link(page, cells[naming].start, cells[naming].end, base)
        url = url or _main_link(page, row.start, row.end, base)
        records.append(Record(name=name, text=" | ".join(values)[:RECORD_TEXT], fields=fields, url=url))
    return _record_set(span, "table", records, columns)


def name_columns(page: PageText) -> None:
    """Give the blocks of table rows the names of their columns: a row that is quoted alone says what its values are."""
    for table in page.lists:
        if table.tag != "table":
            continue
        rows = [row for row in table.children or [] if row.tag == "tr" and row.children]
        heads, columns = _head(page, rows)
        if not any(columns):
            continue
        for row in rows[heads:]:
            for place in range(row.first_block, row.last_block):
                if page.blocks[place].kind == "row":
                    page.blocks[place] = msgspec.structs.replace(page.blocks[place], columns=columns)


def _head(page: PageText, rows: Sequence[Span]) -> tuple[int, tuple[str, ...]]:
    """The number of header rows, and the column names that they give."""
    heads = len(list(takewhile(_is_head, rows)))
    if rows and not heads and _is_bold(page, rows[0]) and not any(_is_bold(page, row) for row in rows[1:]):
        heads = 1
    if heads == 1 and _is_head_below_title(page, rows):
        return 2, _columns(page, rows[1:2])
    return heads, _columns(page, rows[:heads])


def _is_head_below_title(page: PageText, rows: Sequence[Span]) -> bool:
    """Whether the first row has a title or nothing and the second heads the columns: words alone, above a column of numbers."""
    if len(rows) < 2 + LEAST_ROWS:
        return False
    title, head, *others = ([_cell(page, cell) for cell in row.children or ()] for row in rows)
    if len(head) < LEAST_COLUMNS or sum(map(bool, title)) > 1 or not all(head):
        return False
    if any(len(name) > HEAD_CHARS or any(map(str.isdigit, name)) for name in head) or len({*head}) < len(head):
        return False
    counted = (
        sum(len(row) > place and any(map(str.isdigit, row[place])) for row in others) for place in range(len(head))
    )
    return max(counted) > len(others) / 2


def _is_head(row: Span) -> bool:
    return all(cell.tag == "th" for cell in row.children or ()) or row.element.getparent().tag == "thead"


def _is_bold(page: PageText, row: Span) -> bool:
    """Whether a row is a head by its looks alone: several cells, each of them bold as a whole."""
    cells = [(cell, text) for cell in row.children or () if (text := _cell(page, cell))]
    marks = [(page.first_mark(cell.start, cell.end, ("b", "strong")), text) for cell, text in cells]
    return len(cells) > 1 and all(mark is not None and page.text(mark.start, mark.end) == text for mark, text in marks)


def _columns(page: PageText, rows: Sequence[Span]) -> tuple[str, ...]:
    """Column names from header rows: the lowest header cell above each column, prefixed by those above it where it spans several."""
    grid: dict[tuple[int, int], str] = {}
    for line, row in enumerate(rows):
        place = 0
        for cell in row.children or ():
            while (line, place) in grid:
                place += 1
            wide, high = (_spans(cell, name) for name in ("colspan", "rowspan"))
            name = _cell(page, cell)
            grid.update({(line + down, place + right): name for down in range(high) for right in range(wide)})
            place += wide
    width = max((place + 1 for line, place in grid if line < len(rows)), default=0)
    lowest = [grid.get((len(rows) - 1, place), "") for place in range(width)]
    if len(set(lowest)) == width or len(rows) == 1:
        return tuple(lowest)
    stacked = ([grid.get((line, place), "") for line in range(len(rows))] for place in range(width))
    return tuple(" ".join(dict.fromkeys(filter(None, names))) for names in stacked)


def _spans(cell: Span, name: str) -> int:
    written = cell.element.get(name) or ""
    return min(max(1, int(written)), SPAN_AT_MOST) if written.isdecimal() else 1


def _cell(page: PageText, cell: Span) -> str:
    return page.text(cell.start, cell.end).removesuffix("|").rstrip()


def _cell_name(page: PageText, cell: Span, value: str) -> str:
    mark = page.first_mark(cell.start, cell.end, ("a", "code"))
    if mark is not None and not page.text(cell.start, mark.start):
        marked = page.text(mark.start, mark.end)
        # A cell that continues after its link or code holds more than the name; a short one is the name as a whole.
        return marked if len(value) > 60 else value
    return value


def _naming_cell(values: list[str]) -> int:
    """Index of the first cell that is more than a row number."""
    for place, value in enumerate(values):
        if value and not value.strip("#.").isdigit():
            return place
    return next((place for place, value in enumerate(values) if value), 0)


def _from_cards(page: PageText, group: list[Span], base: str) -> RecordSet | None:
    """A record set from siblings of one tag and class, if each has a name of its own and more than a word of text."""
    records = []
    for card in group:
        text = page.text(card.start, card.end)
        if card.hidden or len(text) < 3:
            continue
        name, url, (first, last) = (
            _name(page, card, text),
            _main_link(page, card.start, card.end, base),
            _blocks_of(card),
        )
        records.append(Record(name=name, text=text[:RECORD_TEXT], url=url, first=first, last=last))
    if len(records) < 3 or len({record.name for record in records}) * 2 < len(records):
        return None
    top = group[0]
    return RecordSet(id=0, kind="repeated", records=tuple(records), headings=top.headings, region=top.region)


def _from_headings(blocks: list[Block]) -> list[RecordSet]:
    """The subsections of each heading that has two or more of them, as a record set."""
    children: dict[tuple[str, ...], list[tuple[Block, str]]] = {}
    for place, block in enumerate(blocks):
        if block.kind != "heading" or block.hidden:
            continue
        following = blocks[place + 1].text if place + 1 < len(blocks) and blocks[place + 1].kind != "heading" else ""
        children.setdefault(block.headings, []).append((block, following))
    sets = []
    for path, sections in children.items():
        if len(sections) < 2 or not path:
            continue
        records = tuple(
            Record(name=block.text, text=f"{block.text} {following}"[:RECORD_TEXT].strip())
            for block, following in sections
        )
        sets.append(RecordSet(id=0, kind="repeated", records=records, headings=path, region=sections[0][0].region))
    return sets
