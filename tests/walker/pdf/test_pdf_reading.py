from __future__ import annotations

import pytest

from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Snapshot
from tests.fixtures.pdf_files import Sheet, Text, pdf_file, typed
from tests.sites.pdf_site import REPORT
from walker.pdf.pdf_document import PdfBlock, PdfDocument, PdfLink, PdfPage
from walker.pdf.pdf_html import page_of
from walker.pdf.pdf_process import read_document_apart
from walker.pdf.pdf_reading import read_document

URL = "http://a.example/files/report.pdf"


def texts(page: PdfPage) -> list[str]:
    return [f"{block.kind}: {block.text or ' | '.join(block.cells)}" for block in page.blocks]


def observed(data: bytes) -> Observation:
    html = page_of(read_document(data), URL)
    return observe(Snapshot(url=URL, final_url=URL, status=200, html=html))


def test_a_page_is_headings_paragraphs_and_rows() -> None:
    document = read_document(REPORT)
    assert (document.title, document.language, document.pages_in_all) == ("Harbour report 2021", "en", 3)
    assert texts(document.pages[1]) == [
        "heading: The fleet",
        "paragraph: The ferry Halcyon was launched in 1987 and carries 212 passengers on each crossing to the island.",
        "paragraph: More about her stands on the page of the fleet.",
        "row: Boat | Length",
        "row: Halcyon | 41.5 metres",
        "row: Petrel | 18.2 metres",
    ]


def test_links_are_those_of_the_web_and_stand_in_their_text() -> None:
    (link,) = read_document(REPORT).pages[1].links
    assert link.url == "/fleet.html"
    page = observed(REPORT)
    assert [one.url for one in page.links] == ["http://a.example/fleet.html"]


def test_every_page_is_a_section_that_an_address_leads_to() -> None:
    page = observed(REPORT)
    assert [block.text for block in page.blocks if block.level == 2] == ["Page 1", "Page 2", "Page 3"]
    (ferry,) = [block for block in page.blocks if "Halcyon was launched" in block.text]
    assert (ferry.anchor, ferry.headings) == ("page=2", ("Harbour report 2021", "Page 2", "The fleet"))
    assert page.language == "en"
    assert "table" in [records.kind for records in page.record_sets]


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        (("It has well-", "known parts"), "It has wellknown parts"),
        (("A well-known sea and a well-", "known shore"), "A well-known sea and a well-known shore"),
        (("The Nord-", "Ost Passage"), "The Nord-Ost Passage"),
    ],
)
def test_words_that_a_line_divides(lines: tuple[str, ...], joined: str) -> None:
    (page,) = read_document(pdf_file(typed("\n".join(lines)))).pages
    assert texts(page) == [f"paragraph: {joined}"]


def test_pieces_at_one_height_are_one_line_and_list_marks_belong_to_their_text() -> None:
    sheet = Sheet(
        lines=(
            Text("The depth of", 50),
            Text("the basin is 9 m.", 50, x=105),
            Text("\u2022", 80),
            Text("Moorings for large boats", 80, x=75),
            Text("1. Rules of the harbour and of its two quays.", 110),
        )
    )
    (page,) = read_document(pdf_file(sheet)).pages
    assert texts(page) == [
        "paragraph: The depth of the basin is 9 m.",
        "item: Moorings for large boats",
        "paragraph: 1. Rules of the harbour and of its two quays.",
    ]


def test_wide_leading_does_not_tear_a_paragraph_apart() -> None:
    lines = [f"Line {number} of a paragraph that is set with a lot of space between" for number in range(5)]
    sheet = Sheet(lines=tuple(Text(line, 50 + 22 * number) for number, line in enumerate(lines)))
    (page,) = read_document(pdf_file(sheet)).pages
    assert texts(page) == [f"paragraph: {' '.join(lines)}"]


@pytest.mark.parametrize(
    ("stated", "title"),
    [("Harbour", "Harbour"), ("Microsoft Word - Harbour rules", "Harbour rules"), ("x1.indd", ""), ("Untitled", "")],
)
def test_a_title_that_only_names_the_source_file_is_none(stated: str, title: str) -> None:
    document = read_document(pdf_file(typed("Text."), title=stated))
    assert document.title == title
    assert f"<title>{title or 'report.pdf'}</title>" in page_of(document, URL)


def test_what_is_left_out_is_said() -> None:
    data = pdf_file(*(typed(f"The text of sheet {number}.") for number in range(5)))
    document = read_document(data, most_pages=2)
    assert (len(document.pages), document.pages_in_all) == (2, 5)
    assert "This file has 5 pages; only pages 1-2 are shown" in page_of(document, URL)
    hasty = read_document(data, seconds=-1)
    assert (hasty.pages, hasty.problem) == ((), "the time for one file was over")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"%PDF-1.4\nnothing of a file\n%%EOF", "damaged"),
        (REPORT[:200], "damaged"),
        (pdf_file(typed("A secret."), password="x"), "password"),
        (pdf_file(), "no pages"),
    ],
)
def test_a_file_that_cannot_be_read_names_the_reason(data: bytes, problem: str) -> None:
    document = read_document(data)
    assert problem in document.problem
    assert document.pages == ()


def test_a_scan_is_handed_on_as_a_picture() -> None:
    scan = b"\xff\xd8\xff\xe0" + bytes(200)
    sheets = [Sheet(jpeg=scan, jpeg_size=(8, 8)) for _ in range(5)]
    document = read_document(pdf_file(*sheets))
    assert [page.picture for page in document.pages] == [scan, scan, scan, b"", b""]
    html = page_of(document, URL)
    assert "This PDF has no text layer" in html
    assert html.count('<img src="data:image/jpeg;base64,') == 3


def test_text_cannot_become_markup() -> None:
    hostile = '<script>alert(1)</script><img src=x onerror="alert(2)">'
    document = PdfDocument(
        title=hostile,
        language='en" onload="x',
        pages=(
            PdfPage(
                blocks=(PdfBlock(kind="paragraph", text=hostile), PdfBlock(kind="row", cells=(hostile, hostile))),
                links=(PdfLink(url='/x" onclick="y', label="<b>"), PdfLink(url="/z", label="alert")),
            ),
        ),
        pages_in_all=2,
        cut=hostile,
    )
    html = page_of(document, "http://a.example/%3Cscript%3E")
    for written in ("<script", "<img", ' onload="', ' onclick="', "<b>"):
        assert written not in html


async def test_a_file_is_read_in_a_process_of_its_own() -> None:
    assert await read_document_apart(REPORT, seconds=60) == read_document(REPORT)


async def test_a_file_that_takes_too_long() -> None:
    slow = await read_document_apart(REPORT, seconds=-4.99)
    assert "could not be read within" in slow.problem
