# ruff: noqa: E501 (addresses that lead nowhere)
from __future__ import annotations

import http.client
import json
import re
from collections.abc import Iterator

import pytest

from tests.traces.viewer.walks import made_run
from traces.viewer.library import Library
from traces.viewer.page_files import module_names, one_script, page_names
from traces.viewer.server import ViewerServer, serve_runs


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ViewerServer]:
    folder = tmp_path_factory.mktemp("runs")
    made_run(folder / "one", 3)
    (folder / "secret.txt").write_text("not for the page", encoding="utf-8")
    with serve_runs(Library(folder)) as serving:
        yield serving


def asked(server: ViewerServer, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=60)
    try:
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()


def test_it_listens_on_loopback_alone(server: ViewerServer) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert server.url == f"http://127.0.0.1:{server.server_port}/"


def test_the_page_comes_with_a_strict_policy(server: ViewerServer) -> None:
    status, headers, body = asked(server, "/")
    policy = headers["content-security-policy"]
    assert status == 200
    assert b"<!doctype html>" in body
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe-eval" not in policy
    assert "http" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "localhost:1", "127.0.0.1.evil.example:80", ""])
def test_another_name_for_this_machine_is_refused(server: ViewerServer, host: str) -> None:
    assert asked(server, "/api/runs", Host=host)[0] == 403


def test_both_of_its_own_names_are_answered(server: ViewerServer) -> None:
    for host in server.hosts:
        assert asked(server, "/api/runs", Host=host)[0] == 200


def test_a_page_elsewhere_gets_nothing_of_a_run(server: ViewerServer) -> None:
    assert asked(server, "/api/runs", Sec_Fetch_Site="cross-site")[0] == 403
    assert asked(server, "/api/runs", Sec_Fetch_Site="same-site")[0] == 403
    assert asked(server, "/api/runs", Sec_Fetch_Site="same-origin")[0] == 200
    assert asked(server, "/", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate")[0] == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "HEAD"])
def test_it_only_reads(server: ViewerServer, method: str) -> None:
    assert asked(server, "/api/runs", method)[0] == 501


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt", "/%2e%2e/secret.txt", "/secret.txt", "/api/../secret.txt", "/api/one/blobs/..%2f..%2frun.json", "/api/%2e%2e/overview",
        "/api/one/steps/99", "/api/one/steps/-1", "/api/one/steps/", "/api/one/steps/" + "9" * 400, "/api/two/overview", "/api/one/nothing", "/page_files.py", "/api/one/map/1",
    ],
)  # fmt: skip
def test_what_is_not_there_is_not_there(server: ViewerServer, path: str) -> None:
    assert asked(server, path)[0] == 404


def test_a_run_comes_as_compact_json(server: ViewerServer) -> None:
    status, headers, body = asked(server, "/api/one/overview")
    overview = json.loads(body)
    assert (status, headers["content-type"]) == (200, "application/json")
    assert len(overview["rows"]) == overview["steps"] == 3
    assert len(overview["rows"][0]) == len(overview["columns"])
    assert json.loads(asked(server, f"/api/one/overview/{overview['lines']}")[2])["rows"] == []


def test_a_recorded_page_never_comes_as_a_page(server: ViewerServer) -> None:
    step = json.loads(asked(server, "/api/one/steps/1")[2])
    digest = step["events"][0]["d"]["outcome"]["html"]["$b"].removeprefix("sha256:")
    status, headers, body = asked(server, f"/api/one/blobs/{digest}")
    assert status == 200
    assert b"Harbour number 1" in body
    assert headers["content-type"] == "application/octet-stream"
    assert "sandbox" in headers["content-security-policy"]
    assert asked(server, f"/api/one/blobs/{'0' * 64}")[0] == 410


def test_every_file_of_the_page_is_served_and_names_no_address(server: ViewerServer) -> None:
    for name in (*page_names(), *module_names()):
        status, headers, body = asked(server, f"/{name}")
        assert status == 200, name
        assert headers["content-type"].startswith(("text/html", "text/css", "text/javascript", "image/svg+xml"))
        named = body.replace(b"http://www.w3.org/2000/svg", b"")
        assert b"http:" not in named, name
        assert b"https:" not in named, name


def test_the_page_asks_for_its_modules_as_one_script(server: ViewerServer) -> None:
    page = asked(server, "/")[2].decode()
    assert re.findall(r'(?:src|href)="([^"]*\.js)"', page) == ["main.js"]
    assert asked(server, "/main.js")[2].decode() == one_script()


def test_one_script_holds_every_module_once_and_imports_nothing() -> None:
    script = one_script()
    for name in module_names():
        assert script.count(f"const ${re.sub(r'[./]', '_', name)} = (() => {{") == 1
    assert not re.search(r"^(?:import|export)\b", script, re.MULTILINE)
    assert "import(" not in script
