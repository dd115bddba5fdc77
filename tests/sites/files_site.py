"""A small site with files: a PDF, archives, names that mean harm, one that is too large, and pages between them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from tests.sites.serving import Answer, Asked, LoopbackSite, moved, serving

PDF, ZIP = "application/pdf", "application/zip"
ARCHIVE = b"PK\x03\x04" + bytes(range(256)) * 8
LARGE = 300_000
FRONT = "".join(
    f"<a href='{place}'>{place}</a> "
    for place in (
        "/papers/letter.pdf",
        "/moved.pdf",
        "/gone.pdf",
        "/get?id=3",
        "/data.zip",
        "/large.zip",
        "/named.pdf",
        "/foreign.zip",
        "/about",
    )
)


def letter(words: str) -> bytes:
    """A PDF file of one page, written by hand."""
    drawing = f"BT /F1 18 Tf 20 50 Td ({words}) Tj ET"
    parts = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        f"<</Length {len(drawing)}>>stream\n{drawing}\nendstream",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    out, places = "%PDF-1.4\n", []
    for number, part in enumerate(parts, start=1):
        places.append(len(out))
        out += f"{number} 0 obj{part}endobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    return f"{out}xref\n0 6\n0000000000 65535 f \n{table}trailer<</Size 6/Root 1 0 R>>\nstartxref\n{len(out)}\n%%EOF".encode()


LETTER = letter("Hello harbour")
_FOREIGN_NAME = "attachment; filename*=UTF-8''..%2F..%2F%E2%80%AEexe.con%00f%2Fr%C3%A9sum%C3%A9.bin"
_ANSWERS = {
    "/": Answer(f"<title>Files</title><h1>Files</h1>{FRONT}"),
    "/about": Answer("<title>About</title><h1>About</h1><p>who we are, at length</p><a href=/>back</a>"),
    "/papers/letter.pdf": Answer(LETTER, kind=PDF),
    "/moved.pdf": moved("/papers/letter.pdf"),
    "/get?id=3": Answer(ARCHIVE, kind="application/octet-stream", headers=(("Content-Disposition", _FOREIGN_NAME),)),
    "/data.zip": Answer(ARCHIVE, kind=ZIP, headers=(("Content-Disposition", 'attachment; filename=".profile"'),)),
    "/large.zip": Answer(b"x" * LARGE, kind=ZIP),
    "/named.pdf": Answer("<title>A page</title><h1>A page</h1><p>that is named as a file</p>"),
    "/foreign.zip": moved("http://localhost:9/data.zip"),
}


def _answer(asked: Asked) -> Answer | None:
    return _ANSWERS.get(asked.target)


@contextlib.contextmanager
def serve_files() -> Iterator[LoopbackSite]:
    """The site, while the block lasts."""
    with serving(LoopbackSite(_answer)) as site:
        yield site
