"""One body for every implementation of the Library seam."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from memory.library.errors import BadQuery
from memory.library.protocol import Library, NewPage, PageLine
from memory.url_key import BadUrl
from tests.contracts.plain_library import PlainLibrary
from walker.library.library_file import LibraryFile

HOME = "https://docs.example/"


def page(path: str, *lines: str, title: str = "Backups", also: tuple[str, ...] = ()) -> NewPage:
    return NewPage(
        url=HOME + path,
        title=title,
        lines=tuple(PageLine(text=line, headings=("Guide", "Evening"), anchor="evening") for line in lines),
        markup=f"<title>{title}</title>" + "".join(f"<p>{line}</p>" for line in lines),
        language="en",
        read_at=12.0,
        also=tuple(HOME + one for one in also),
    )


@pytest.fixture(params=["file", "plain"])
def library(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Library]:
    made: Library = LibraryFile.write(tmp_path / "one.library") if request.param == "file" else PlainLibrary()
    with contextlib.closing(made):
        yield made


def test_what_was_added_is_found_and_opened(library: Library) -> None:
    assert library.add(page("backup.html", "Backups run every night at two.")) == "new"
    (hit,) = library.search("when do the backups run?")
    assert (hit.url, hit.title, hit.language) == (HOME + "backup.html", "Backups", "en")
    assert hit.passage.text == "Backups run every night at two."
    assert (hit.passage.headings, hit.passage.anchor, hit.passage.place) == (("Guide", "Evening"), "evening", 0)
    assert hit.score > 0
    assert hit.address == HOME + "backup.html#evening"
    stored = library.page(HOME + "backup.html#else")
    assert stored is not None
    assert (stored.read_at, stored.passages) == (12.0, (hit.passage,))
    assert stored.markup == page("backup.html", "Backups run every night at two.").markup


def test_the_same_text_is_there_once_under_all_its_addresses(library: Library) -> None:
    assert library.add(page("a.html", "Backups run every night.")) == "new"
    assert library.add(page("a.html", "Backups run every night.")) == "known"
    assert library.add(page("b.html", "Backups run every night.", also=("c.html",))) == "new"
    assert len(library.search("backups", 10, a_page=0)) == 1
    assert all(library.has(HOME + name) for name in ("a.html", "b.html", "c.html"))
    (entry,) = library.pages()
    assert (entry.url, entry.also, entry.passages) == (HOME + "a.html", (HOME + "b.html", HOME + "c.html"), 1)
    info = library.info()
    assert (info.pages, info.addresses, info.passages) == (1, 3, 1)
    assert (info.languages, info.sites) == ({"en": 1}, {"https://docs.example": 1})


def test_a_changed_page_takes_the_place_of_the_old_one(library: Library) -> None:
    library.add(page("a.html", "Backups run every night."))
    assert library.add(page("a.html", "Snapshots run every hour.")) == "changed"
    assert library.search("night") == ()
    assert [hit.url for hit in library.search("hour")] == [HOME + "a.html"]
    assert library.info().pages == 1


def test_a_page_that_another_address_leads_to_stays_under_that(library: Library) -> None:
    library.add(page("a.html", "Backups run every night."))
    library.add(page("b.html", "Backups run every night."))
    library.add(page("a.html", "Snapshots run every hour."))
    assert [hit.url for hit in library.search("night")] == [HOME + "b.html"]
    assert library.remove(HOME + "b.html") == 1
    assert library.search("night") == ()


def test_addresses_are_removed_one_by_one_and_by_their_beginning(library: Library) -> None:
    for name in ("old/a.html", "old/b.html", "new/a.html"):
        library.add(page(name, f"Backups of {name}."))
    assert library.remove(HOME + "old/*") == 2
    assert library.remove(HOME + "old/a.html") == 0
    assert library.remove("nothing") == 0
    assert [entry.url for entry in library.pages()] == [HOME + "new/a.html"]


def test_scores_fall_and_a_page_gives_as_many_passages_as_are_wanted(library: Library) -> None:
    library.add(page("long.html", *(f"Backup number {number}. " + "word " * 130 for number in range(6))))
    library.add(page("short.html", "Backup of tables.", title="Tables"))
    assert next(hit.url for hit in library.search("backup tables")) == HOME + "short.html"
    assert len(library.search("backup")) == 2
    assert len(library.search("backup", 10, a_page=2)) == 3
    assert len(library.search("backup", 10, a_page=0)) == 7
    assert len(library.search("backup", 3, a_page=0)) == 3
    scores = [hit.score for hit in library.search("backup number 3", 10, a_page=0)]
    assert scores == sorted(scores, reverse=True)


def test_one_page_can_be_searched_alone(library: Library) -> None:
    library.add(page("a.html", "Backups run every night."))
    library.add(page("b.html", "Backups run every hour."))
    assert [hit.url for hit in library.search("backups", page=HOME + "b.html")] == [HOME + "b.html"]
    assert library.search("backups", page=HOME + "c.html") == ()
    assert library.search("backups", page="no address") == ()


@pytest.mark.parametrize("query", ["", "  ", "?!", "what is the", "☃"])
def test_a_query_without_words_is_refused(library: Library, query: str) -> None:
    with pytest.raises(BadQuery):
        library.search(query)


@pytest.mark.parametrize(
    "query",
    ['"', "a OR", "title:x", "NEAR(a b)", "x*", "(backups", "back-ups' --", "night\x00", "\ud800 night", "^a AND"],
)
def test_nothing_in_a_query_is_syntax(library: Library, query: str) -> None:
    library.add(page("a.html", "Backups run every night."))
    try:
        hits = library.search(query)
    except BadQuery:
        return
    assert all(hit.url == HOME + "a.html" for hit in hits)


def test_stems_identifiers_and_chinese_are_found(library: Library) -> None:
    library.add(page("a.html", "Call get_folderPath() after C++ and node.js are installed.", title="Paths"))
    library.add(page("b.html", "图书馆每晚两点备份数据库。", title="备份"))
    for query in ("installing", "folder", "get_folderpath", "C++", "node.js"):
        assert [hit.url for hit in library.search(query)] == [HOME + "a.html"], query
    assert [hit.url for hit in library.search("数据库什么时候备份？")] == [HOME + "b.html"]


def test_a_page_without_text_is_not_kept(library: Library) -> None:
    assert library.add(page("a.html", "", "  ")) == "empty"
    assert library.info().pages == 0
    with pytest.raises(BadUrl):
        library.add(msgspec.structs.replace(page("a", "Text."), url="http://[::1"))
    assert library.page("http://[::1") is None


def test_odd_text_is_kept_as_far_as_it_can_be(library: Library) -> None:
    assert library.add(page("a.html", "half \ud83d a letter\x00 and more", "\u200b" * 9, "x" * 20_000)) == "new"
    assert len(library.search("letter")) == 1


def test_a_query_of_a_whole_document_is_answered(library: Library) -> None:
    library.add(page("a.html", "Backups run every night."))
    assert library.search("backups " + " ".join(f"word{number}" for number in range(5000)))
