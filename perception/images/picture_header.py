"""What the first bytes of an image file say: its format, its size and how it is to be turned, before anything is decoded."""

from __future__ import annotations

import struct
from typing import Literal

import msgspec

from perception.errors import PictureUnreadable

FileFormat = Literal["png", "jpeg", "webp", "gif"]
_SIDEWAYS = (5, 6, 7, 8)
"""Values of the EXIF tag Orientation by which width and height change places."""
_FRAMES = frozenset((*range(0xC0, 0xD0),)) - {0xC4, 0xC8, 0xCC}
"""JPEG markers that start a frame (SOFn): they bear the size."""
_ORIENTATION = 0x0112


class PictureHeader(msgspec.Struct, frozen=True, kw_only=True):
    """Size in pixels as the file holds it, and the EXIF orientation 1..8 (1: as it is)."""

    format: FileFormat
    width: int
    height: int
    orientation: int = 1
    is_lossy: bool = False

    @property
    def shown_size(self) -> tuple[int, int]:
        """Width and height as the file is to be shown."""
        return (self.height, self.width) if self.orientation in _SIDEWAYS else (self.width, self.height)


def read_header(data: bytes) -> PictureHeader:
    """The header of a PNG, JPEG, WebP or GIF file. Raises `PictureUnreadable`, one line, for anything else."""
    try:
        if data[:8] == b"\x89PNG\r\n\x1a\n":
            return _png(data)
        if data[:3] == b"\xff\xd8\xff":
            return _jpeg(data)
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _webp(data)
        if data[:6] in (b"GIF87a", b"GIF89a"):
            width, height = struct.unpack_from("<HH", data, 6)
            return PictureHeader(format="gif", width=width, height=height)
    except (struct.error, IndexError):
        raise PictureUnreadable("the file ends within its header") from None
    if b"<svg" in data[:2000].lower():
        raise PictureUnreadable("an SVG drawing, which holds no pixels")
    raise PictureUnreadable("not a PNG, JPEG, WebP or GIF file" if data else "the file is empty")


def _png(data: bytes) -> PictureHeader:
    width, height = struct.unpack_from(">II", data, 16)
    at, orientation = 8, 1
    while at + 8 <= len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        if kind == b"eXIf":
            orientation = _orientation(data[at + 8 : at + 8 + size])
        if kind in (b"eXIf", b"IDAT", b"IEND"):
            break
        at += 12 + size
    return PictureHeader(format="png", width=width, height=height, orientation=orientation)


def _jpeg(data: bytes) -> PictureHeader:
    at, orientation = 2, 1
    while True:
        if data[at] != 0xFF:
            raise PictureUnreadable("a damaged JPEG file")
        marker = data[at + 1]
        if marker == 0xFF:  # a fill byte
            at += 1
            continue
        if marker in (0x01, 0xD8) or 0xD0 <= marker <= 0xD7:
            at += 2
            continue
        if marker in (0xD9, 0xDA):
            raise PictureUnreadable("a JPEG file without a size")
        size = struct.unpack_from(">H", data, at + 2)[0]
        if marker in _FRAMES:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return PictureHeader(format="jpeg", width=width, height=height, orientation=orientation, is_lossy=True)
        if marker == 0xE1 and data[at + 4 : at + 10] == b"Exif\0\0":
            orientation = _orientation(data[at + 10 : at + 2 + size])
        at += 2 + size


def _webp(data: bytes) -> PictureHeader:
    width = height = 0
    orientation, is_lossy, at = 1, False, 12
    while at + 8 <= len(data):
        kind, size = struct.unpack_from("<4sI", data, at)
        body = at + 8
        if kind == b"VP8X":
            width = 1 + int.from_bytes(data[body + 4 : body + 7], "little")
            height = 1 + int.from_bytes(data[body + 7 : body + 10], "little")
        elif kind == b"VP8 ":
            is_lossy = True
            one, other = struct.unpack_from("<HH", data, body + 6)
            width, height = max(width, one & 0x3FFF), max(height, other & 0x3FFF)
        elif kind == b"VP8L":
            bits = struct.unpack_from("<I", data, body + 1)[0]
            width, height = max(width, 1 + (bits & 0x3FFF)), max(height, 1 + (bits >> 14 & 0x3FFF))
        elif kind == b"EXIF":
            orientation = _orientation(data[body : body + size].removeprefix(b"Exif\0\0"))
        at = body + size + size % 2
    return PictureHeader(format="webp", width=width, height=height, orientation=orientation, is_lossy=is_lossy)


def _orientation(tiff: bytes) -> int:
    """The tag Orientation of an EXIF block, 1 where it has none or is damaged."""
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None:
        return 1
    try:
        first = struct.unpack_from(f"{order}I", tiff, 4)[0]
        for number in range(struct.unpack_from(f"{order}H", tiff, first)[0]):
            tag, _, _, value = struct.unpack_from(f"{order}HHIH", tiff, first + 2 + 12 * number)
            if tag == _ORIENTATION:
                return value if 1 <= value <= 8 else 1
    except struct.error:
        return 1
    return 1
