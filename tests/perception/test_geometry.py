from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perception.geometry import Box, CoordinateFrame, Point, box_around

NUMBERS = st.floats(-2000, 4000)
SIZES = st.floats(0, 3000)
BOXES = st.builds(lambda x, y, width, height: Box(x=x, y=y, width=width, height=height), NUMBERS, NUMBERS, SIZES, SIZES)
PLAIN = Box(x=10, y=20, width=30, height=40)


@given(BOXES, BOXES)
def test_overlap_is_the_same_from_both_sides_and_no_larger_than_either(one: Box, other: Box) -> None:
    assert one.overlap(other) == pytest.approx(other.overlap(one), rel=1e-9, abs=1e-6)
    assert one.overlap(other) <= min(one.area, other.area) * (1 + 1e-9) + 1e-6
    assert 0 <= one.iou(other) <= 1 + 1e-9
    assert one.cut_to(other).area == pytest.approx(one.overlap(other), rel=1e-6, abs=1e-3)


@given(BOXES)
def test_a_box_is_like_itself(box: Box) -> None:
    assert box.distance(box) == 0
    if box.area > 1e-3:
        assert box.iou(box) == pytest.approx(1)
        assert box.share_in(box.grown(1)) == pytest.approx(1, rel=1e-6)


def test_edges_belong_to_the_box_on_the_upper_left_only() -> None:
    assert PLAIN.holds(Point(x=10, y=20))
    assert not PLAIN.holds(Point(x=40, y=30))
    assert not PLAIN.holds(Point(x=20, y=60))
    assert PLAIN.center == Point(x=25, y=40)


def test_distance_is_between_the_nearest_edges() -> None:
    assert PLAIN.distance(Box(x=43, y=64, width=5, height=5)) == 5
    assert PLAIN.distance(Box(x=0, y=0, width=11, height=21)) == 0


def test_the_box_around_holds_all() -> None:
    assert box_around((PLAIN, Box(x=0, y=50, width=5, height=50))) == Box(x=0, y=20, width=40, height=80)
    with pytest.raises(ValueError, match="empty"):
        box_around(())


@given(
    st.floats(0, 5000),
    st.floats(1, 4000),
    st.integers(1, 8000),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_a_pixel_goes_to_the_page_and_back(top: float, height: float, pixels: int, across: float, down: float) -> None:
    frame = CoordinateFrame(shown=Box(x=5, y=top, width=height, height=height), width=pixels, height=pixels)
    place = frame.to_page(across * pixels, down * pixels)
    assert place.x == pytest.approx(5 + across * height, abs=1e-6)
    assert place.y == pytest.approx(top + down * height, abs=1e-6)
    left, upper, right, lower = frame.to_pixels(frame.box_to_page(0, 0, pixels, pixels))
    assert (left, upper) == (0, 0)
    assert (right, lower) == (pixels, pixels)


def test_a_frame_at_twice_the_scale_halves_pixels() -> None:
    frame = CoordinateFrame(shown=Box(x=100, y=200, width=300, height=100), width=600, height=200)
    assert frame.scale == 2
    assert frame.to_page(10, 20) == Point(x=105, y=210)
    assert frame.to_pixels(Box(x=105, y=210, width=10.2, height=5)) == (10, 20, 31, 30)
    assert frame.to_pixels(Box(x=0, y=0, width=50, height=50)) == (0, 0, 0, 0), "cut to the picture"
