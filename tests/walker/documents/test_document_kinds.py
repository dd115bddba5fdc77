from __future__ import annotations

import pytest

from walker.documents.document_kinds import document_kind
from walker.documents.document_opening import MOST_BYTES, NoDocument, document_as_page
from walker.rules.scope import DOCUMENT_ENDINGS, FILE_ENDING

KIND = "content-type"
URL = "http://a.example/x"
UNNAMED = "application/octet-stream"
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def reader_of(url: str, media: str, *, status: int = 200, name: str = "") -> str | None:
    kind = document_kind(status, url, {KIND: media, "content-disposition": name})
    return kind.reader if kind is not None else None


def test_which_responses_are_pdf() -> None:
    assert reader_of(URL, "Application/PDF; charset=binary") == "pdf"
    assert reader_of(URL, "application/pdf", status=404) == "pdf"
    assert reader_of("http://a.example/x.PDF?y", UNNAMED) == "pdf"
    assert reader_of(URL, UNNAMED, name='attachment; filename="a.pdf"; size=3') == "pdf"
    assert reader_of(URL, UNNAMED) is None
    assert reader_of("http://a.example/x.pdf", "text/html") is None
    assert reader_of("http://a.example/x.pdf", "application/pdf", status=302) is None
    assert reader_of("http://a.example/x.pdf", "application/pdf", status=204) is None


@pytest.mark.parametrize(
    ("path", "media", "reader"),
    [
        ("x", WORD, "office"),
        ("x.xlsx", UNNAMED, "office"),
        ("x.XLSX", "application/vnd.ms-excel", "office"),
        ("x.csv", "application/vnd.ms-excel", "csv"),
        ("x.odt", "application/zip", "office"),
        ("x.zip", "application/zip", None),
        ("x.docx", "text/html", None),
        ("x", "text/csv; charset=iso-8859-1", "csv"),
        ("x.csv", "text/plain", "csv"),
        ("x.md", "text/plain; charset=utf-8", "markdown"),
        ("x.txt", "text/plain", None),
        ("x", "text/markdown", "markdown"),
        ("x.tsv", "text/tab-separated-values", "tsv"),
        ("x", "application/msword", ""),
        ("x.xls", "application/vnd.ms-excel", ""),
        ("x.xlsb", UNNAMED, ""),
        ("x.json", "application/json", None),
    ],
)
def test_which_responses_are_other_files(path: str, media: str, reader: str | None) -> None:
    assert reader_of(f"http://a.example/{path}", media) == reader


def test_the_name_that_the_server_gives_counts_before_that_of_the_address() -> None:
    assert reader_of("http://a.example/get.csv", UNNAMED, name="attachment; filename*=UTF-8''b%C3%BC.docx") == "office"
    assert reader_of("http://a.example/get", UNNAMED, name="attachment; filename=data.csv") == "csv"


def test_every_file_that_a_walk_opens_by_its_ending_has_a_reader() -> None:
    for ending in DOCUMENT_ENDINGS:
        assert FILE_ENDING.search(f"/x{ending}"), ending
        assert reader_of(f"http://a.example/x{ending}", UNNAMED), ending


async def message(path: str, media: str, data: bytes) -> str:
    kind = document_kind(200, f"http://a.example/{path}", {KIND: media})
    assert kind is not None
    made = await document_as_page(kind, data, URL, seconds=30)
    assert isinstance(made, NoDocument), made
    assert "\n" not in made.message
    return made.message


async def test_files_that_give_no_page_say_why() -> None:
    assert "a PDF of more than 20 MB" in await message("x.pdf", UNNAMED, b"%PDF-" + b" " * MOST_BYTES)
    assert "called a PDF, and is none" in await message("x.pdf", UNNAMED, b"<html>")
    old = await message("x.doc", "application/msword", b"\xd0\xcf\x11\xe0")
    assert old == "it is a Word file of the old binary form (.doc), which is not read"
    assert "an Excel file that cannot be read: it is empty" in await message("x.xlsx", UNNAMED, b"")
    assert "no Word, Excel" in await message("x.docx", UNNAMED, b"<html>sign in</html>")
