"""Pictures in a library's file: with their pages, in the same transaction, and in files of the version before."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
from functools import cache
from pathlib import Path

import msgspec
import numpy as np

from memory.library.pictures import PagePicture
from memory.library.protocol import NewPage, PageLine
from perception.picture_search.encoder import PictureEncoder
from tests.fixtures.loaded_program import run_code_loaded
from tests.perception.picture_search.test_encoder import COLOURS, coloured, plain, write_encoder, write_words
from tests.walker.pictures.drawn import cropped, encoded, scene
from walker.library.library_file import LibraryFile
from walker.library.library_schema import SCHEMA
from walker.library.picture_search import LibraryPictureSearch, encode_pictures
from walker.pictures.picture_marks import marks_of
from walker.seams.search_protocols import PictureHit, SearchFailure

HOME = "https://museum.example/"


@cache
def shown(seed: int, alt: str = "", name: str = "") -> PagePicture:
    url = f"{HOME}{name or f'picture{seed}'}.png"
    return PagePicture(marks=marks_of(encoded(scene(seed))), url=url, alt=alt)


def page(path: str, *pictures: PagePicture, text: str = "Some text of the page.") -> NewPage:
    return NewPage(url=HOME + path, title=path, lines=(PageLine(text=text),), pictures=pictures)


def found(library: LibraryFile, picture: bytes, words: str = "", most: int = 5) -> tuple[PictureHit, ...]:
    hits = LibraryPictureSearch(library).find_now(picture, words, most)
    assert not isinstance(hits, SearchFailure)
    return hits


def rows(library: Path, table: str) -> int:
    with contextlib.closing(sqlite3.connect(library)) as base:
        return int(base.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])


def test_a_part_of_a_picture_leads_to_its_page(tmp_path: Path) -> None:
    with contextlib.closing(LibraryFile.write(tmp_path / "a.library")) as library:
        for seed in range(6):
            library.add(page(f"page{seed}", shown(seed, f"Vase {seed}"), text=f"Text {seed}"))
        best = found(library, cropped(scene(4)))[0]
        assert (best.url, best.title, best.picture) == (HOME + "page4", "page4", HOME + "picture4.png")
        assert (best.words, best.found_by, best.digest) == ("Vase 4", "features", shown(4).marks.digest)
        assert best.preview == shown(4).marks.preview != b""
        assert best.score > 0.9
        assert len(best.matches) >= 20
        assert library.info().pictures == 6
        assert [entry.pictures for entry in library.pages()] == [1] * 6


def test_words_find_pictures_too_but_are_no_proof(tmp_path: Path) -> None:
    with contextlib.closing(LibraryFile.write(tmp_path / "a.library")) as library:
        library.add(page("one", shown(1, "A bronze mask of a king"), text="One"))
        library.add(page("two", shown(2, name="clay-vase"), text="Two"))
        absent = encoded(scene(50))
        assert [hit.url for hit in found(library, absent, "bronze mask") if hit.found_by == "words"] == [HOME + "one"]
        assert [hit.url for hit in found(library, absent, "clay vase") if hit.found_by == "words"] == [HOME + "two"]
        assert all(hit.score < 0.5 for hit in found(library, absent, "bronze mask clay vase"))
        both = found(library, encoded(scene(2)), "bronze mask")
        assert [hit.url for hit in both][:2] == [HOME + "two", HOME + "one"]
        assert [hit.score for hit in both] == sorted((hit.score for hit in both), reverse=True)
        assert found(library, absent, "?!") == found(library, absent)


def test_pictures_go_with_their_pages(tmp_path: Path) -> None:
    path = tmp_path / "a.library"
    with contextlib.closing(LibraryFile.write(path)) as library:
        assert library.add(page("a", shown(1), shown(2), text="A")) == "new"
        assert library.add(page("a", shown(1), shown(2), text="A")) == "known"
        assert library.add(page("b", shown(2), text="B")) == "new"
        assert library.info().pictures == 2, "a file that two pages show is kept once"
        unread = msgspec.structs.replace(page("a", text="A"), pictures=None)
        assert library.add(unread) == "known"
        assert library.info().pictures == 2, "pictures that were not read this time stay"
        assert library.add(page("a", shown(1), text="A")) == "changed"
        assert library.remove(HOME + "b") == 1
        assert library.info().pictures == 1
        assert library.remove(HOME + "*") == 1
        assert library.info().pictures == 0
    tables = ("pictures", "picture_looks", "picture_places", "picture_words", "picture_vectors")
    assert [rows(path, table) for table in tables] == [0] * 5


def test_galleries_with_one_text_keep_their_own_pictures(tmp_path: Path) -> None:
    with contextlib.closing(LibraryFile.write(tmp_path / "a.library")) as library:
        for number in (1, 2):
            library.add(msgspec.structs.replace(page(f"hall/{number}", shown(number)), title="Hall"))
        assert library.info().pages == 1
        assert found(library, encoded(scene(1)))[0].url == HOME + "hall/1"
        assert found(library, encoded(scene(2)))[0].url == HOME + "hall/2"
        library.add(msgspec.structs.replace(page("silent", shown(3)), lines=()))
        assert found(library, encoded(scene(3)))[0].url == HOME + "silent", "a page of a picture alone is kept"


def test_a_file_of_the_version_before_is_read_and_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "old.library"
    with contextlib.closing(sqlite3.connect(path)) as base:
        for statement in SCHEMA.strip().split(";\n"):
            base.execute(statement)
        base.execute("PRAGMA application_id = 2003593570")
        base.execute("PRAGMA user_version = 1")
    before = path.read_bytes()
    with contextlib.closing(LibraryFile.read(path)) as library:
        assert library.info().pictures == 0
        assert list(library.pages()) == []
        assert found(library, encoded(scene(1)), "any words") == ()
    assert path.read_bytes() == before
    with contextlib.closing(LibraryFile.write(path)) as library:
        library.add(page("a", shown(1)))
    with contextlib.closing(LibraryFile.read(path)) as library:
        assert found(library, encoded(scene(1)))[0].url == HOME + "a"
    assert path.read_bytes() != before


def test_an_encoder_of_the_users_finds_what_has_the_same_colours(tmp_path: Path) -> None:
    path = tmp_path / "a.library"
    with contextlib.closing(LibraryFile.write(path)) as library:
        for seed in range(40):
            marks = marks_of(encoded(coloured(seed)))
            library.add(page(f"p{seed}", PagePicture(marks=marks, url=f"{HOME}{seed}.png"), text=f"Text {seed}"))
    encoder = PictureEncoder.load(write_encoder(tmp_path / "model"), "cpu")
    assert encode_pictures(path, encoder) == 40
    assert encode_pictures(path, encoder) == 0
    blurred = encoded(coloured(7)[::5, ::5])
    with contextlib.closing(LibraryFile.read(path)) as library:
        hits = LibraryPictureSearch(library, encoder).find_now(blurred, "", 5)
        assert not isinstance(hits, SearchFailure)
        assert hits[0].url == HOME + "p7"
        by_encoder = next(hit for hit in hits if hit.found_by == "encoder" or hit.url == HOME + "p7")
        assert by_encoder.score >= 0.5


def test_words_find_what_an_encoder_says_that_they_mean(tmp_path: Path) -> None:
    path, folder = tmp_path / "a.library", write_words(write_encoder(tmp_path / "model"))
    with contextlib.closing(LibraryFile.write(path)) as library:
        for colour in COLOURS:
            shown_here = PagePicture(marks=marks_of(encoded(plain(colour))), url=f"{HOME}{len(colour)}.png")
            library.add(page(colour[:1], shown_here, text=f"Text {len(colour)}"))
    encoder = PictureEncoder.load(folder, "cpu")
    assert encode_pictures(path, encoder) == 3
    noise = encoded(np.full((40, 40, 3), 128, np.uint8))
    with contextlib.closing(LibraryFile.read(path)) as library:
        search = LibraryPictureSearch(library, encoder)

        def place_of(colour: str, words: str) -> int:
            hits = search.find_now(noise, words, 3)
            assert not isinstance(hits, SearchFailure)
            assert {hit.found_by for hit in hits} == {"encoder"}
            return [hit.url for hit in hits].index(HOME + colour[:1])

        # Grey is as far from all three: without words they stand in the order in which they came.
        assert [place_of(colour, "") for colour in COLOURS] == [0, 1, 2]
        assert place_of("blue", "something blue") < place_of("green", "something blue")
        assert place_of("red", "something red") == 0


FILLING = """
import os, sys, pickle
from pathlib import Path
from walker.library.library_file import LibraryFile

