"""The file: what is refused, readers beside a writer, and versions."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from memory.library.errors import LibraryUnusable
from memory.library.protocol import NewPage, PageLine
from walker.library.library_file import LIST_AT_A_TIME, LibraryFile
from walker.library.library_schema import VERSION


def page(number: int, text: str = "") -> NewPage:
    line = PageLine(text=text or f"Page number{number} of the handbook")
    return NewPage(url=f"https://a.example/{number}", title="Handbook", lines=(line,))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with contextlib.closing(LibraryFile.write(tmp_path / "new" / "docs.library")) as library:
        library.add(page(1))
    return tmp_path / "new" / "docs.library"


def test_a_closed_library_is_one_file(path: Path) -> None:
    assert [file.name for file in path.parent.iterdir()] == ["docs.library"]


def test_readers_go_on_while_a_writer_writes(path: Path) -> None:
    with contextlib.closing(LibraryFile.write(path)) as writer, contextlib.closing(LibraryFile.read(path)) as reader:
        for number in range(2, 40):
            writer.add(page(number))
            assert len(reader.search("handbook", 100)) == number
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")  # a writer in the middle of a page
        assert len(reader.search("handbook", 100)) == 39
        other.execute("ROLLBACK")
        other.close()


def test_a_library_that_cannot_be_written_is_read(path: Path) -> None:
    path.chmod(0o444)
    path.parent.chmod(0o555)
    try:
        with contextlib.closing(LibraryFile.read(path)) as reader:
            assert len(reader.search("handbook")) == 1
    finally:
        path.parent.chmod(0o755)


def test_pages_are_listed_in_parts_while_more_are_added(path: Path) -> None:
    with contextlib.closing(LibraryFile.write(path)) as library:
        for number in range(2, LIST_AT_A_TIME + 50):
            library.add(page(number))
        seen = []
        for entry in library.pages():
            seen.append(entry.url)
            if len(seen) == 1:
                library.add(page(9_999))
        assert len(seen) == len(set(seen)) == LIST_AT_A_TIME + 50


def test_the_index_agrees_with_the_passages(path: Path) -> None:
    with contextlib.closing(LibraryFile.write(path)) as library:
        for number in range(20):
            library.add(page(number))
            library.add(page(number % 3, f"Changed{number}"))
        library.remove("https://a.example/1*")
    base = sqlite3.connect(path)
    base.execute("INSERT INTO words (words) VALUES ('integrity-check')")
    counts = [base.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0] for table in ("words", "passages", "pages")]
    base.close()
    assert counts == [9, 9, 9]


def test_a_file_that_is_no_library_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database\n" * 200)
    sqlite3.connect(tmp_path / "other").execute("CREATE TABLE t (x)").connection.close()
    for name, said in (
        ("text", "is not a library"),
        ("other", "is not a library"),
        ("missing", "there is no such file"),
        (".", "is a folder"),
    ):
        with pytest.raises(LibraryUnusable, match=said) as caught:
            LibraryFile.read(tmp_path / name)
        assert caught.value.advice
        assert "\n" not in str(caught.value)
    for name in ("text", "other"):
        with pytest.raises(LibraryUnusable, match="is not a library"):
            LibraryFile.write(tmp_path / name)
    assert (tmp_path / "text").read_text().startswith("no database")


@pytest.mark.parametrize(("version", "said"), [(VERSION + 1, "a newer version"), (0, "an older version")])
def test_another_version_is_told(path: Path, version: int, said: str) -> None:
    base = sqlite3.connect(path)
    base.execute(f"PRAGMA user_version = {version}")
    base.close()
    for opening in (LibraryFile.read, LibraryFile.write):
        with pytest.raises(LibraryUnusable, match=said):
            opening(path)


def test_a_damaged_library_is_told_in_one_line(path: Path) -> None:
    with contextlib.closing(LibraryFile.write(path)) as library:
        for number in range(200):
            library.add(page(number))
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)
    with contextlib.closing(LibraryFile.read(path)) as library, pytest.raises(LibraryUnusable, match="damaged"):
        library.search("handbook")


def test_an_empty_file_becomes_a_library(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    with pytest.raises(LibraryUnusable, match="is not a library"):
        LibraryFile.read(tmp_path / "empty")
    with contextlib.closing(LibraryFile.write(tmp_path / "empty")) as library:
        assert library.add(page(1)) == "new"
