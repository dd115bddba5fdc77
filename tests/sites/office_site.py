"""A small site whose facts stand in office, CSV and Markdown files, and files that cannot be read."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from tests.fixtures.office_files import docx, made, paragraph, xlsx
from tests.sites.serving import Answer, Asked, LoopbackSite, serving

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
SLIDES = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
ANY = "application/octet-stream"
OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
LINKS = (
    ("/files/handbook.docx", "Handbook"),
    ("/files/towers.xlsx", "Towers"),
    ("/plan.pptx", "Plan"),
    ("/log.odt", "Log"),
    ("/stations.csv", "Stations"),
    ("/guide.md", "Guide"),
    ("/broken.xlsx", "Broken"),
    ("/letter.doc", "Letter"),
)
FRONT = (
    '<html lang="en"><title>Skerry lighthouses</title><main><h1>Skerry lighthouses</h1><p>The office of Skerry Island looks '
    "after towers, lamps and the people who keep them.</p><ul>"
    + "".join(f"<li><a href='{place}'>{name}</a></li>" for place, name in LINKS)
    + "</ul></main></html>"
)
_ROWS: tuple[tuple[str | int, ...], ...] = (
    ("Tower", "Height", "Lit in", "Keepers"),
    ("Nordby", "41.5 metres", 1887, 4),
    ("Sydby", "18.2 metres", 1912, 2),
    ("Vestby", "22 metres", 1934, 1),
)


def _cell(value: str | int) -> str:
    return f"<c><v>{value}</v></c>" if isinstance(value, int) else f'<c t="inlineStr"><is><t>{value}</t></is></c>'


TOWERS = xlsx("<sheetData>" + "".join("<row>" + "".join(map(_cell, row)) + "</row>" for row in _ROWS) + "</sheetData>")
HANDBOOK = docx(
    paragraph("The rules of the towers, for those who keep them.")
    + paragraph("The lens of Nordby was ground by Ingrid Moe in 1889 and weighs 212 kilograms.")
    + "<w:p><w:r><w:t>More stands on </w:t></w:r>"
    + "<w:hyperlink r:id='a'><w:r><w:t>the page of the fleet</w:t></w:r></w:hyperlink></w:p>",
    links=(("a", "/fleet.html"),),
)
_ANSWERS = {
    "/": Answer(FRONT),
    "/fleet.html": Answer(
        "<html lang='en'><title>Fleet</title><main><h1>The fleet</h1><p>Two boats belong to the towers.</p></main></html>"
    ),
    "/files/handbook.docx": Answer(HANDBOOK, kind=WORD),
    "/files/towers.xlsx": Answer(TOWERS, kind=ANY),
    "/plan.pptx": Answer(made("plan.pptx"), kind=SLIDES),
    "/log.odt": Answer(made("log.odt"), kind="application/vnd.oasis.opendocument.text"),
    "/stations.csv": Answer("Station;Depth;Opened\nNesset;12,5;1987-03-01\n", kind="text/csv; charset=utf-8"),
    "/guide.md": Answer(
        "# Guide\n\nBring **boots**.\n\n| Walk | Hours |\n|---|---|\n| North | 3 |\n", kind="text/plain"
    ),
    "/broken.xlsx": Answer(made("budget.xlsx")[:3000], kind=EXCEL),
    "/letter.doc": Answer(OLD, kind="application/msword"),
    "/get?id=1": Answer(
        made("budget.xlsx"), kind=ANY, headers=(("Content-Disposition", 'attachment; filename="budget.xlsx"'),)
    ),
    "/named.docx": Answer(TOWERS, kind=WORD),
    "/data.zip": Answer(made("budget.xlsx"), kind="application/zip"),
    "/wrong.docx": Answer("<h1>Sign in</h1>", kind=ANY),
}


def _answer(asked: Asked) -> Answer | None:
    return _ANSWERS.get(asked.target)


@contextlib.contextmanager
def serve_office() -> Iterator[LoopbackSite]:
    """The site, while the block lasts."""
    with serving(LoopbackSite(_answer)) as site:
        yield site