library = LibraryFile.write(Path(sys.argv[1]))
for page in pickle.loads(Path(sys.argv[2]).read_bytes()) * 1000:
    library.add(page)
    os.write(1, page.title.encode() + b"\\n")
"""


def test_a_kill_leaves_pages_with_all_their_pictures_or_none(tmp_path: Path) -> None:
    path, pages = tmp_path / "a.library", tmp_path / "pages"
    import pickle  # noqa: PLC0415 - between two processes of this test

    turns = [page(f"p{n % 4}", shown(n % 5), shown((n + 1) % 5), text=f"Text {n % 7}") for n in range(28)]
    pages.write_bytes(pickle.dumps(turns))
    for kill_after in (1, 9, 30, 31, 57):
        with run_code_loaded(FILLING, str(path), str(pages)) as child:
            assert child.stdout is not None
            for _ in range(kill_after):
                child.stdout.readline()
            os.kill(child.pid, signal.SIGKILL)
        with contextlib.closing(sqlite3.connect(path)) as base:
            assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            places = base.execute("SELECT key, COUNT(*) FROM picture_places GROUP BY key").fetchall()
            assert {count for _, count in places} == {2}
            assert len(places) == base.execute("SELECT COUNT(*) FROM addresses").fetchone()[0]
            shown_here = base.execute("SELECT DISTINCT picture FROM picture_places ORDER BY 1").fetchall()
            assert shown_here == base.execute("SELECT id FROM pictures ORDER BY 1").fetchall()
            assert shown_here == base.execute("SELECT picture FROM picture_looks ORDER BY 1").fetchall()
            assert rows(path, "picture_words") == rows(path, "picture_places")
