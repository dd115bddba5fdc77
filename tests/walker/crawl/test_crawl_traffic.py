"""All that a crawl fetched lies in its WARC file, whatever fetched it."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.sites.serving import Answer, Asked, LoopbackSite, serving
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.script.spec_loader import CrawlScript, spec_of_root

PAGES = 4
DOT = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63606060000000040001f61738550000000049454e44ae426082"
)
WORDS = "<p>page {n} tells of harbours and lamps and of the river number {n}</p><a href=/old/{n}>old</a>"
LARGE = "<a href=/large>large</a>"


def answer(asked: Asked) -> Answer | str | None:
    name, _, number = asked.target.strip("/").partition("/")
    match name:
        case "":
            links = "".join(f"<a href=/page/{n}>{n}</a>" for n in range(PAGES))
            return f"<title>Front</title><script src=/app.js></script><img src=/dot.png>{links}"
        case "app.js":
            fills = "fetch('/data.json').then(r => r.json()).then(d => { document.title = d.title })"
            return Answer(fills, kind="text/javascript")
        case "data.json":
            return Answer('{"title": "Filled"}', kind="application/json")
        case "dot.png":
            return Answer(DOT, kind="image/png")
        case "page" if number.isdecimal():
            more = LARGE if number == "9" else ""
            return Answer(WORDS.format(n=number) + more, headers=(("Set-Cookie", "key=secret-word"),))
        case "framed":
            return f"<p>around it</p><iframe src=http://{number}/page/3></iframe>"
        case "large":
            return "<p>much of it</p>" * 1000
        case "old":
            return Answer("moved", 301, headers=(("Location", f"/page/{number}"),))
    return None


@pytest.fixture
def home() -> Iterator[str]:
    with serving(LoopbackSite(answer, keep_alive=True)) as site:
        yield site.home


async def crawled(home: str, folder: Path, name: str, **parts: Any) -> Counter[tuple[int, str]]:
    """Status and path of every response in the file, how often."""
    spec = spec_of_root(home, output={"warc": folder / name}, concurrency=2, **parts)
    report = await crawl(CrawlScript(spec=spec), CrawlSettings(folder=folder / "job"))
    assert report.pages == 1 + PAGES
    found: Counter[tuple[int, str]] = Counter()
    with (folder / name).open("rb") as file:
        for record in ArchiveIterator(file, check_digests="raise"):
            if record.rec_type == "response":
                path = "/" + record.rec_headers.get_header("WARC-Target-URI").removeprefix(home)
                found[int(record.http_headers.get_statuscode()), path] += 1
                if path.startswith("/page/"):
                    assert record.content_stream().read().decode() == WORDS.format(n=path[-1])
    return found


async def truncated(root: str, folder: Path, *, hosts: list[str] | None = None, **parts: Any) -> dict[str, str | None]:
    """By address, why the body of an answer is not in the file."""
    path = folder / "traffic.warc"
    scope = {"pages": 2} | ({"hosts": hosts} if hosts else {})
    await crawl(
        CrawlScript(spec=spec_of_root(root, output={"warc": path}, scope=scope, **parts)),
        CrawlSettings(folder=folder / "job"),
    )
    with path.open("rb") as file:
        heads = [record.rec_headers for record in ArchiveIterator(file) if record.rec_type == "response"]
    return {head.get_header("WARC-Target-URI"): head.get_header("WARC-Truncated") for head in heads}


async def test_over_http(home: str, tmp_path: Path) -> None:
    found = await crawled(home, tmp_path, "traffic.warc.gz", driver="http")
    assert {(200, "/"), (404, "/robots.txt")} <= set(found)
    assert {(200, f"/page/{n}") for n in range(PAGES)} <= set(found)
    assert {(301, f"/old/{n}") for n in range(PAGES)} <= set(found), "redirects are exchanges of their own"
    assert b"secret-word" not in gzip.decompress((tmp_path / "traffic.warc.gz").read_bytes())


@pytest.mark.parametrize("driver", ["playwright", "selenium", "auto"])
async def test_what_a_browser_fetched(home: str, tmp_path: Path, driver: str) -> None:
    found = await crawled(home, tmp_path, "traffic.warc", driver=driver)
    assert {(200, f"/page/{n}") for n in range(PAGES)} <= set(found)
    assert {(301, f"/old/{n}") for n in range(PAGES)} <= set(found)
    assert {(200, "/"), (200, "/app.js"), (200, "/data.json"), (200, "/dot.png")} <= set(found)
    assert b"secret-word" not in (tmp_path / "traffic.warc").read_bytes()


@pytest.mark.parametrize("driver", ["http", "playwright", "selenium"])
async def test_what_is_too_large_is_told_without_its_body(home: str, tmp_path: Path, driver: str) -> None:
    cut = await truncated(f"{home}page/9", tmp_path, driver=driver, page_bytes=1024)
    assert cut[f"{home}page/9"] is None
    assert cut[f"{home}large"] == "length"


@pytest.mark.parametrize("driver", ["playwright", "selenium"])
async def test_frames_of_other_sites_are_heard(home: str, tmp_path: Path, driver: str) -> None:
    with serving(LoopbackSite(answer, keep_alive=True, host="127.0.0.2")) as other:
        place = other.home.split("/")[2]
        cut = await truncated(f"{home}framed/{place}", tmp_path, driver=driver, hosts=["127.0.0.1", place])
    assert cut[f"{other.home}page/3"] is None


async def test_a_second_run_appends(home: str, tmp_path: Path) -> None:
    first = await crawled(home, tmp_path, "traffic.warc.gz", driver="http")
    again = await crawled(home, tmp_path, "traffic.warc.gz", driver="http")
    assert again == first, "what is done is not fetched again"
