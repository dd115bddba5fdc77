"""What the header of a picture's file says: its kind and size, before anything of it is decoded."""

from __future__ import annotations

import struct
from typing import Literal

import msgspec
import numpy as np

from perception.errors import PictureUnreadable
from perception.images.image import Picture, decode_picture, opencv, resize, size_of

PIXELS_AT_MOST = 40_000_000
"""Pixels of a picture that is decoded: more than cameras of telephones take at their full size, and 120 MB as an array."""
LEAST_SIDE = 16
"""Pixels of the shorter side, below which a picture is a bullet or a counter of visitors."""
BYTES_AT_MOST = 20_000_000
PREVIEW_SIDE, PREVIEW_QUALITY = 336, 80
_PNG, _GIF = b"\x89PNG\r\n\x1a\n", (b"GIF87a", b"GIF89a")
_ORIENTATION = 0x0112

PictureKind = Literal["image/png", "image/jpeg", "image/webp"]


class PictureHeader(msgspec.Struct, frozen=True, kw_only=True):
    """Of a file: its media type, and its size in pixels as it is stored."""

    kind: PictureKind
    width: int
    height: int


def read_header(data: bytes) -> PictureHeader:
    """The header of a PNG, JPEG or WebP file of one picture. Raises `PictureUnreadable`, one line, for anything else: an SVG or a GIF
    file, an animation, a picture that is too large or too small, a file that is no picture."""
    if len(data) > BYTES_AT_MOST:
        raise PictureUnreadable(f"the file is larger than {BYTES_AT_MOST // 1_000_000} MB")
    header = _header(data)
    if header.width * header.height > PIXELS_AT_MOST:
        size = f"{header.width} x {header.height}"
        raise PictureUnreadable(
            f"the picture is too large ({size} pixels, at most {PIXELS_AT_MOST // 1_000_000} million)"
        )
    if min(header.width, header.height) < LEAST_SIDE:
        raise PictureUnreadable(f"the picture is too small ({header.width} x {header.height} pixels)")
    return header


def open_picture(data: bytes) -> Picture:
    """The picture in a file as it is to be shown: turned as its EXIF orientation says. Raises `PictureUnreadable` as `read_header`
    does, and for a damaged file."""
    header = read_header(data)
    picture = decode_picture(_without_profile(data) if header.kind == "image/png" else data)
    if header.kind != "image/jpeg":
        return picture
    return _turned(picture, _jpeg_orientation(data))


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


def _header(data: bytes) -> PictureHeader:
    if data.startswith(_PNG) and len(data) >= 33:
        if _is_animated_png(data):
            raise PictureUnreadable("it is an animation (APNG): give one frame of it as a picture")
        return PictureHeader(kind="image/png", width=int.from_bytes(data[16:20]), height=int.from_bytes(data[20:24]))
    if data.startswith(b"\xff\xd8\xff"):
        width, height = _jpeg_size(data)
        return PictureHeader(kind="image/jpeg", width=width, height=height)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP" and len(data) >= 30:
        width, height = _webp_size(data)
        return PictureHeader(kind="image/webp", width=width, height=height)
    if data.startswith(_GIF):
        raise PictureUnreadable("it is a GIF file: give a PNG, JPEG or WebP file")
    start = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith(b"<svg") or (start.startswith((b"<?xml", b"<!--", b"<!doctype svg")) and b"<svg" in start):
        raise PictureUnreadable("it is an SVG drawing: give it drawn, as a PNG, JPEG or WebP file")
    raise PictureUnreadable("it is not a picture: give a PNG, JPEG or WebP file")


def _is_animated_png(data: bytes) -> bool:
    """Whether an `acTL` chunk stands before the picture's own data (APNG)."""
    place = 8
    while place + 8 <= len(data):
        length, name = int.from_bytes(data[place : place + 4]), data[place + 4 : place + 8]
        if name in (b"acTL", b"IDAT"):
            return name == b"acTL"
        place += 12 + length
    return False


def _without_profile(data: bytes) -> bytes:
    """A PNG without its colour profile: the decoder ignores it, and complains of many on the terminal."""
    place = 8
    while place + 12 <= len(data):
        length, name = int.from_bytes(data[place : place + 4]), data[place + 4 : place + 8]
        if name == b"iCCP":
            return data[:place] + data[place + 12 + length :]
        if name in (b"IDAT", b"PLTE"):
            break
        place += 12 + length
    return data


def _jpeg_size(data: bytes) -> tuple[int, int]:
    for marker, place, length in _jpeg_segments(data):
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC) and length >= 7 and place + 5 <= len(data):
            height, width = struct.unpack(">HH", data[place + 1 : place + 5])
            return width, height
    raise PictureUnreadable("the JPEG is damaged: it has no size")


def _jpeg_segments(data: bytes) -> list[tuple[int, int, int]]:
    """Marker, start and length of each segment before the picture's own data."""
    found: list[tuple[int, int, int]] = []
    place = 2
    while place + 4 <= len(data) and data[place] == 0xFF:
        marker = data[place + 1]
        if marker == 0xFF:
            place += 1
            continue
        length = int.from_bytes(data[place + 2 : place + 4])
        if marker == 0xDA or length < 2:
            break
        found.append((marker, place + 4, length - 2))
        place += 2 + length
    return found


def _jpeg_orientation(data: bytes) -> int:
    """EXIF orientation 1..8, 1 where none is told."""
    for marker, place, length in _jpeg_segments(data):
        if marker != 0xE1 or data[place : place + 6] != b"Exif\0\0":
            continue
        tiff = data[place + 6 : place + length]
        order = "<" if tiff[:2] == b"II" else ">"
        try:
            (first,) = struct.unpack(f"{order}I", tiff[4:8])
            (entries,) = struct.unpack(f"{order}H", tiff[first : first + 2])
            for number in range(min(entries, 64)):
                tag, _, _, value = struct.unpack(
                    f"{order}HHIH", tiff[first + 2 + 12 * number : first + 12 + 12 * number]
                )
                if tag == _ORIENTATION:
                    return value if 1 <= value <= 8 else 1
        except struct.error:
            return 1
    return 1


def _turned(picture: Picture, orientation: int) -> Picture:
    cv2 = opencv()
    if orientation >= 5:
        picture = np.asarray(cv2.transpose(picture), np.uint8)
    flip = {2: 1, 3: -1, 4: 0, 6: 1, 7: -1, 8: 0}.get(orientation)
    return picture if flip is None else np.asarray(cv2.flip(picture, flip), np.uint8)


def _webp_size(data: bytes) -> tuple[int, int]:
    kind = data[12:16]
    if kind == b"VP8X":
        if data[20] & 0x02:
            raise PictureUnreadable("it is an animation (WebP): give one frame of it as a picture")
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    return int.from_bytes(data[26:28], "little") & 0x3FFF, int.from_bytes(data[28:30], "little") & 0x3FFF
