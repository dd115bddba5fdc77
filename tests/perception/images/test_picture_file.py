"""What is refused before it is decoded, and how a picture is turned."""

from __future__ import annotations

import struct
import zlib

import cv2
import numpy as np
import pytest

from perception.errors import PictureUnreadable
from perception.images.image import Picture
from perception.images.picture_file import check_header, open_picture, part_of_picture
from tests.walker.pictures.drawn import encoded, scene


def chunk(name: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4) + name + data + zlib.crc32(name + data).to_bytes(4)


def png_of(width: int, height: int, *chunks: bytes) -> bytes:
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + b"".join(chunks)
    )


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "the file is empty"),
        (b"<!DOCTYPE html><html>", "not a PNG, JPEG, WebP or GIF file"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "an SVG drawing"),
        (b"<?xml version='1.0'?>\n<svg/>", "an SVG drawing"),
        (b"GIF89a" + b"\0" * 60, "too small"),
        (b"GIF89a\x40", "ends within its header"),
        (b"GIF89a" + b"\x40\0" * 2 + b"\0" * 60, "not an image that can be decoded"),
        (b"GIF89a" + b"\xff\xff" * 2 + b"\0" * 60, "too large"),
        (png_of(20_000, 20_000, chunk(b"acTL", b"\0" * 8)), "too large"),
        (b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0" + b"\xff\xff\0" * 2, "too large"),
        (png_of(20_000, 20_000), "too large"),
        (b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + b"\xff\xff\0" * 2, "too large"),
        (png_of(1, 1), "too small"),
        (b"\xff\xd8\xff\xe0\x00\x04ab", "ends within its header"),
        (png_of(64, 64, chunk(b"IDAT", b"no")), "truncated"),
    ],
)
def test_what_is_no_picture_is_told_in_one_line(data: bytes, said: str) -> None:
    with pytest.raises(PictureUnreadable, match=said) as caught:
        open_picture(data)
    assert "\n" not in str(caught.value)


def test_a_large_jpeg_is_refused_by_its_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cv2, "imdecode", None)  # decoding would fail
    data = bytearray(encoded(scene(1, 64, 48), ".jpg"))
    place = data.index(b"\xff\xc0") + 5
    data[place : place + 4] = struct.pack(">HH", 12_000, 12_000)
    with pytest.raises(PictureUnreadable, match="12000 x 12000 pixels"):
        open_picture(bytes(data))


def moving(ending: str, *frames: Picture) -> bytes:
    """An animation of these frames."""
    animation = cv2.Animation()
    animation.frames, animation.durations = list(frames), [100] * len(frames)
    done, data = cv2.imencodeanimation(ending, animation)
    assert done
    return bytes(data.tobytes())


@pytest.mark.parametrize("ending", [".gif", ".webp", ".png"])
def test_an_animation_gives_its_first_frame(ending: str) -> None:
    red, blue = np.full((48, 64, 3), (0, 0, 255), np.uint8), np.full((48, 64, 3), (255, 0, 0), np.uint8)
    first = open_picture(moving(ending, red, blue))
    assert first.shape == red.shape
    assert np.abs(first.astype(int) - red).max() < 16


def test_a_frame_that_is_larger_than_its_animation_is_never_decoded() -> None:
    frame = struct.pack(">IIIIIHHBB", 0, 60_000, 60_000, 0, 0, 1, 10, 0, 0)
    plain = encoded(scene(5, 64, 48))
    start = plain.index(b"IDAT") - 4
    animation = chunk(b"acTL", struct.pack(">II", 2, 0)) + chunk(b"fcTL", frame)
    assert np.array_equal(open_picture(plain[:start] + animation + plain[start:]), open_picture(plain))
    moved = bytearray(moving(".gif", *(np.full((48, 64, 3), grey, np.uint8) for grey in (0, 200))))
    place = moved.index(b"\x2c\0\0\0\0\x40\0\x30\0") + 5
    moved[place : place + 4] = b"\xff\xff\xff\xff"
    with pytest.raises(PictureUnreadable, match="decoded"):
        open_picture(bytes(moved))


@pytest.mark.parametrize("ending", [".png", ".jpg", ".webp", ".gif"])
def test_kind_and_size_are_read_of_the_header(ending: str) -> None:
    header = check_header(encoded(scene(2, 90, 70), ending))
    assert (header.format, header.width, header.height) == (ending[1:].replace("jpg", "jpeg"), 90, 70)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_photograph_is_turned_as_its_exif_says(orientation: int) -> None:
    upright = np.zeros((64, 96, 3), np.uint8)
    upright[:32, :48] = 255
    stored = {
        1: upright, 2: upright[:, ::-1], 3: upright[::-1, ::-1], 4: upright[::-1],
        5: upright.transpose(1, 0, 2), 6: upright.transpose(1, 0, 2)[::-1],
        7: upright.transpose(1, 0, 2)[::-1, ::-1], 8: upright.transpose(1, 0, 2)[:, ::-1],
    }[orientation]  # fmt: skip
    plain = encoded(np.ascontiguousarray(stored), ".jpg")
    tiff = b"II*\0\x08\0\0\0\x01\0" + struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0) + b"\0\0\0\0"
    exif = b"Exif\0\0" + tiff
    turned = open_picture(plain[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2) + exif + plain[2:])
    assert turned.shape == upright.shape
    assert turned[16, 24].min() > 200
    assert turned[48, 72].max() < 50


def test_a_profile_that_the_decoder_complains_of_is_left_out(capfd: pytest.CaptureFixture[str]) -> None:
    plain = encoded(scene(3, 64, 64))
    place = 33
    broken = plain[:place] + chunk(b"iCCP", b"x\0\0" + zlib.compress(b"\0" * 200)) + plain[place:]
    assert np.array_equal(open_picture(broken), open_picture(plain))
    assert capfd.readouterr().err == ""


def test_a_part_is_cut_out_by_shares_of_the_sides() -> None:
    picture = scene(4, 100, 80)
    assert np.array_equal(part_of_picture(picture, (0.1, 0.25, 0.6, 0.75)), picture[20:60, 10:60])
    with pytest.raises(PictureUnreadable, match="too small"):
        part_of_picture(picture, (0.1, 0.1, 0.2, 0.2))
