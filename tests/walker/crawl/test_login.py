"""A crawl behind a login, whatever its driver; and one that goes on with the login of another."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from walker.crawl.crawl_report import CrawlReport
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.errors import LoginFailed
from walker.crawl.spec_file import CrawlScript, spec_of_root
from walker.errors import UsageError
from walker.storage_state import read_state

FORM = (
    "<title>Who?</title><form method=post action=/enter><input id=name name=name>"
    "<input id=word name=word type=password><button>go</button></form>"
)
SECRET = "open sesame"
MEMBERS = 6
LOGIN = {
    "steps": (
        {"type": "#name", "text": "ali"},
        {"type": "#word", "text": "${WORD}"},
        {"submit": "#word"},
    ),
    "check": "#inside",
}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        is_in = "key=turned" in self.headers.get("Cookie", "")
        number = self.path.removeprefix("/member/")
        if self.path == "/login":
            self._send(200, FORM)
        elif not is_in:
            self._send(302, "", "Location", "/login")
        elif self.path == "/":
            self._send(200, "<title>In</title>" + "".join(f"<a href=/member/{n}>{n}</a>" for n in range(MEMBERS)))
        elif number.isdecimal() and int(number) < MEMBERS:
            self._send(200, f"<title>Member {number}</title><p id=inside>{f'member number {number} ' * 20}</p>")
        else:
            self._send(404, "<title>Not here</title>")

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if sent == "name=ali&word=" + SECRET.replace(" ", "+"):
            self._send(303, "", "Location", "/member/0", "Set-Cookie", "key=turned; Path=/; HttpOnly")
        else:
            self._send(200, FORM)

    def _send(self, status: int, body: str, *headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        for name, value in zip(headers[::2], headers[1::2], strict=True):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def home() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def all_text_in(folder: Path) -> str:
    return "".join(path.read_text(errors="replace") for path in folder.rglob("*") if path.is_file())


async def crawled(home: str, folder: Path, *, word: str = SECRET, **parts: Any) -> CrawlReport:
    spec = spec_of_root(home, concurrency=2, polite={"robots": False}, **parts)
    return await crawl(CrawlScript(spec=spec), CrawlSettings(folder=folder, environment={"WORD": word}))


@pytest.mark.parametrize("driver", ["playwright", "selenium", "auto"])
async def test_what_is_behind_a_login_is_crawled(home: str, tmp_path: Path, driver: str) -> None:
    kept = tmp_path / "me.json"
    report = await crawled(
        home, tmp_path / "first", driver=driver, login={"url": home + "login", **LOGIN}, state_out=kept
    )
    assert (report.stop_reason, report.pages) == ("complete", MEMBERS + 1)
    assert ("key", "turned") in {(cookie.name, cookie.value) for cookie in read_state(kept).cookies}
    assert SECRET not in all_text_in(tmp_path), "what was typed is nowhere"
    again = await crawled(home, tmp_path / "again", driver="http", state_in=kept)
    assert again.pages == MEMBERS + 1


async def test_who_is_not_let_in_reads_why_and_fetches_nothing(home: str, tmp_path: Path) -> None:
    login = {"url": home + "login", **LOGIN}
    login["steps"] = (*LOGIN["steps"][:2], {"submit": "#word", "seconds": 1})
    with pytest.raises(LoginFailed, match=r"the sign of a login failed: .*#inside") as raised:
        await crawled(home, tmp_path, word="wrong", login=login)
    assert "\n" not in str(raised.value)
    assert "wrong" not in str(raised.value)
    with pytest.raises(LoginFailed, match=r"status 404|cannot be had"):
        await crawled(home, tmp_path / "second", login={"url": "http://127.0.0.1:9/", **LOGIN})
    with pytest.raises(UsageError, match="cannot be read"):
        await crawled(home, tmp_path / "third", state_in=tmp_path / "none.json")
