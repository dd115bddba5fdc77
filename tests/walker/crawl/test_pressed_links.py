"""Links that are no links, in a real browser."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.spec_file import CrawlScript, spec_of_root

FRONT = """<!doctype html><title>Front</title><h1>Front</h1>
<div onclick="location.href = '/plain'">a</div>
<span onclick="goTo(3)">b</span>
<a href="javascript:window.location = '/by-' + 'program'">c</a>
<button onclick="router.push('/route')">d</button>
<div role=link id=listens>e</div>
<li onclick="setTimeout(() => { window.location.assign('/later') }, 0)">f</li>
<a href="javascript:history.back()">back</a>
<div onclick="fetch('/deleted', {method: 'POST'}); location.href = '/harm'">g</div>
<form action=/sent><button onclick="location.href = '/in-a-form'">h</button></form>
<script>
const router = {push: (path) => history.pushState({}, '', path)};
function goTo(n) { window.location = '/number/' + n * 2; }
document.getElementById('listens').addEventListener('click', () => { location = '/listened'; });
</script>"""
LED_TO = {"/plain", "/number/6", "/by-program", "/route", "/listened", "/later"}


class _Handler(BaseHTTPRequestHandler):
    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        page = FRONT if self.path == "/" else f"<!doctype html><title>{self.path}</title><h1>Page {self.path}</h1>"
        body = page.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.asked.append("POST " + self.path)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *arguments: object) -> None: ...


@pytest.fixture
def site() -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"asked": asked}))
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/", asked
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("driver", ["playwright", "auto"])
async def test_what_a_press_leads_to_is_crawled_and_nothing_is_sent(
    site: tuple[str, list[str]], tmp_path: Path, driver: str
) -> None:
    home, asked = site
    spec = spec_of_root(home, driver=driver, concurrency=1)
    report = await crawl(CrawlScript(spec=spec), CrawlSettings(folder=tmp_path))
    assert set(asked) >= LED_TO, LED_TO - set(asked)
    assert not [path for path in asked if path.startswith("POST")]
    assert report.stop_reason == "complete"
