from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.recordloader import ArcWarcRecord

from walker.crawl.output.warc import WarcFile, end_of_whole_records
from walker.seams.web.exchange import Exchange

PAGE = Exchange(
    url="https://example.org/ü?q=a b",
    at=1_700_000_000.25,
    status=200,
    headers=(
        ("Content-Type", "text/html; charset=utf-8"),
        ("Content-Encoding", "br"),
        ("Content-Length", "12"),
        ("Set-Cookie", "a=1\nb=2"),
        ("X-Name", "Ünal"),
        (":status", "200"),
    ),
    body="<p>ünï</p>".encode() * 1000,
    request_headers=(("User-Agent", "Walker"),),
    ip="93.184.216.34",
)
AS_READ = PAGE.url.replace(" ", "%20")
"""warcio escapes blanks when it reads."""
NAMES = ("a.warc", "a.warc.gz")


def records(path: Path) -> list[tuple[str, str, bytes]]:
    """Type, address and content of all records, as warcio reads them, digests checked."""
    with path.open("rb") as file:
        found = []
        for record in ArchiveIterator(file, check_digests="raise"):
            content = record.content_stream().read()
            found.append((record.rec_type, record.rec_headers.get_header("WARC-Target-URI") or "", content))
        return found


def first(path: Path, kind: str) -> ArcWarcRecord:
    with path.open("rb") as file:
        return next(record for record in ArchiveIterator(file) if record.rec_type == kind)


@pytest.mark.parametrize("name", NAMES)
def test_what_was_fetched_can_be_read_again(tmp_path: Path, name: str) -> None:
    path = tmp_path / "new" / name
    with WarcFile(path, {"operator": "ann@example.org", "robots": "obey"}) as file:
        file.add(PAGE)
        file.add_metadata(PAGE.url, PAGE.at, {"title": "A\r\ntitle"})
        file.sync()
    assert [(kind, url) for kind, url, _ in records(path)] == [
        ("warcinfo", ""),
        ("response", AS_READ),
        ("request", AS_READ),
        ("metadata", AS_READ),
    ]
    info, response, request, metadata = (content for _, _, content in records(path))
    assert b"operator: ann@example.org\r\n" in info
    assert (response, request, metadata) == (PAGE.body, b"", b"title: A title\r\n")


