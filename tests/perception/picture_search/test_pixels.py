"""Windows of one program share their frames; pictures are told apart by what stands between."""

from __future__ import annotations

from functools import partial

import cv2
import numpy as np
import pytest

from perception.images.image import Picture
from perception.images.picture_file import open_picture, preview_of
from perception.picture_search.features import features_at_both_scales, look_of
from perception.picture_search.finding import Found, find
from perception.picture_search.matching import IN_PLACE, Match, match
from perception.picture_search.pixels import PixelCheck
from perception.picture_search.visual_words import gathered, words_of
from tests.walker.pictures.drawn import cropped, scene, shrunk

WINDOWS = 8


def window(seed: int) -> Picture:
    """What differs, in the frame that all have."""
    picture = scene(1000, 640, 480)
    picture[120:380, 150:490] = scene(seed, 340, 260)
    return picture


def found(picture: Picture, *, with_pixels: bool) -> tuple[Found, ...]:
    """Searched among the windows."""
    kept = [window(seed) for seed in range(WINDOWS)]
    looks, previews = [look_of(one) for one in kept], [preview_of(one) for one in kept]
    rows = [(number, one.hash, words_of(one.features).astype("<u2").tobytes()) for number, one in enumerate(looks)]
    searched = look_of(picture)
    agrees = PixelCheck(picture, previews.__getitem__).agrees if with_pixels else lambda _number, _match: None
    both = partial(features_at_both_scales, picture, searched)
    return find(searched, both, lambda numbers: {one: looks[one] for one in numbers}, gathered(rows).postings, agrees)


def test_a_window_that_is_not_there_is_not_taken_for_another_of_the_program() -> None:
    stranger = open_picture(shrunk(window(99)))
    assert found(stranger, with_pixels=False)[0].chance >= 0.5, "else the points tell them apart already"
    assert all(one.chance < 0.5 for one in found(stranger, with_pixels=True))


@pytest.mark.parametrize("seed", [0, 5])
def test_a_window_that_is_there_and_a_part_of_it_are_found(seed: int) -> None:
    for data in (shrunk(window(seed)), cropped(window(seed))):
        best = found(open_picture(data), with_pixels=True)[0]
        assert best.picture == seed
        assert best.chance >= 0.9


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_turned_picture_agrees_where_its_points_lie(turns: int) -> None:
    whole = scene(4)
    turned = np.ascontiguousarray(np.rot90(whole, turns))
    placed = match(look_of(turned), look_of(whole))
    check = PixelCheck(turned, lambda _number: preview_of(whole))
    assert (check.agrees(0, placed) or 0) > 0.9
    assert (check.agrees(0, Match(placed=IN_PLACE)) or 0) < 0.3


def test_another_exposure_agrees() -> None:
    whole = scene(6)
    darker = np.asarray(cv2.convertScaleAbs(whole, alpha=0.5, beta=20), np.uint8)
    assert PixelCheck(darker, lambda _number: preview_of(whole)).agrees(0, Match()) == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize("preview", [b"", b"no picture", preview_of(np.full((300, 300, 3), 200, np.uint8))])
def test_what_cannot_be_compared_says_nothing(preview: bytes) -> None:
    plain: Picture = np.full((200, 300, 3), 90, np.uint8)
    assert PixelCheck(plain, lambda _number: preview).agrees(0, Match()) is None


def test_what_lies_outside_of_the_other_picture_does_not_agree() -> None:
    whole = scene(8)
    half = (2.0, 0.0, -0.5, 0.0, 2.0, -0.5)
    assert PixelCheck(whole, lambda _number: preview_of(whole)).agrees(0, Match(placed=half)) != pytest.approx(1.0)
