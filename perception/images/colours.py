"""Names for colours."""

from __future__ import annotations

import colorsys

import numpy as np

from perception.images.image import Picture

GREY_SATURATION, DARK, LIGHT = 0.12, 0.18, 0.88
"""HSV saturation below which a colour is grey, and values below and above which a grey is black or white."""
_HUES = (
    (15, "red"), (42, "orange"), (68, "yellow"), (165, "green"), (200, "cyan"), (255, "blue"), (290, "purple"), (335, "pink"),
    (361, "red"),
)  # fmt: skip
"""Upper hue of each colour name, in degrees."""


def colour_name(red: int, green: int, blue: int) -> str:
    """One of eleven basic words for a colour of three channels 0..255."""
    hue, saturation, value = colorsys.rgb_to_hsv(red / 255, green / 255, blue / 255)
    if value < DARK:
        return "black"
    if saturation < GREY_SATURATION:
        return "white" if value > LIGHT else "grey"
    degrees = hue * 360
    name = next(name for end, name in _HUES if degrees < end)
    return "brown" if name in ("orange", "red") and degrees > 8 and value < 0.6 else name


def main_colour(picture: Picture) -> str:
    """The most frequent colour name in the middle of a picture."""
    height, width = picture.shape[:2]
    middle = picture[
        height // 4 : max(height // 4 + 1, 3 * height // 4), width // 4 : max(width // 4 + 1, 3 * width // 4)
    ]
    coarse = (middle.reshape(-1, 3) // 16).astype(np.int32)
    keys = coarse[:, 0] * 256 + coarse[:, 1] * 16 + coarse[:, 2]
    values, counts = np.unique(keys, return_counts=True)
    most = int(values[counts.argmax()])
    blue, green, red = (most // 256 * 16 + 8, most // 16 % 16 * 16 + 8, most % 16 * 16 + 8)
    return colour_name(min(255, red * 255 // 248), min(255, green * 255 // 248), min(255, blue * 255 // 248))