def test_headers_tell_what_is_stored(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    with WarcFile(path, {}) as file:
        file.add(PAGE)
    response, request = first(path, "response"), first(path, "request")
    assert response.rec_headers.get_header("WARC-Date") == "2023-11-14T22:13:20.250000Z"
    assert response.rec_headers.get_header("WARC-IP-Address") == "93.184.216.34"
    assert response.rec_headers.get_header("WARC-Payload-Digest").startswith("sha1:")
    assert response.http_headers.get_statuscode() == "200"
    assert response.http_headers.get_header("Content-Length") == str(len(PAGE.body))
    assert response.http_headers.get_header("Content-Encoding") is None
    assert response.http_headers.get_header("X-Orig-Content-Encoding") == "br"
    assert response.http_headers.get_header("Set-Cookie") == "a=1 b=2"
    assert "nal" in response.http_headers.get_header("X-Name")
    assert request.rec_headers.get_header("WARC-Concurrent-To") == response.rec_headers.get_header("WARC-Record-ID")
    assert request.http_headers.protocol == "GET"
    assert request.http_headers.get_header("Host") == "example.org"


def test_a_page_that_is_as_before_is_a_revisit(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    asked = (("If-None-Match", '"7"'),)
    again = Exchange(url="https://a.org/", at=9, status=304, headers=(("ETag", '"7"'),), request_headers=asked)
    with WarcFile(path, {}) as file:
        file.add(again)
        file.add(Exchange(url="https://a.org/b", at=9, status=304))  # asked for without a condition: no answer to one
    assert [(kind, url, body) for kind, url, body in records(path)][1:] == [
        ("revisit", "https://a.org/", b""),
        ("request", "https://a.org/", b""),
        ("response", "https://a.org/b", b""),
        ("request", "https://a.org/b", b""),
    ]
    revisit = first(path, "revisit")
    assert revisit.rec_headers.get_header("WARC-Profile").endswith("/revisit/server-not-modified")
    assert revisit.rec_headers.get_header("WARC-Refers-To-Target-URI") == "https://a.org/"
    assert (revisit.http_headers.get_statuscode(), revisit.http_headers.get_header("ETag")) == ("304", '"7"')


def test_what_came_packed_may_be_kept_packed(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    packed = gzip.compress(b"<p>hello</p>")
    with WarcFile(path, {}) as file:
        headers = (("Content-Encoding", "gzip"), ("Transfer-Encoding", "chunked"))
        file.add(Exchange(url="https://a.org/", at=0, status=599, headers=headers, body=packed, is_unpacked=False))
    assert records(path)[1][2] == b"<p>hello</p>"


@pytest.mark.parametrize("name", NAMES)
def test_a_file_goes_on_where_it_ended(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    for _ in range(3):
        with WarcFile(path, {}) as file:
            assert file.cut_bytes == 0
            file.add(PAGE)
    assert [kind for kind, _, _ in records(path)] == ["warcinfo", "response", "request"] * 3
    assert end_of_whole_records(path) == path.stat().st_size


@pytest.mark.parametrize("name", NAMES)
def test_wherever_a_crash_cuts_the_file_it_is_whole_again(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    small = Exchange(url="https://a.org/", at=0, status=200, body=b"\r\n\r\nWARC/1.1\r\n")
    with WarcFile(path, {}) as file:
        file.add(small)
        file.add(small)
    whole = path.read_bytes()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        with WarcFile(path, {}) as file:
            assert file.cut_bytes <= length
            file.add(small)
        kinds = [kind for kind, _, _ in records(path)]
        assert kinds[-3:] == ["warcinfo", "response", "request"]
        assert kinds[:-3] == ["warcinfo", "response", "request", "response", "request"][: len(kinds) - 3]


@pytest.mark.parametrize("name", NAMES)
def test_zeros_that_a_power_failure_left_are_cut(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with WarcFile(path, {}) as file:
        file.add(PAGE)
    with path.open("ab") as raw:
        raw.write(b"\0" * 5000)
    with WarcFile(path, {}) as file:
        assert file.cut_bytes == 5000
    assert len(records(path)) == 4


WRITE_FOR_EVER = """
import sys
from pathlib import Path
from walker.crawl.output.warc import WarcFile
from walker.seams.web.exchange import Exchange
with WarcFile(Path(sys.argv[1]), {}) as file:
    for number in range(10**9):
        file.add(Exchange(url=f"https://a.org/{number}", at=0, status=200, body=b"x" * 5000))
        if number == 0:
            print("begun", flush=True)
"""


def test_a_killed_process_leaves_every_record_but_the_last(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    process = subprocess.Popen([sys.executable, "-c", WRITE_FOR_EVER, str(path)], stdout=subprocess.PIPE)
    assert process.stdout
    process.stdout.readline()
    while process.poll() is None and path.stat().st_size < 20_000:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    with WarcFile(path, {}) as file:
        file.add(PAGE)
    found = [url for kind, url, _ in records(path) if kind == "response"]
    assert found[:-1] == [f"https://a.org/{number}" for number in range(len(found) - 1)]
    assert found[-1] == AS_READ


def test_an_answer_without_its_body_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    with WarcFile(path, {}) as file:
        file.add(Exchange(url="https://a.org/", status=200, headers=(("Content-Length", "9"),), truncated="disconnect"))
    response = first(path, "response")
    assert response.rec_headers.get_header("WARC-Truncated") == "disconnect"
    assert response.http_headers.get_header("Content-Length") == "0"
    assert response.http_headers.get_header("X-Orig-Content-Length") == "9"
