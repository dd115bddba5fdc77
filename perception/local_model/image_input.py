"""Preprocesses a picture for a model: resized, normalised and split as its folder's preprocessor settings say."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from perception.errors import ModelUnusable
from perception.images.image import Picture, opencv, resize, size_of

CLIP_MEAN, CLIP_STD = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)
MOST_ASPECT = 200
"""Greatest ratio of the sides (Qwen-VL's own limit)."""


class ImageInput(msgspec.Struct, frozen=True, kw_only=True):
    """One picture after preprocessing."""

    feeds: dict[str, NDArray[Any]]
    """Inputs of the vision encoder by name."""
    pieces: tuple[str | int, ...] = ()
    """Its part of the prompt: literal texts, and numbers of image tokens; () if only the encoder's output determines it."""
    grid: tuple[int, int] = (0, 0)
    """Rows and columns of those tokens, (0, 0) for a model with one-dimensional positions."""

    @property
    def tokens(self) -> int:
        """Image tokens in the prompt; 0 if only the encoder's output determines them."""
        return sum(piece for piece in self.pieces if isinstance(piece, int))


def smart_size(width: int, height: int, *, factor: int, least: int, most: int) -> tuple[int, int]:
    """Width and height as multiples of `factor` with at least `least` and at most `most` pixels, of nearly the same aspect ratio.

    Raises `ValueError` for a picture more than 200 times as long as wide.
    """
    if max(width, height) / min(width, height) > MOST_ASPECT:
        raise ValueError(f"a picture of {width} x {height} is more than {MOST_ASPECT} times as long as wide")
    new_height, new_width = max(factor, _round(height, factor)), max(factor, _round(width, factor))
    if new_height * new_width > most:
        scale = math.sqrt(height * width / most)
        new_height = max(factor, math.floor(height / scale / factor) * factor)
        new_width = max(factor, math.floor(width / scale / factor) * factor)
    elif new_height * new_width < least:
        scale = math.sqrt(least / (height * width))
        new_height = math.ceil(height * scale / factor) * factor
        new_width = math.ceil(width * scale / factor) * factor
    return new_width, new_height


def _round(length: int, factor: int) -> int:
    return round(length / factor) * factor


def patches_of(picture: Picture, settings: dict[str, Any]) -> ImageInput:
    """Qwen-VL's input: `pixel_values` of merged patches, one row per patch, and `image_grid_thw`."""
    patch, merge = int(settings.get("patch_size", 14)), int(settings.get("merge_size", 2))
    times = int(settings.get("temporal_patch_size", 2))
    size = settings.get("size") or {}
    least = int(settings.get("min_pixels") or size.get("shortest_edge") or 56 * 56)
    most = int(settings.get("max_pixels") or size.get("longest_edge") or 1280 * 28 * 28)
    width, height = smart_size(*size_of(picture), factor=patch * merge, least=least, most=most)
    frame = np.stack([normalised(resize(picture, width, height), settings)] * times)
    rows, columns = height // patch, width // patch
    # time, channel, row group, row in group, row in patch, column group, column in group, column in patch
    parts = frame.reshape(times, 3, rows // merge, merge, patch, columns // merge, merge, patch)
    values = parts.transpose(2, 5, 3, 6, 1, 0, 4, 7).reshape(rows * columns, 3 * times * patch * patch)
    return ImageInput(
        feeds={"pixel_values": values, "image_grid_thw": np.array([[1, rows, columns]], np.int64)},
        pieces=(rows * columns // (merge * merge),),
        grid=(rows // merge, columns // merge),
    )


def square_of(picture: Picture, settings: dict[str, Any]) -> ImageInput:
    """The input of CLIP and SigLIP: one tensor of fixed size, `pixel_values` of 1 x 3 x height x width."""
    width, height = square_size(settings)
    return ImageInput(feeds={"pixel_values": normalised(resize(picture, width, height), settings)[None]})


def square_size(settings: dict[str, Any]) -> tuple[int, int]:
    """Width and height that such an encoder takes. Raises `ModelUnusable` if the settings have none."""
    size = settings.get("crop_size") or settings.get("size") or 0
    if isinstance(size, dict):
        size = (size.get("width") or size.get("shortest_edge"), size.get("height") or size.get("shortest_edge"))
    width, height = (size, size) if isinstance(size, int) else size
    if not width or not height:
        raise ModelUnusable("preprocessor_config.json names no size", advice="Export the model with its preprocessor")
    return int(width), int(height)


def normalised(picture: Picture, settings: dict[str, Any]) -> NDArray[np.float32]:
    """The picture as 3 x height x width, red-green-blue, rescaled and normalised."""
    rgb = opencv().cvtColor(picture, opencv().COLOR_BGR2RGB).astype(np.float32)
    if settings.get("do_rescale", True):
        rgb = rgb * np.float32(settings.get("rescale_factor", 1 / 255))
    if settings.get("do_normalize", True):
        mean = np.asarray(settings.get("image_mean") or CLIP_MEAN, np.float32)
        spread = np.asarray(settings.get("image_std") or CLIP_STD, np.float32)
        rgb = (rgb - mean) / spread
    return np.ascontiguousarray(rgb.transpose(2, 0, 1), dtype=np.float32)
