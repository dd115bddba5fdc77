"""Small letters are found in large pictures."""

from __future__ import annotations

import random

import numpy as np
import pytest_asyncio
from playwright.async_api import Browser

from perception.geometry import Box, CoordinateFrame
from perception.images.image import Picture, decode_picture
from perception.ocr.ocr import PaddleReader
from perception.ocr.zoom import detailed_tiles, find_small_text


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def planted(browser: Browser) -> tuple[Picture, list[tuple[str, int, int]]]:
    """A picture of 3840 x 2160 with twelve codes in letters of 8 pixels."""
    chance = random.Random(8)
    codes = [(str(chance.randint(10_000, 99_999)), 30 + 300 * at, chance.randint(20, 2100)) for at in range(12)]
    marks = "".join(f"<div style='position:absolute;left:{x}px;top:{y}px'>code {code}</div>" for code, x, y in codes)
    page = await browser.new_page(viewport={"width": 3840, "height": 2160})
    await page.set_content(
        f"<body style='margin:0;font:8px sans-serif'><div style='height:700px;background:#def'></div>{marks}"
    )
    picture = decode_picture(await page.screenshot())
    await page.close()
    return picture, codes


def test_only_tiles_with_detail_are_searched(planted: tuple[Picture, list[tuple[str, int, int]]]) -> None:
    picture, codes = planted
    tiles = detailed_tiles(picture)
    assert 0 < len(tiles) <= 2 * len(codes)
    for _, x, y in codes:
        assert any(left <= x and x + 60 <= right and top <= y <= bottom for left, top, right, bottom in tiles)
    assert detailed_tiles(np.full((900, 900, 3), 240, np.uint8)) == ()


def test_letters_of_eight_pixels_are_found_in_a_picture_of_4k(
    planted: tuple[Picture, list[tuple[str, int, int]]],
) -> None:
    picture, codes = planted
    frame = CoordinateFrame(shown=Box(x=0, y=0, width=1920, height=1080), width=3840, height=2160)
    lines = find_small_text(picture, frame, PaddleReader(device="cpu")).lines
    found = {code: line for code, _, _ in codes for line in lines if code in line.text}
    assert len(found) >= 11
    for code, x, y in codes:
        if code in found:
            assert found[code].box.grown(6).holds(frame.to_page(x + 20, y + 4)), "boxes are on the page"
