"""An OpenDocument presentation (.odp) to a document: a section for each slide, with its title, texts, tables and notes."""

from __future__ import annotations

from walker.office.odf import DRAW, SHOW, STYLE, content_of, title_and_language
from walker.office.odt_reading import TextReader
from walker.office.parts.limits import SLIDES_AT_MOST, BlockLimit
from walker.office.parts.office_document import Block, OfficeDocument, Section, Span
from walker.office.parts.package import Element, Package
from walker.office.sheets.sheet_sections import counted

_UNTOLD = ("date-time", "footer", "page-number", "header")


def read_odp(package: Package) -> OfficeDocument:
    """The document. Raises `Unreadable`."""
    root, body = content_of(package)
    hidden_styles = {
        style.get(f"{STYLE}name", "")
        for style in root.iter(f"{STYLE}style")
        for properties in style.iterfind(f"{STYLE}drawing-page-properties")
        if properties.get(f"{SHOW}visibility") == "hidden"
    }
    limit = BlockLimit(package.deadline)
    sections: list[Section] = []
    hidden = further = 0
    for number, page in enumerate(body.iterfind(f"{DRAW}page"), start=1):
        if page.get(f"{DRAW}style-name", "") in hidden_styles:
            hidden += 1
        elif len(sections) >= SLIDES_AT_MOST or limit.is_reached:
            further += 1
        else:
            sections.append(_section(root, page, number, limit))
    title, language = title_and_language(package)
    left_out = (
        counted(hidden, "hidden slide is left out", "hidden slides are left out"),
        counted(further, "further slide is not shown", "further slides are not shown"),
    )
    return OfficeDocument(
        title=title, language=language, sections=tuple(sections), left_out=tuple(line for line in left_out if line)
    )


def _section(root: Element, page: Element, number: int, limit: BlockLimit) -> Section:
    reader = TextReader(root, limit)
    title = ""
    blocks: list[Block] = []
    for element in page:
        kind = element.get(f"{SHOW}class", "")
        if element.tag == f"{SHOW}notes" or kind in _UNTOLD:
            continue
        inner = list(reader.blocks([element]))
        if kind == "title" and not title:
            title = " ".join(" ".join(block.text for block in inner).split())
        else:
            blocks += inner
    notes = page.find(f"{SHOW}notes")
    frames = [one for one in notes if one.get(f"{SHOW}class") == "notes"] if notes is not None else []
    for place, block in enumerate(reader.blocks(frames)):
        blocks.append(Block(kind="aside", spans=(Span("Notes: "), *block.spans) if place == 0 else block.spans))
    return Section(
        anchor=f"slide={number}", title=f"Slide {number}: {title}" if title else f"Slide {number}", blocks=tuple(blocks)
    )
