"""Files that mean harm, or are broken: each is one line, soon."""

from __future__ import annotations

import io
import random
import time
import zipfile

import pytest

from tests.fixtures.office_files import docx, made, packed, paragraph, relations, xlsx
from walker.office.office_process import read_office_apart
from walker.office.office_reading import read_office
from walker.office.parts.limits import CELL_CHARS, CELLS_AT_MOST, CHARS_AT_MOST, COLUMNS_AT_MOST, ROWS_A_SHEET
from walker.office.parts.package import PARTS_AT_MOST

ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'


def with_part(name: str, data: str | bytes) -> bytes:
    """A Word file whose main part is this."""
    return packed({"_rels/.rels": relations(("main", "officeDocument", name)), name: data})


def locked() -> bytes:
    """A file of which a part is marked as encrypted."""
    data = bytearray(docx(paragraph("A secret.")))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(mark)
        while at >= 0:
            data[at + place] |= 1
            at = data.find(mark, at + 4)
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "empty"),
        (b"\0\0 \n", "empty"),
        (b"<html>Sign in</html>", "no Word, Excel"),
        (made("handbook.docx")[:5000], "damaged"),
        (packed({"readme.txt": "hello"}), "holds no document"),
        (with_part("word/document.xml", "<html/>"), "no Word, Excel"),
        (with_part("word/document.xml", "<w:document"), "damaged"),
        (with_part("word/document.xml", f"{ENTITIES}<w:document>&b;&f;</w:document>"), "declares a document type"),
        (
            with_part("word/document.xml", f"{ENTITIES}<w:document>&b;</w:document>".encode("utf-16")),
            "declares a document type",
        ),
        (with_part("xl/workbook.bin", b"\x83\x01"), "binary form (.xlsb)"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "old binary form"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "password"),
        (locked(), "password"),
        (
            packed(
                {"mimetype": "application/vnd.oasis.opendocument.text", "META-INF/manifest.xml": "<m:encryption-data/>"}
            ),
            "password",
        ),
        (packed({f"{number}": "" for number in range(PARTS_AT_MOST + 1)}), "more than 5000 parts"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_line(data: bytes, problem: str) -> None:
    read = read_office("office", data)
    assert problem in read.problem
    assert "\n" not in read.problem
    assert read.sections == ()


def test_a_bomb_is_left_while_it_is_unpacked() -> None:
    data = with_part("word/document.xml", b" " * 60_000_000)
    assert len(data) < 100_000
    assert "more than 400 times its size" in read_office("office", data).problem


def test_what_is_unpacked_is_counted_and_not_believed() -> None:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_rels/.rels", relations(("main", "officeDocument", "word/document.xml")))
        archive.writestr("word/document.xml", random.Random(1).randbytes(200_000) * 2 + b" " * 30_000_000)
    data = bytearray(kept.getvalue())
    at = data.rfind(b"PK\x01\x02")
    data[at + 24 : at + 28] = (100).to_bytes(4, "little")  # the size that the archive states
    assert read_office("office", bytes(data)).problem.startswith("it ")


def test_deep_elements_are_no_endless_recursion() -> None:
    deep = "<w:sdt><w:sdtContent>" * 3000 + "</w:sdtContent></w:sdt>" * 3000
    assert "damaged" in read_office("office", docx(deep)).problem


def test_a_text_that_every_cell_repeats_is_cut() -> None:
    row = "".join(f'<c r="{letter}{{0}}" t="s"><v>0</v></c>' for letter in "ABCDEFGHIJ")
    rows = "".join(f'<row r="{number}">{row.format(number)}</row>' for number in range(1, 2001))
    read = read_office("office", xlsx(f"<sheetData>{rows}</sheetData>", texts=("y" * 1_000_000,)))
    (section,) = read.sections
    shown = sum(len(cell.text) for block in section.blocks for row in block.rows for cell in row)
    assert shown <= CHARS_AT_MOST + 10 * (CELL_CHARS + 1)
    assert "This sheet has 2000 rows; only those up to row" in section.left_out[0]


def test_rows_and_columns_beyond_the_limits_are_counted() -> None:
    rows = "".join(
        f'<row r="{number}"><c r="A{number}"><v>{number}</v></c></row>' for number in range(1, ROWS_A_SHEET + 501)
    )
    wide = '<row r="10501"><c r="A10501"><v>1</v></c><c r="ZZ10501"><v>1</v></c></row>'
    read = read_office("office", xlsx(f"<sheetData>{rows}{wide}</sheetData>"))
    assert read.sections[0].left_out == (
        f"This sheet has {ROWS_A_SHEET + 501} rows; only those up to row {ROWS_A_SHEET} are shown.",
    )
    first = read_office("office", xlsx(f"<sheetData>{wide}</sheetData>"))
    assert first.sections[0].left_out == (f"1 column beyond the first {COLUMNS_AT_MOST} is left out.",)
    assert CELLS_AT_MOST >= ROWS_A_SHEET


def test_merged_cells_of_a_whole_sheet_cost_little() -> None:
    merged = "".join(f'<mergeCell ref="A{number}:XFD1048576"/>' for number in range(1, 5000))
    rows = '<row r="1"><c r="A1"><v>1</v></c></row><row r="9000"><c r="A9000"><v>1</v></c></row>'
    data = xlsx(f"<sheetData>{rows}</sheetData><mergeCells>{merged}</mergeCells>")
    began = time.process_time()
    assert read_office("office", data).problem == ""
    assert time.process_time() - began < 5


def test_cells_that_say_nothing_sensible_are_shown_as_they_are() -> None:
    cells = (
        '<c r="A1" t="s"><v>99</v></c><c r="B1"><v>x</v></c><c r="C1" s="77"><v>5</v></c><c r="D1"><v>1e9999</v></c>'
        '<c r="E1" t="e"><v>#N/A</v></c>'
    )
    read = read_office("office", xlsx(f'<sheetData><row r="0">{cells}</row></sheetData>'))
    assert read.problem == ""
    ((row,),) = [block.rows for block in read.sections[0].blocks]
    assert [cell.text for cell in row] == ["x", "5", "1e9999", "#N/A"]


def test_the_time_for_a_file_ends_its_reading() -> None:
    sheet = read_office("office", xlsx('<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>'), seconds=0)
    assert (sheet.sections, sheet.left_out) == ((), ("1 further sheet is not shown.",))
    text = read_office("office", docx(paragraph("One.") + paragraph("Two.")), seconds=0)
    assert [block.text for block in text.sections[0].blocks] == ["One."]
    assert text.left_out == ("The file is longer: only its first 1 paragraphs are shown.",)


def test_damage_at_any_byte_is_told() -> None:
    chance = random.Random(7)
    for name in ("handbook.docx", "budget.xlsx", "plan.pptx", "log.odt", "tides.ods", "storms.odp"):
        whole = made(name)
        for _ in range(30):
            data = bytearray(whole)
            for _ in range(chance.randrange(1, 20)):
                data[chance.randrange(len(data))] = chance.randrange(256)
            read = read_office("office", bytes(data[: chance.randrange(len(data))] if chance.random() < 0.3 else data))
            assert read.problem or read.sections


async def test_a_process_that_ends_is_one_line() -> None:
    read = await read_office_apart("no such kind", b"x", "", seconds=5)
    assert read.problem.startswith("it ")
