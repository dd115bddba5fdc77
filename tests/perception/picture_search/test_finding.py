"""The same picture and a part of it are found among others, others are not; the same each time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial

import cv2
import msgspec
import numpy as np
import pytest

from perception.images.image import Picture
from perception.images.picture_file import open_picture
from perception.picture_search.features import (
    Look,
    features_at_both_scales,
    look_of,
    packed_features,
    unpacked_features,
)
from perception.picture_search.finding import CHECKED, Found, candidates
from perception.picture_search.finding import find as search
from perception.picture_search.matching import match
from perception.picture_search.visual_words import alike, asked_words, gathered, words_of
from tests.walker.pictures.drawn import cropped, scene, shrunk

KEPT = 30


@pytest.fixture(scope="module")
def looks() -> list[Look]:
    return [look_of(scene(seed)) for seed in range(KEPT)]


@cache
def row(seed: int, shade: int = -1) -> tuple[int, bytes]:
    look = look_of(scene(seed) if shade < 0 else np.full((120, 160, 3), shade, np.uint8))
    return look.hash, words_of(look.features).astype("<u2").tobytes()


def find(picture: Picture, looks: list[Look]) -> tuple[Found, ...]:
    searched = look_of(picture)
    rows = [row(seed) for seed in range(KEPT)]
    if len(looks) > KEPT:
        rows.insert(0, row(0, looks[0].thumbnail[0]))
    among = gathered([(number, *one) for number, one in enumerate(rows)])

    def read(numbers: Sequence[int]) -> Mapping[int, Look]:
        return {number: looks[number] for number in numbers}

    return search(searched, partial(features_at_both_scales, picture, searched), read, among.postings)


@pytest.mark.parametrize("seed", [0, 17, 29])
def test_the_same_picture_and_a_part_of_it_come_first(looks: list[Look], seed: int) -> None:
    for data in (shrunk(scene(seed)), cropped(scene(seed))):
        best = find(open_picture(data), looks)[0]
        assert best.picture == seed
        assert best.chance > 0.9
        assert best.match.agreeing >= 20
        assert len(best.match.points) <= 40


def test_where_the_part_lies_is_told(looks: list[Look]) -> None:
    best = find(open_picture(cropped(scene(7))), looks)[0]
    assert best.match.part == pytest.approx((0.2, 0.2, 0.8, 0.8), abs=0.02)
    for ours, theirs in best.match.points:
        assert (0.2 + 0.6 * ours.x, 0.2 + 0.6 * ours.y) == pytest.approx((theirs.x, theirs.y), abs=0.03)


def test_pictures_that_are_not_there_are_unlikely(looks: list[Look]) -> None:
    for seed in range(100, 105):
        found = find(scene(seed), looks)
        assert all(one.chance < 0.5 for one in found)


def test_a_search_gives_the_same_each_time(looks: list[Look]) -> None:
    searched = open_picture(cropped(scene(3)))
    assert find(searched, looks) == find(searched, looks)
    cv2.setRNGSeed(99)
    np.random.default_rng(5).random()
    assert find(searched, looks) == find(searched, looks)


def test_a_turned_picture_is_recognised_where_it_is_checked(looks: list[Look]) -> None:
    turned = np.ascontiguousarray(scene(5)[::-1, ::-1])
    assert match(look_of(turned), looks[5]).agreeing >= 20


@pytest.mark.parametrize("shade", [0, 128, 255])
def test_a_plain_area_is_found_nowhere(looks: list[Look], shade: int) -> None:
    plain: Picture = np.full((120, 160, 3), shade, np.uint8)
    assert all(one.chance < 0.5 for one in find(plain, looks))
    among = [look_of(plain), *looks]
    assert all(one.chance < 0.5 for one in find(scene(0), among) if one.picture == 0)


def test_an_empty_library_finds_nothing(looks: list[Look]) -> None:
    assert candidates(looks[0], gathered([]).postings) == ()
    asked = asked_words(looks[0].features)
    assert alike(asked, gathered([(1, 0, b""), (2, 0, b"")]).postings(asked.all)).tolist() == [0.0, 0.0]


def test_features_are_the_same_after_packing(looks: list[Look]) -> None:
    features = looks[0].features
    again = unpacked_features(packed_features(features), features.aspect)
    assert np.array_equal(again.descriptors, features.descriptors)
    assert np.abs(again.points[:, :2] - features.points[:, :2]).max() < 1e-4
    assert np.array_equal(again.points[:, 3], features.points[:, 3])
    with pytest.raises(ValueError, match="no features"):
        unpacked_features(b"x" * 7, 1.0)


def test_a_small_part_of_a_large_picture_is_found_by_its_features_at_a_smaller_scale() -> None:
    """A third of it is seen twice as large in the question as in the whole, where nothing is as sharp."""
    whole = [scene(seed, 1600, 1200) for seed in range(12)]
    kept = [look_of(picture) for picture in whole]
    rows = [(number, one.hash, words_of(one.features).astype("<u2").tobytes()) for number, one in enumerate(kept)]
    part = np.ascontiguousarray(whole[5][300:780, 500:1140])
    searched = look_of(part)
    smaller, both = features_at_both_scales(part, searched)
    assert both.count == searched.features.count + smaller.count
    assert match(msgspec.structs.replace(searched, features=both), kept[5]).agreeing > match(searched, kept[5]).agreeing
    found = search(
        searched,
        partial(features_at_both_scales, part, searched),
        lambda numbers: {n: kept[n] for n in numbers},
        gathered(rows).postings,
    )
    assert found[0].picture == 5
    assert len({one.picture for one in found}) == len(found)


def _diagram(seed: int) -> Picture:
    """The same 48 shapes as in every other diagram, at other places."""
    shapes = np.random.default_rng(1).integers(0, 256, (48, 8, 8, 3), np.uint8)
    sheet = np.full((480, 640, 3), 245, np.uint8)
    for place, number in enumerate(np.random.default_rng(1000 + seed).permutation(48)):
        row, column = divmod(place, 8)
        shape = cv2.resize(shapes[number], (56, 56), interpolation=cv2.INTER_NEAREST)
        sheet[80 * row + 12 : 80 * row + 68, 80 * column + 12 : 80 * column + 68] = shape
    return sheet


def test_a_part_is_found_among_pictures_that_are_made_of_the_same_things() -> None:
    """Such as diagrams: their words are the same, so that the right one is not among the first to be checked."""
    whole = [_diagram(seed) for seed in range(80)]
    kept = [look_of(picture) for picture in whole]
    rows = [(number, one.hash, words_of(one.features).astype("<u2").tobytes()) for number, one in enumerate(kept)]
    among = gathered(rows)
    found_first, behind = 0, 0
    for seed in range(0, 80, 8):
        part = np.ascontiguousarray(whole[seed][80:368, 140:524])
        searched = look_of(part)
        behind += seed not in candidates(searched, among.postings, CHECKED)
        found = search(
            searched,
            partial(features_at_both_scales, part, searched),
            lambda numbers: {n: kept[n] for n in numbers},
            among.postings,
        )
        found_first += found[0].picture == seed
    assert behind, "else all are checked at once"
    assert found_first == 10
