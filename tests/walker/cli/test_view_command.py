"""`walker view` as a person runs it."""

from __future__ import annotations

import http.client
import signal
import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.recordings.make import FOLDER
from tests.traces.viewer.walks import made_run
from tests.walker.cli.program import started, walker_here


@pytest.mark.parametrize(
    ("arguments", "opening", "words"),
    [
        (("view", "--no-open"), "", b"How many harbours"),
        (("replay", str(FOLDER / "count"), "--to", "2", "--view", "-q"), "step=2&pane=state", b"How many people"),
    ],
)
def test_it_says_where_the_page_is_serves_it_and_ends_on_ctrl_c(
    tmp_path: Path, arguments: tuple[str, ...], opening: str, words: bytes
) -> None:
    made_run(tmp_path / "runs" / "one", 2)
    with started(*arguments, folder=tmp_path, BROWSER="true") as process:
        assert process.stdout is not None
        place = urlsplit(process.stdout.readline().strip())
        assert place.hostname == "127.0.0.1"
        assert place.fragment == opening
        connection = http.client.HTTPConnection(place.hostname, place.port or 0, timeout=60)
        connection.request("GET", "/api/runs")
        assert words in connection.getresponse().read()
        connection.close()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "Traceback" not in err


def test_it_writes_one_file_or_a_folder(tmp_path: Path) -> None:
    made_run(tmp_path / "run", 2)
    ended = walker_here("view", "run", "--export", "report.html", folder=tmp_path)
    assert (ended.code, ended.out.strip()) == (0, "report.html")
    assert "<!doctype html>" in (tmp_path / "report.html").read_text(encoding="utf-8")
    ended = walker_here("view", "run", "--site", "site", folder=tmp_path)
    assert (ended.code, ended.out.strip()) == (0, "site")
    assert {"index.html", "index.json", "runs.pack", "main.js"} <= {path.name for path in (tmp_path / "site").iterdir()}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nowhere",), "no run and no folder of runs"),
        (("file.txt",), "no run and no folder of runs"),
        (("run", "--export", "missing/report.html"), "missing/report.html: No such file or directory"),
    ],
)
def test_what_cannot_be_is_one_line(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    made_run(tmp_path / "run", 1)
    (tmp_path / "file.txt").write_text("no run", encoding="utf-8")
    ended = walker_here("view", *arguments, folder=tmp_path)
    assert ended.code in (1, 2)
    assert ended.out == ""
    assert words in ended.line


def test_a_port_that_is_taken_is_one_line(tmp_path: Path) -> None:
    made_run(tmp_path / "run", 1)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ended = walker_here("view", "run", "--no-open", "--port", str(taken.getsockname()[1]), folder=tmp_path)
    assert ended.code == 1
    assert "Address already in use" in ended.line


def test_export_and_site_exclude_each_other(tmp_path: Path) -> None:
    made_run(tmp_path / "run", 1)
    ended = walker_here("view", "run", "--export", "a.html", "--site", "b", folder=tmp_path)
    assert ended.code == 2
