"""CSV and Markdown files."""

from __future__ import annotations

import pytest

from tests.walker.office.test_office_reading import lines
from walker.office.office_reading import read_office
from walker.office.parts.limits import ROWS_A_SHEET


def table(text: str | bytes, kind: str = "csv", content_type: str = "") -> list[str]:
    read = read_office(kind, text.encode() if isinstance(text, str) else text, content_type)
    assert read.problem == ""
    return lines(read.sections[0])


@pytest.mark.parametrize(
    "text",
    [
        "Station,Depth\nNordby,12.5\nSydby,8\n",
        "Station;Depth\r\nNordby;12.5\r\nSydby;8\r\n",
        "Station\tDepth\nNordby\t12.5\nSydby\t8\n",
        "sep=|\nStation|Depth\nNordby|12.5\nSydby|8\n",
        '\ufeff"Station","Depth"\n"Nordby","12.5"\n"Sydby","8"',
    ],
)
def test_what_stands_between_values_is_found(text: str) -> None:
    assert table(text) == ["table: *Station | *Depth / Nordby | 12.5 / Sydby | 8"]


def test_numbers_with_commas_and_lines_within_values_stay_whole() -> None:
    assert table('Station;Depth;Note\nNordby;12,5;"deep,\nand cold"\n') == [
        "table: *Station | *Depth | *Note / Nordby | 12,5 | deep,\nand cold"
    ]


def test_the_encoding_is_that_of_the_header_else_the_likeliest() -> None:
    data = "Ort,Höhe\nÅlesund,3\n".encode("latin-1")
    assert table(data, content_type="text/csv; charset=iso-8859-1") == ["table: *Ort | *Höhe / Ålesund | 3"]
    assert table("Ort,Höhe\nÅlesund,3\n") == ["table: *Ort | *Höhe / Ålesund | 3"]


def test_a_first_row_with_numbers_is_no_head() -> None:
    assert table("1,2\n3,4\n") == ["table: 1 | 2 / 3 | 4"]


def test_rows_beyond_the_limit_are_counted() -> None:
    text = "Number\n" + "".join(f"{number}\n" for number in range(ROWS_A_SHEET + 50))
    (section,) = read_office("csv", text.encode()).sections
    assert section.left_out == (
        f"This file has {ROWS_A_SHEET + 51} rows; only those up to row {ROWS_A_SHEET} are shown.",
    )


def test_what_is_no_text_is_no_table() -> None:
    assert read_office("csv", b"PK\x03\x04\0\0\0").problem == "it is no text"
    assert read_office("csv", b"\n\n").problem == "it is empty"


MARKDOWN = """---
title: Guide to the towers
---
# Guide to the towers

See [the fleet](/fleet.html) and [this](javascript:alert(1)).<br>New <b>line</b>.

3. third
4. fourth
   - below it

| Tower | Height |
|---|---|
| Nordby | 41.5 m |

> Quoted.

```
x < 1
```

![A white tower](tower.png)
"""


def test_markdown_is_blocks() -> None:
    read = read_office("markdown", MARKDOWN.encode())
    assert (read.title, read.problem) == ("Guide to the towers", "")
    assert lines(read.sections[0]) == [
        "paragraph: See the fleet(/fleet.html) and [this](javascript:alert(1)).\nNew line.",
        "item 3: third",
        "item 4: fourth",
        "item: below it",
        "table: *Tower | *Height / Nordby | 41.5 m",
        "paragraph: Quoted.",
        "code: x < 1",
        "picture: A white tower",
    ]
