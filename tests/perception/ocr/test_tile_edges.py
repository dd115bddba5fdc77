"""A line that two tiles read in part is one line, read once."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.async_api import Browser

from perception.geometry import Box, CoordinateFrame
from perception.images.image import Picture, decode_picture
from perception.ocr.ocr import Line, PaddleReader
from perception.ocr.tile_edges import Part, join_parts
from perception.ocr.zoom import TILE_WIDTH, find_small_text

SENTENCE = (
    "The harbour office of the northern quay opens at seven every morning from April until the end of October, and on Sundays"
    " at nine, when the ferry to the islands has left and the market begins below the old lighthouse"
)


def part(text: str, x: float, *, y: float = 0.0, width: float = 0.0, height: float = 20.0) -> Part:
    return Part(text, Box(x=x, y=y, width=width or 10.0 * len(text), height=height))


@pytest.mark.parametrize(
    ("one", "other", "text"),
    [
        (
            part("The station has two boats i", 0),
            part("boats in the harbour", 200),
            "The station has two boats in the harbour",
        ),
        (
            part("The station has two boa", 0),
            part("oats in the harbour", 190),
            "The station has two boats in the harbour",
        ),
        (part("Der Hafen öffnet um sie", 0), part("m sieben Uhr", 180), "Der Hafen öffnet um sieben Uhr"),
    ],
)
def test_parts_of_one_line_are_joined_where_they_read_alike(one: Part, other: Part, text: str) -> None:
    for joined in (join_parts(one, other), join_parts(other, one)):
        assert joined is not None
        assert joined.text == text
        assert joined.box.x == one.box.x
        assert joined.box.right == other.box.right


@pytest.mark.parametrize(
    "other",
    [
        part("boats in the harbour", 200, y=15),
        part("boats in the harbour", 200, height=50),
        part("boats in the harbour", 400),
        part("12.50 EUR", 250),
        part("two boats", 150, width=90),
    ],
)
def test_other_lines_stay_apart(other: Part) -> None:
    assert join_parts(part("The station has two boats i", 0), other) is None


class Cutting:
    """Reads the words that lie whole in a tile, of a line that runs through the picture."""

    name = "cutting"

    def __init__(self, width: int) -> None:
        self._width = width

    def read(self, picture: Picture, frame: CoordinateFrame) -> tuple[Line, ...]:
        wide = self._width / len(SENTENCE)
        first, last = (round(x / wide) for x in (frame.shown.x, frame.shown.right))
        said = SENTENCE[first:last]
        return (Line(text=said, box=Box(x=first * wide, y=50, width=len(said) * wide, height=16), confidence=0.9),)


def test_a_line_through_three_tiles_is_read_once() -> None:
    width = 3 * TILE_WIDTH
    picture = np.random.default_rng(3).integers(0, 255, (200, width, 3), dtype=np.uint8)
    frame = CoordinateFrame(shown=Box(x=0, y=0, width=width, height=200), width=width, height=200)
    lines = find_small_text(picture, frame, Cutting(width)).lines
    assert [line.text for line in lines] == [SENTENCE]


def test_tiles_beyond_so_many_lines_are_left_and_counted() -> None:
    width = 3 * TILE_WIDTH
    picture = np.random.default_rng(3).integers(0, 255, (200, width, 3), dtype=np.uint8)
    frame = CoordinateFrame(shown=Box(x=0, y=0, width=width, height=200), width=width, height=200)
    some = find_small_text(picture, frame, Cutting(width), most_lines=1)
    assert (len(some.lines), some.left) == (1, 2)
    assert find_small_text(picture, frame, Cutting(width)).left == 0


async def test_a_line_longer_than_a_tile_is_read_once(browser: Browser) -> None:
    page = await browser.new_page(viewport={"width": 2600, "height": 120})
    await page.set_content(f"<body style='margin:30px;font:24px sans-serif;white-space:nowrap'>{SENTENCE}")
    picture = decode_picture(await page.screenshot())
    await page.close()
    frame = CoordinateFrame(shown=Box(x=0, y=0, width=2600, height=120), width=2600, height=120)
    said = " ".join(line.text for line in PaddleReader(device="cpu").read(picture, frame))
    words, wanted = "".join(said.split()), "".join(SENTENCE.split())
    assert abs(len(words) - len(wanted)) <= 3, said
