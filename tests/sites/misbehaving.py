"""A real server on loopback whose pages do what pages should not."""

# ruff: noqa: E501 (a page stands on one line)
from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HTML = "text/html; charset=utf-8"
PAGES: dict[str, str] = {
    "/": '<title>Front</title><h1>Front</h1><a href="/plain">Plain</a>',
    "/plain": "<title>Plain</title><h1>Plain page</h1><p>Nothing odd here.</p>",
    "/alerts": "<title>Alerts</title><script>alert('one'); confirm('two'); prompt('three')</script><p>after the alerts</p>",
    "/endless-alerts": "<title>A</title><script>while (true) alert('again')</script>",
    "/spin": "<title>Spin</title><p>busy</p><script>while (true) {}</script>",
    "/stay": "<title>Stay</title><p>stay here</p><script>addEventListener('beforeunload', e => { e.preventDefault(); e.returnValue = 'x' })</script>",
    "/folded": (
        "<title>Folded</title><p>outside</p><div id=host></div><iframe src=/inner width=300 height=100></iframe>"
        "<p style='display:none'>unseen words</p><img src=/none.png width=200 height=100 alt='A drawn map'>"
        "<script>host.attachShadow({mode: 'open'}).innerHTML = '<p>from the shadow</p>'</script>"
    ),
    "/inner": "<p>from the frame</p>",
    "/banner": (
        "<title>Banner</title><p>the article</p><div id=cookie-banner style='position:fixed;bottom:0'>We use cookies"
        "<button onclick=\"document.getElementById('cookie-banner').remove(); document.title = 'Accepted'\">Accept all</button></div>"
    ),
    "/shell": (
        "<title>Shell</title><div id=root></div><script>setTimeout(() => { root.innerHTML = '<h1>Filled</h1><p>' + 'words '.repeat(80) + '</p>' }, 600)</script>"
    ),
    "/popup": "<title>Popup</title><p>popup</p><script>open('/plain')</script>",
    "/controls": (
        "<title>Controls</title><button id=more onclick=\"list.innerHTML += '<li>two</li>'\">Load more</button><ul id=list><li>one</li></ul>"
        "<form action=/found><input id=q name=q></form><a id=blank href=/plain target=_blank>new window</a><div style='height:3000px'></div>"
        "<script>addEventListener('scroll', () => { if (!window.done) { window.done = 1; list.innerHTML += '<li>scrolled</li>' } })</script>"
    ),
    "/refresh": "<title>Stub</title><meta http-equiv=refresh content='0; url=/plain'>",
    "/replaced": "<title>Stub</title><p>one moment</p><script>setTimeout(() => location.replace('/plain'), 60)</script>",
    "/onwards": "<title>Stub</title><script>setTimeout(() => location.reload(), 20)</script>",
    "/leads": "<title>Stub</title><a id=slow href=/slow>slow</a><a id=dead href='http://127.0.0.1:9911/'>dead</a>",
    "/routes": (
        "<title>Routes</title><div id=view></div>"
        "<script>const show = () => { view.textContent = 'route ' + location.hash }; onhashchange = show; show()</script>"
    ),
    "/half": "<title>Half</title><p id=x></p><script>x.textContent = 'broken \\ud83d emoji'; x.title = '\\udc00'</script>",
    "/found": "<title>Found</title><p>results</p>",
}
REDIRECTS = {
    "/hop": "/hop2",
    "/hop2": "/plain",
    "/ring": "/ring",
    "/inwards": "http://169.254.169.254/latest/meta-data/",
}
Header = tuple[str, str]
ANSWERS: dict[str, tuple[int, str, bytes, *tuple[Header, ...]]] = {
    "/file": (200, "application/zip", b"PK nothing", ("Content-Disposition", "attachment; filename=x.zip")),
    "/paper": (200, "application/pdf", b"%PDF-1.4\n%%EOF"),
    "/locked": (401, HTML, b"<h1>Who are you?</h1>", ("WWW-Authenticate", 'Basic realm="x"')),
    "/broken": (500, HTML, b"<h1>Broken</h1>"),
}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"

    def do_GET(self) -> None:
        path = self.path.split("?")[0]
        if path in PAGES:
            self._send(200, HTML, PAGES[path].encode())
        elif path in REDIRECTS:
            self._redirect(REDIRECTS[path])
        elif path in ANSWERS:
            status, kind, body, *headers = ANSWERS[path]
            self._send(status, kind, body, *headers)
        elif path.startswith("/picture-of/"):
            port = path.rsplit("/", 1)[1]
            embedding = f'<title>Embeds</title><p>x</p><img src="http://127.0.0.1:{port}/secret.png">'
            self._send(200, HTML, embedding.encode())
        else:
            self._stall(path)

    def _stall(self, path: str) -> None:
        if path == "/hung":
            time.sleep(20)
        elif path == "/reset":
            self.connection.shutdown(socket.SHUT_RDWR)
        elif path == "/slow":
            time.sleep(0.8)
            self._send(200, HTML, b"<title>Slow</title><p>late but here</p>")
        elif path == "/nothing":
            self.send_response(204)
            self.end_headers()
        elif path == "/endless":
            self._stream()
        else:
            self._send(404, HTML, b"<title>Not found</title><h1>Not found</h1>")

    def _stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", HTML)
        self.end_headers()
        with contextlib.suppress(OSError):
            for _ in range(400):
                self.wfile.write(b"<p>and on</p>")
                time.sleep(0.05)

    def _redirect(self, place: str) -> None:
        self.send_response(302)
        self.send_header("Location", place)
        self.end_headers()

    def _send(self, status: int, kind: str, body: bytes, *headers: tuple[str, str]) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        pass


@contextlib.contextmanager
def serve_misbehaving() -> Iterator[str]:
    """The address of the front page, while the block lasts."""
    server = _Server(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
