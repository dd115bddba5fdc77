"""Screenshots, downloads and the text of PDF files, kept by whole crawls of a real site."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perception.images.image import decode_picture, size_of
from tests.sites.files_site import ARCHIVE, LETTER, serve_files
from tests.sites.serving import LoopbackSite
from walker.crawl.crawl_report import CrawlReport
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.pages.file_store import FileStore, file_name, safe_name, wanted_name
from walker.crawl.script.spec_loader import CrawlScript, spec_of_root
from walker.pdf.pdf_process import read_pdf_apart

DRIVERS = ["http", "auto", "playwright", "selenium"]


@pytest.fixture
def site() -> Iterator[LoopbackSite]:
    with serve_files() as server:
        yield server


async def crawled(site: LoopbackSite, folder: Path, driver: str, **parts: Any) -> CrawlReport:
    spec = spec_of_root(site.home, driver=driver, concurrency=2, page_bytes=200_000, polite={"retries": 0}, **parts)
    return await crawl(CrawlScript(spec=spec), CrawlSettings(folder=folder))


def pages(folder: Path) -> dict[str, dict[str, Any]]:
    rows = [json.loads(line) for line in (folder / "pages.jsonl").read_text().splitlines()]
    return {"/" + row["url"].split("/", 3)[3]: row for row in rows}


@pytest.mark.parametrize("driver", DRIVERS)
async def test_files_that_are_not_kept_are_left_nowhere(
    site: LoopbackSite, tmp_path: Path, driver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    await crawled(site, tmp_path / "job", driver)
    assert names_in(tmp_path / "here") == []


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("driver", DRIVERS)
async def test_files_are_kept(site: LoopbackSite, tmp_path: Path, driver: str) -> None:
    await crawled(site, tmp_path, driver, keep=["download", "pdf"])
    found = pages(tmp_path)
    (kept,) = [row for row in found.values() if row.get("final_url", "").endswith("/papers/letter.pdf")]
    assert (kept["text"], kept["pdf_pages"], kept["type"]) == ("Hello harbour", 1, "application/pdf")
    assert (tmp_path / "files" / kept["file"]).read_bytes() == LETTER
    assert (tmp_path / "files" / found["/get?id=3"]["file"]).read_bytes() == ARCHIVE
    assert found["/get?id=3"]["file"].endswith("-exe.conf-résumé.bin")
    assert found["/data.zip"]["file"].endswith("-profile")
    assert found["/named.pdf"]["title"] == "A page", "what is a page is read as one, whatever it is called"
    assert found["/gone.pdf"]["why"] == "HTTP 404"
    assert "larger than 200000 bytes" in found["/large.zip"]["why"]
    assert names_in(tmp_path / "files") == sorted(row["file"] for row in found.values() if "file" in row)
    assert (tmp_path / "files" / kept["file"]).stat().st_mode & 0o111 == 0


async def test_only_the_text_of_pdf_files(site: LoopbackSite, tmp_path: Path) -> None:
    await crawled(site, tmp_path, "http", keep=["pdf"])
    found = pages(tmp_path)
    assert [row["text"] for row in found.values() if "text" in row] == ["Hello harbour"]
    assert not (tmp_path / "files").exists()
    assert "/data.zip" not in site.asked, "its address says that it is no PDF"
    assert "/get?id=3" not in found


async def test_a_pdf_is_a_file_of_the_markdown_folder(site: LoopbackSite, tmp_path: Path) -> None:
    output = {"markdown": tmp_path / "docs", "chunks": tmp_path / "chunks.jsonl"}
    await crawled(site, tmp_path / "job", "http", keep=["pdf"], output=output)
    written = (tmp_path / "docs/papers/letter.pdf.md").read_text()
    assert f'url: "{site.home}papers/letter.pdf"' in written
    assert "## Page 1\n\nHello harbour" in written
    chunks = [json.loads(line) for line in (tmp_path / "chunks.jsonl").read_text().splitlines()]
    (passage,) = [one for one in chunks if one["url"].endswith("letter.pdf")]
    assert (passage["headings"][-1], passage["text"]) == ("Page 1", "Hello harbour")


async def test_without_a_wish_no_file_is_asked_for(site: LoopbackSite, tmp_path: Path) -> None:
    report = await crawled(site, tmp_path, "http")
    assert {path for path in site.asked if path.endswith((".pdf", ".zip"))} == set()
    assert "a file: it is a file to download, which was refused" in report.skips


async def test_files_where_a_rule_wants_them_go_where_the_script_says(site: LoopbackSite, tmp_path: Path) -> None:
    rules = [{"match": "/papers/**", "keep": ["download"]}]
    await crawled(site, tmp_path / "job", "http", pages=rules, output={"files": tmp_path / "out"})
    assert [name.partition("-")[2] for name in names_in(tmp_path / "out")] == ["letter.pdf"]
    assert "/data.zip" not in site.asked


async def test_what_a_crash_left_is_written_over(site: LoopbackSite, tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    outside = tmp_path / "outside"
    outside.write_text("mine")
    rows = range(1, 20)
    for row in rows:
        (files / f"{row:06}-letter.pdf").symlink_to(outside)
        (files / f".{row:06}-letter.pdf.part").symlink_to(outside)
    await crawled(site, tmp_path, "http", keep=["download"], scope={"path": "/papers"})
    kept = pages(tmp_path)["/papers/letter.pdf"]["file"]
    assert not (files / kept).is_symlink()
    assert (files / kept).read_bytes() == LETTER
    assert outside.read_text() == "mine", "what a link points at is nobody's to write"


@pytest.mark.parametrize("driver", ["auto", "playwright", "selenium"])
async def test_screenshots(site: LoopbackSite, tmp_path: Path, driver: str) -> None:
    await crawled(site, tmp_path, driver, keep=["screenshot"])
    found = pages(tmp_path)
    for path in ("/", "/about"):
        picture = (tmp_path / "files" / found[path]["screenshot"]).read_bytes()
        assert picture.startswith(b"\x89PNG")
        assert size_of(decode_picture(picture))[0] == 1280
    assert found["/about"]["screenshot"].endswith("-about.png")


@pytest.mark.parametrize(
    ("wanted", "safe"),
    [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "etc-passwd"),
        ("..\\..\\boot.ini", "boot.ini"),
        (".bashrc", "bashrc"),
        ("a\u202etxt.exe\x00", "atxt.exe"),
        ("C:\\x|y?.txt", "C-x-y.txt"),
        ("x" * 500 + ".tar", "x" * 80 + ".tar"),
        ("...", ""),
        ("", ""),
    ],
)
def test_names_that_a_site_chose(wanted: str, safe: str) -> None:
    assert safe_name(wanted) == safe


@given(st.text(st.characters(exclude_categories=()), max_size=300), st.integers(1, 10**9))
def test_no_name_leaves_the_folder(wanted: str, row: int) -> None:
    name = file_name(row, wanted)
    assert Path(name).name == name
    assert not set(name) & set('/\\:*?"<>|\0\n')
    assert name[0].isdigit(), "neither hidden, nor an option, nor the name of a device"
    assert not any(unicodedata.category(one)[0] == "C" for one in name)
    assert name[-1] not in ". "
    assert len(name.encode()) <= 200
    assert file_name(row, wanted) == name


def test_what_a_site_calls_a_file() -> None:
    assert wanted_name("https://a.example/b/c%20d.pdf?x=1") == "c d.pdf"
    assert wanted_name("https://a.example/", 'attachment; filename="q.zip"') == "q.zip"
    assert wanted_name("https://a.example/x.bin", "inline") == "x.bin"


def test_a_file_is_whole_or_not_there(tmp_path: Path) -> None:
    files = FileStore(tmp_path / "files")
    files.write("a", b"one")
    files.write("a", b"two")
    assert [(path.name, path.read_bytes()) for path in files.folder.iterdir()] == [("a", b"two")]


async def test_a_reader_that_takes_too_long_is_ended() -> None:
    assert (await read_pdf_apart(LETTER)).text == "Hello harbour"
    assert (await read_pdf_apart(b"junk")).problem != ""
    assert "within 0.01 seconds" in (await read_pdf_apart(LETTER, seconds=0.01)).problem
