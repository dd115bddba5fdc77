"""What a picture file is: its size is checked by its header, then its first frame is decoded and turned upright."""

from __future__ import annotations

import msgspec
import numpy as np

from perception.errors import PictureUnreadable
from perception.images.image import Picture, decode_picture, opencv, resize, size_of
from perception.images.picture_header import PictureHeader, read_header

LEAST_SIDE = 16
"""Pixels of the shorter side, below which a picture is a bullet or a counter of visitors, and nothing can be made out."""
PREVIEW_SIDE, PREVIEW_QUALITY = 336, 80
_LEFT_OUT = frozenset((b"iCCP", b"acTL", b"fcTL", b"fdAT"))
"""PNG chunks: the colour profile, which the decoder ignores and complains of on the terminal, and the frames of an animation."""


class PictureLimits(msgspec.Struct, frozen=True, kw_only=True):
    """The largest file, in bytes, and picture, in pixels, that is decoded; decoded it takes three bytes a pixel."""

    size: int
    pixels: int


FETCHED = PictureLimits(size=20_000_000, pixels=40_000_000)
"""Of pages and libraries: more than cameras of telephones take at their usual size."""
GIVEN = PictureLimits(size=60_000_000, pixels=64_000_000)
"""Of a person's question: a photograph of 48 megapixels passes."""


def check_header(data: bytes, limits: PictureLimits = FETCHED) -> PictureHeader:
    """The header of a PNG, JPEG, WebP or GIF file. Raises `PictureUnreadable`, one line, for anything else, and for a picture that is
    too large or too small; nothing is decoded."""
    if len(data) > limits.size:
        raise PictureUnreadable(f"the file is larger than {limits.size // 1_000_000} MB")
    header = read_header(data)
    size = f"{header.width} x {header.height} pixels"
    if header.width * header.height > limits.pixels:
        raise PictureUnreadable(f"the picture is too large ({size}, at most {limits.pixels // 1_000_000} million)")
    if min(header.width, header.height) < LEAST_SIDE:
        raise PictureUnreadable(f"the picture is too small ({size}, at least {LEAST_SIDE} on its shorter side)")
    return header


def open_picture(data: bytes, limits: PictureLimits = FETCHED) -> Picture:
    """The picture in a file as it is to be shown: turned as its EXIF orientation says, of an animation (GIF, WebP, APNG) the first
    frame. Raises `PictureUnreadable` as `check_header` does, and for a damaged file."""
    header = check_header(data, limits)
    return _upright(decode_picture(_still(data) if header.format == "png" else data), header.orientation)


def part_of_picture(picture: Picture, shares: tuple[float, float, float, float]) -> Picture:
    """The part between these shares of the picture's sides: left, top, right, lower. Raises `PictureUnreadable` for one too small."""
    width, height = size_of(picture)
    left, top, right, bottom = shares
    part = picture[round(top * height) : round(bottom * height), round(left * width) : round(right * width)]
    if min(part.shape[:2]) < LEAST_SIDE:
        size = f"{part.shape[1]} x {part.shape[0]}"
        raise PictureUnreadable(f"the part of the picture is too small ({size} pixels)")
    return part


def preview_of(picture: Picture) -> bytes:
    """The picture as a JPEG of at most 336 pixels a side, which is what encoders of pictures take."""
    width, height = size_of(picture)
    share = min(1.0, PREVIEW_SIDE / max(width, height))
    small = resize(picture, max(1, round(width * share)), max(1, round(height * share)))
    done, data = opencv().imencode(".jpg", small, [opencv().IMWRITE_JPEG_QUALITY, PREVIEW_QUALITY])
    assert done, "a picture can be written as JPEG"
    return bytes(data.tobytes())


def _still(data: bytes) -> bytes:
    """A PNG with its own picture alone: frames of an animation may declare sizes that its header does not."""
    kept, place = [data[:8]], 8
    while place + 12 <= len(data):
        end = place + 12 + int.from_bytes(data[place : place + 4])
        if data[place + 4 : place + 8] not in _LEFT_OUT:
            kept.append(data[place:end])
        place = end
    return b"".join((*kept, data[place:]))


def _upright(picture: Picture, orientation: int) -> Picture:
    """The picture turned and mirrored as EXIF says (1..8)."""
    turned = picture.transpose(1, 0, 2) if orientation >= 5 else picture
    if orientation in (2, 3, 6, 7):
        turned = turned[:, ::-1]
    if orientation in (3, 4, 7, 8):
        turned = turned[::-1]
    return np.ascontiguousarray(turned)
