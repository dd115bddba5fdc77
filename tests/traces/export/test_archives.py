from __future__ import annotations

import gzip
import hashlib
import io
import json
import shutil
import zipfile
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.recordings.make import FOLDER
from traces.events import NetworkExchanged, Truncated
from traces.export.har import har_of
from traces.export.recorded_pages import Picture, RecordedExchange, RecordedPage, RecordedPages, read_pages
from traces.export.wacz import surt_of, wacz_of
from traces.export.warc import warc_of
from traces.reading.reader import read_run

PAGES = RecordedPages(
    pages=(
        RecordedPage(
            step=1,
            url="http://a.example/old",
            final_url="http://a.example/New?b=1",
            status=200,
            title="New",
            html="<p>é</p>".encode(),
            redirects=(("http://a.example/old", 301),),
            fetched_at=1_700_000_000.5,
            load_seconds=0.25,
            pictures=(Picture(data=b"\x89PNG", media_type="image/png"),),
        ),
        RecordedPage(
            step=2, url="http://a.example/x", final_url="http://a.example/x", fetched_at=1.0, failure="refused: no"
        ),
        RecordedPage(step=3, url="http://a.example/y", final_url="http://a.example/y", status=404, html=b"gone"),
    ),
    lost=(),
)


def test_the_pages_of_a_run_are_read_with_their_content() -> None:
    recorded = read_pages(read_run(FOLDER / "single"))
    assert recorded.lost == ()
    assert [(page.step, page.status) for page in recorded.pages] == [(1, 200), (2, 200), (2, 404)]
    assert b"18.4 metres" in recorded.pages[1].html


def test_a_lost_page_is_told_and_left_out(tmp_path: Path) -> None:
    run = Path(shutil.copytree(FOLDER / "single", tmp_path / "run"))
    page = read_run(run).events[1]
    digest = page.outcome["html"]["$b"].removeprefix("sha256:")  # type: ignore[union-attr]
    (run / "blobs" / digest[:2] / digest).unlink()
    recorded = read_pages(read_run(run))
    assert [page.step for page in recorded.pages] == [2, 2]
    assert recorded.lost == ("step 1, browser.open: the recorded value is missing",)


def test_a_warc_holds_hops_pages_failures_and_pictures_and_its_digests_hold() -> None:
    archive = warc_of(PAGES, version="1", title="why?")
    assert archive.data == warc_of(PAGES, version="1", title="why?").data, "one run makes one archive"
    seen = []
    for record in ArchiveIterator(io.BytesIO(archive.data), check_digests="raise"):
        body = record.content_stream().read()
        headers = record.rec_headers
        seen.append((record.rec_type, headers.get_header("WARC-Target-URI"), body))
        if record.rec_type == "response":
            assert record.http_headers.get_statuscode() == "301"
            assert record.http_headers.get_header("Location") == "http://a.example/New?b=1"
    assert [(kind, url) for kind, url, _ in seen] == [
        ("warcinfo", None),
        ("response", "http://a.example/old"),
        ("resource", "http://a.example/New?b=1"),
        ("metadata", "http://a.example/New?b=1"),
        ("resource", "urn:view:http://a.example/New?b=1"),
        ("metadata", "http://a.example/x"),
        ("resource", "http://a.example/y"),
        ("metadata", "http://a.example/y"),
    ]
    assert seen[2][2] == "<p>é</p>".encode()
    assert seen[4][2] == b"\x89PNG"
    assert b"failure: refused: no" in seen[5][2]
    assert b"status: 404" in seen[7][2]


@pytest.mark.parametrize(
    ("error", "truncated", "told"),
    [
        ("", "", None),
        ("a body of 20000000 bytes was not kept", "length", "length"),
        ("the browser had let go of its body", "unspecified", "unspecified"),
        ("a body of 20000000 bytes was not kept", "", "length"),
    ],
)
def test_a_warc_says_why_the_body_of_an_answer_is_not_there(error: str, truncated: Truncated, told: str | None) -> None:
    event = NetworkExchanged(
        order=0,
        method="GET",
        url="http://a.example/s.css",
        resource="stylesheet",
        status=200,
        error=error,
        truncated=truncated,
    )
    recorded = RecordedPages(
        pages=(), lost=(), exchanges=(RecordedExchange(event=event, body=b"" if error else b"p{}"),)
    )
    _, response = ArchiveIterator(io.BytesIO(warc_of(recorded, version="1", title="why?").data), check_digests="raise")
    assert response.rec_headers.get_header("WARC-Truncated") == told


def test_a_wacz_is_whole_and_its_index_leads_to_the_records() -> None:
    data = wacz_of(PAGES, version="1", title="why?")
    with zipfile.ZipFile(io.BytesIO(data)) as zipped:
        files = {name: zipped.read(name) for name in zipped.namelist()}
    package = json.loads(files["datapackage.json"])
    assert (package["profile"], package["wacz_version"]) == ("data-package", "1.1.1")
    for resource in package["resources"]:
        content = files[resource["path"]]
        assert resource["hash"] == f"sha256:{hashlib.sha256(content).hexdigest()}"
        assert resource["bytes"] == len(content)
    signed = json.loads(files["datapackage-digest.json"])
    assert signed["hash"] == f"sha256:{hashlib.sha256(files['datapackage.json']).hexdigest()}"
    lines = files["indexes/index.cdx"].decode().splitlines()
    assert lines == sorted(lines)
    for line in lines:
        _, date, fields = line.split(" ", 2)
        entry = json.loads(fields)
        start, length = int(entry["offset"]), int(entry["length"])
        piece = gzip.decompress(files["archive/walk.warc.gz"][start : start + length])
        assert f"WARC-Target-URI: {entry['url']}\r\n".encode() in piece
        assert len(date) == 14
    pages = [json.loads(line) for line in files["pages/pages.jsonl"].splitlines()]
    assert pages[0]["format"] == "json-pages-1.0"
    assert [page["url"] for page in pages[1:]] == ["http://a.example/New?b=1", "http://a.example/y"]


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://www.A.org/B?d&c", "org,a,www)/b?c&d"),
        ("https://a.org:8443", "org,a:8443)/"),
        ("http://127.0.0.1:80/x", "127.0.0.1)/x"),
        ("urn:view:http://a.org/", "urn:view:http://a.org/"),
    ],
)
def test_addresses_sort_by_their_host_from_the_right(url: str, key: str) -> None:
    assert surt_of(url) == key


def test_a_har_has_an_entry_for_each_hop_and_page() -> None:
    log = json.loads(har_of(PAGES, version="1"))["log"]
    assert (log["version"], log["creator"]["name"], len(log["pages"])) == ("1.2", "walker", 3)
    hop, page, failed, gone = log["entries"]
    assert (hop["response"]["status"], hop["response"]["redirectURL"]) == (301, "http://a.example/New?b=1")
    assert page["startedDateTime"] == "2023-11-14T22:13:20.500Z"
    assert (page["time"], page["response"]["content"]["text"]) == (250.0, "<p>é</p>")
    assert page["request"]["queryString"] == [{"name": "b", "value": "1"}]
    assert (failed["response"]["status"], failed["comment"]) == (0, "refused: no")
    assert (gone["response"]["statusText"], gone["pageref"]) == ("Not Found", "page_3")
    wanted = {"pageref", "startedDateTime", "time", "request", "response", "cache", "timings", "comment"}
    assert set(page) == wanted
