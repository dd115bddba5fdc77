"""Tables of a library's file, its version, and opening it."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from urllib.parse import quote

from memory.library.errors import LibraryUnusable
from walker.pictures.picture_index import PictureIndex

APPLICATION, VERSION = 0x77_6C_69_62, 3
"""Of the file's header: "wlib", and the version of the tables below. Version 1 had none of pictures, version 2 no index of their
visual words and nothing of what is written in them: writing adds these, and reading does without."""
OLDEST = 1
"""Version that is still read."""
WAIT_SECONDS = 30.0
"""How long a writer waits for another one; a page takes milliseconds."""
CACHE_KILOBYTES = 32_000
IN_MEMORY = ":memory:"
"""What messages name in place of a file."""

SCHEMA = """
CREATE TABLE pages (
    id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    url TEXT NOT NULL,
    title TEXT NOT NULL,
    language TEXT NOT NULL,
    read_at REAL NOT NULL,
    markup BLOB NOT NULL
);
CREATE TABLE addresses (
    key TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    page INTEGER NOT NULL REFERENCES pages
) WITHOUT ROWID;
CREATE INDEX addresses_of_page ON addresses (page);
CREATE TABLE passages (
    id INTEGER PRIMARY KEY,
    page INTEGER NOT NULL REFERENCES pages,
    place INTEGER NOT NULL,
    headings TEXT NOT NULL,
    anchor TEXT NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX passages_of_page ON passages (page, place);
CREATE VIRTUAL TABLE words USING fts5(title, headings, text, tokenize = "ascii tokenchars '_.:+#-'''");
CREATE VIRTUAL TABLE word_counts USING fts5vocab(words, row);
"""
PICTURES_SCHEMA = """
CREATE TABLE pictures (
    id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    thumbnail BLOB NOT NULL,
    features BLOB NOT NULL,
    preview BLOB NOT NULL
);
CREATE TABLE picture_looks (picture INTEGER PRIMARY KEY REFERENCES pictures, look BLOB NOT NULL);
CREATE TABLE picture_places (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL REFERENCES addresses,
    place INTEGER NOT NULL,
    picture INTEGER NOT NULL REFERENCES pictures,
    url TEXT NOT NULL,
    alt TEXT NOT NULL,
    caption TEXT NOT NULL,
    heading TEXT NOT NULL,
    UNIQUE (key, place)
);
CREATE INDEX places_of_picture ON picture_places (picture);
CREATE INDEX pictures_by_url ON picture_places (url);
CREATE TABLE picture_vectors (
    model TEXT NOT NULL,
    picture INTEGER NOT NULL REFERENCES pictures,
    vector BLOB NOT NULL,
    PRIMARY KEY (model, picture)
) WITHOUT ROWID;
"""
"""Since version 2. A picture belongs to an address, not to a page: galleries may have one text and many addresses. `picture_looks`
has hash (8 bytes) and visual words (2 bytes each) in rows of its own: what the index is made of."""
PICTURE_WORDS_SCHEMA = """
CREATE VIRTUAL TABLE picture_words USING fts5(told, name, written, tokenize = "ascii tokenchars '_.:+#-'''");
CREATE VIRTUAL TABLE picture_word_counts USING fts5vocab(picture_words, row);
"""
"""For each place of a picture what is told of it there, its file name, and since version 3 what is written in it."""
PICTURE_INDEX_SCHEMA = """
CREATE TABLE picture_texts (picture INTEGER PRIMARY KEY REFERENCES pictures, text TEXT NOT NULL, words TEXT NOT NULL);
CREATE TABLE picture_parts (part INTEGER PRIMARY KEY, pictures BLOB NOT NULL, hashes BLOB NOT NULL, lengths BLOB NOT NULL);
CREATE TABLE picture_postings (id INTEGER PRIMARY KEY, places BLOB NOT NULL);
CREATE TABLE picture_indexed (picture INTEGER PRIMARY KEY, part INTEGER NOT NULL, place INTEGER NOT NULL);
CREATE INDEX pictures_of_part ON picture_indexed (part);
CREATE TABLE picture_gone (part INTEGER NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (part, place)) WITHOUT ROWID;
CREATE TABLE picture_unindexed (picture INTEGER PRIMARY KEY);
"""
"""Since version 3. `picture_texts` has a row for each picture in which something was read: that, and its words.
A part has number (8 bytes), hash (8) and
number of words (2) of each of its pictures; a row of `picture_postings`, by part * 65536 + word, the places of those that have the
word (2 bytes each). See walker/pictures/picture_index.py."""
_WORDS_OF_VERSION_2 = """
ALTER TABLE picture_words RENAME TO picture_words_before;
DROP TABLE picture_word_counts;
CREATE VIRTUAL TABLE picture_words USING fts5(told, name, written, tokenize = "ascii tokenchars '_.:+#-'''");
CREATE VIRTUAL TABLE picture_word_counts USING fts5vocab(picture_words, row);
INSERT INTO picture_words (rowid, told, name, written) SELECT rowid, told, name, '' FROM picture_words_before;
DROP TABLE picture_words_before;
"""
"""`words` has a row for each passage, under its id: tokens of memory/words, with a space between two. It keeps them, so that a
row can be removed whatever the tokens of a later version are. Of FTS5's tokenizers `ascii` is the one that changes no letter."""


def open_for_reading(path: Path) -> sqlite3.Connection:
    """Open a library that is there. Raises `LibraryUnusable`."""
    _check_file(path)
    where = f"file:{quote(str(path.absolute()))}"
    try:
        base = _connected(f"{where}?mode=ro")
    except sqlite3.OperationalError:
        # Nobody can write beside a file in a folder that cannot be written, so nothing of it lies elsewhere either.
        base = _opened(path, f"{where}?immutable=1")
    _check_header(base, path)
    _add_for_reading(base)
    return base


def open_for_writing(path: Path) -> sqlite3.Connection:
    """Open a library, or make one. Raises `LibraryUnusable`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LibraryUnusable(
            f"its folder cannot be made ({error.strerror})", where=str(path), advice="Name another file"
        ) from None
    if path.exists():
        _check_file(path)
    base = _opened(path, f"file:{quote(str(path.absolute()))}?mode=rwc")
    try:
        if _is_blank(base):
            base.execute("PRAGMA journal_mode = WAL")
            _make_tables(base)
        _check_header(base, path)
        _bring_up_to_date(base)
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("PRAGMA synchronous = NORMAL")
    except sqlite3.Error as error:
        base.close()
        raise unusable(error, path) from None
    return base


def open_in_memory() -> sqlite3.Connection:
    """A new library without a file. Raises `LibraryUnusable`."""
    base = _opened(Path(IN_MEMORY), "file::memory:")
    _make_tables(base)
    return base


def _add_for_reading(base: sqlite3.Connection) -> None:
    """What an older file lacks, in tables of this connection only: the file stays as it is."""
    if (version := _version(base)) == VERSION:
        return
    older = PICTURES_SCHEMA + PICTURE_WORDS_SCHEMA if version < 2 else ""
    for statement in _statements(older + PICTURE_INDEX_SCHEMA):
        if not statement.startswith("CREATE INDEX"):
            base.execute(
                statement.replace("CREATE TABLE ", "CREATE TEMP TABLE ").replace(
                    "VIRTUAL TABLE ", "VIRTUAL TABLE temp."
                )
            )
    base.execute("INSERT INTO picture_unindexed SELECT picture FROM picture_looks")


def unusable(error: sqlite3.Error, path: Path) -> LibraryUnusable:
    """The one line for an error of SQLite."""
    text = str(error)
    if "locked" in text or "busy" in text:
        advice = "Another program is writing to it; wait for that to end, then run the same command again"
    elif "full" in text:
        advice = "Free some space, then run the same command again"
    elif "readonly" in text or "unable to open" in text:
        advice = "Check its permissions and those of its folder, or name another file"
    elif "not a database" in text:
        text, advice = "is not a library", _NO_LIBRARY
    else:
        advice = "The file may be damaged: fill a new one from the same sources"
    return LibraryUnusable(text, where=str(path), advice=advice)


_NO_LIBRARY = "Make one with walker library add FILE SOURCE, or walker crawl ROOT --library FILE"


def _check_file(path: Path) -> None:
    if path.is_dir():
        raise LibraryUnusable("is a folder, not a library", where=str(path), advice="Name a file")
    if not path.exists():
        raise LibraryUnusable("there is no such file", where=str(path), advice=_NO_LIBRARY)
    if not path.is_file():
        raise LibraryUnusable("is not a file", where=str(path), advice="Name a file on disk")


def _opened(path: Path, where: str) -> sqlite3.Connection:
    try:
        return _connected(where)
    except sqlite3.Error as error:
        raise unusable(error, path) from None


def _connected(where: str) -> sqlite3.Connection:
    base = sqlite3.connect(where, uri=True, isolation_level=None, timeout=WAIT_SECONDS, check_same_thread=False)
    try:
        base.execute(f"PRAGMA cache_size = -{CACHE_KILOBYTES}")
        base.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
    except sqlite3.OperationalError:
        base.close()
        raise
    except sqlite3.DatabaseError:
        pass  # not a database; the check of the header says it
    return base


def _is_blank(base: sqlite3.Connection) -> bool:
    return int(base.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()[0]) == 0


def _make_tables(base: sqlite3.Connection) -> None:
    """In one transaction: a process that dies here leaves an empty file, for which this is repeated."""
    base.execute("BEGIN IMMEDIATE")
    try:
        if _is_blank(base):
            for statement in _statements(SCHEMA + PICTURES_SCHEMA + PICTURE_WORDS_SCHEMA + PICTURE_INDEX_SCHEMA):
                base.execute(statement)
            base.execute(f"PRAGMA application_id = {APPLICATION}")
            base.execute(f"PRAGMA user_version = {VERSION}")
        base.execute("COMMIT")
    finally:
        if base.in_transaction:
            base.execute("ROLLBACK")


def _bring_up_to_date(base: sqlite3.Connection) -> None:
    """Add what an older version had not, in one transaction; some seconds for 50,000 pictures."""
    if _version(base) == VERSION:
        return
    base.execute("BEGIN IMMEDIATE")
    try:
        if (version := _version(base)) < VERSION:
            words = PICTURES_SCHEMA + PICTURE_WORDS_SCHEMA if version < 2 else _WORDS_OF_VERSION_2
            for statement in _statements(words + PICTURE_INDEX_SCHEMA):
                base.execute(statement)
            PictureIndex(base).add_all()
            base.execute(f"PRAGMA user_version = {VERSION}")
        base.execute("COMMIT")
    finally:
        if base.in_transaction:
            base.execute("ROLLBACK")


def _version(base: sqlite3.Connection) -> int:
    return int(base.execute("PRAGMA user_version").fetchone()[0])


def _statements(schema: str) -> list[str]:
    return [statement.strip().rstrip(";") for statement in schema.strip().split(";\n")]


def _check_header(base: sqlite3.Connection, path: Path) -> None:
    """Raises `LibraryUnusable`, and closes the file, where it is no library of a version that is known."""
    try:
        application = base.execute("PRAGMA application_id").fetchone()[0]
        version = base.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.Error as error:
        base.close()
        raise unusable(error, path) from None
    if application == APPLICATION and OLDEST <= version <= VERSION:
        return
    base.close()
    if application != APPLICATION:
        raise LibraryUnusable("is not a library", where=str(path), advice=_NO_LIBRARY)
    newer = version > VERSION
    raise LibraryUnusable(
        f"was written by {'a newer' if newer else 'an older'} version of Walker (format {version}, this one reads {VERSION})",
        where=str(path),
        advice="Update Walker" if newer else "Fill a new file from the same sources",
    )
