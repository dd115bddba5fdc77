"""Pages out of a library, through the seam of a browser."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from perception.document.reading import observe
from perception.snapshot import Snapshot
from walker.errors import BrowserUnavailable
from walker.library.library_browser import HITS_SHOWN, LibraryBrowser
from walker.library.library_file import LibraryFile
from walker.library.page_passages import library_page
from walker.seams.actions import Operate, Scroll
from walker.seams.protocols import Browser, PageFailure
from walker.seams.searches import is_search, query_of, search_address

HOME = "https://docs.example/"
INDEX = (
    '<html lang=en><title>Guide</title><base href="/sub/"><p>Read <a href=backup.html>backups</a>, <a href=/gone.html>gone</a>,'
    ' <a href="https://else.example/">else</a> and <a href="#here">here</a>. Search: <input type=search name=q> after.</p>'
)


def page(path: str, html: str) -> Snapshot:
    return Snapshot(url=HOME + path, final_url=HOME + path, status=200, html=html, fetched_at=5.0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with contextlib.closing(LibraryFile.write(tmp_path / "docs.library")) as library:
        library.add(library_page(page("index.html", INDEX)))
        library.add(
            library_page(page("sub/backup.html", "<title>Backups <b></title><p>Backups & restores run at two."))
        )
        for number in range(30):
            library.add(library_page(page(f"n{number}", f"<title>Note {number}</title><p>Note number{number}.</p>")))
    return tmp_path / "docs.library"


@pytest_asyncio.fixture
async def browser(path: Path) -> AsyncIterator[Browser]:
    made: Browser = LibraryBrowser(path, clock=lambda: 7.0)
    yield made
    await made.close()


async def opened(browser: Browser, url: str) -> Snapshot:
    page = await browser.open(url)
    assert isinstance(page, Snapshot)
    return page


async def test_a_search_is_a_page_of_links_in_the_order_of_the_hits(browser: Browser) -> None:
    shown = await opened(browser, search_address("when do backups  run?"))
    observation = observe(shown)
    assert (shown.url, shown.status, shown.fetched_at) == (shown.final_url, 200, 7.0)
    assert observation.title == "when do backups run?"
    assert [(link.url, link.label) for link in observation.links] == [
        (HOME + "sub/backup.html", "Backups <b>"),
        (HOME + "index.html", "Guide"),
    ]
    notes = observe(await opened(browser, search_address("note")))
    assert len(notes.links) == HITS_SHOWN
    (found,) = notes.record_sets
    assert [record.url for record in found.records] == [link.url for link in notes.links]


@pytest.mark.parametrize("query", ["", "the", "zeppelin", "<script>alert()</script>", '"quoted" & \u2028 odd'])
async def test_a_search_that_finds_nothing_is_a_page_without_links(browser: Browser, query: str) -> None:
    shown = observe(await opened(browser, search_address(query)))
    assert shown.links == ()
    assert shown.title == " ".join(query.split())


async def test_a_stored_page_links_only_to_what_is_here_and_has_no_fields(browser: Browser) -> None:
    observation = observe(await opened(browser, HOME + "index.html#top"))
    assert [link.url for link in observation.links if "#" not in link.url] == [HOME + "sub/backup.html"]
    assert "gone, else and" in " ".join(block.text for block in observation.blocks)
    assert "after." in " ".join(block.text for block in observation.blocks)
    assert observation.controls == ()


async def test_what_is_not_here_fails_and_nothing_can_be_operated(browser: Browser) -> None:
    failure = await browser.open(HOME + "gone.html")
    assert failure == PageFailure(url=HOME + "gone.html", kind="other", message="it is not in the library")
    assert isinstance(await browser.open("no address"), PageFailure)
    acted = await browser.act(Operate(action=Scroll()))
    assert isinstance(acted, PageFailure)
    assert acted.kind == "gone"
    assert isinstance(await browser.see(), PageFailure)
    await browser.fetch_ahead((HOME,))


async def test_a_library_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(BrowserUnavailable, match="there is no such file"):
        await LibraryBrowser(tmp_path / "none").open(HOME)


@pytest.mark.parametrize("query", ["page size?", "a & b = c # d", "数据库 备份", "100%", "half \ud83d"])
def test_the_address_of_a_search_holds_its_query(query: str) -> None:
    address = search_address(query)
    assert is_search(address)
    assert query_of(address) == query.replace("\ud83d", "?")
    assert query_of("https://docs.example/search?q=x") == ""
