"""Lines of print drawn by lot in sizes that OCR reads well, badly and hardly, and whether each was read letter by letter."""

from __future__ import annotations

import random
from collections.abc import Iterator
from io import BytesIO
from statistics import median

import cv2
import msgspec
import numpy as np
from gate_pages.facts import DISHES, GOODS, MONTHS, PEOPLE, TOWNS
from PIL import Image, ImageDraw, ImageFont

from perception.geometry import Box, CoordinateFrame
from perception.ocr.ocr import Line, PaddleReader

PICTURES, LINES = 90, 9
SIZES = (9, 10, 11, 12, 13, 14, 16, 18, 22, 26)
"""Sizes of the font in pixels before the picture is shrunk to half."""
NEAR = 0.5
"""Share of a drawn line's height by which the middle of what was read may be off."""


class ReadLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line that was read: confidence of OCR in it, its median in the picture, its height in pixels, and whether it is right."""

    sure: float
    clear: float
    pixels: float
    right: bool


def read_print() -> Iterator[ReadLine]:
    """What OCR makes of the lines of all pictures; lines that it misses are left out."""
    reader = PaddleReader(device="cpu")
    for seed in range(PICTURES):
        chance = random.Random(f"print {seed}")
        picture, drawn = _picture(chance)
        height, width = picture.shape[:2]
        shown = Box(x=0, y=0, width=width, height=height)
        lines = reader.read(picture, CoordinateFrame(shown=shown, width=width, height=height))
        clear = median(line.confidence for line in lines) if lines else 0.0
        for middle, size, text in drawn:
            line = _line_at(lines, middle, size)
            if line is not None:
                is_right = _bare(line.text) == _bare(text)
                yield ReadLine(sure=line.confidence, clear=clear, pixels=line.box.height, right=is_right)


def _picture(chance: random.Random) -> tuple[np.ndarray, list[tuple[float, float, str]]]:
    """A picture, and the middle, height and text of its lines, in pixels."""
    size, large = chance.choice(SIZES), 2
    wide, step = 40 * size, 2.2 * size
    image = Image.new("RGB", (round(wide), round(step * (LINES + 1))), (chance.randint(220, 255),) * 3)
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(size)
    drawn = []
    for at in range(LINES):
        text, top = _text(chance), step * (at + 0.6)
        pen.text((size, top), text, fill=(chance.randint(0, 90),) * 3, font=font)
        drawn.append(((top + 0.6 * size) / large, size / large, text))
    small = np.asarray(image.resize((image.width // large, image.height // large), Image.Resampling.BOX))
    kept = BytesIO()
    Image.fromarray(small).save(kept, "JPEG", quality=chance.choice((40, 70, 95)))
    picture = cv2.imdecode(np.frombuffer(kept.getvalue(), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None, "what was written as JPEG can be read"
    blur = chance.choice((0.0, 0.0, 0.6))
    return (cv2.GaussianBlur(picture, (0, 0), blur) if blur else picture), drawn


def _text(chance: random.Random) -> str:
    number = f"{chance.randint(100, 19_999) / 100:.2f}"
    return chance.choice(
        (
            f"{number} EUR",
            f"{chance.randint(1, 28)} {chance.choice(MONTHS)} {chance.randint(1990, 2030)}",
            f"10.{chance.randint(0, 255)}.{chance.randint(0, 255)}.{chance.randint(0, 255)}",
            f"{chance.randint(0, 23):02}:{chance.randint(0, 59):02}",
            chance.choice(PEOPLE),
            f"{chance.choice(TOWNS)}, {chance.choice(GOODS)}",
            chance.choice(DISHES),
            f"v{chance.randint(0, 20)}.{chance.randint(0, 20)}",
        )
    )


def _line_at(lines: tuple[Line, ...], middle: float, size: float) -> Line | None:
    near = [line for line in lines if abs(line.box.center.y - middle) < NEAR * 2 * size]
    return min(near, key=lambda line: abs(line.box.center.y - middle), default=None)


def _bare(text: str) -> str:
    return "".join(text.split()).casefold()
