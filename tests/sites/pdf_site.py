"""A small site whose facts stand in PDF files, and files that cannot be read."""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Iterator

from tests.fixtures.pdf_files import Sheet, Text, pdf_file, typed
from tests.sites.serving import Answer, Asked, LoopbackSite, moved, serving

PDF = "application/pdf"
REPORT = pdf_file(
    typed(
        "This report tells what the harbour office of Skerry\nIsland did in the year 2021, and what it costs.",
        heading="Annual report of the harbour",
    ),
    Sheet(
        lines=(
            *typed(
                "The ferry Halcyon was launched in 1987 and carries 212 passen-\ngers on each crossing to the island.",
                "More about her stands on the page of the fleet.",
                heading="The fleet",
            ).lines,
            Text("Boat", 250, bold=True),
            Text("Length", 250, x=200, bold=True),
            Text("Halcyon", 264),
            Text("41.5 metres", 264, x=200),
            Text("Petrel", 278),
            Text("18.2 metres", 278, x=200),
        ),
        links=(("/fleet.html", 35, 130, 300, 145), ("javascript:alert(1)", 0, 0, 10, 10)),
    ),
    typed("The office spent 91,300 crowns on new moorings.", heading="Costs"),
    title="Harbour report 2021",
    language="en",
)
LINKS = (
    ("/files/report.pdf", "Annual report 2021"),
    ("/broken.pdf", "Broken report"),
    ("/locked.pdf", "Locked report"),
    ("/large.pdf", "Large report"),
    ("/data.zip", "Data"),
)
FRONT = (
    '<html lang="en"><title>Skerry harbour</title><main><h1>Skerry harbour</h1><p>The harbour office of Skerry Island looks '
    "after boats, moorings and the crossing to the mainland.</p><ul>"
    + "".join(f"<li><a href='{place}'>{name}</a></li>" for place, name in LINKS)
    + "</ul></main></html>"
)
FLEET = (
    "<html lang='en'><title>Fleet</title><main><h1>The fleet</h1><p>Two boats belong to the harbour.</p></main></html>"
)
SVG = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><title>Depths of the harbour</title><script>alert(1)</script>'
    b'<rect width="600" height="400" fill="#cde"/><text x="20" y="60">North quay 7.5 m</text>'
    b'<text x="20" y="120">South <tspan>quay 4.1 m</tspan></text></svg>'
)
_ROWS = zlib.compress((b"\0" + bytes(400)) * 300)
PNG = b"\x89PNG\r\n\x1a\n" + b"".join(
    len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
    for kind, data in (
        (b"IHDR", (400).to_bytes(4, "big") + (300).to_bytes(4, "big") + bytes((8, 0, 0, 0, 0))),
        (b"IDAT", _ROWS),
        (b"IEND", b""),
    )
)
"""A black picture of 400 x 300 pixels."""
TOO_MANY = 21_000_000
_ANSWERS = {
    "/": Answer(FRONT),
    "/fleet.html": Answer(FLEET),
    "/files/report.pdf": Answer(
        REPORT, kind=PDF, headers=(("X-Robots-Tag", "noindex"), ("Set-Cookie", "seen=1; Path=/"))
    ),
    "/moved": moved("/files/report.pdf"),
    "/get?file=1": Answer(
        REPORT, kind="application/octet-stream", headers=(("Content-Disposition", 'attachment; filename="report.pdf"'),)
    ),
    "/missing.pdf": Answer(pdf_file(typed("This file was removed.")), status=404, kind=PDF),
    "/broken.pdf": Answer(b"%PDF-1.4\nnothing of a file\n%%EOF", kind=PDF),
    "/no.pdf": Answer(b"no file at all", kind=PDF),
    "/locked.pdf": Answer(pdf_file(typed("A secret."), password="open sesame"), kind=PDF),
    "/endless.pdf": Answer(kind=PDF, parts=(bytes(1_000_000) for _ in range(40))),
    "/depth_chart.svg": Answer(SVG, kind="image/svg+xml"),
    "/chart.png?size=2": Answer(PNG, kind="image/png"),
    "/framed.html": Answer("<h1>Charts</h1><iframe src='/depth_chart.svg' width='600' height='400'></iframe>"),
    "/data.zip": Answer(b"PK\x03\x04" + zlib.compress(b"x"), kind="application/zip"),
}


def _answer(asked: Asked) -> Answer | None:
    if asked.target == "/large.pdf":  # made when it is asked for: every process of the tests imports this module
        return Answer(REPORT + b" " * TOO_MANY, kind=PDF)
    if asked.target == "/members.pdf":
        return _ANSWERS["/files/report.pdf"] if asked.cookies.get("seen") else Answer("Sign in", 403)
    return _ANSWERS.get(asked.target)


@contextlib.contextmanager
def serve_pdfs() -> Iterator[LoopbackSite]:
    """The site, while the block lasts."""
    with serving(LoopbackSite(_answer)) as site:
        yield site
