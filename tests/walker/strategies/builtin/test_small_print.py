"""Which part of a page's pictures is enlarged next."""

from __future__ import annotations

import msgspec
import pytest

from perception.geometry import Box
from perception.observation import Figure, Observation
from perception.page_pictures import PagePicture
from perception.snapshot import BlindRegion
from walker.seams.actions import Crop, FollowLink, Refusal
from walker.strategies.builtin.small_print import CROPS_OF_A_PAGE, LEFT, RIGHT, SURE, UPPER, WHOLE, next_crop

QUESTION = "What does the chart of visitors show for July?"
BOX = Box(x=0.0, y=100.0, width=800.0, height=400.0)
CHART = PagePicture(box=BOX, scale=0.5, detail=2.0, sure=0.7, words="Chart of visitors in July")
PAGE = Observation(
    url="http://reef.example/visitors.html",
    status=200,
    title="Visitors",
    figures=(Figure(id=1, kind="img", alt="Chart of visitors in July"),),
    blind=(BlindRegion(kind="media", box=BOX, heading="Visitors in July", name="Chart of visitors in July"),),
)


def crop(of: int = 0, **changed: object) -> PagePicture:
    made = PagePicture(box=BOX, of=of, scale=1.0, detail=2.0, sure=0.85)
    return msgspec.structs.replace(made, **changed)


def chosen(*pictures: PagePicture, refused: tuple[Refusal, ...] = ()) -> Crop | None:
    return next_crop(msgspec.structs.replace(PAGE, pictures=pictures), QUESTION, refused)


def test_a_picture_with_letters_too_small_is_enlarged_whole_and_once() -> None:
    first = chosen(CHART)
    assert first is not None
    assert (first.image_index, first.box) == (0, WHOLE)
    read = crop(sure=SURE)
    assert chosen(CHART, read) is None, "what was read well needs no more"


def test_a_crop_that_gained_is_halved_along_its_longer_side() -> None:
    left = chosen(CHART, crop())
    assert left is not None
    assert (left.image_index, left.box) == (1, LEFT)
    right = chosen(CHART, crop(), crop(of=1, sure=SURE))
    assert right is not None
    assert (right.image_index, right.box) == (1, RIGHT)
    assert chosen(CHART, crop(), crop(of=1, sure=SURE), crop(of=1, sure=SURE)) is None
    tall = Box(x=0.0, y=100.0, width=300.0, height=400.0)
    upper = chosen(CHART, crop(box=tall))
    assert upper is not None
    assert upper.box == UPPER


def test_a_crop_that_gained_nothing_is_not_taken_further() -> None:
    assert chosen(CHART, crop(sure=CHART.sure, detail=1.0)) is None


def test_what_was_never_read_or_read_well_is_left() -> None:
    assert chosen(msgspec.structs.replace(CHART, scale=0.0)) is None
    assert chosen(msgspec.structs.replace(CHART, sure=SURE)) is None
    assert chosen(msgspec.structs.replace(CHART, sure=0.0, detail=0.0)) is None, "no letters, and no finer picture"
    assert chosen() is None


def test_a_refused_crop_and_a_full_page_end_it() -> None:
    refused = Refusal(action=Crop(box=WHOLE, image_index=0), reason="no")
    assert chosen(CHART, refused=(refused,)) is None
    assert chosen(CHART, refused=(Refusal(action=FollowLink(link_id=1), reason="no"),)) is not None
    assert chosen(CHART, *(crop(sure=SURE) for _ in range(CROPS_OF_A_PAGE))) is None


def test_a_picture_that_is_not_asked_for_is_left() -> None:
    elsewhere = msgspec.structs.replace(CHART, box=Box(x=0.0, y=900.0, width=100.0, height=100.0))
    assert chosen(elsewhere) is None


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
    board = BlindRegion(kind="media", box=Box(x=0, y=100, width=400, height=300), heading="Prices of soup")
    whole = PagePicture(box=Box(x=0, y=0, width=800, height=900))
    picture = PagePicture(box=board.box, scale=scale, detail=detail, sure=sure)
    page = Observation(url="http://a.example/", status=200, blind=(board,), pictures=(whole, picture))
    found = next_crop(page, "What is the price of the soup?", ())
    assert (found is not None) == is_cropped
    assert found is None or found.image_index == 1
