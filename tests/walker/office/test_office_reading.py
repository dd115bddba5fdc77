"""Files that libraries of others have made, and parts of Word files that they do not make."""

from __future__ import annotations

import pytest

from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Snapshot
from tests.fixtures.office_files import docx, made, packed, paragraph, relations
from walker.office.office_html import page_of
from walker.office.office_process import read_office_apart
from walker.office.office_reading import read_office
from walker.office.parts.office_document import Block, OfficeDocument, Section

URL = "http://a.example/files/x.docx"


def shown(block: Block) -> str:
    """A block as one line: links as text(url)."""
    if block.kind == "table":
        rows = [" | ".join(f"*{cell.text}" if cell.is_head else cell.text for cell in row) for row in block.rows]
        return "table: " + " / ".join(rows)
    text = "".join(f"{span.text}({span.url})" if span.url else span.text for span in block.spans)
    mark = f" {block.number}" if block.number else ""
    return f"{block.kind}{mark}: {text}"


def lines(section: Section) -> list[str]:
    return [shown(block) for block in section.blocks]


def document(name: str) -> OfficeDocument:
    read = read_office("office", made(name))
    assert read.problem == ""
    return read


def body(data: bytes) -> list[str]:
    read = read_office("office", data)
    assert read.problem == ""
    return [line for section in read.sections for line in lines(section)]


def observed(document: OfficeDocument) -> Observation:
    return observe(Snapshot(url=URL, final_url=URL, status=200, html=page_of(document, URL)))


def test_a_word_file_is_headings_paragraphs_lists_tables_links_and_pictures() -> None:
    read = document("handbook.docx")
    assert (read.title, read.language, read.left_out) == ("Handbook of the Skerry lighthouse", "en", ())
    (section,) = read.sections
    assert lines(section) == [
        "heading: Duties of the keeper",
        "paragraph: The lamp is lit at dusk. The wick is trimmed every four hours by the keeper on watch.",
        "item: Wind the clockwork",
        "item: Clean the lens",
        "item: Write the log",
        "item 1: Raise the flag",
        "item 2: Call the harbour",
        "heading: The towers",
        "table: *Tower | *Height | *Built / Nordby | 41.5 m | 1887 / Sydby | 18.2 m | 1912",
        "table: Both / left | right",
        "paragraph: More stands on the page of the fleet(/fleet.html)",
        "picture: A white tower on a red rock",
    ]
    assert [cell.wide for cell in section.blocks[9].rows[0]] == [2]
    page = observed(read)
    assert [link.url for link in page.links] == ["http://a.example/fleet.html"]
    (tower,) = [block for block in page.blocks if block.text == "Nordby | 41.5 m | 1887"]
    assert tower.headings == ("Handbook of the Skerry lighthouse", "Duties of the keeper", "The towers")


def test_a_workbook_is_its_values_as_they_are_shown_without_what_is_hidden() -> None:
    read = document("budget.xlsx")
    assert read.left_out == ("1 hidden sheet is left out.",)
    (section,) = read.sections
    assert (section.anchor, section.title) == ("sheet=Budget%202025", "Sheet: Budget 2025")
    assert section.left_out == ("1 hidden row is left out.", "1 formula has no stored value.")
    assert lines(section) == [
        "heading: Budget of the Skerry lighthouse",
        (
            "table: *Item | *Cost | *Share | *Paid on / Fresnel lens | 12,500.50 kr | 25.0% | 14 Mar 2025"
            " / Paint | 980.00 kr | 2.0% | 14 Mar 2025 / Total |  |  | "
        ),
        "paragraph: All costs are in crowns.",
    ]
    page = observed(read)
    assert {block.anchor for block in page.blocks[2:]} == {"sheet=Budget%202025"}
    assert [link.url for link in page.links] == ["https://lenses.example/fresnel"]
    (records,) = [one for one in page.record_sets if one.kind == "table"]
    assert records.columns == ("Item", "Cost", "Share", "Paid on")


