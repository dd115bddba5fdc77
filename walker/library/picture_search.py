"""Finds pictures of a library that are like a picture, or whose words fit."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec

from memory.library.errors import BadQuery, LibraryError
from memory.library.pictures import PicturePlace, fused
from perception.errors import PerceptionError
from perception.images.image import Picture, decode_picture
from perception.images.picture_file import open_picture, preview_of
from perception.picture_search.encoder import PictureEncoder
from perception.picture_search.features import Look, features_at_both_scales, look_of
from perception.picture_search.finding import NEAR_BITS, Found, find
from perception.picture_search.matching import Match
from perception.picture_search.pixels import PixelCheck
from perception.picture_search.vectors import chances, unpacked_vectors
from walker.errors import UsageError
from walker.library.library_file import LibraryFile
from walker.library.library_pictures import LibraryPictures
from walker.pictures.picture_marks import ReadText, look_of_marks
from walker.seams.search_protocols import PictureHit, SearchFailure

LEAST_CHANCE = 0.001
"""Of a hit that nothing but two or three points speaks for; less is no hit."""
WORDS_AT_MOST = 0.4
"""Chance of a picture that only its words speak for: words do not show that it is the same picture."""
PLACES_AT_MOST = 3
"""Pages told of one picture: a logo is on all."""
PREVIEWS_AT_MOST = 8
"""Pictures of a search that come with their previews: some 15 kB each, which a recorded walk keeps."""
_AGREEING_LEAST = 5
ENCODER_HITS, ENCODED_AT_A_TIME = 50, 64

FoundBy = Literal["hash", "features", "words", "encoder"]


class _Ranked(msgspec.Struct, frozen=True, kw_only=True):
    picture: int
    chance: float
    by: FoundBy
    match: Match = Match()


class LibraryPictureSearch:
    """Implements `walker.seams.search_protocols.PictureSearch` over one library."""

    def __init__(
        self, library: LibraryFile, encoder: PictureEncoder | None = None, read: ReadText | None = None
    ) -> None:
        """`read` reads what is written in a picture, where something was read in those of the library."""
        self._library, self._encoder, self._read = library, encoder, read
        self._lock = asyncio.Lock()

    @classmethod
    def read(
        cls, path: Path, encoder: PictureEncoder | None = None, read: ReadText | None = None
    ) -> LibraryPictureSearch:
        """Open a library that is there. Raises `LibraryUnusable`."""
        return cls(LibraryFile.read(path), encoder, read)

    async def find(self, picture: bytes, words: str, most: int) -> tuple[PictureHit, ...] | SearchFailure:
        """The best hits, verified ones first; those of words after them unless the picture speaks for them too."""
        async with self._lock:
            return await asyncio.to_thread(self.find_now, picture, words, most)

    async def close(self) -> None:
        """Close the library."""
        self._library.close()

    def find_now(self, picture: bytes, words: str, most: int) -> tuple[PictureHit, ...] | SearchFailure:
        """As `find`, in this thread."""
        try:
            shown = open_picture(picture)
            with self._library.pictures() as pictures:
                by_look = self._by_look(shown, pictures)
                by_encoder = self._by_encoder(shown, words, pictures)
                written = self._read(shown) if self._read is not None and pictures.has_texts() else ""
                by_words = [_by_words(text, pictures, most) for text in (words, written)]
                ranked = _merged(by_look, *by_encoder, *by_words)[: max(0, most)]
                places = pictures.places([one.picture for one in ranked])
                placed = {one.picture: places.get(one.picture, []) for one in ranked}
                previews = pictures.previews([one.picture for one in ranked[:PREVIEWS_AT_MOST]])
        except (PerceptionError, LibraryError) as error:
            return SearchFailure(kind="unreadable", message=str(error))
        return _hits(ranked, placed, previews, most)

    def _by_look(self, shown: Picture, pictures: LibraryPictures) -> tuple[_Ranked, ...]:
        searched, previews = look_of(shown), dict[int, bytes]()

        def looks(wanted: Sequence[int]) -> Mapping[int, Look]:
            read = pictures.marks(wanted)
            previews.update((number, marks.preview) for number, marks in read.items())
            return {number: look_of_marks(marks) for number, marks in read.items()}

        both, agrees = partial(features_at_both_scales, shown, searched), PixelCheck(shown, previews.__getitem__).agrees
        return tuple(
            _Ranked(picture=one.picture, chance=one.chance, by=_by(one), match=one.match)
            for one in find(searched, both, looks, pictures.postings, agrees)
            if one.chance >= LEAST_CHANCE
        )

    def _by_encoder(self, shown: Picture, words: str, pictures: LibraryPictures) -> tuple[tuple[_Ranked, ...], ...]:
        """Pictures like this one, and pictures that the words mean."""
        encoder = self._encoder
        kept = pictures.vectors(encoder.name) if encoder is not None else {}
        if encoder is None or not kept:
            return ()
        numbers, vectors = list(kept), unpacked_vectors(list(kept.values()))
        like = chances(encoder.of_picture(decode_picture(preview_of(shown))), vectors)
        rankings = [_best(numbers, like)]
        if (meant := encoder.of_words(words)) is not None:
            near = (vectors @ unpacked_vectors([meant])[0]).tolist()
            by_rank = sorted(zip(numbers, near, strict=True), key=lambda one: (-one[1], one[0]))[:ENCODER_HITS]
            rankings.append(_by_rank([number for number, _ in by_rank], "encoder"))
        return tuple(rankings)


def prepared_encoder(library: Path, folder: Path) -> tuple[PictureEncoder, int]:
    """The encoder in a folder, and how many pictures of the library it had to make vectors of. Raises `UsageError`, one line, for a
    folder without one, `LibraryUnusable`."""
    try:
        encoder = PictureEncoder.load(folder)
        return encoder, encode_pictures(library, encoder) if library.is_file() else 0
    except PerceptionError as error:
        raise UsageError(error.what, where=error.where, advice=error.advice) from None


def encode_pictures(path: Path, encoder: PictureEncoder) -> int:
    """Make the vectors that a library lacks of an encoder, and keep them; how many. Raises `LibraryUnusable`, `ModelUnusable`."""
    with closing(LibraryFile.write(path)) as library:
        with library.pictures() as pictures:
            missing = list(pictures.previews_without(encoder.name))
        for start in range(0, len(missing), ENCODED_AT_A_TIME):
            some = missing[start : start + ENCODED_AT_A_TIME]
            vectors = [(digest, encoder.of_picture(decode_picture(preview))) for digest, preview in some]
            library.put_vectors(encoder.name, vectors)
        return len(missing)


def _by(found: Found) -> FoundBy:
    few = found.match.agreeing < _AGREEING_LEAST and found.match.bits <= NEAR_BITS
    return "hash" if few else "features"


def _by_words(words: str, pictures: LibraryPictures, most: int) -> tuple[_Ranked, ...]:
    if not words.strip():
        return ()
    try:
        found = pictures.search(words, max(1, most))
    except BadQuery:
        return ()
    return _by_rank(found, "words")


def _by_rank(numbers: Sequence[int], by: FoundBy) -> tuple[_Ranked, ...]:
    """With chances that only order them."""
    return tuple(
        _Ranked(picture=number, chance=round(WORDS_AT_MOST / rank, 4), by=by)
        for rank, number in enumerate(numbers, start=1)
    )


def _best(numbers: Sequence[int], likely: Sequence[float]) -> tuple[_Ranked, ...]:
    best = sorted(zip(numbers, likely, strict=True), key=lambda one: (-one[1], one[0]))[:ENCODER_HITS]
    return tuple(_Ranked(picture=number, chance=one, by="encoder") for number, one in best if one >= LEAST_CHANCE)


def _merged(*lists: Sequence[_Ranked]) -> tuple[_Ranked, ...]:
    """What is likely by chance, then the others by their ranks in all lists; with each picture the list that is surest of it. The
    chances fall: one that ranks lower is at most as likely as the one before."""
    surest: dict[int, _Ranked] = {}
    for one in (one for ranking in lists for one in ranking):
        if one.picture not in surest or one.chance > surest[one.picture].chance:
            surest[one.picture] = one
    order = fused(*([one.picture for one in ranking] for ranking in lists))
    likely = sorted((one for one in surest.values() if one.chance >= 0.5), key=lambda one: -one.chance)
    merged: list[_Ranked] = list(likely)
    for picture in order:
        one = surest[picture]
        if one.chance < 0.5:
            most = merged[-1].chance if merged else 1.0
            merged.append(msgspec.structs.replace(one, chance=min(one.chance, most)))
    return tuple(merged)


def _hits(
    ranked: Sequence[_Ranked], places: Mapping[int, Sequence[PicturePlace]], previews: Mapping[int, bytes], most: int
) -> tuple[PictureHit, ...]:
    hits = [
        PictureHit(
            url=place.page,
            title=place.title,
            picture=place.url,
            words=place.words,
            score=one.chance,
            found_by=one.by,
            part=one.match.part,
            matches=one.match.points,
            digest=place.digest,
            preview=previews.get(one.picture, b""),
        )
        for one in ranked
        for place in places[one.picture][:PLACES_AT_MOST]
    ]
    return tuple(hits[: max(0, most)])
