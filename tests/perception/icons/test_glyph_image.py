from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perception.icons.glyph_image import LARGEST_SIDE, SIDE, Crop, glyph_batch, glyph_of


def ring(side: int = 40, radius: int = 10) -> Crop:
    picture = np.full((side, side), 255, np.uint8)
    cv2.circle(picture, (side // 2, side // 2), radius, 0, 2)
    return picture


def differ(one: Crop, other: Crop) -> float:
    return float(np.abs(one.astype(float) - other.astype(float)).mean())


def test_dark_on_light_and_light_on_dark_look_the_same() -> None:
    assert differ(glyph_of(ring()), glyph_of(255 - ring())) < 1


def test_faint_ink_is_brought_to_full_contrast() -> None:
    faint = (200 + ring().astype(float) / 255 * 40).astype(np.uint8)
    assert differ(glyph_of(ring()), glyph_of(faint)) < 3


def test_colour_counts_where_gray_does_not_differ() -> None:
    red, green = (0, 0, 150), (0, 76, 0)
    picture = np.full((40, 40, 3), red, np.uint8)
    cv2.circle(picture, (20, 20), 10, green, 2)
    assert differ(glyph_of(picture), glyph_of(ring())) < 3


@pytest.mark.parametrize("margins", [(0, 0, 0, 0), (30, 2, 5, 60), (0, 200, 0, 0)])
def test_margins_do_not_count(margins: tuple[int, int, int, int]) -> None:
    padded = cv2.copyMakeBorder(ring(), *margins, cv2.BORDER_CONSTANT, value=255)
    assert differ(glyph_of(padded), glyph_of(ring())) < 12


def test_the_border_of_a_button_is_left_out() -> None:
    button = ring(44, 9)
    cv2.rectangle(button, (0, 0), (43, 43), 90, 1)
    assert differ(glyph_of(button), glyph_of(ring(44, 9))) < 3


def test_the_page_around_rounded_corners_is_left_out() -> None:
    button = 255 - ring(48, 9)
    for x in (0, 47):
        for y in (0, 47):
            cv2.circle(button, (x, y), 4, 255, -1)
    assert differ(glyph_of(button), glyph_of(ring(48, 9))) < 3


def test_a_frame_that_is_the_icon_stays() -> None:
    square = np.full((32, 32), 255, np.uint8)
    cv2.rectangle(square, (3, 3), (28, 28), 0, 2)
    glyph = glyph_of(square)
    assert glyph[SIDE // 2, 6] > 200
    assert glyph[SIDE // 2, SIDE // 2] == 0


@pytest.mark.parametrize(
    "picture", [np.full((30, 50), 7, np.uint8), np.zeros((1, 1), np.uint8), np.zeros((1, 1, 3), np.uint8)]
)
def test_an_even_area_has_no_ink(picture: Crop) -> None:
    assert glyph_of(picture).max() == 0


def test_a_huge_picture_is_shrunk_first() -> None:
    huge = cv2.resize(ring(), (4000, 4000), interpolation=cv2.INTER_NEAREST)
    assert huge.shape[0] > LARGEST_SIDE
    assert differ(glyph_of(huge), glyph_of(ring())) < 40


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (np.zeros((8, 8), np.float32), "float32"),
        (np.zeros((8, 8, 4), np.uint8), "Drop alpha"),
        (np.zeros((0, 8), np.uint8), "at least one pixel"),
        (np.zeros(8, np.uint8), "gray or BGR"),
        ("icon.png", "this is str"),
    ],
)
def test_what_is_no_picture_is_refused(wrong: Crop, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        glyph_of(wrong)


def test_a_batch_names_the_crop_that_is_wrong() -> None:
    with pytest.raises(ValueError, match="crop 1: "):
        glyph_batch([ring(), np.zeros((4, 4), np.float64)])


def test_no_crops_make_an_empty_batch() -> None:
    assert glyph_batch([]).shape == (0, 1, SIDE, SIDE)


@given(
    st.integers(1, 70), st.integers(1, 70), st.sampled_from([(), (3,)]), st.integers(0, 2**32 - 1), st.integers(1, 256)
)
def test_any_picture_gives_a_glyph(height: int, width: int, channels: tuple[int, ...], seed: int, levels: int) -> None:
    picture = np.random.default_rng(seed).integers(0, levels, (height, width, *channels)).astype(np.uint8)
    glyph = glyph_of(picture)
    assert glyph.shape == (SIDE, SIDE)
    assert glyph.dtype == np.uint8