def test_a_table_that_a_workbook_declares_has_its_head_and_formulas_their_stored_value() -> None:
    (section,) = document("stations.xlsx").sections
    assert section.anchor == "sheet=Stations%20%26%20depths"
    assert section.left_out == ("1 hidden column is left out.",)
    assert lines(section) == [
        "table: *Station | *Depth in metres | *Opened | *Manned / Nordby | 12.5 | 2025-03-14 | TRUE / Sydby | 8 | 2025-03-14 | FALSE",
        "table: 20.5 / The harbour",
    ]


def test_slides_are_sections_with_their_notes() -> None:
    read = document("plan.pptx")
    assert (read.title, read.left_out) == ("Plan of the year", ("1 hidden slide is left out.",))
    first, second = read.sections
    assert (first.anchor, first.title) == ("slide=1", "Slide 1: What we have")
    assert lines(first) == ["item: Two towers", "item: One boat"]
    assert lines(second) == [
        "item: A lens from Lund & Co",
        "table: *Part | *Price / Lens | 12,500 kr",
        "aside: Notes: The lens is ordered by Ada in May.",
    ]


def test_an_open_document_text_has_notes_links_and_lists() -> None:
    read = document("log.odt")
    assert read.title == "Log of the tower"
    text, notes = read.sections
    assert lines(text) == [
        "heading: May",
        "paragraph: The lamp failed on 3 May[1], as the harbour wrote(https://harbour.example/log)",
        "item: oil",
        "item: wick",
        "picture: A broken lamp",
    ]
    assert lines(notes) == ["paragraph: [1] It was mended by Ben the same night."]


def test_open_document_sheets_and_slides() -> None:
    tides = document("tides.ods")
    assert tides.left_out == ("1 hidden sheet is left out.",)
    (section,) = tides.sections
    assert (section.anchor, lines(section)) == (
        "sheet=Tides",
        ["table: *Day | *High / Monday | 4.10 m / Tuesday | 4.32 m"],
    )
    (slide,) = document("storms.odp").sections
    assert slide.title == "Slide 1: Storms of the year"
    assert lines(slide) == ["paragraph: Eleven storms, the worst in October", "aside: Notes: Mention the boat."]


STYLES = """<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/>
<w:pPr><w:numPr><w:numId w:val="5"/></w:numPr></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/>
<w:basedOn w:val="berschrift1"/><w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Verzeichnis1"><w:name w:val="toc 1"/></w:style>"""
NUMBERING = """<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>
<w:lvlText w:val="%1"/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId="2"><w:lvl w:ilvl="0"><w:numFmt w:val="lowerRoman"/><w:lvlText w:val="(%1)"/></w:lvl></w:abstractNum>
<w:num w:numId="5"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="6"><w:abstractNumId w:val="2"/>
<w:lvlOverride w:ilvl="0"><w:startOverride w:val="3"/></w:lvlOverride></w:num>"""


def styled(text: str, style: str) -> str:
    return paragraph(text, f'<w:pStyle w:val="{style}"/>')


def test_headings_and_items_have_the_numbers_that_word_shows() -> None:
    given = (
        styled("Scope", "berschrift1")
        + styled("Boats", "berschrift2")
        + styled("Crews", "berschrift2")
        + styled("Costs", "berschrift1")
        + styled("Costs ........ 4", "Verzeichnis1")
        + paragraph("of lamps", '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="6"/></w:numPr>')
        + paragraph("of oil", '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="6"/></w:numPr>')
    )
    assert body(docx(given, styles=STYLES, numbering=NUMBERING)) == [
        "heading: 1 Scope",
        "heading: 1.1 Boats",
        "heading: 1.2 Crews",
        "heading: 2 Costs",
        "item: (iii) of lamps",
        "item: (iv) of oil",
    ]


def test_footnotes_stand_at_the_end_and_tracked_text_as_it_is_now() -> None:
    given = (
        "<w:p><w:r><w:t>It burned oil</w:t></w:r><w:r><w:footnoteReference w:id='7'/></w:r>"
        "<w:del><w:r><w:delText>, and wood</w:delText></w:r></w:del><w:ins><w:r><w:t> only</w:t></w:r></w:ins>"
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r></w:p>"
    )
    note = f"<w:footnote w:id='7'>{paragraph('Of whales.')}</w:footnote>"
    assert body(docx(given, footnotes=note)) == ["paragraph: It burned oil[1] only", "paragraph: [1] Of whales."]


