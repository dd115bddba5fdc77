"""A crawl keeps the pictures of its pages in its library, and fetches them as politely as pages."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sites.serving import Answer, Asked, LoopbackSite, serving
from tests.walker.cli.program import Ended, walker_here
from tests.walker.pictures.drawn import cropped, encoded, scene
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.script.spec_loader import CrawlScript, spec_of_root
from walker.errors import UsageError
from walker.library.library_file import LibraryFile

HALLS = 4
BOMB = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x4e\x20\0\0\x4e\x20\x08\x02\0\0\0" + b"\0" * 200


def museum(asked: Asked) -> Answer | str | None:
    if asked.path == "/robots.txt":
        return Answer("User-agent: *\nDisallow: /private/", kind="text/plain")
    if asked.path.startswith("/old/"):
        return Answer(encoded(scene(int(asked.path[5:-4]), 300, 200), ".gif"), kind="image/gif")
    if asked.path.startswith("/pictures/"):
        number = int(asked.path.rpartition("/")[2].partition(".")[0])
        return Answer(encoded(scene(number), ".jpg"), kind="image/jpeg")
    if asked.path == "/private/secret.png":
        return Answer(encoded(scene(90)), kind="image/png")
    if asked.path == "/bomb.png":
        return Answer(BOMB, kind="image/png")
    if asked.path == "/logo.png":
        return Answer(encoded(scene(91, 200, 200)), kind="image/png")
    if asked.path == "/":
        links = "".join(f"<a href=/hall/{number}>Hall {number}</a> " for number in range(HALLS))
        return f"<title>Museum</title><main><p>All halls of the museum.</p>{links}</main>"
    if asked.path.startswith("/hall/"):
        hall = int(asked.parts[-1])
        return (
            f"<title>Hall {hall}</title><img src=/logo.png alt=Logo><main><h1>Hall {hall}</h1>"
            f"<p>The hall number {hall} shows what was dug out in the year {1900 + 7 * hall}.</p>"
            f"<figure><img src=/pictures/{hall}.jpg alt='Find {hall}'><figcaption>A vase of clay</figcaption></figure>"
            f"<img src=/old/{70 + hall}.gif alt='Plan {hall}'>"
            "<img src=/private/secret.png><img src=/bomb.png><img src=/missing.png><img src=/drawing.svg>"
            "<img src='data:image/png;base64,AAAA'><img src=/spacer.gif width=1 height=1></main>"
        )
    return None


@pytest.fixture
def site() -> Iterator[LoopbackSite]:
    with serving(LoopbackSite(museum)) as served:
        yield served


def script(site: LoopbackSite) -> CrawlScript:
    return CrawlScript(spec=spec_of_root(site.home, driver="http", concurrency=2, keep=("links", "pictures")))


async def test_pictures_are_fetched_once_and_found_again(site: LoopbackSite, tmp_path: Path) -> None:
    path = tmp_path / "museum.library"
    report = await crawl(script(site), CrawlSettings(folder=tmp_path / "job", library=path))
    assert report.pages == HALLS + 1
    with contextlib.closing(LibraryFile.read(path)) as library:
        assert library.info().pictures == 2 * HALLS + 1
        assert {entry.url.removeprefix(site.home): entry.pictures for entry in library.pages()} == {
            "": 0,
            **{f"hall/{number}": 3 for number in range(HALLS)},
        }
    times = site.times_asked()
    assert times["/private/secret.png"] == 0, "robots.txt holds for pictures too"
    assert times["/drawing.svg"] == times["/spacer.gif"] == 0
    assert all(times[f"/pictures/{number}.jpg"] == 1 for number in range(HALLS))
    assert times["/logo.png"] <= 2, "once for each worker that came to it at the same time"

    (tmp_path / "part.jpg").write_bytes(cropped(scene(2)))
    ended = run(tmp_path, "search", str(path), "--picture", "part.jpg", "-k", "1")
    assert ended.code == 0
    title, words, place, file = ended.out.splitlines()
    assert (title, words) == ("Hall 2", "  Find 2 - A vase of clay - Hall 2")
    assert place.startswith(f"  {site.home}hall/2  (")
    assert "matched points" in place
    assert file == f"  {site.home}pictures/2.jpg"
    (tmp_path / "plan.png").write_bytes(encoded(scene(73, 300, 200)))
    ended = run(tmp_path, "search", str(path), "--picture", "plan.png", "-k", "1")
    assert ended.out.splitlines()[0] == "Hall 3"
    assert f"{site.home}old/73.gif" in ended.out
    asked = site.times_asked()
    assert asked == times, "a search asks nobody"


async def test_pictures_need_a_library(site: LoopbackSite, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="kept in a library"):
        await crawl(script(site), CrawlSettings(folder=tmp_path / "job"))
    assert site.asked == []


def test_pictures_of_a_warc_file_are_added_with_its_pages(site: LoopbackSite, tmp_path: Path) -> None:
    crawled = run(
        tmp_path, "crawl", site.home, "--driver", "http", "--keep", "pictures", "--library", "one.library",
        "--warc", "site.warc.gz", "-q",
    )  # fmt: skip
    assert crawled.code == 0
    assert run(tmp_path, "library", "add", "two.library", "site.warc.gz").code == 0
    (tmp_path / "same.png").write_bytes(encoded(scene(3)))
    ended = run(tmp_path, "search", "two.library", "--picture", "same.png", "-k", "1", "--json")
    assert f'"url":"{site.home}hall/3"' in ended.out
    listed = run(tmp_path, "library", "info", "two.library").out
    assert f"{2 * HALLS + 1} pictures" in listed


def run(folder: Path, *arguments: str) -> Ended:
    return walker_here(*arguments, folder=folder)
