"""A walk that records its network adds the pictures of its pages to its library, page by page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from perception.snapshot import Snapshot
from tests.sites.serving import Answer, Asked, LoopbackSite, serving
from tests.walker.pictures.drawn import encoded, scene, shrunk
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.network.network_log import NetworkLog
from walker.browser.playwright.playwright_browser import PlaywrightBrowser
from walker.library.filling_browser import FillingBrowser
from walker.library.picture_search import LibraryPictureSearch
from walker.library.walk_library import WalkLibrary

ROOMS = 3
BROKEN = encoded(scene(9))[:200]


def rooms(asked: Asked) -> Answer | str | None:
    if asked.path.startswith("/pictures/"):
        return Answer(encoded(scene(int(asked.parts[-1]))), kind="image/png")
    if asked.path == "/broken.png":
        return Answer(BROKEN, kind="image/png")
    room = asked.path.strip("/") or "0"
    told = f"The room number {room} shows what was dug out in the year {1900 + 7 * int(room)}. " * 4
    return (
        f"<title>Room {room}</title><main><h1>Room {room}</h1><p>{told}</p>"
        f"<img src=/pictures/{room} alt='Find {room}'><img src=/broken.png></main>"
    )


async def test_a_picture_is_found_before_the_next_page_is_opened(chromium: Chromium, tmp_path: Path) -> None:
    log, file = NetworkLog(), tmp_path / "walk.library"
    with serving(LoopbackSite(rooms)) as site:
        live = PlaywrightBrowser(chromium, ContextOptions(), prepare=log.watch)
        browser = FillingBrowser(live, WalkLibrary(file, str), log)
        try:
            for room in range(ROOMS):
                await browser.open(f"{site.home}{room}")
                assert await found(file, room) == f"{site.home}{room}"
                heard = [one.url.removeprefix(site.home) for one in (await log.take()).exchanges]
                assert {f"{room}", f"pictures/{room}"} <= set(heard), "the recording has them all the same"
        finally:
            await browser.close()


async def found(file: Path, room: int) -> str:
    """The page of the surest hit for the picture of a room, "" where no hit is sure."""
    search = LibraryPictureSearch.read(file)
    hits = await search.find(shrunk(scene(room)), "", 3)
    await search.close()
    assert isinstance(hits, tuple)
    return hits[0].url if hits and hits[0].score >= 0.5 else ""


async def test_a_library_in_memory_asks_for_no_pictures(chromium: Chromium) -> None:
    class Unasked:
        async def pictures(self) -> Mapping[str, bytes]:
            raise AssertionError("nobody could search by them")

    with serving(LoopbackSite(rooms)) as site:
        shelf = WalkLibrary(None, str)
        browser = FillingBrowser(PlaywrightBrowser(chromium, ContextOptions()), shelf, Unasked())
        try:
            assert isinstance(await browser.open(f"{site.home}2"), Snapshot)
            assert [hit.url for hit in shelf.search("what was dug out", 3)] == [f"{site.home}2"]
        finally:
            await browser.close()
