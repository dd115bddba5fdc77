"""Reads the picture of a question once, at the edge: header first, then pixels; what goes on is upright and holds no metadata."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from perception.errors import PictureUnreadable
from perception.images.image import Picture, encode_jpeg, encode_picture, size_of
from perception.images.picture_file import GIVEN, LEAST_SIDE, check_header, open_picture
from perception.images.picture_header import PictureHeader
from perception.page_pictures import Shares
from walker.errors import UsageError
from walker.seams.search_protocols import QuestionPicture

_FORMATS = f"Give a PNG, JPEG, WebP or GIF file of at most {GIVEN.pixels // 1_000_000} megapixels and {GIVEN.size // 1_000_000} MB"


class AskedPicture(msgspec.Struct, frozen=True, kw_only=True):
    """What is said of the picture, and its bytes as they are kept: JPEG or PNG, upright, without metadata."""

    about: QuestionPicture
    data: bytes


class CheckedPicture(msgspec.Struct, frozen=True, kw_only=True):
    """A file that `read_picture` takes."""

    digest: str
    """SHA-256 of the file."""
    path: str
    size: tuple[int, int]
    """Width and height, upright."""

    def check_box(self, box: Sequence[float]) -> None:
        """Raise `UsageError` for a part that `read_picture` does not take."""
        _checked_box(box, self.size, self.path)


def check_picture(path: Path) -> CheckedPicture:
    """Decode the picture of a file, without writing it again as `read_picture` does, which takes four times as long. Raises
    `UsageError` where that does."""
    data = _read(path)
    _, picture = _opened(data, str(path))
    return CheckedPicture(digest=hashlib.sha256(data).hexdigest(), path=str(path), size=size_of(picture))


def read_picture(given: Path | str | bytes, box: Sequence[float] | None = None) -> AskedPicture:
    """The picture of a file, or of a file's bytes, and the part that the question is about: left, top, right and lower edge in shares
    0..1. An animation gives its first frame. Raises `UsageError`, one line, for what is no such picture or no such part."""
    where = "the picture" if isinstance(given, bytes) else str(given)
    data = given if isinstance(given, bytes) else _read(Path(given))
    header, picture = _opened(data, where)
    width, height = size_of(picture)
    kind, kept = ("jpeg", encode_jpeg(picture)) if header.is_lossy else ("png", encode_picture(picture))
    about = QuestionPicture(
        digest=hashlib.sha256(kept).hexdigest(),
        media_type=f"image/{kind}",
        width=width,
        height=height,
        size=len(kept),
        box=None if box is None else _checked_box(box, (width, height), where),
    )
    return AskedPicture(about=about, data=kept)


def read_box(text: str) -> Shares:
    """The box that a person wrote as four numbers, `0.1,0.2,0.5,0.6`. Raises `UsageError`."""
    try:
        left, top, right, bottom = (float(share) for share in text.split(","))
    except ValueError:
        raise _bad_box(text) from None
    return left, top, right, bottom


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(GIVEN.size + 1)
    except OSError as error:
        why = error.strerror or "it cannot be opened"
        raise UsageError(f"the picture cannot be read ({why})", where=str(path), advice="Check the path") from None


def _opened(data: bytes, where: str) -> tuple[PictureHeader, Picture]:
    try:
        return check_header(data, GIVEN), open_picture(data, GIVEN)
    except PictureUnreadable as error:
        raise UsageError(f"cannot be used as a picture: {error}", where=where, advice=_FORMATS) from None


def _checked_box(box: Sequence[float], size: tuple[int, int], where: str) -> Shares:
    given = ",".join(f"{share:g}" for share in box)
    if len(box) != 4:
        raise _bad_box(given)
    left, top, right, bottom = (float(share) for share in box)
    if not (0 <= left < right <= 1 and 0 <= top < bottom <= 1):
        raise _bad_box(given)
    width, height = (right - left) * size[0], (bottom - top) * size[1]
    if min(width, height) < LEAST_SIDE:
        raise UsageError(
            f"the box {given} is only {width:.0f} x {height:.0f} pixels of the picture",
            where=where,
            advice=f"Give one whose shorter side has at least {LEAST_SIDE}",
        )
    return left, top, right, bottom


def _bad_box(given: str) -> UsageError:
    advice = "Give left, top, right and lower edge as shares of the picture from 0 to 1: 0.1,0.2,0.5,0.6"
    return UsageError(f"{given or 'nothing'} is not a box within the picture", where="--box", advice=advice)
