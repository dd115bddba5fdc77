"""Nothing is sent anywhere but to the site and to endpoints that are named: all that leaves the machine is read from a tunnel, whoever
sends it, Python, the browser or a driver."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests import network_of_its_own

WALKER = f"{sys.executable} -m walker"
PAGE = '<!DOCTYPE html><title>Reef</title><h1>Reef</h1><p>The crew has six members.</p><img src="{picture}"><a href="/">Reef</a>'
SERVER = """
import http.server, sys
page = open("page.html", "rb").read()
class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/" else 404)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(page)
    def log_message(self, *told): pass
http.server.ThreadingHTTPServer(("127.0.0.1", 8099), Site).serve_forever()
"""
HOME = "http://127.0.0.1:8099/"


@pytest.fixture(scope="module")
def _can_make_networks(tmp_path_factory: pytest.TempPathFactory) -> None:
    tried = in_a_network(tmp_path_factory.mktemp("tried"), "true")
    if tried.returncode:
        pytest.skip(f"no network of its own can be made here: {tried.stderr[-200:]}")


def in_a_network(folder: Path, *commands: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, network_of_its_own.__file__, *commands]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def sent_while(folder: Path, picture: str, *commands: str) -> tuple[list[int], list[str]]:
    """The exit codes of commands beside a site of one page with this picture, and where they would have sent something."""
    (folder / "page.html").write_text(PAGE.format(picture=picture), encoding="utf-8")
    (folder / "site.py").write_text(SERVER, encoding="utf-8")
    ended = in_a_network(folder, f"{sys.executable} site.py & echo $! > pid; sleep 1", *commands, "kill $(cat pid)")
    assert not ended.returncode, ended.stderr
    told = json.loads(ended.stdout)
    return told["codes"][1:-1], told["sent"]


@pytest.mark.usefixtures("_can_make_networks")
def test_nothing_is_sent_but_to_the_site(tmp_path: Path) -> None:
    codes, sent = sent_while(
        tmp_path,
        "/reef.png",
        f"{WALKER} --help",
        f"{WALKER} doctor",
        f"{WALKER} ask {HOME} 'How many members does the crew have?' --runs runs",
        f"{WALKER} crawl {HOME} --driver playwright --out pages.jsonl",
    )
    assert (codes, sent) == ([0, 0, 0, 0], [])


@pytest.mark.usefixtures("_can_make_networks")
def test_what_a_page_asks_for_elsewhere_would_be_seen(tmp_path: Path) -> None:
    _, sent = sent_while(
        tmp_path,
        "http://counter.example/reef.png",
        f"{WALKER} ask {HOME} 'How many members does the crew have?' --no-record",
    )
    assert sent == ["counter.example"]
    _, sent = sent_while(
        tmp_path, "/reef.png", "timeout 2 python3 -c \"import socket; socket.create_connection(('203.0.113.9', 443))\""
    )
    assert sent == ["203.0.113.9:443"]
