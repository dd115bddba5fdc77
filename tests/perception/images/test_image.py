"""Pictures: what is decoded, cut and compared; and what is wrong with those that are not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from perception.errors import PictureUnreadable
from perception.geometry import Box, CoordinateFrame
from perception.images.image import (
    BLENDED_ROWS,
    Picture,
    content_key,
    cut_out,
    decode_picture,
    decode_tiles,
    difference,
    encode_picture,
    hash_distance,
    is_blank,
    perceptual_hash,
    perceptual_hashes,
    resize,
    size_of,
)


def drawn(width: int = 200, height: int = 120, words: str = "Harbour", at: tuple[int, int] = (20, 60)) -> Picture:
    picture = np.full((height, width, 3), 250, np.uint8)
    cv2.putText(picture, words, at, cv2.FONT_HERSHEY_SIMPLEX, 1, (40, 20, 10), 2)
    return picture


@pytest.mark.parametrize("kind", ["png", "webp"])
def test_what_is_encoded_comes_back_as_it_was(kind: str) -> None:
    picture = drawn()
    assert np.array_equal(decode_picture(encode_picture(picture, kind)), picture)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"no picture at all", "not an image"),
        (encode_picture(drawn())[:-20], "truncated"),
        (encode_picture(drawn())[:60], "truncated"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\1\0\0\0\1\0\0\x08\2\0\0\0", "too large"),
    ],
)
def test_bytes_that_are_no_picture_are_told(data: bytes, words: str) -> None:
    with pytest.raises(PictureUnreadable, match=words) as told:
        decode_picture(data)
    assert "\n" not in str(told.value)


def test_transparency_lies_on_white_and_grey_has_three_channels() -> None:
    clear = np.zeros((4, 4, 4), np.uint8)
    assert (decode_picture(cv2.imencode(".png", clear)[1].tobytes()) == 255).all()
    grey = np.full((4, 4), 77, np.uint8)
    assert decode_picture(cv2.imencode(".png", grey)[1].tobytes()).shape == (4, 4, 3)
    deep = np.full((4, 4, 3), 0x8000, np.uint16)
    assert (decode_picture(cv2.imencode(".png", deep)[1].tobytes()) == 0x80).all()


def test_a_picture_of_one_pixel_is_a_picture() -> None:
    dot = decode_picture(encode_picture(np.zeros((1, 1, 3), np.uint8)))
    assert size_of(dot) == (1, 1)
    assert is_blank(dot)
    assert perceptual_hash(dot) == perceptual_hash(dot)


def test_what_is_cut_out_knows_where_it_lies() -> None:
    frame = CoordinateFrame(shown=Box(x=50, y=1000, width=100, height=60), width=200, height=120)
    part = cut_out(drawn(), frame, Box(x=60, y=1010, width=20, height=10))
    assert part is not None
    crop, crop_frame = part
    assert size_of(crop) == (40, 20)
    assert crop_frame.shown == Box(x=60, y=1010, width=20, height=10)
    assert cut_out(drawn(), frame, Box(x=0, y=0, width=20, height=10)) is None


def test_a_picture_at_its_own_size_is_not_touched() -> None:
    picture = drawn()
    assert resize(picture, 200, 120) is picture
    assert size_of(resize(picture, 50, 30)) == (50, 30)


def test_one_short_word_on_a_large_picture_is_no_blank() -> None:
    large = np.full((2000, 1280, 3), 255, np.uint8)
    assert is_blank(large)
    cv2.putText(large, "x", (600, 900), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 0), 1)
    assert not is_blank(large)


def test_where_two_pictures_differ() -> None:
    one, other = drawn(), drawn()
    assert difference(one, other) == 0
    other[80:100, 150:180] = 0
    assert difference(one, other) == pytest.approx(600 / 24000)
    assert difference(one, drawn(100)) == 1


def test_a_perceptual_hash_stays_where_the_eye_sees_no_difference() -> None:
    picture = drawn()
    noisy = np.clip(picture.astype(int) + np.random.default_rng(1).integers(-6, 6, picture.shape), 0, 255).astype(
        np.uint8
    )
    assert hash_distance(perceptual_hash(picture), perceptual_hash(noisy)) <= 6
    assert hash_distance(perceptual_hash(picture), perceptual_hash(drawn(at=(60, 110)))) > 6
    assert len(perceptual_hashes(np.zeros((1001, 50, 3), np.uint8))) == 3


def test_content_and_tiles() -> None:
    assert content_key(drawn()) == content_key(drawn())
    assert content_key(drawn()) != content_key(drawn(words="Ferry"))
    tiles = [drawn(), drawn(height=30), drawn(words="Ferry")]
    whole = decode_tiles([encode_picture(tile) for tile in tiles])
    assert np.array_equal(whole, np.vstack(tiles))
    assert np.array_equal(decode_tiles([encode_picture(tiles[2])]), tiles[2])


def test_a_tall_picture_is_blended_with_white_in_each_of_its_bands() -> None:
    tall = np.zeros((3 * BLENDED_ROWS, 5, 4), np.uint8)
    tall[:, :, 3] = 255
    tall[BLENDED_ROWS + 7, 2] = (200, 100, 0, 51)
    blended = decode_picture(cv2.imencode(".png", tall)[1].tobytes())
    assert blended[BLENDED_ROWS + 7, 2].tolist() == [244, 224, 204]
    assert blended.sum() == 244 + 224 + 204
