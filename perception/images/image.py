"""Images as arrays: decoding, cropping, resizing, comparing. A picture is uint8, height x width x 3, blue-green-red."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from perception.errors import PictureUnreadable
from perception.geometry import Box, CoordinateFrame

Picture = NDArray[np.uint8]

MOST_PIXELS = 120_000_000
"""Pixels; an image whose header declares more is not decoded (360 MB as an array)."""
BLENDED_ROWS = 256
"""Rows of a picture that are blended with white at a time."""
BLANK_SPREAD = 12
"""Largest difference in grey levels between the lightest and the darkest pixel of a blank picture."""


@cache
def opencv() -> Any:
    """OpenCV, imported on first use: that takes 0.1 s, and most walks need no image."""
    import cv2  # noqa: PLC0415 - as the docstring says

    return cv2


def decode_picture(data: bytes) -> Picture:
    """PNG, JPEG, WebP or GIF to an array, transparency blended onto white. Raises `PictureUnreadable`, for a truncated file too."""
    if not data:
        raise PictureUnreadable("the picture is empty")
    if len(data) > 24 and data[:8] == _PNG:
        width, height = int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
        if width * height > MOST_PIXELS:
            raise PictureUnreadable(f"the picture is too large ({width} x {height} pixels)")
        if _PNG_END not in data[-16:]:
            raise PictureUnreadable("the PNG is truncated")
    cv2 = opencv()
    try:
        read = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    except cv2.error as error:
        raise PictureUnreadable(f"the picture cannot be decoded ({' '.join(str(error).split())[:120]})") from None
    if read is None or read.size == 0:
        raise PictureUnreadable("the bytes are not an image that can be decoded (PNG, JPEG, WebP or GIF)")
    return _as_colour(read)


def _as_colour(read: NDArray[Any]) -> Picture:
    cv2 = opencv()
    if read.dtype == np.uint16:
        read = (read >> 8).astype(np.uint8)
    if read.ndim == 2:
        return np.asarray(cv2.cvtColor(read, cv2.COLOR_GRAY2BGR), np.uint8)
    if read.shape[2] == 4:
        laid = np.asarray(cv2.cvtColor(read, cv2.COLOR_BGRA2BGR), np.uint8)
        # Most have no transparent pixel. In bands, because 16 bits a channel of a whole page are hundreds of megabytes.
        for top in range(0, len(read), BLENDED_ROWS):
            band = read[top : top + BLENDED_ROWS]
            if band[:, :, 3].min() < 255:
                alpha = band[:, :, 3:].astype(np.uint16)
                blend = band[:, :, :3] * alpha + 255 * (255 - alpha) + 127
                laid[top : top + BLENDED_ROWS] = blend // 255
        return laid
    return np.asarray(read, np.uint8)


def encode_picture(picture: Picture, kind: Literal["png", "webp"] = "png") -> bytes:
    """An array to a lossless file."""
    cv2 = opencv()
    options = [cv2.IMWRITE_PNG_COMPRESSION, 3] if kind == "png" else [cv2.IMWRITE_WEBP_QUALITY, 101]
    done, data = cv2.imencode(f".{kind}", picture, options)
    assert done, "an array of this kind can be encoded"
    return bytes(data.tobytes())


def encode_jpeg(picture: Picture, quality: int = 95) -> bytes:
    """An array to a JPEG file, without metadata; `quality` is 1..100."""
    cv2 = opencv()
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done, "an array of this kind can be encoded"
    return bytes(data.tobytes())


def decode_tiles(tiles: Sequence[bytes]) -> Picture:
    """PNG tiles of one width, one below the other, as one picture; never more than one of them besides it. Raises as
    `decode_picture` does."""
    if len(tiles) == 1:
        return decode_picture(tiles[0])
    heights = [int.from_bytes(tile[20:24]) for tile in tiles]
    whole = np.empty((sum(heights), int.from_bytes(tiles[0][16:20]), 3), np.uint8)
    top = 0
    for tile, height in zip(tiles, heights, strict=True):
        whole[top : top + height] = decode_picture(tile)
        top += height
    return whole


def size_of(picture: Picture) -> tuple[int, int]:
    """Width and height in pixels."""
    return int(picture.shape[1]), int(picture.shape[0])


def cut_out(
    picture: Picture, frame: CoordinateFrame, box: Box, margin: float = 0.0
) -> tuple[Picture, CoordinateFrame] | None:
    """Crop a box of the page, with a margin in CSS pixels, out of a picture; gives the crop and its frame, None where the
    picture does not show the box."""
    left, top, right, bottom = frame.to_pixels(box.grown(margin))
    if right <= left or bottom <= top:
        return None
    shown = frame.box_to_page(left, top, right, bottom)
    return picture[top:bottom, left:right], CoordinateFrame(shown=shown, width=right - left, height=bottom - top)


def resize(picture: Picture, width: int, height: int) -> Picture:
    """The picture at another size: averaged when it shrinks, cubic when it grows."""
    old_width, old_height = size_of(picture)
    if (width, height) == (old_width, old_height):
        return picture
    cv2 = opencv()
    how = cv2.INTER_AREA if width * height < old_width * old_height else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, (max(1, width), max(1, height)), interpolation=how), np.uint8)


def pad(picture: Picture, width: int, height: int) -> Picture:
    """The picture padded with white on the right and below, to a size no smaller than its own."""
    old_width, old_height = size_of(picture)
    if (width, height) == (old_width, old_height):
        return picture
    padded = np.full((height, width, 3), 255, np.uint8)
    padded[:old_height, :old_width] = picture
    return padded


def is_blank(picture: Picture) -> bool:
    """Whether the picture is of one colour, or nearly so."""
    if picture.size == 0:
        return True
    cv2 = opencv()
    darkest, lightest, _, _ = cv2.minMaxLoc(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    return bool(lightest - darkest <= BLANK_SPREAD)


def difference(one: Picture, other: Picture) -> float:
    """Share 0..1 of pixels that differ by more than a tenth of full scale; 1 for pictures of different size."""
    if one.shape != other.shape:
        return 1.0
    apart = opencv().absdiff(one, other).max(axis=2)
    return float((apart > 25).mean())


def perceptual_hash(picture: Picture) -> int:
    """64-bit perceptual hash (pHash): the signs of the lowest frequencies of a 32 x 32 discrete cosine transform. Pictures that
    look alike have equal or nearly equal hashes."""
    cv2 = opencv()
    small = cv2.resize(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (32, 32), interpolation=cv2.INTER_AREA)
    low = cv2.dct(small.astype(np.float32))[:8, :8].ravel()
    bits = low > np.median(low[1:])
    return int.from_bytes(np.packbits(bits).tobytes())


def perceptual_hashes(picture: Picture, band: int = 400) -> tuple[int, ...]:
    """Perceptual hashes of horizontal bands of a picture, `band` pixels high each."""
    return tuple(perceptual_hash(picture[top : top + band]) for top in range(0, picture.shape[0], band))


def hash_distance(one: int, other: int) -> int:
    """Bits of 64 in which two perceptual hashes differ; up to about 6 for the same picture drawn again."""
    return (one ^ other).bit_count()


def content_key(picture: Picture) -> str:
    """Digest of a picture's size and pixels."""
    digest = hashlib.sha256(np.ascontiguousarray(picture).data)
    digest.update(repr(picture.shape).encode())
    return digest.hexdigest()[:24]


_PNG, _PNG_END = b"\x89PNG\r\n\x1a\n", b"IEND"
