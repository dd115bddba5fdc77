"""Which pictures the built-in explorer enlarges further."""

from __future__ import annotations

import pytest

from perception.geometry import Box
from perception.observation import Observation
from perception.page_pictures import PagePicture
from perception.snapshot import BlindRegion
from walker.strategies.builtin.small_print import next_crop

BOARD = BlindRegion(kind="media", box=Box(x=0, y=100, width=400, height=300), heading="Prices of soup")
PAGE = PagePicture(box=Box(x=0, y=0, width=800, height=900))


@pytest.mark.parametrize(
    ("scale", "detail", "sure", "is_cropped"),
    [
        (1.0, 0.0, 0.8, True),
        (1.0, 0.0, 0.99, False),
        (1.0, 2.4, 0.8, True),
        (2.4, 2.4, 0.8, False),
        (2.4, 6.0, 0.0, True),
        (0.0, 2.4, 0.0, False),
    ],
)
def test_a_picture_whose_own_pixels_were_all_seen_is_not_enlarged(
    scale: float, detail: float, sure: float, is_cropped: bool
) -> None:
    picture = PagePicture(box=BOARD.box, scale=scale, detail=detail, sure=sure)
    page = Observation(url="http://a.example/", status=200, blind=(BOARD,), pictures=(PAGE, picture))
    crop = next_crop(page, "What is the price of the soup?", ())
    assert (crop is not None) == is_cropped
    assert crop is None or crop.image_index == 1
