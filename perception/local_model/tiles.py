"""Preprocesses pictures for Idefics3 and SmolVLM: rows and columns of square tiles, followed by the whole picture scaled down."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from perception.errors import ModelUnusable
from perception.images.image import Picture, resize, size_of
from perception.local_model.image_input import ImageInput, normalised
from perception.local_model.model_folder import section

LONGEST = 4 * 364
"""Pixels of the longer side of a picture before it is split, if the folder does not say (Idefics3's own)."""
MOST = 4096
"""Most pixels of the longer side of a picture before it is split (Idefics3's own)."""

AT_ONCE = 6
"""Tiles per run of the encoder: attention over all seventeen of a screenshot would take a gigabyte."""


class TileMarks(msgspec.Struct, frozen=True, kw_only=True):
    """The tokens that mark tiles in the prompt."""

    tokens: int
    """Image tokens per tile."""
    around: str = "<fake_token_around_image>"
    whole: str = "<global-img>"


def tiles_of(picture: Picture, settings: dict[str, Any], marks: TileMarks) -> ImageInput:
    """`pixel_values` of 1 x tiles x 3 x side x side, row by row, the whole picture last, and `pixel_attention_mask`."""
    side = tile_side(settings)
    rows, columns = tile_rows(*size_of(picture), settings=settings)
    parts = []
    if rows:
        large = resize(picture, columns * side, rows * side)
        for row in np.split(large, rows, axis=0):
            parts += np.split(row, columns, axis=1)
    parts.append(resize(picture, side, side))
    values = np.stack([normalised(part, settings) for part in parts])[None]
    mask = np.ones((1, len(parts), side, side), np.bool_)
    return ImageInput(
        feeds={"pixel_values": values, "pixel_attention_mask": mask}, pieces=_pieces(rows, columns, marks)
    )


def parts_of(feeds: dict[str, NDArray[Any]]) -> list[dict[str, NDArray[Any]]]:
    """An encoder's feeds split into batches of tiles; tiles are encoded independently, so that the result is the same."""
    values = feeds["pixel_values"]
    if values.ndim != 5 or values.shape[1] <= AT_ONCE:
        return [feeds]
    starts = range(0, values.shape[1], AT_ONCE)
    return [{name: value[:, start : start + AT_ONCE] for name, value in feeds.items()} for start in starts]


def tile_side(settings: dict[str, Any]) -> int:
    """Pixels of a tile's side. Raises `ModelUnusable` if the settings have none."""
    side = settings.get("max_image_size")
    side = side.get("longest_edge") if isinstance(side, dict) else side
    if not isinstance(side, int) or side < 1:
        raise ModelUnusable(
            "preprocessor_config.json names no max_image_size.longest_edge",
            advice="Export the model with its preprocessor",
        )
    return side


def tile_rows(width: int, height: int, *, settings: dict[str, Any]) -> tuple[int, int]:
    """Rows and columns of tiles, (0, 0) for a picture that fits one tile or is not to be split."""
    if not settings.get("do_image_splitting", True):
        return 0, 0
    side = tile_side(settings)
    if settings.get("do_resize", True):
        width, height = _on_longest(width, height, settings)
    aspect = width / height
    if width >= height:
        columns = math.ceil(width / side)
        rows = math.ceil(int(columns * side / aspect) / side)
    else:
        rows = math.ceil(height / side)
        columns = math.ceil(int(rows * side * aspect) / side)
    rows, columns = max(1, rows), max(1, columns)
    return (rows, columns) if rows * columns > 1 else (0, 0)


def _on_longest(width: int, height: int, settings: dict[str, Any]) -> tuple[int, int]:
    """The size that the picture is scaled to before its tiles are counted; the shorter side is even."""
    size = section(settings, "size")
    if "height" in size and "width" in size:
        return int(size["width"]), int(size["height"])
    longest = min(int(size.get("longest_edge") or LONGEST), MOST)
    aspect = width / height
    if width >= height:
        shorter = int(longest / aspect)
        return longest, max(1, shorter + shorter % 2)
    shorter = int(longest * aspect)
    return max(1, shorter + shorter % 2), longest


def _pieces(rows: int, columns: int, marks: TileMarks) -> tuple[str | int, ...]:
    """The pieces in the prompt: a mark with row and column before each tile's tokens, a line break after each row, and the whole
    picture last."""
    pieces: list[str | int] = []
    for row in range(1, rows + 1):
        for column in range(1, columns + 1):
            ended = "\n" if row > 1 and column == 1 else ""
            pieces += [f"{ended}{marks.around}<row_{row}_col_{column}>", marks.tokens]
    ended = "\n\n" if rows else ""
    return (*pieces, f"{ended}{marks.around}{marks.whole}", marks.tokens, marks.around)
