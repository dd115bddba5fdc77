"""Facts of tables: single cells, and the row with the highest or lowest number of a column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from evaluation.building.facts.fact import Cell, Extreme, Given
from evaluation.building.facts.lines import is_answer, is_name, quote_of
from evaluation.building.tree import HarvestedPage
from evaluation.metrics.rates import plain
from perception.observation import Record, RecordSet

_QUANTITY = re.compile(r"^[€$£¥￥~≈<>+ ]{0,3}(-?\d[\d,]*(?:\.\d+)?)\s*(\D{0,16})$")
_FOOTNOTE = re.compile(r"^(?:[(\[]\d+[)\]][\s,;]*)+$")
_WEEKDAYS = frozenset("mon tue wed thu fri sat sun 一 二 三 四 五 六 日".split())
_SUM = re.compile(
    r"^(?:total|sum|all|average|mean|gesamt|summe|totaux|somme|moyenne|合计|总计|总和|平均)", re.IGNORECASE
)
_NUMBERING = re.compile(
    r"^(?:#|no\.?|nr\.?|n°|id|rank|place|year|port|version|pos(?:ition)?|platz|rang|jahr|année|section|"
    r"(?:numeric )?value|wert|code|valeur|序号|编号|排名|名次|年份)$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{2}|[\u3400-\u9fff]")
_TELLING = re.compile(r"^\W{0,2}\d|@")
"""What is a value whatever stands before it."""
_DIGITS = re.compile(r"\d+")
MOST_VALUE_WORDS = 4
"""Words of a value beside a label; more explain it."""
FEWEST_ROWS, MOST_ROWS = 3, 14
MOST_CELL_WORDS = 8
MOST_ALIKE = 0.5
"""Share of the rows of a column with the same value, above which a cell tells nothing."""
MOST_TABLE_CHARS = 900
"""Of a table whose extremes are asked for: it is quoted whole."""


def quantity(text: str) -> tuple[float, str] | None:
    """The number and its unit, None unless the text is a single quantity."""
    match = _QUANTITY.match(text.strip())
    return (float(match[1].replace(",", "")), plain(match[2])) if match else None


def table_facts(page: HarvestedPage) -> Iterator[Cell | Given | Extreme]:
    """The facts of all tables of a page."""
    labels = Counter(plain(row.fields[0].value) for found in page.record_sets for row in found.records if row.fields)
    labels.update(map(plain, page.lines))  # what stands alone, too, is said of what follows it
    columns = Counter(_folded(column) for found in page.record_sets for column in set(found.columns))
    told = Counter(
        (plain(row.name), _folded(field.name))
        for found in page.record_sets for row in found.records for field in row.fields if field.name
    )  # fmt: skip
    for records in page.record_sets:
        if records.kind == "table" and not records.nested and _is_regular(page, records) and not _is_calendar(records):
            yield from (fact for fact in _cells(page, records, labels) if not _is_elsewhere(fact, told))
            yield from _extremes(page, records, columns)


def _folded(column: str) -> str:
    """The title of a column without its spaces, which are set as it comes: "定价（￥）", "定价 (￥)"."""
    return plain(column).replace(" ", "")


def _is_elsewhere(fact: Cell | Given, told: Counter[tuple[str, str]]) -> bool:
    """Whether another table of the page has a row and a column of these names: which is meant, a question would not say."""
    return isinstance(fact, Cell) and told[plain(fact.row), _folded(fact.column)] > 1


def _cells(page: HarvestedPage, records: RecordSet, labels: Counter[str]) -> Iterator[Cell | Given]:
    """`labels`: how often each label stands on the page."""
    names = [plain(record.name) for record in records.records]
    columns = {column: Counter(_in_column(records, column)) for column in set(records.columns)}
    labelled = not records.columns and _is_labels_and_values(page, records)
    for record in records.records:
        quote = quote_of(page, record.text, record.name)
        if not records.columns and len(record.fields) == 2:
            label, value = (field.value for field in record.fields)
            if labelled and labels[plain(label)] == 1 and _is_labelled(label, value):
                yield Given(page=page.key, value=value, quote=quote, label=label.rstrip(":： "))
        elif names.count(plain(record.name)) == 1 and is_name(record.name):
            for cell in _row(page, record, quote):
                same = columns.get(cell.column, Counter())
                if len(records.records) < FEWEST_ROWS or same[plain(cell.value)] <= same.total() * MOST_ALIKE:
                    yield cell


def _is_labels_and_values(page: HarvestedPage, records: RecordSet) -> bool:
    """Whether rows of two cells without titles are labels with their values. Two rows of words may as well be two pictures and what is
    written below them."""
    rows = [[field.value.strip() for field in record.fields] for record in records.records]
    if _is_titled(rows):
        return False
    labels = {way.label for way in page.ways}
    told = any(row and (row[0].endswith((":", "：")) or _TELLING.search(row[-1]) or row[-1] in labels) for row in rows)
    return told or len(rows) >= FEWEST_ROWS


def _is_titled(rows: list[list[str]]) -> bool:
    """Whether the first row is the only one in capitals ("FILE | FORMATS"): titles of columns without the markup, under which a name
    alone does not say what is asked of it."""
    capitals = [all(cell.isupper() for cell in row) for row in rows]
    return len(rows) > 1 and capitals[0] and not any(capitals[1:])


def _is_short(value: str) -> bool:
    return (
        len(value.split()) <= MOST_CELL_WORDS
        and not _FOOTNOTE.match(value)
        and not value.endswith((".", "。", ":", ","))
    )


def _is_labelled(label: str, value: str) -> bool:
    """Whether the second of two cells is a value that the first is the label of."""
    fits = is_name(label) and is_answer(value) and len(value.split()) < MOST_VALUE_WORDS
    named = not label.endswith((".", "。")) and bool(_WORD.search(label))
    numbered = _DIGITS.sub("", plain(label)) == _DIGITS.sub("", plain(value))  # "Step 1 | Step 2"
    return fits and named and not numbered and plain(value) not in plain(label)


def _in_column(records: RecordSet, column: str) -> Iterator[str]:
    return (plain(field.value) for record in records.records for field in record.fields if field.name == column)


def _row(page: HarvestedPage, record: Record, quote: str) -> Iterator[Cell]:
    for field in record.fields:
        named = field.name and _WORD.search(field.name) and plain(field.name) != plain(field.value)
        if (
            named
            and field.value != record.name
            and is_answer(field.value)
            and len(field.name) <= 40
            and _is_short(field.value)
        ):
            yield Cell(page=page.key, value=field.value, quote=quote, row=record.name, column=field.name)


def _extremes(page: HarvestedPage, records: RecordSet, everywhere: Counter[str]) -> Iterator[Extreme]:
    """`everywhere`: how many tables of the page have each column."""
    rows = [record for record in records.records if not _SUM.match(record.name)]
    whole = " ".join(record.text for record in records.records)
    if not FEWEST_ROWS < len(rows) <= MOST_ROWS or len(whole) > MOST_TABLE_CHARS or not page.has(whole):
        return
    for column in records.columns[1:]:
        if everywhere[_folded(column)] > 1:
            continue  # of which table the highest value is asked for, a question does not say
        if _NUMBERING.match(column.strip()) or not _WORD.search(column) or records.columns.count(column) > 1:
            continue
        cells = [next((field.value for field in row.fields if field.name == column), "") for row in rows]
        read = [quantity(cell) for cell in cells]
        found = [one for one in read if one is not None]
        if len(found) < len(rows) or len({unit for _, unit in found}) != 1:
            continue
        amounts = [amount for amount, _ in found]
        if all(after - before == 1 for before, after in pairwise(amounts)):
            continue  # the rows are numbered
        for which, best in (("highest", max(amounts)), ("lowest", min(amounts))):
            name = rows[amounts.index(best)].name
            alone = amounts.count(best) == 1 and [row.name for row in rows].count(name) == 1
            if alone and is_answer(name) and is_name(name):
                yield Extreme(page=page.key, value=name, quote=whole, column=column, which=which)  # type: ignore[arg-type]


def _is_regular(page: HarvestedPage, records: RecordSet) -> bool:
    """Whether all rows have as many cells, with no other row between them: a cell over several rows belongs to each of them, and is
    told with the first only."""
    whole = " ".join(record.text for record in records.records)
    return len({len(record.fields) for record in records.records}) == 1 and page.has(whole) and not _is_lists(records)


def _is_lists(records: RecordSet) -> bool:
    """Whether the columns are lists of their own side by side: the first is a shorter one, and empty cells stand at ends only, so
    that a row says nothing of its first cell."""
    rows = [[bool(field.value.strip()) for field in record.fields] for record in records.records]
    columns = list(zip(*rows, strict=True))
    return not all(columns[0]) and all(list(one) == sorted(one, reverse=True) for one in columns)


def _is_calendar(records: RecordSet) -> bool:
    """Whether a table is a calendar month, whose cells make no sensible questions."""
    columns = [plain(column).removeprefix("星期").removeprefix("周")[:3] for column in records.columns]
    return sum(column in _WEEKDAYS for column in columns) >= 6
