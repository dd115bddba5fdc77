"""The pictures of a library's file: what each is found by, once, and a place for each page that shows it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import unquote, urlsplit

import msgspec

from memory.library.passages import encodable
from memory.library.pictures import PagePicture, PictureMarks, PicturePlace
from memory.library.query_terms import chosen_terms, match_expression, terms_of
from memory.words import tokens
from perception.picture_search.visual_words import Postings, Words
from walker.pictures.picture_index import PictureIndex
from walker.seams.picture_pages import BETWEEN_TEXTS

_PLACES = """
SELECT picture_places.picture, addresses.url, pages.title, picture_places.url, alt, caption, heading, pictures.digest
FROM picture_places JOIN pictures ON pictures.id = picture_places.picture
JOIN addresses ON addresses.key = picture_places.key JOIN pages ON pages.id = addresses.page
WHERE picture_places.picture IN (SELECT value FROM json_each(?))
ORDER BY length(alt) + length(caption) DESC, addresses.url
"""


class LibraryPictures:
    """Reads and writes the tables of pictures. Its methods raise `sqlite3.Error`; the writing ones are called within a transaction."""

    def __init__(self, base: sqlite3.Connection) -> None:
        self._base, self._index = base, PictureIndex(base)

    def put(self, key: str, pictures: Sequence[PagePicture]) -> bool:
        """Let the page of an address show these pictures and no others; whether that is a change."""
        shown = _each_once(pictures)
        wanted = [_described(one) for one in shown]
        there = self._base.execute(
            "SELECT pictures.digest, url, alt, caption, heading FROM picture_places JOIN pictures ON pictures.id = picture"
            " WHERE key = ? ORDER BY place",
            (key,),
        ).fetchall()
        has_text = self._put_texts(shown)
        if there == wanted:
            return has_text
        before = self._forget_places([key])
        for place, picture in enumerate(shown):
            row = self._kept(picture.marks)
            _, url, alt, caption, heading = wanted[place]
            number = self._base.execute(
                "INSERT INTO picture_places (key, place, picture, url, alt, caption, heading) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (key, place, row, url, alt, caption, heading),
            ).lastrowid
            told = " ".join(tokens(" ".join((alt, caption, heading))))
            name = " ".join(tokens(_file_name(url)))
            self._base.execute(
                "INSERT INTO picture_words (rowid, told, name, written)"
                " VALUES (?, ?, ?, (SELECT COALESCE(MAX(words), '') FROM picture_texts WHERE picture = ?))",
                (number, told, name, row),
            )
        self._drop_unshown(before)
        return True

    def forget(self, keys: Iterable[str]) -> None:
        """Remove the pictures of addresses that are no longer there."""
        self._drop_unshown(self._forget_places(keys))

    def count(self) -> int:
        """How many different picture files there are."""
        return int(self._base.execute("SELECT COUNT(*) FROM pictures").fetchone()[0])

    def numbers(self) -> list[int]:
        """The numbers of all different picture files, in order."""
        return [number for (number,) in self._base.execute("SELECT id FROM pictures ORDER BY id")]

    def has_texts(self) -> bool:
        """Whether something was read in any of them."""
        return self._base.execute("SELECT 1 FROM picture_texts LIMIT 1").fetchone() is not None

    def counts(self, pages: Sequence[int]) -> dict[int, int]:
        """How many pictures are shown by each of these pages, under all its addresses."""
        rows = self._base.execute(
            "SELECT page, COUNT(DISTINCT picture) FROM picture_places JOIN addresses USING (key)"
            " WHERE page IN (SELECT value FROM json_each(?)) GROUP BY page",
            (_list(pages),),
        )
        return dict(rows.fetchall())

    def postings(self, words: Words) -> Postings:
        """Which pictures have these visual words."""
        return self._index.postings(words)

    def marks(self, numbers: Sequence[int]) -> dict[int, PictureMarks]:
        """The marks of these pictures."""
        rows = self._base.execute(
            "SELECT id, digest, width, height, look, thumbnail, features, preview FROM pictures"
            " JOIN picture_looks ON picture = id WHERE id IN (SELECT value FROM json_each(?))",
            (_list(numbers),),
        )
        return {
            number: PictureMarks(
                digest=digest.hex(),
                width=width,
                height=height,
                hash=int.from_bytes(look[:8]),
                signature=look[8:],
                thumbnail=thumbnail,
                features=features,
                preview=preview,
            )
            for number, digest, width, height, look, thumbnail, features, preview in rows
        }

    def previews_without(self, model: str) -> Iterator[tuple[str, bytes]]:
        """Digest and preview of each picture that this encoder has made no vector of."""
        rows = self._base.execute(
            "SELECT digest, preview FROM pictures WHERE NOT EXISTS"
            " (SELECT 1 FROM picture_vectors WHERE picture = pictures.id AND model = ?) ORDER BY id",
            (model,),
        ).fetchall()
        yield from ((digest.hex(), preview) for digest, preview in rows)

    def previews(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """The previews of these pictures."""
        rows = self._base.execute(
            "SELECT id, preview FROM pictures WHERE id IN (SELECT value FROM json_each(?))", (_list(numbers),)
        )
        return dict(rows.fetchall())

    def texts(self, numbers: Sequence[int]) -> dict[int, str]:
        """What was read in these pictures, where something was."""
        rows = self._base.execute(
            "SELECT picture, text FROM picture_texts WHERE picture IN (SELECT value FROM json_each(?))",
            (_list(numbers),),
        )
        return dict(rows.fetchall())

    def places(self, numbers: Sequence[int]) -> dict[int, list[PicturePlace]]:
        """The pages that show each of these pictures, those with the most words of it first; no page twice."""
        found: dict[int, list[PicturePlace]] = {}
        for row in self._base.execute(_PLACES, (_list(numbers),)):
            _add_place(found, row)
        return found

    def search(self, query: str, most: int) -> tuple[int, ...]:
        """The pictures whose words fit a query best, by their numbers. Raises `BadQuery` for one without words."""
        terms = terms_of(query)
        frequency = {
            term: int(row[0])
            for term in terms
            if (row := self._base.execute("SELECT doc FROM picture_word_counts WHERE term = ?", (term,)).fetchone())
        }
        chosen = chosen_terms(terms, frequency)
        if not chosen:
            return ()
        rows = self._base.execute(
            "SELECT picture FROM (SELECT rowid, -bm25(picture_words, 2, 1) AS score FROM picture_words WHERE picture_words MATCH ?"
            " ORDER BY score DESC, rowid LIMIT ?) AS found JOIN picture_places ON id = found.rowid ORDER BY score DESC, id",
            (match_expression(chosen), 4 * most),
        )
        return tuple(dict.fromkeys(int(row[0]) for row in rows))[:most]

    def vectors(self, model: str) -> dict[int, bytes]:
        """What an encoder made of each picture, by its number; {} for an encoder that was not used here."""
        return dict(
            self._base.execute("SELECT picture, vector FROM picture_vectors WHERE model = ? ORDER BY picture", (model,))
        )

    def put_vector(self, model: str, digest: str, vector: bytes) -> None:
        """Keep what an encoder made of a picture that is here."""
        self._base.execute(
            "INSERT OR REPLACE INTO picture_vectors (model, picture, vector) SELECT ?, id, ? FROM pictures WHERE digest = ?",
            (model, vector, bytes.fromhex(digest)),
        )

    def _put_texts(self, pictures: Sequence[PagePicture]) -> bool:
        """Keep what was read in pictures that are here without it, and let them be found by it; whether there was any."""
        changed = False
        for marks in (one.marks for one in pictures if one.marks.text):
            row = self._base.execute(
                "SELECT id FROM pictures WHERE digest = ? AND id NOT IN (SELECT picture FROM picture_texts)",
                (bytes.fromhex(marks.digest),),
            ).fetchone()
            if row is not None:
                self._put_text(int(row[0]), marks.text)
                changed = True
        return changed

    def _put_text(self, picture: int, text: str) -> None:
        words = " ".join(tokens(text))
        self._base.execute("INSERT INTO picture_texts VALUES (?, ?, ?)", (picture, encodable(text), words))
        self._base.execute(
            "UPDATE picture_words SET written = ? WHERE rowid IN (SELECT id FROM picture_places WHERE picture = ?)",
            (words, picture),
        )

    def _kept(self, marks: PictureMarks) -> int:
        """The row of a picture, which is stored where it is not there."""
        digest = bytes.fromhex(marks.digest)
        known = self._base.execute("SELECT id FROM pictures WHERE digest = ?", (digest,)).fetchone()
        if known is not None:
            return int(known[0])
        row = self._base.execute(
            "INSERT INTO pictures (digest, width, height, thumbnail, features, preview) VALUES (?, ?, ?, ?, ?, ?)",
            (
                digest,
                marks.width,
                marks.height,
                marks.thumbnail,
                marks.features,
                marks.preview,
            ),
        ).lastrowid
        assert row is not None, "a row was inserted"
        self._base.execute("INSERT INTO picture_looks VALUES (?, ?)", (row, marks.hash.to_bytes(8) + marks.signature))
        self._index.add(row)
        if marks.text:
            self._put_text(row, marks.text)
        return row

    def _forget_places(self, keys: Iterable[str]) -> set[int]:
        """Remove all places of these addresses; the pictures that stood there."""
        gone: set[int] = set()
        for key in keys:
            rows = self._base.execute("SELECT id, picture FROM picture_places WHERE key = ?", (key,)).fetchall()
            self._base.executemany("DELETE FROM picture_words WHERE rowid = ?", [(number,) for number, _ in rows])
            self._base.execute("DELETE FROM picture_places WHERE key = ?", (key,))
            gone |= {picture for _, picture in rows}
        return gone

    def _drop_unshown(self, pictures: Iterable[int]) -> None:
        for picture in pictures:
            if self._base.execute("SELECT 1 FROM picture_places WHERE picture = ?", (picture,)).fetchone() is None:
                self._index.remove(picture)
                self._base.execute("DELETE FROM picture_looks WHERE picture = ?", (picture,))
                self._base.execute("DELETE FROM picture_vectors WHERE picture = ?", (picture,))
                self._base.execute("DELETE FROM picture_texts WHERE picture = ?", (picture,))
                self._base.execute("DELETE FROM pictures WHERE id = ?", (picture,))


def _described(picture: PagePicture) -> tuple[bytes, str, str, str, str]:
    texts = (encodable(text) for text in (picture.url, picture.alt, picture.caption, picture.heading))
    url, alt, caption, heading = texts
    return bytes.fromhex(picture.marks.digest), url, alt, caption, heading


def _each_once(pictures: Sequence[PagePicture]) -> tuple[PagePicture, ...]:
    """Without those that a page shows again, such as the thumbnail in a list."""
    return tuple({(one.marks.digest, one.url): one for one in reversed(pictures)}.values())[::-1]


def _file_name(url: str) -> str:
    """The last part of an address, as words: a name often says what is shown."""
    name = unquote(urlsplit(url).path.rsplit("/", 1)[-1]).rsplit(".", 1)[0]
    return "".join(sign if sign.isalnum() else " " for sign in name)


def _add_place(found: dict[int, list[PicturePlace]], row: tuple[object, ...]) -> None:
    number, page, title, url, alt, caption, heading, digest = row
    assert isinstance(number, int)
    assert isinstance(digest, bytes)
    known = found.setdefault(number, [])
    if all(one.page != page for one in known):
        words = BETWEEN_TEXTS.join(dict.fromkeys(str(text) for text in (alt, caption, heading) if text))
        place = PicturePlace(
            picture=number, page=str(page), title=str(title), url=str(url), words=words, digest=digest.hex()
        )
        known.append(place)


def _list(numbers: Sequence[int]) -> str:
    """For `json_each`, which takes any number of values where a statement takes some thousand."""
    return msgspec.json.encode(list(numbers)).decode()
