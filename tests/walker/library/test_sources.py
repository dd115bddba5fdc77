"""Pages out of recorded walks, crawls and WARC files go into a library."""

from __future__ import annotations

import contextlib
import json
import shutil
from pathlib import Path

import pytest

from tests.fixtures.office_files import made
from tests.sites.crawl_site import serve_crawl_site
from traces.export.warc_records import HttpResponse, RecordHead, WarcRecords
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.script.spec_loader import CrawlScript, spec_of_root
from walker.errors import UsageError
from walker.library.filling import LibraryFiller
from walker.library.library_file import LibraryFile
from walker.library.sources import pages_of

RECORDINGS = Path(__file__).parents[2] / "recordings"
PAGE = b"<html lang=en><title>Tides</title><h1>Tides</h1><p>The tide is high at noon on Sundays.</p>"


async def filled(path: Path, *sources: Path) -> LibraryFiller:
    with contextlib.closing(LibraryFile.write(path)) as library:
        filler = LibraryFiller(library)
        for source in sources:
            async for page in pages_of(source):
                filler.add(page)
        return filler


def titles(path: Path, query: str) -> list[str]:
    with contextlib.closing(LibraryFile.read(path)) as library:
        return [hit.title for hit in library.search(query)]


async def test_the_pages_of_recorded_walks_are_added_once(tmp_path: Path) -> None:
    runs = [one.parent for one in sorted(RECORDINGS.rglob("run.json"))][:3]
    assert runs
    first = await filled(tmp_path / "l", *runs)
    assert first.counts["new"] > 3
    with contextlib.closing(LibraryFile.read(tmp_path / "l")) as library:
        before = library.info()
    again = await filled(tmp_path / "l", *runs)
    assert again.counts["new"] == 0
    with contextlib.closing(LibraryFile.read(tmp_path / "l")) as library:
        assert library.info().pages == before.pages
    folder = tmp_path / "runs"
    for run in runs:
        shutil.copytree(run, folder / run.name)
    assert (await filled(tmp_path / "other", folder)).counts["new"] == first.counts["new"]


@pytest.mark.parametrize("keep", ["html", "markdown", "text"])
async def test_the_pages_of_a_crawl_are_added_by_what_it_kept(tmp_path: Path, keep: str) -> None:
    with serve_crawl_site(0.0) as site:
        script = CrawlScript(spec=spec_of_root(site.home, driver="http", keep=(keep,), scope={"pages": 20}))
        await crawl(script, CrawlSettings(folder=tmp_path / "job"))
        asked = len(site.asked)
        assert (await filled(tmp_path / "a", tmp_path / "job")).counts["new"] >= 18
        assert (await filled(tmp_path / "b", tmp_path / "job" / "pages.jsonl")).counts["new"] >= 18
        assert len(site.asked) == asked
    assert titles(tmp_path / "a", "Front") == titles(tmp_path / "b", "Front") != []


async def test_a_crawl_that_kept_no_text_gives_no_pages(tmp_path: Path) -> None:
    with serve_crawl_site(0.0) as site:
        script = CrawlScript(spec=spec_of_root(site.home, driver="http", scope={"pages": 5}))
        await crawl(script, CrawlSettings(folder=tmp_path / "job"))
    assert (await filled(tmp_path / "a", tmp_path / "job")).counts.total() == 0


@pytest.mark.parametrize("name", ["site.warc", "site.warc.gz"])
async def test_html_of_a_warc_file_is_added_and_nothing_else(tmp_path: Path, name: str) -> None:
    make = WarcRecords(is_compressed=name.endswith(".gz"))

    def head(path: str) -> RecordHead:
        return RecordHead(url=f"https://a.example/{path}", date="2026-05-01T10:00:00Z")

    def answer(kind: str, body: bytes, status: int = 200) -> HttpResponse:
        return HttpResponse(status=status, headers=(("Content-Type", kind),), body=body)

    latin = "<title>Grüße</title><p>Öffnungszeiten am Freitag</p>".encode("latin-1")
    dom = RecordHead(url="urn:dom:https://a.example/dom", date="2026-05-01T10:00:00Z")
    records = (
        make.info(name, {}),
        make.response(head("tides"), answer("text/html", PAGE)),
        make.response(head("latin"), answer("text/html; charset=iso-8859-1", latin)),
        make.response(head("gone"), answer("text/html", b"<p>Not found</p>", 404)),
        make.response(head("moved"), answer("text/html", b"<p>Moved</p>", 301)),
        make.response(head("picture.png"), answer("image/png", b"\x89PNG")),
        make.response(head("broken.pdf"), answer("application/pdf", b"no PDF")),
        make.response(head("handbook.docx"), answer("application/octet-stream", made("handbook.docx"))),
        make.response(head("letter.doc"), answer("application/msword", b"an old file")),
        make.resource(dom, b"<title>Rendered</title><p>Made by a script</p>", "text/html"),
    )
    (tmp_path / name).write_bytes(b"".join(records))
    filler = await filled(tmp_path / "l", tmp_path / name)
    assert dict(filler.counts) == {"new": 4}
    assert titles(tmp_path / "l", "Öffnungszeiten") == ["Grüße"]
    assert titles(tmp_path / "l", "wick trimmed") == ["Handbook of the Skerry lighthouse"]
    with contextlib.closing(LibraryFile.read(tmp_path / "l")) as library:
        page = library.page("https://a.example/tides")
        assert page is not None
        assert (page.language, page.read_at) == ("en", 1777629600.0)
        assert library.has("https://a.example/dom")


async def test_a_warc_file_that_is_cut_off_gives_the_pages_before_the_cut(tmp_path: Path) -> None:
    make = WarcRecords(is_compressed=True)
    head = RecordHead(url="https://a.example/", date="2026-05-01T10:00:00Z")
    record = make.response(head, HttpResponse(status=200, headers=(("Content-Type", "text/html"),), body=PAGE))
    (tmp_path / "site.warc.gz").write_bytes(record + b"this is no record")
    with contextlib.suppress(UsageError):
        await filled(tmp_path / "l", tmp_path / "site.warc.gz")
    assert titles(tmp_path / "l", "tide") == ["Tides"]


async def test_error_pages_and_logins_are_left_out(tmp_path: Path) -> None:
    form = "<title>Log in</title><form><input type=password name=p><button>Log in</button></form>"
    rows = [
        {"url": "https://a.example/login", "status": 200, "title": "Log in", "html": form},
        {"url": "https://a.example/gone", "status": 500, "title": "Error", "html": "<p>Server error</p>"},
        {"url": "file:///etc/passwd", "status": 200, "title": "x", "html": "<p>root</p>"},
        {"url": "https://a.example/empty", "status": 200, "title": "", "html": "<body></body>"},
        {"url": "https://a.example/good", "status": 200, "title": "Good", "html": "<p>Good</p>"},
    ]
    (tmp_path / "pages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    filler = await filled(tmp_path / "l", tmp_path / "pages.jsonl")
    assert dict(filler.counts) == {"refused": 3, "empty": 1, "new": 1}


async def test_what_is_no_source_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "odd.txt").write_text("text")
    (tmp_path / "bad.jsonl").write_text("{no json\n")
    (tmp_path / "bad.zip").write_text("no zip")
    for name in ("missing", "empty", "odd.txt", "bad.jsonl", "bad.zip"):
        with pytest.raises(UsageError) as caught:
            await filled(tmp_path / "l", tmp_path / name)
        assert str(caught.value).startswith(str(tmp_path / name))
        assert "\n" not in str(caught.value)