def test_links_of_fields_and_relationships_lead_to_the_web_only() -> None:
    field = (
        "<w:p><w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText> HYPERLINK \"https://b.example/x\" </w:instrText></w:r>"
        "<w:r><w:fldChar w:fldCharType='separate'/></w:r><w:r><w:t>there</w:t></w:r><w:r><w:fldChar w:fldCharType='end'/></w:r></w:p>"
    )
    related = "".join(
        f"<w:p><w:hyperlink r:id='{key}'><w:r><w:t>{key}</w:t></w:r></w:hyperlink></w:p>" for key in "abc"
    )
    links = (("a", "https://b.example/a"), ("b", "javascript:alert(1)"), ("c", "file:///etc/passwd"))
    assert body(docx(field + related, links=links)) == [
        "paragraph: there(https://b.example/x)",
        "paragraph: a(https://b.example/a)",
        "paragraph: b",
        "paragraph: c",
    ]


def test_cells_that_are_merged_downwards_are_one() -> None:
    def cell(text: str, properties: str) -> str:
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(text)}</w:tc>"

    begins = "<w:vMerge w:val='restart'/>"
    rows = (
        f"<w:tr>{cell('North', begins)}{cell('Nordby', '')}</w:tr>"
        f"<w:tr>{cell('', '<w:vMerge/>')}{cell('Nesset', '')}</w:tr>"
    )
    read = read_office("office", docx(f"<w:tbl>{rows}</w:tbl>"))
    (table,) = read.sections[0].blocks
    assert [[(one.text, one.high) for one in row] for row in table.rows] == [
        [("North", 2), ("Nordby", 1)],
        [("Nesset", 1)],
    ]


def test_charts_of_slides_are_counted() -> None:
    names = (
        'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
        'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
        'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    )
    chart = '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"/></a:graphic>'
    parts = {
        "_rels/.rels": relations(("m", "officeDocument", "ppt/presentation.xml")),
        "ppt/presentation.xml": f'<p:presentation {names}><p:sldIdLst><p:sldId id="1" r:id="s"/></p:sldIdLst></p:presentation>',
        "ppt/_rels/presentation.xml.rels": relations(("s", "slide", "slides/slide1.xml")),
        "ppt/slides/slide1.xml": f"<p:sld {names}><p:cSld><p:spTree><p:graphicFrame>{chart}</p:graphicFrame></p:spTree></p:cSld>"
        "</p:sld>",
    }
    (slide,) = read_office("office", packed(parts)).sections
    assert (slide.title, slide.left_out) == ("Slide 1", ("1 chart or diagram is left out.",))


def test_the_strict_form_of_office_files_is_read() -> None:
    data = docx(paragraph("Plain text."))
    strict = data.replace(b"", b"")
    assert body(strict) == ["paragraph: Plain text."]
    parts = {
        "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" '
        'Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/document.xml": '<w:document xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"><w:body>'
        f"{paragraph('Strict text.')}</w:body></w:document>",
    }
    assert body(packed(parts)) == ["paragraph: Strict text."]


def test_what_a_file_says_is_escaped() -> None:
    html = page_of(read_office("office", docx(paragraph("&lt;script&gt;alert(1)&lt;/script&gt;"))), URL)
    assert "<script" not in html
    assert "&lt;script&gt;alert(1)" in html


def test_a_file_without_text_says_so() -> None:
    assert "<p>This file has no text.</p>" in page_of(read_office("office", docx("")), URL)


@pytest.mark.parametrize("name", ["handbook.docx", "budget.xlsx", "plan.pptx", "log.odt", "tides.ods", "storms.odp"])
async def test_a_file_is_read_in_a_process_of_its_own(name: str) -> None:
    assert await read_office_apart("office", made(name), "", seconds=60) == document(name)
