"""Picture sizes that a model does not resize, and coordinates that survive the round trip."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perception.geometry import Box, CoordinateFrame
from walker.vision.families import (
    FAMILIES,
    UNKNOWN,
    Family,
    box_on_page,
    family_of,
    image_tokens,
    point_on_page,
    sent_size,
)

ALL = st.sampled_from((*FAMILIES, UNKNOWN))
SIDES = st.integers(1, 6000)


@settings(max_examples=400)
@given(ALL, SIDES, SIDES)
def test_a_sent_size_fits_the_model_and_stays_as_it_is_when_sent_again(family: Family, width: int, height: int) -> None:
    sent = sent_size(width, height, family)
    assert sent.padded_width % family.multiple == 0
    assert sent.padded_height % family.multiple == 0
    assert sent.width <= sent.padded_width < sent.width + family.multiple
    assert sent.padded_width * sent.padded_height <= family.most_pixels
    assert max(sent.padded_width, sent.padded_height) <= family.longest
    again = sent_size(sent.padded_width, sent.padded_height, family)
    if sent.padded_width * sent.padded_height >= family.least_pixels:
        assert (again.padded_width, again.padded_height) == (sent.padded_width, sent.padded_height)


@given(ALL, st.integers(200, 2000), st.integers(200, 2000))
def test_a_picture_is_never_stretched(family: Family, width: int, height: int) -> None:
    sent = sent_size(width, height, family)
    assert sent.width / sent.height == pytest.approx(width / height, rel=0.02)


def test_the_usual_window_is_sent_as_it_is() -> None:
    for model, tokens in (("Qwen/Qwen3-VL-8B-Instruct", 1000), ("qwen2.5-vl-72b", 1334)):
        family = family_of(model)
        sent = sent_size(1280, 800, family)
        assert (sent.width, sent.height) == (1280, 800)
        assert image_tokens(sent.padded_width, sent.padded_height, family) == tokens


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("Qwen/Qwen2.5-VL-7B-Instruct", "qwen2.5-vl"),
        ("qwen3-vl:8b", "qwen3-vl"),
        ("Qwen2-VL-2B", "qwen2-vl"),
        ("google/gemini-2.5-pro", "gemini"),
        ("gpt-4.1-mini", "gpt"),
        ("o4-mini", "gpt"),
        ("claude-sonnet-4", "claude"),
        ("allenai/Molmo-7B-D", "molmo"),
        ("moonshot/kimi-vl-a3b", "kimi"),
        ("my-own-model", "unknown"),
    ],
)
def test_a_models_name_tells_its_family(model: str, name: str) -> None:
    assert family_of(model).name == name


def test_every_family_says_where_its_facts_come_from() -> None:
    assert all(family.evidence for family in FAMILIES)


@given(ALL, st.floats(0, 1), st.floats(0, 1))
def test_a_place_said_in_a_familys_convention_is_the_place(family: Family, across: float, down: float) -> None:
    frame = CoordinateFrame(shown=Box(x=40, y=900, width=640, height=400), width=1280, height=800)
    said = (across * 1280, down * 800) if family.unit == "pixels" else (across * family.full, down * family.full)
    point = point_on_page(said if family.order == "xy" else said[::-1], family, frame)
    assert point is not None
    assert point.x == pytest.approx(40 + across * 640)
    assert point.y == pytest.approx(900 + down * 400)
    if family.unit == "share" and family.full >= 100:
        whole = (round(said[0]), round(said[1]))
        near = point_on_page(whole if family.order == "xy" else whole[::-1], family, frame)
        assert near is not None
        assert math.dist((near.x, near.y), (point.x, point.y)) <= 640 / family.full


@pytest.mark.parametrize("values", [(), (1.0,), (1.0, 2.0, 3.0), (5000.0, 5000.0), (1.0, 2.0, 9000.0, 3.0)])
def test_what_is_no_place_or_outside_is_none(values: tuple[float, ...]) -> None:
    frame = CoordinateFrame(shown=Box(x=0, y=0, width=640, height=400), width=640, height=400)
    assert box_on_page(values, family_of("qwen3-vl"), frame) is None


def test_corners_may_come_in_any_order() -> None:
    frame = CoordinateFrame(shown=Box(x=0, y=0, width=1000, height=1000), width=1000, height=1000)
    assert box_on_page((300, 400, 100, 200), family_of("qwen3-vl"), frame) == Box(x=100, y=200, width=200, height=200)


def test_a_family_that_says_shares_of_one_is_believed_in_pixels_too() -> None:
    frame = CoordinateFrame(shown=Box(x=0, y=100, width=400, height=300), width=800, height=600)
    kimi = family_of("kimi-vl")
    said = [point_on_page(values, kimi, frame) for values in ((0.5, 0.5), (400.0, 300.0), (1.0, 1.0), (900.0, 1.0))]
    assert [point and (point.x, point.y) for point in said] == [(200, 250), (200, 250), (400, 400), None]
