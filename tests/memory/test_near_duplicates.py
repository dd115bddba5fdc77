"""Marks of texts, and who is near whom."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.near_duplicates import NEAR_BITS, SKETCH_SIZE, SeenText, SimilarTexts, TextMark, distance, mark_text

WORDS = st.lists(st.text(st.characters(categories=["Ll"]), min_size=2, max_size=9), min_size=1, max_size=60)
PROSE = (
    "The harbour was built when the first ships came round the cape, and its walls are of the same grey stone as the church.\n"
    "Every spring the people of the town go down to the water and count the boats that came through the winter.\n"
)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Events in November 2026\nNo events on 5 November", "Events in May 1999\nNo events on 28 May"),
        ("Page 3 of 200 results", "Page 17 of 99 results"),
        ("Updated 2026-11-05 at 12:30:01 by ann", "Updated 1999-01-28 at 07:02:59 by ann"),
        ("Your session 9f3ab2c144e1 is open", "Your session 00b1c2d3e4f5 is open"),
        ("Sat 3 Jan: closed all day", "Sun 14 December: closed all day"),
        ("2026年11月 没有活动安排", "2027年3月 没有活动安排"),
        ("ＡＢＣ harbour", "abc HARBOUR"),
    ],
)
def test_numbers_dates_and_sessions_make_no_other_text(first: str, second: str) -> None:
    assert mark_text(first).fingerprint == mark_text(second).fingerprint
    assert mark_text(first).sketch == mark_text(second).sketch


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("the old harbour wall", "the new harbour wall"),
        ("学校的历史沿革", "学校的历史渊源"),
        ("sha256 digest", "md5 digest"),
        ("cat dog", "dog cat"),
    ],
)
def test_other_words_make_another_text(first: str, second: str) -> None:
    assert mark_text(first).fingerprint != mark_text(second).fingerprint


def test_what_only_numbers_tell_is_in_the_details() -> None:
    assert mark_text("Widget, $3").details != mark_text("Widget, $4").details
    assert mark_text("Widget", name="Page 3").details != mark_text("Widget", name="Page 4").details
    assert mark_text("at 12:30 on 2026-11-05").details == mark_text("at 07:02 on 1999-01-28").details
    assert mark_text("12 apples\n7 pears").details == mark_text("7 pears\n12 apples").details


def product_list(seed: int) -> str:
    chance = random.Random(seed)
    names = ["".join(chance.choices("abcdefghijklmnop", k=7)) for _ in range(24)]
    lines = [
        f"{name} {names[place - 1]}\nfree delivery within days\n$ {chance.random():.2f}"
        for place, name in enumerate(names)
    ]
    return "Shop\nAll products\nadd to basket\n" + "\n".join(lines) + "\nContact\nTerms of use\nPrivacy"


def test_product_lists_with_other_products_are_not_near() -> None:
    marks = [mark_text(product_list(seed)).fingerprint for seed in range(40)]
    assert min(distance(a, b) for a, b in itertools.combinations(marks, 2)) > NEAR_BITS


def test_a_long_text_with_one_other_word_is_near() -> None:
    text = "\n".join(product_list(seed) for seed in range(12))
    assert distance(mark_text(text).fingerprint, mark_text(text + "\nadvertisement").fingerprint) <= NEAR_BITS


@given(WORDS, st.randoms(use_true_random=False))
def test_the_order_of_lines_does_not_count(words: list[str], chance: random.Random) -> None:
    lines = [" ".join(words[place : place + 3]) for place in range(0, len(words), 3)]
    shuffled = list(lines)
    chance.shuffle(shuffled)
    first, second = mark_text("\n".join(lines)), mark_text("\n".join(shuffled))
    assert (first.fingerprint, first.sketch, first.size) == (second.fingerprint, second.sketch, second.size)


@given(st.text())
def test_any_text_has_a_mark(text: str) -> None:
    mark = mark_text(text)
    assert 0 <= mark.fingerprint < 1 << 64
    assert 0 <= mark.details < 1 << 63
    assert len(mark.sketch) == 4 * min(mark.size, SKETCH_SIZE)
    assert (mark.fingerprint == 0) == (mark.size == 0)
    assert mark == mark_text(text)


@pytest.mark.parametrize("text", ["", " \n\n ", "...", "-- | --"])
def test_a_text_without_words_has_no_fingerprint(text: str) -> None:
    assert mark_text(text) == TextMark()


@given(
    st.lists(st.integers(1, (1 << 64) - 1), min_size=1, max_size=30, unique=True),
    st.integers(0, 29),
    st.lists(st.integers(0, 63), max_size=5, unique=True),
)
def test_neighbours_are_those_that_comparing_all_finds(prints: list[int], which: int, flips: list[int]) -> None:
    index = SimilarTexts()
    for number, fingerprint in enumerate(prints, start=1):
        index.add(number, fingerprint)
    asked = prints[which % len(prints)]
    for bit in flips:
        asked ^= 1 << bit
    near = {number for number, fingerprint in enumerate(prints, start=1) if distance(fingerprint, asked) <= NEAR_BITS}
    found = index.neighbours(asked)
    assert set(found) == near
    assert len(index) == len(prints)
    assert [distance(prints[one - 1], asked) for one in found] == sorted(
        distance(prints[one - 1], asked) for one in found
    )


def test_details_must_be_equal() -> None:
    index = SimilarTexts()
    index.add(1, 0b1111, details=5)
    assert index.neighbours(0b1110, details=5) == (1,)
    assert index.neighbours(0b1110, details=6) == ()


def test_novelty_is_the_share_that_was_never_met() -> None:
    seen = SeenText()
    first, second = mark_text(PROSE), mark_text(product_list(1))
    assert seen.novelty(first) == 1
    seen.add(first)
    assert seen.novelty(first) == 0
    assert seen.novelty(second) > 0.9
    seen.add(second)
    both = mark_text(PROSE + product_list(1))
    assert seen.novelty(both) < 0.1
    assert seen.novelty(TextMark()) == 0
    half = mark_text(PROSE + PROSE.replace("a", "o").replace("e", "i"))
    assert 0.3 < seen.novelty(half) < 0.7


def test_many_texts_do_not_make_new_ones_known() -> None:
    seen, chance = SeenText(), random.Random(3)
    for _ in range(3000):
        seen.add(TextMark(fingerprint=1, sketch=chance.randbytes(256), size=64))
    fresh = [seen.novelty(TextMark(fingerprint=1, sketch=chance.randbytes(256), size=64)) for _ in range(200)]
    assert sum(fresh) / len(fresh) > 0.99
