"""What of a page can be looked at, where parts of parts lie, and what is remembered of a look."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perception.geometry import Box
from perception.page_pictures import (
    FIRST_PICTURES,
    PICTURES_AT_MOST,
    PagePicture,
    ocr_confidence,
    part_of,
    pictures_of,
    with_ocr_confidence,
)
from perception.snapshot import FLAT, BlindRegion, Layout, Media

SHARES = st.tuples(st.floats(0, 0.45), st.floats(0, 0.45), st.floats(0.55, 1), st.floats(0.55, 1))
PAGE = PagePicture(box=Box(x=0.0, y=0.0, width=1280.0, height=3000.0))
BOARD = PagePicture(box=Box(x=100.0, y=2000.0, width=500.0, height=400.0), words="Prices", detail=8.0)


def test_a_page_has_itself_and_its_larger_pictures() -> None:
    chart = Box(x=10, y=900, width=300, height=200)
    layout = Layout(
        viewport_width=1280,
        page_height=3000,
        media=(
            Media(kind="img", box=Box(x=0, y=0, width=900, height=200), name="The quay at dawn"),
            Media(kind="img", box=Box(x=0, y=300, width=100, height=100), name="A small drawing"),
            Media(kind="canvas", box=chart),
        ),
        blind=(
            BlindRegion(kind="media", box=chart, heading="Visitors", detail=2.0),
            BlindRegion(kind="width", box=Box(x=0, y=500, width=200, height=20)),
        ),
    )
    page, dawn, visitors = pictures_of(layout)
    assert page == PAGE
    assert (dawn.words, dawn.detail) == ("The quay at dawn", 0)
    assert (visitors.box, visitors.words, visitors.detail) == (chart, "Visitors", 2.0)
    assert not visitors.is_crop


def test_a_page_of_text_has_no_pictures_and_a_gallery_its_largest_first() -> None:
    assert pictures_of(FLAT) == ()
    assert pictures_of(Layout(viewport_width=1280, page_height=3000)) == ()
    many = tuple(Media(kind="img", box=Box(x=0, y=250 * at, width=200 + at, height=200)) for at in range(80))
    pictures = pictures_of(Layout(viewport_width=1280, page_height=20_000, media=many))
    assert len(pictures) == PICTURES_AT_MOST + 1
    widths = [picture.box.width for picture in pictures[1:]]
    assert widths == [float(200 + at) for at in (*range(72, 80), *range(16, 72))]
    assert len(widths[:FIRST_PICTURES]) == 8


@given(SHARES, SHARES)
def test_a_part_of_a_part_lies_where_both_say(
    outer: tuple[float, float, float, float], inner: tuple[float, float, float, float]
) -> None:
    first = part_of((PAGE, BOARD), outer, 1)
    second = part_of((PAGE, BOARD, PagePicture(box=first, of=1)), inner, 2)
    assert second.x == pytest.approx(100 + 500 * (outer[0] + inner[0] * (outer[2] - outer[0])), abs=0.02)
    assert second.y == pytest.approx(2000 + 400 * (outer[1] + inner[1] * (outer[3] - outer[1])), abs=0.02)
    assert second.share_in(first) == pytest.approx(1, abs=1e-3)
    assert first.share_in(BOARD.box) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize(
    ("box", "index", "words"),
    [
        ((0, 0, 1, 1), 2, "there is no picture 2; there are 2, counted from 0"),
        ((0, 0, 1, 1), -1, "there is no picture -1"),
        ((0.5, 0, 0.4, 1), 0, "is not a box"),
        ((0.5, 0, 0.5, 1), 0, "is not a box"),
        ((0, 0, 1.2, 1), 0, r"\[0, 0, 1.2, 1\] is not a box"),
        ((-0.1, 0, 1, 1), 0, "is not a box"),
        ((float("nan"), 0, 1, 1), 0, "is not a box"),
        ((0.5, 0.5, 0.501, 0.9), 1, "0.5 x 160.0 pixels of the page; at least 4 are needed"),
    ],
)
def test_what_is_no_part_is_told_in_one_line(box: tuple[float, float, float, float], index: int, words: str) -> None:
    with pytest.raises(ValueError, match=words) as told:
        part_of((PAGE, BOARD), box, index)
    assert "\n" not in str(told.value)


def test_a_picture_remembers_how_closely_it_was_looked_at_and_how_surely_it_was_read() -> None:
    lines = [(Box(x=110, y=2000 + 20 * at, width=90, height=18), sure) for at, sure in enumerate((0.6, 0.7, 0.95))]
    pictures = with_ocr_confidence((PAGE, BOARD), (BOARD.box,), 1.0, lines)
    assert pictures == (PAGE, PagePicture(box=BOARD.box, words="Prices", detail=8.0, scale=1.0, sure=0.7))
    assert with_ocr_confidence(pictures, (BOARD.box,), 1.0, ()) == pictures, (
        "a second look of the same kind tells nothing new"
    )
    assert with_ocr_confidence(pictures, (BOARD.box,), 4.0, lines[:1])[1].sure == 0, "one line alone tells nothing"
    assert ocr_confidence(PAGE.box, lines) == 0.7
