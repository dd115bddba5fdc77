"""Which pages a search of a library finds, and in which order."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from itertools import pairwise

import pytest

from memory.library.protocol import NewPage, PageLine
from walker.library.library_file import LibraryFile


def page(path: str, *texts: str, title: str = "Handbook") -> NewPage:
    lines = tuple(PageLine(text=text) for text in texts)
    return NewPage(url=f"http://a.example/{path}", title=title, lines=lines)


@pytest.fixture
def library() -> Iterator[LibraryFile]:
    with contextlib.closing(LibraryFile.in_memory()) as made:
        made.add(page("prices", "Berths cost ten crowns a night."))
        made.add(page("cranes", "The crane lifts four tonnes."))
        yield made


def found(library: LibraryFile, query: str) -> list[str]:
    hits = library.search(query)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    return [hit.url.rsplit("/", 1)[1] for hit in hits]


def test_a_word_of_which_only_other_forms_are_there_is_found(library: LibraryFile) -> None:
    library.add(page("assemblee", "Les concerts sont annoncés sur le panneau."))
    library.add(page("verein", "Die Gemeindeversammlung findet im März statt."))
    assert found(library, "annoncée ?") == ["assemblee"]
    assert found(library, "Gemeinden") == ["verein"]


def test_a_word_that_is_there_finds_no_others_that_begin_so(library: LibraryFile) -> None:
    library.add(page("gemeinde", "Gemeinden wählen."))
    library.add(page("verein", "Die Gemeindeversammlung findet im März statt."))
    assert found(library, "Gemeinden") == ["gemeinde"]


def test_words_side_by_side_come_before_the_same_words_apart(library: LibraryFile) -> None:
    library.add(page("apart", "The gate of the lock has a tide mark."))
    library.add(page("beside", "A tide gate of the lock has a mark."))
    assert found(library, "tide gate")[0] == "beside"


def test_more_hits_than_are_ranked_by_page_are_found(library: LibraryFile) -> None:
    for number in range(150):
        library.add(page(f"bell{number}", f"The bell number{number} rings."))
    hits = library.search("bell", 140)
    assert len({hit.url for hit in hits}) == 140
    assert all(first.score >= second.score > 0 for first, second in pairwise(hits))
