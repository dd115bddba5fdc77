"""Families of vision models: the picture sizes they take without resizing, the tokens of a picture, their coordinate conventions.

A table of data, and the only place with a model's convention.
"""

from __future__ import annotations

import math
import re
from typing import Literal

import msgspec

from perception.geometry import Box, CoordinateFrame, Point

Unit = Literal["pixels", "share"]


class Family(msgspec.Struct, frozen=True, kw_only=True):
    """One family. Its coordinates are pixels of the picture that was sent, or shares of the side times `full`."""

    name: str
    pattern: str
    """Regular expression for the model's name in lower case."""
    unit: Unit = "share"
    full: float = 1000.0
    """The coordinate of the right and lower edge, for coordinates that are shares."""
    order: Literal["xy", "yx"] = "xy"
    multiple: int = 28
    """The model does not resize a picture whose sides are multiples of this."""
    least_pixels: int = 56 * 56
    most_pixels: int = 1_310_720
    """Our limit: 1280 x 1024. Models take more, at a cost that grows with it."""
    longest: int = 4096
    tokens: Literal["patches", "tiles", "area"] = "patches"
    """Cost of a picture: one token per square patch of side `multiple`; 85 tokens and 170 per tile of side 512; or the area
    divided by `AREA_A_TOKEN`."""
    evidence: str = ""


FAMILIES = (
    Family(
        name="qwen2.5-vl", pattern=r"qwen2\.?5.*vl|ui-tars-1\.5|holo", unit="pixels", multiple=28,
        evidence="absolute pixels of the resized picture, factor 28 (PERCEPTION 1.3, verified 2026-11)",
    ),
    Family(
        name="qwen3-vl", pattern=r"qwen-?3|qwen.*vl.*max", multiple=32,
        evidence="0 to 1000, factor 32; 1280 x 800 costs 1000 tokens (PERCEPTION 1.3 and 1.4, verified 2026-11)",
    ),
    Family(
        name="qwen2-vl", pattern=r"qwen2?-?vl|uground|os-atlas|internvl|glm-?4|glm-?v|deepseek-vl|doubao|ui-tars", multiple=28,
        evidence="0 to 1000 (PERCEPTION 1.3)",
    ),
    Family(
        name="gemini", pattern=r"gemini|gemma", order="yx", multiple=1, tokens="tiles",
        evidence="0 to 1000, y before x (PERCEPTION 1.3)",
    ),
    Family(
        name="kimi", pattern=r"kimi|showui|aguvis", full=1.0, multiple=28, evidence="0 to 1 (PERCEPTION 1.3)",
    ),
    Family(name="molmo", pattern=r"molmo", full=100.0, multiple=14, evidence="percent (PERCEPTION 1.3)"),
    Family(
        name="gpt", pattern=r"gpt|o[134](?:-|$)|chatgpt", unit="pixels", multiple=32, most_pixels=1536 * 1024, longest=2048,
        evidence="pixels of the picture sent; patches of 32, at most 1536 of them (PERCEPTION 1.3 and 1.4)",
    ),
    Family(
        name="claude", pattern=r"claude", unit="pixels", multiple=1, most_pixels=1_150_000, longest=1568, tokens="area",
        evidence="pixels of the picture sent; about width x height / 750 tokens (PERCEPTION 1.3 and 1.4)",
    ),
)  # fmt: skip
UNKNOWN = Family(name="unknown", pattern="", multiple=28, evidence="asked with four crosses before it is believed")
TILE, TILE_TOKENS, TILE_BASE, AREA_A_TOKEN = 512, 170, 85, 750


class SentSize(msgspec.Struct, frozen=True, kw_only=True):
    """The picture is resized to `width` x `height` and padded on the right and below to `padded_width` x `padded_height`."""

    width: int
    height: int
    padded_width: int
    padded_height: int


def family_of(model: str) -> Family:
    """The family by the model's name; `UNKNOWN` if no pattern matches."""
    plain = model.lower().rsplit("/", 1)[-1]
    return next((family for family in FAMILIES if re.search(family.pattern, plain)), UNKNOWN)


def sent_size(width: int, height: int, family: Family, most_pixels: int = 0) -> SentSize:
    """A size that the model will not resize: padded to its multiple, not stretched; at most as large as it takes, and enlarged
    only to the least it takes."""
    most = min(most_pixels or family.most_pixels, family.most_pixels)
    step = family.multiple
    area, longest = width * height, family.longest // step * step
    scale = min(1.0, math.sqrt(most / area))
    if area * scale * scale < family.least_pixels:
        scale = math.sqrt(family.least_pixels / area)
    # A very thin picture stays below the least number of pixels, as its length is limited.
    scale = min(scale, longest / max(width, height))
    while True:
        new_width, new_height = max(1, round(width * scale)), max(1, round(height * scale))
        padded_width, padded_height = -(-new_width // step) * step, -(-new_height // step) * step
        fits = padded_width * padded_height <= most and max(padded_width, padded_height) <= longest
        if fits or (new_width <= step and new_height <= step):
            return SentSize(width=new_width, height=new_height, padded_width=padded_width, padded_height=padded_height)
        scale *= 0.97


def image_tokens(width: int, height: int, family: Family) -> int:
    """Estimated tokens of a picture of this size, before it is sent; afterwards the usage that the server reports counts."""
    if family.tokens == "tiles":
        return TILE_BASE + TILE_TOKENS * -(-width // TILE) * -(-height // TILE)
    if family.tokens == "area":
        return -(-width * height // AREA_A_TOKEN)
    step = max(family.multiple, 14)
    return -(-width // step) * -(-height // step)


def point_on_page(values: tuple[float, float], family: Family, frame: CoordinateFrame) -> Point | None:
    """A model's point in page coordinates; `frame` is that of the padded picture. None for a point outside it."""
    x, y = values if family.order == "xy" else values[::-1]
    # A family whose coordinates are shares of 1 sometimes gives pixels (midscene's kimi.ts reads it so too).
    if family.unit == "share" and not (family.full == 1.0 and max(x, y) > 1.0):
        x, y = x / family.full * frame.width, y / family.full * frame.height
    if not (-1 <= x <= frame.width + 1 and -1 <= y <= frame.height + 1):
        return None
    return frame.to_page(x, y)


def coordinates_said(family: Family, x: float, y: float, frame: CoordinateFrame) -> tuple[float, float]:
    """The inverse of `point_on_page`: the coordinates that a model of the family gives for a pixel of the picture sent."""
    if family.unit == "share":
        x, y = x * family.full / frame.width, y * family.full / frame.height
    return (x, y) if family.order == "xy" else (y, x)


def box_on_page(values: tuple[float, ...], family: Family, frame: CoordinateFrame) -> Box | None:
    """The box in page coordinates for a model's four numbers, or a point for two. None for anything else, or outside the
    picture."""
    if len(values) == 2:
        point = point_on_page((values[0], values[1]), family, frame)
        return None if point is None else Box(x=point.x, y=point.y, width=0, height=0)
    if len(values) != 4:
        return None
    one = point_on_page((values[0], values[1]), family, frame)
    other = point_on_page((values[2], values[3]), family, frame)
    if one is None or other is None:
        return None
    return Box(x=min(one.x, other.x), y=min(one.y, other.y), width=abs(other.x - one.x), height=abs(other.y - one.y))
