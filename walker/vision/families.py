"""How families of vision models see: the sizes they take as they are, what a picture costs, and how they say where a thing is.

A table of data; nothing else in Walker knows a model's convention.
"""

from __future__ import annotations

import math
import re
from typing import Literal

import msgspec

from perception.geometry import Box, CoordinateFrame, Point

Unit = Literal["pixels", "share"]


class Family(msgspec.Struct, frozen=True, kw_only=True):
    """One family. Coordinates are pixels of the picture that was sent, or `full` times a share of its side."""

    name: str
    pattern: str
    """Of the model's name, lower case."""
    unit: Unit = "share"
    full: float = 1000.0
    """What the far edge is called, where coordinates are shares."""
    order: Literal["xy", "yx"] = "xy"
    multiple: int = 28
    """Sides that are multiples of this are left as they are."""
    least_pixels: int = 56 * 56
    most_pixels: int = 1_310_720
    """Ours: 1280 x 1024. Models take more, at a cost that grows with it."""
    longest: int = 4096
    tokens: Literal["patches", "tiles", "area"] = "patches"
    """One a patch of `multiple` pixels; 85 and 170 a tile of 512; or one for each `multiple` squared pixels of area."""
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
    """By the model's name; `UNKNOWN` for one that no pattern fits."""
    plain = model.lower().rsplit("/", 1)[-1]
    return next((family for family in FAMILIES if re.search(family.pattern, plain)), UNKNOWN)


def sent_size(width: int, height: int, family: Family, most_pixels: int = 0) -> SentSize:
    """A size that the model's own resize leaves alone: padded to its multiple, not stretched; never larger than it takes, and
    enlarged only to the least it takes."""
    most = min(most_pixels or family.most_pixels, family.most_pixels)
    step = family.multiple
    area, longest = width * height, family.longest // step * step
    scale = min(1.0, math.sqrt(most / area))
    if area * scale * scale < family.least_pixels:
        scale = math.sqrt(family.least_pixels / area)
    # A picture as thin as a thread stays below the least: its length counts.
    scale = min(scale, longest / max(width, height))
    while True:
        new_width, new_height = max(1, round(width * scale)), max(1, round(height * scale))
        padded_width, padded_height = -(-new_width // step) * step, -(-new_height // step) * step
        fits = padded_width * padded_height <= most and max(padded_width, padded_height) <= longest
        if fits or (new_width <= step and new_height <= step):
            return SentSize(width=new_width, height=new_height, padded_width=padded_width, padded_height=padded_height)
        scale *= 0.97


def image_tokens(width: int, height: int, family: Family) -> int:
    """What a picture of this size costs, known before it is sent; the usage that the server tells is believed after."""
    if family.tokens == "tiles":
        return TILE_BASE + TILE_TOKENS * -(-width // TILE) * -(-height // TILE)
    if family.tokens == "area":
        return -(-width * height // AREA_A_TOKEN)
    step = max(family.multiple, 14)
    return -(-width // step) * -(-height // step)


def point_on_page(values: tuple[float, float], family: Family, frame: CoordinateFrame) -> Point | None:
    """Where a model's point lies on the page; `frame` is that of the padded picture. None for a point outside it."""
    x, y = values if family.order == "xy" else values[::-1]
    # A family that says shares of 1 says pixels now and then (midscene's kimi.ts reads it so too).
    if family.unit == "share" and not (family.full == 1.0 and max(x, y) > 1.0):
        x, y = x / family.full * frame.width, y / family.full * frame.height
    if not (-1 <= x <= frame.width + 1 and -1 <= y <= frame.height + 1):
        return None
    return frame.to_page(x, y)


def coordinates_said(family: Family, x: float, y: float, frame: CoordinateFrame) -> tuple[float, float]:
    """How a model of the family says a pixel of the picture that it was sent."""
    if family.unit == "share":
        x, y = x * family.full / frame.width, y * family.full / frame.height
    return (x, y) if family.order == "xy" else (y, x)


def box_on_page(values: tuple[float, ...], family: Family, frame: CoordinateFrame) -> Box | None:
    """The page's box for a model's four numbers; a point for two. None for anything else, or outside the picture."""
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
