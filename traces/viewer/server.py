"""The local viewer server: on loopback, answering only its own page, and read-only but for what a walk asks a person."""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

import msgspec

from traces.errors import TraceReadError
from traces.viewer.library import Library, PersonAnswer
from traces.viewer.page_files import POLICY, page_file, start_page

ADDRESS = "127.0.0.1"
PAGE_POLICY = POLICY.format(
    script="'self'", style="'self' 'unsafe-inline'", image="'self' data: blob:", connect="'self'"
)
HEADERS = (
    ("Content-Security-Policy", f"{PAGE_POLICY}; frame-ancestors 'none'"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("X-DNS-Prefetch-Control", "off"),
    ("Cache-Control", "no-store"),
)
VALUE_POLICY = ("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
"""Policy for a blob that is opened by itself."""
MOST_SENT = 1000
"""Bytes of an answer."""


class PageKeys:
    """Who may answer for the person at the terminal: the page that was opened by the address printed there. Other users of the machine
    reach loopback too, and do not have it. It is shown in a header, as cookies are not kept apart by port."""

    def __init__(self) -> None:
        self.key = secrets.token_urlsafe(24)
        self._codes: set[str] = set()

    def code(self) -> str:
        """What is exchanged for the key once: a program that is started with it shows it to all users of the machine."""
        code = secrets.token_urlsafe(24)
        self._codes.add(code)
        return code

    def is_shown(self, shown: str) -> bool:
        """Whether this is the key."""
        return hmac.compare_digest(shown.encode(), self.key.encode())

    def exchanged(self, shown: str) -> str:
        """The key for a code that was not used, or for itself; "" for anything else."""
        if shown in self._codes:
            self._codes.discard(shown)
            return self.key
        return self.key if self.is_shown(shown) else ""


class ViewerServer(ThreadingHTTPServer):
    """Serves the runs of a library. Port 0 picks a free one; raises `OSError` if the port is in use."""

    daemon_threads = True
    block_on_close = False  # browsers keep connections open, which must not delay shutdown

    def __init__(self, library: Library, port: int = 0, keys: PageKeys | None = None) -> None:
        """With `keys` the page of whoever holds one may answer what a walk asks; without, nothing is taken."""
        self.library, self.keys = library, keys
        super().__init__((ADDRESS, port), _Handler)

    @property
    def url(self) -> str:
        """URL of the page."""
        return f"http://{ADDRESS}:{self.server_port}/"

    @property
    def hosts(self) -> tuple[str, str]:
        """Accepted Host headers. Any other one is a DNS rebinding attack."""
        return f"{ADDRESS}:{self.server_port}", f"localhost:{self.server_port}"


@contextmanager
def serve_runs(library: Library, port: int = 0, keys: PageKeys | None = None) -> Iterator[ViewerServer]:
    """Serve while the block runs."""
    server = ViewerServer(library, port, keys)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, name="viewer", daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "walker-view"
    sys_version = ""
    timeout = 60
    server: ViewerServer

    def do_GET(self) -> None:
        """Send a file of the page, or a resource of a run."""
        if (path := self._path()) is None:
            return
        try:
            if path.startswith("api/"):
                self._send(HTTPStatus.OK, *self.server.library.answer(path.removeprefix("api/")))
            elif path in ("", "index.html"):
                library = self.server.library
                page = start_page("server", library.single, library.opening, asks=self.server.keys is not None)
                self._send(HTTPStatus.OK, page.encode(), "text/html; charset=utf-8")
            else:
                self._send(HTTPStatus.OK, *page_file(path))
        except KeyError:
            self._send(HTTPStatus.NOT_FOUND, b"there is no such resource\n")
        except TraceReadError as error:
            self._send(HTTPStatus.GONE, f"{error.what}\n".encode())

    def do_POST(self) -> None:
        """Give the page its key, or take what a person chose, from whoever shows the key."""
        self.close_connection = True  # what is left of a body that is not read is no request
        keys, path = self.server.keys, self._path()
        if path is None:
            return
        if keys is None:
            self.send_error(HTTPStatus.NOT_IMPLEMENTED, "this viewer only reads")
            return
        shown = self.headers.get("Walker-Key", "")
        if path == "api/key" and (key := keys.exchanged(shown)):
            self._send(HTTPStatus.OK, key.encode())
        elif path == "api/key" or not keys.is_shown(shown):
            self._send(HTTPStatus.FORBIDDEN, b"only the page that walker view opened or printed may answer\n")
        else:
            self._send(*self._taken(path.removeprefix("api/")))

    def _taken(self, name: str) -> tuple[HTTPStatus, bytes]:
        try:
            body = self.rfile.read(min(int(self.headers.get("Content-Length", "0")), MOST_SENT))
            refused = self.server.library.take(name, msgspec.json.decode(body, type=PersonAnswer))
        except KeyError:
            return HTTPStatus.NOT_FOUND, b"there is no such resource\n"
        except TraceReadError as error:
            return HTTPStatus.GONE, f"{error.what}\n".encode()
        except (ValueError, msgspec.MsgspecError):
            return HTTPStatus.BAD_REQUEST, b"an answer is the number of what is asked and that of a choice\n"
        return (HTTPStatus.CONFLICT, f"{refused}\n".encode()) if refused else (HTTPStatus.OK, b"taken\n")

    def _path(self) -> str | None:
        """What is asked for; None where the request comes from elsewhere, and was refused."""
        if self.headers.get("Host") not in self.server.hosts:
            self._send(HTTPStatus.FORBIDDEN, b"this viewer answers only to 127.0.0.1\n")
            return None
        path = unquote(urlsplit(self.path).path).removeprefix("/")
        is_own = self.headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin")
        if path.startswith("api/") and not is_own:
            self._send(HTTPStatus.FORBIDDEN, b"this viewer answers only its own page\n")
            return None
        return path

    def _send(self, status: HTTPStatus, body: bytes, media: str = "text/plain; charset=utf-8") -> None:
        try:
            self.send_response(status)
            self.send_header("Content-Type", media)
            self.send_header("Content-Length", str(len(body)))
            is_page = media.startswith(("text/html", "text/css", "text/javascript"))
            for name, value in HEADERS if is_page else (VALUE_POLICY, *HEADERS[1:]):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
        except (ConnectionError, TimeoutError):
            self.close_connection = True  # the browser closed the connection early

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name is the base class's
        """Log nothing: the terminal belongs to the caller."""
