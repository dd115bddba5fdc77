"""A small site with files: a PDF, archives, names that mean harm, one that is too large, and pages between them."""

from __future__ import annotations

import contextlib
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HTML, PDF, ZIP = "text/html; charset=utf-8", "application/pdf", "application/zip"
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
_ANSWERS: dict[str, tuple[int, str, bytes, dict[str, str]]] = {
    "/": (200, HTML, f"<title>Files</title><h1>Files</h1>{FRONT}".encode(), {}),
    "/about": (200, HTML, b"<title>About</title><h1>About</h1><p>who we are, at length</p><a href=/>back</a>", {}),
    "/papers/letter.pdf": (200, PDF, LETTER, {}),
    "/moved.pdf": (302, HTML, b"", {"Location": "/papers/letter.pdf"}),
    "/get?id=3": (
        200,
        "application/octet-stream",
        ARCHIVE,
        {"Content-Disposition": "attachment; filename*=UTF-8''..%2F..%2F%E2%80%AEexe.con%00f%2Fr%C3%A9sum%C3%A9.bin"},
    ),
    "/data.zip": (200, ZIP, ARCHIVE, {"Content-Disposition": 'attachment; filename=".profile"'}),
    "/large.zip": (200, ZIP, b"x" * LARGE, {}),
    "/named.pdf": (200, HTML, b"<title>A page</title><h1>A page</h1><p>that is named as a file</p>", {}),
    "/foreign.zip": (302, HTML, b"", {"Location": "http://localhost:9/data.zip"}),
}


class FilesSite(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: Counter[str] = Counter()

    @property
    def home(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"


class _Handler(BaseHTTPRequestHandler):
    server: FilesSite

    def do_GET(self) -> None:
        self.server.asked[self.path] += 1
        status, kind, body, headers = _ANSWERS.get(self.path, (404, HTML, b"<h1>Not found</h1>", {}))
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)

    def log_message(self, *arguments: object) -> None: ...


@contextlib.contextmanager
def serve_files() -> Iterator[FilesSite]:
    server = FilesSite()
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
