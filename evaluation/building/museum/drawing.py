"""Draws the museum's pictures: a ground of coloured shapes that is each picture's own, and on it what the picture is of."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.building.museum.collection import EXHIBITS, Exhibit
from perception.images.image import encode_picture, opencv

WIDTH, HEIGHT = 480, 360
_GROUND = 90
"""Shapes of the ground: enough corners for a search by picture to tell one from another."""
Canvas = NDArray[np.uint8]
Chance = np.random.Generator


@cache
def museum_picture(path: str) -> bytes | None:
    """The PNG file at a path, None where there is none; the same bytes whenever it is drawn."""
    found = next((one for one in EXHIBITS if one.picture == path), None)
    return _drawn(found) if found is not None else None


def _drawn(exhibit: Exhibit) -> bytes:
    chance = np.random.default_rng(zlib.crc32(exhibit.slug.encode()))
    canvas: Canvas = np.full((HEIGHT, WIDTH, 3), chance.integers(120, 230, 3), np.uint8)
    _ground(canvas, chance)
    _SUBJECTS[exhibit.kind](canvas, chance)
    if exhibit.kind == "maker":
        named_plate(canvas, exhibit.name)
    return encode_picture(canvas)


def named_plate(canvas: Canvas, name: str) -> None:
    """A brass plate at the lower edge with a name in Latin letters on it, as under portraits."""
    cv2 = opencv()
    (width, height), below = cv2.getTextSize(name, cv2.FONT_HERSHEY_DUPLEX, 1.0, 2)
    left, foot = (WIDTH - width) // 2, HEIGHT - 22
    cv2.rectangle(canvas, (left - 14, foot - height - 10), (left + width + 14, foot + below + 4), (140, 205, 225), -1)
    cv2.putText(canvas, name, (left, foot), cv2.FONT_HERSHEY_DUPLEX, 1.0, (25, 25, 25), 2, cv2.LINE_AA)


def _ground(canvas: Canvas, chance: Chance) -> None:
    cv2 = opencv()
    for _ in range(_GROUND):
        middle = chance.integers(0, [WIDTH, HEIGHT])
        corners = (middle + chance.integers(-34, 35, (int(chance.integers(3, 6)), 2))).astype(np.int32)
        cv2.fillPoly(canvas, [corners], _colour(chance))


def _framed(canvas: Canvas, chance: Chance) -> None:
    cv2 = opencv()
    cv2.rectangle(canvas, (90, 60), (390, 300), (40, 70, 110), -1)
    cv2.rectangle(canvas, (108, 78), (372, 282), _colour(chance), -1)
    for place in range(6):
        hill = [
            (108, 282),
            *((108 + 44 * step, int(chance.integers(120 + 20 * place, 200 + 12 * place))) for step in range(7)),
            (372, 282),
        ]
        cv2.fillPoly(canvas, [np.array(hill, np.int32)], _colour(chance))
    cv2.circle(canvas, (int(chance.integers(140, 340)), 110), 18, (120, 220, 250), -1)


def _dial(canvas: Canvas, chance: Chance) -> None:
    cv2 = opencv()
    middle = (240, 180)
    cv2.circle(canvas, middle, 130, (30, 50, 80), -1)
    cv2.circle(canvas, middle, 114, (225, 235, 240), -1)
    for hour in range(12):
        turn = np.array([np.sin(hour * np.pi / 6), -np.cos(hour * np.pi / 6)])
        cv2.line(canvas, _at(turn, 92), _at(turn, 110), (20, 20, 20), 4)
    for length, width in ((62, 7), (88, 4)):
        angle = float(chance.uniform(0, 2 * np.pi))
        cv2.line(canvas, middle, _at(np.array([np.sin(angle), np.cos(angle)]), length), _colour(chance), width)
    _stars(canvas, chance, 7, 70)


def _strings(canvas: Canvas, chance: Chance) -> None:
    cv2 = opencv()
    wood = _colour(chance)
    cv2.ellipse(canvas, (170, 210), (115, 90), int(chance.integers(-12, 13)), 0, 360, wood, -1)
    cv2.rectangle(canvas, (200, 176), (440, 236), wood, -1)
    cv2.circle(canvas, (175, 210), int(chance.integers(24, 40)), (15, 15, 25), -1)
    for string in range(int(chance.integers(4, 9))):
        cv2.line(canvas, (90, 186 + 7 * string), (440, 182 + 6 * string), (235, 235, 235), 1)
    _stars(canvas, chance, 6, 60)


def _portrait(canvas: Canvas, chance: Chance) -> None:
    cv2 = opencv()
    skin, hair = (
        (int(chance.integers(110, 190)), int(chance.integers(150, 205)), int(chance.integers(200, 240))),
        _colour(chance),
    )
    cv2.ellipse(canvas, (240, 380), (170, 140), 0, 0, 360, _colour(chance), -1)
    cv2.circle(canvas, (240, 130), 104, hair, -1)
    cv2.ellipse(canvas, (240, 160), (78, 100), 0, 0, 360, skin, -1)
    for side in (-1, 1):
        eye = (240 + side * int(chance.integers(24, 38)), int(chance.integers(136, 158)))
        cv2.circle(canvas, eye, 9, (250, 250, 250), -1)
        cv2.circle(canvas, eye, 4, (40, 30, 20), -1)
    cv2.line(canvas, (240, 160), (240 + int(chance.integers(-10, 11)), 192), (70, 90, 120), 4)
    cv2.ellipse(canvas, (240, 214), (int(chance.integers(18, 36)), 10), 0, 0, 180, (60, 60, 170), 4)
    _stars(canvas, chance, 5, 110)


def _room(canvas: Canvas, chance: Chance) -> None:
    cv2 = opencv()
    back = (int(chance.integers(130, 180)), 90, int(chance.integers(300, 350)), 250)
    cv2.rectangle(canvas, back[:2], back[2:], _colour(chance), -1)
    for corner, inner in (
        ((0, 0), back[:2]),
        ((WIDTH, 0), (back[2], back[1])),
        ((0, HEIGHT), (back[0], back[3])),
        ((WIDTH, HEIGHT), back[2:]),
    ):
        cv2.line(canvas, corner, inner, (20, 20, 20), 4)
    for window in range(int(chance.integers(2, 5))):
        left = back[0] + 10 + window * 44
        cv2.rectangle(canvas, (left, 110), (left + 26, int(chance.integers(150, 210))), (250, 240, 200), -1)
    for _ in range(4):
        left, top = (int(one) for one in chance.integers([20, 250], [400, 300]))
        cv2.rectangle(canvas, (left, top), (left + 50, top + 50), _colour(chance), -1)


def _skyline(canvas: Canvas, chance: Chance) -> None:
    cv2 = opencv()
    cv2.rectangle(canvas, (0, 290), (WIDTH, HEIGHT), (160, 120, 60), -1)
    for house in range(11):
        left, top = house * 44, int(chance.integers(120, 240))
        wall = _colour(chance)
        cv2.rectangle(canvas, (left, top), (left + 40, 290), wall, -1)
        roof = np.array([(left, top), (left + 20, top - int(chance.integers(14, 60))), (left + 40, top)], np.int32)
        cv2.fillPoly(canvas, [roof], _colour(chance))
        for floor in range(top + 12, 280, 24):
            cv2.rectangle(canvas, (left + 8, floor), (left + 16, floor + 10), (120, 230, 250), -1)


def _vase(canvas: Canvas, chance: Chance) -> None:
    cv2 = opencv()
    heights = np.linspace(50, 320, 10)
    widths = chance.integers(30, 90, 10)
    outline = [(240 - int(w), int(y)) for w, y in zip(widths, heights, strict=True)]
    outline += [(240 + int(w), int(y)) for w, y in zip(widths[::-1], heights[::-1], strict=True)]
    cv2.fillPoly(canvas, [np.array(outline, np.int32)], _colour(chance))
    for band in range(3):
        cv2.line(canvas, (214, 90 + 80 * band), (266, 90 + 80 * band), _colour(chance), 8)
    _stars(canvas, chance, 9, 50)


def _stars(canvas: Canvas, chance: Chance, count: int, spread: int) -> None:
    """Small marks that only this picture has in these places."""
    cv2 = opencv()
    for x, y in chance.integers(-spread, spread + 1, (count, 2)):
        cv2.drawMarker(canvas, (240 + int(x), 190 + int(y)), _colour(chance), cv2.MARKER_STAR, 16, 2)


def _at(turn: NDArray[Any], length: float) -> tuple[int, int]:
    return int(240 + turn[0] * length), int(180 + turn[1] * length)


def _colour(chance: Chance) -> tuple[int, int, int]:
    blue, green, red = (int(one) for one in chance.integers(20, 250, 3))
    return blue, green, red


_SUBJECTS: dict[str, Callable[[Canvas, Chance], None]] = {
    "painting": _framed,
    "clock": _dial,
    "instrument": _strings,
    "maker": _portrait,
    "hall": _room,
    "town": _skyline,
    "瓷瓶": _vase,
    "工匠": _portrait,
    "展厅": _room,
}
