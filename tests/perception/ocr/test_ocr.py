"""Letters in pictures, by the real models: rendered text of several sizes, scripts and grounds."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator

import numpy as np
import pytest
import pytest_asyncio
from playwright.async_api import Page

from perception.errors import MissingPackage
from perception.geometry import Box, CoordinateFrame
from perception.images.image import Picture, decode_picture, size_of
from perception.ocr.ocr import NoReader, PaddleReader
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.vision.tesseract_reader import TesseractReader

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(scope="module")
def reader() -> PaddleReader:
    return PaddleReader(device="cpu")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def page(chromium: Chromium) -> AsyncIterator[Page]:
    context = await chromium.new_context(ContextOptions(width=800, height=600))
    yield await context.new_page()
    await context.close()


async def shot(page: Page, body: str) -> tuple[Picture, CoordinateFrame]:
    await page.set_content(f"<body style='margin:0;font-family:sans-serif'>{body}")
    picture = decode_picture(await page.screenshot())
    width, height = size_of(picture)
    return picture, CoordinateFrame(shown=Box(x=0, y=0, width=width, height=height), width=width, height=height)


async def test_lines_are_read_with_their_places(page: Page, reader: PaddleReader) -> None:
    picture, frame = await shot(
        page,
        "<p style='font-size:11px'>Small print of eleven pixels</p><h1 style='background:#147;color:#fff'>White on blue</h1>"
        "<p style='margin-left:300px'>Ticket 12.50 EUR</p>",
    )
    lines = {line.text: line for line in reader.read(picture, frame)}
    assert list(lines) == ["Small print of eleven pixels", "White on blue", "Ticket 12.50 EUR"]
    assert lines["Ticket 12.50 EUR"].box.x == pytest.approx(300, abs=10)
    assert [word.text for word in lines["Ticket 12.50 EUR"].words] == ["Ticket", "12.50", "EUR"]
    first, second = lines["Ticket 12.50 EUR"].words[:2]
    assert first.box.right <= second.box.x + 4
    assert all(line.confidence > 0.8 for line in lines.values())


async def test_results_are_kept_up_to_so_many_lines(page: Page) -> None:
    reader = PaddleReader(device="cpu", kept_lines=3)
    for said in (("one", "two"), ("three", "four"), ("five",)):
        picture, frame = await shot(page, "".join(f"<p>Platform {word}</p>" for word in said))
        assert len(reader.read(picture, frame)) == len(said)
    assert reader.kept_lines == 3, "of the first picture nothing is kept"
    assert [line.text for line in reader.read(picture, frame)] == ["Platform five"]


async def test_a_lone_word_on_a_tall_page_is_found(page: Page, reader: PaddleReader) -> None:
    await page.set_content("<div style='height:2600px'></div><p style='font:16px sans-serif'>Far down</p>")
    picture = decode_picture(await page.screenshot(full_page=True))
    width, height = size_of(picture)
    frame = CoordinateFrame(shown=Box(x=0, y=0, width=width, height=height), width=width, height=height)
    (line,) = reader.read(picture, frame)
    assert line.text == "Far down"
    assert line.box.y == pytest.approx(2600, abs=60)


async def test_a_picture_a_little_larger_than_a_tile_is_hardly_read_twice(
    page: Page, reader: PaddleReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [f"Platform {number}" for number in range(10, 34)]
    body = "".join(f"<p style='margin:0;height:40px'>{word}</p>" for word in words)
    await page.set_content(f"<body style='margin:0;font:16px sans-serif'>{body}")
    picture = decode_picture(await page.screenshot(full_page=True))
    width, height = size_of(picture)
    assert height == 960
    frame = CoordinateFrame(shown=Box(x=0, y=0, width=width, height=height), width=width, height=height)
    drawn: list[int] = []
    read = reader._engine.read

    def read_noted(tile: Picture) -> object:
        drawn.append(tile.shape[0])
        return read(tile)

    monkeypatch.setattr(reader._engine, "read", read_noted)
    assert [line.text for line in reader.read(picture, frame)] == words
    assert len(drawn) == 2
    assert sum(drawn) <= height + 64


async def test_nothing_is_read_in_nothing(reader: PaddleReader) -> None:
    frame = CoordinateFrame(shown=Box(x=0, y=0, width=1, height=1), width=1, height=1)
    assert reader.read(np.zeros((1, 1, 3), np.uint8), frame) == ()
    assert reader.read(np.full((300, 300, 3), 200, np.uint8), frame) == ()
    assert NoReader().read(np.zeros((9, 9, 3), np.uint8), frame) == ()


async def test_a_picture_is_read_once(page: Page, reader: PaddleReader, monkeypatch: pytest.MonkeyPatch) -> None:
    picture, frame = await shot(page, "<p>Read me once</p>")
    first = reader.read(picture, frame)
    monkeypatch.setattr(reader, "_engine", None)
    moved = CoordinateFrame(shown=Box(x=0, y=500, width=800, height=600), width=800, height=600)
    again = reader.read(picture.copy(), moved)
    assert [line.text for line in again] == [line.text for line in first] == ["Read me once"]
    assert again[0].box.y == pytest.approx(first[0].box.y + 500)


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")
async def test_tesseract_reads_lines_and_words_with_their_places(page: Page) -> None:
    picture, frame = await shot(page, "<p style='font-size:20px;margin:40px'>The harbour opens at nine</p>")
    (line,) = TesseractReader("eng").read(picture, frame)
    assert line.text == "The harbour opens at nine"
    assert [word.text for word in line.words][:2] == ["The", "harbour"]
    assert line.box.x == pytest.approx(40, abs=6)


async def test_tesseract_says_how_to_get_it_or_reads(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MissingPackage, match="apt-get install tesseract-ocr"):
        TesseractReader()


@pytest.mark.parametrize(("degrees", "said"), [(90, "LNCS 14759"), (-90, "Deck 5 starboard")])
async def test_a_line_that_is_turned_to_either_side_is_read(
    page: Page, reader: PaddleReader, degrees: int, said: str
) -> None:
    picture, frame = await shot(
        page,
        f"<p style='position:absolute;top:180px;left:20px;font-size:30px;white-space:nowrap;margin:0;width:220px;"
        f"transform:rotate({degrees}deg)'>{said}</p><h1 style='margin:80px 0 0 300px'>Rigorous Methods</h1>",
    )
    assert said in [line.text for line in reader.read(picture, frame)]
