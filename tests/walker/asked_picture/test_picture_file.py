"""The picture of a question is read once, upright and without metadata; what is no picture is refused in one line."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from perception.images.image import Picture, decode_picture
from perception.images.picture_file import GIVEN
from perception.images.picture_header import read_header
from walker.asked_picture.picture_file import check_picture, read_box, read_picture
from walker.errors import UsageError

PLACE = b"lat 46.2 long 6.1"


def quarters() -> Picture:
    """80 x 60: red, green, blue and white quarters, row by row from the top left."""
    picture = np.zeros((60, 80, 3), np.uint8)
    picture[:30, :40], picture[:30, 40:] = (0, 0, 255), (0, 255, 0)
    picture[30:, :40], picture[30:, 40:] = (255, 0, 0), (255, 255, 255)
    return picture


def encoded(ending: str, picture: Picture | None = None, *options: int) -> bytes:
    done, data = cv2.imencode(ending, quarters() if picture is None else picture, list(options))
    assert done
    return data.tobytes()


def exif(orientation: int) -> bytes:
    """A TIFF block with the tag Orientation and a text that tells a place."""
    entries = struct.pack("<HHII", 0x0112, 3, 1, orientation) + struct.pack("<HHII", 0x010E, 2, len(PLACE), 38)
    return b"II*\0" + struct.pack("<IH", 8, 2) + entries + struct.pack("<I", 0) + PLACE


def jpeg_with_exif(orientation: int) -> bytes:
    plain, block = encoded(".jpg"), b"Exif\0\0" + exif(orientation)
    return plain[:2] + b"\xff\xe1" + struct.pack(">H", 2 + len(block)) + block + plain[2:]


def png_with_exif(orientation: int) -> bytes:
    plain, block = encoded(".png"), exif(orientation)
    chunk = struct.pack(">I", len(block)) + b"eXIf" + block + struct.pack(">I", zlib.crc32(b"eXIf" + block))
    return plain[:33] + chunk + plain[33:]


def corner(data: bytes) -> tuple[int, ...]:
    """Blue, green and red at the top left, each 0 or 1."""
    return tuple(int(value > 128) for value in decode_picture(data)[5, 5])


@pytest.mark.parametrize("ending", [".png", ".jpg", ".webp", ".gif"])
def test_each_format_is_read_with_its_size(ending: str) -> None:
    header = read_header(encoded(ending))
    assert (header.width, header.height) == (80, 60)
    read = read_picture(encoded(ending))
    assert (read.about.width, read.about.height) == (80, 60)
    assert corner(read.data) == (0, 0, 1)


def test_a_lossless_webp_keeps_its_pixels() -> None:
    read = read_picture(encoded(".webp", None, cv2.IMWRITE_WEBP_QUALITY, 101))
    assert read.about.media_type == "image/png"
    assert np.array_equal(decode_picture(read.data), quarters())


@pytest.mark.parametrize("given", [jpeg_with_exif, png_with_exif])
@pytest.mark.parametrize(
    ("orientation", "at_the_top_left"),
    [(1, (0, 0, 1)), (2, (0, 1, 0)), (3, (1, 1, 1)), (4, (1, 0, 0)), (5, (0, 0, 1)), (6, (1, 0, 0)), (7, (1, 1, 1)), (8, (0, 1, 0))],
)  # fmt: skip
def test_a_picture_is_turned_as_exif_says(given, orientation: int, at_the_top_left: tuple[int, ...]) -> None:  # type: ignore[no-untyped-def]
    read = read_picture(given(orientation))
    assert corner(read.data) == at_the_top_left
    assert (read.about.width, read.about.height) == ((60, 80) if orientation >= 5 else (80, 60))


@pytest.mark.parametrize("given", [jpeg_with_exif, png_with_exif])
def test_what_a_camera_noted_is_not_kept(given) -> None:  # type: ignore[no-untyped-def]
    assert PLACE in given(6)
    read = read_picture(given(6))
    assert PLACE not in read.data
    assert b"Exif" not in read.data
    assert b"eXIf" not in read.data


def test_the_same_file_has_the_same_digest() -> None:
    assert read_picture(jpeg_with_exif(6)) == read_picture(jpeg_with_exif(6))


def test_a_file_is_read_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(encoded(".jpg"))
    assert read_picture(path, (0.0, 0.25, 0.5, 1.0)).about.box == (0.0, 0.25, 0.5, 1.0)


def bomb() -> bytes:
    """A PNG whose header declares 100 megapixels, and which holds none of them."""
    head = struct.pack(">IIBBBBB", 10_000, 10_000, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + head + struct.pack(">I", zlib.crc32(b"IHDR" + head))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "the file is empty"),
        (b"<!DOCTYPE html><p>no picture", "not a PNG, JPEG, WebP or GIF file"),
        (b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', "an SVG drawing"),
        (encoded(".png", np.zeros((1, 1, 3), np.uint8)), "too small (1 x 1 pixels, at least 16"),
        (bomb(), "too large (10000 x 10000 pixels, at most 64 million)"),
        (encoded(".png")[:60], "truncated"),
        (encoded(".jpg")[:8], "ends within its header"),
        (b"\xff\xd8\xff\xd9", "a JPEG file without a size"),
    ],
)
def test_what_is_no_picture_is_refused_in_one_line(data: bytes, why: str, tmp_path: Path) -> None:
    path = tmp_path / "given"
    path.write_bytes(data)
    with pytest.raises(UsageError) as refused:
        read_picture(path)
    with pytest.raises(UsageError) as unchecked:
        check_picture(path)
    told = str(refused.value)
    assert str(unchecked.value) == told
    assert why in told
    assert str(path) in told
    assert "Give" in told
    assert "\n" not in told


def test_the_header_is_read_before_the_pixels() -> None:
    assert GIVEN.pixels < 10_000 * 10_000
    with pytest.raises(UsageError, match="too large"):
        read_picture(bomb())


def test_a_missing_file_is_told_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"absent\.png: the picture cannot be read"):
        read_picture(tmp_path / "absent.png")


@pytest.mark.parametrize(
    "box", [(0.5, 0.1, 0.2, 0.6), (-0.1, 0.0, 0.5, 0.5), (0.0, 0.0, 1.1, 1.0), (0.0, 0.0, 0.5), (float("nan"), 0, 1, 1)]
)
def test_a_box_outside_the_picture_is_refused(box: tuple[float, ...], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a box within the picture"):
        read_picture(encoded(".png"), box)
    (tmp_path / "given.png").write_bytes(encoded(".png"))
    with pytest.raises(UsageError, match="is not a box within the picture"):
        check_picture(tmp_path / "given.png").check_box(box)


def test_a_box_of_a_few_pixels_is_refused() -> None:
    with pytest.raises(UsageError, match="only 8 x 60 pixels"):
        read_picture(encoded(".png"), (0.0, 0.0, 0.1, 1.0))


def test_a_box_is_read_as_four_numbers() -> None:
    assert read_box("0.1,0.2, 0.5,0.6") == (0.1, 0.2, 0.5, 0.6)
    for text in ("", "0.1,0.2,0.5", "a,b,c,d", "0.1;0.2;0.5;0.6"):
        with pytest.raises(UsageError, match="is not a box within the picture"):
            read_box(text)
