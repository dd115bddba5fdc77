"""Detects the layout of an export from the inputs of its vision encoder."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from perception.errors import ModelUnusable
from perception.images.image import Picture, opencv
from perception.local_model.image_input import ImageInput, patches_of, square_of, square_size
from perception.local_model.model_folder import KNOWN, ModelFolder, section
from perception.local_model.tiles import TileMarks, tile_side, tiles_of
from perception.ocr.onnx_models import OnnxModel, brief

MakeInput = Callable[[Picture], ImageInput]

TILE_TOKENS = 169
"""Image tokens per tile if the folder does not say (Idefics3's own)."""


def input_maker(vision: OnnxModel, folder: ModelFolder) -> MakeInput:
    """The preprocessing function for this model. Raises `ModelUnusable`, with what was found, for an unsupported layout."""
    inputs = vision.inputs
    rank = len(inputs["pixel_values"][1]) if "pixel_values" in inputs else 0
    others = set(inputs) - {"pixel_values"}
    settings = folder.preprocessing
    if rank == 2 and others == {"image_grid_thw"}:
        return _tried(partial(patches_of, settings=settings), folder)
    if rank == 5 and others <= {"pixel_attention_mask"} and "max_image_size" in settings:
        make = _tried(partial(tiles_of, settings=settings, marks=_marks(folder)), folder)
        _check_side(vision, (tile_side(settings),) * 2)
        return make
    if rank == 4 and not others:
        make = _tried(partial(square_of, settings=settings), folder)
        _check_side(vision, square_size(settings))
        return make
    raise unknown_layout(f"its inputs are {shown_inputs(vision)}", vision, folder)


def unknown_layout(found: str, model: OnnxModel, folder: ModelFolder) -> ModelUnusable:
    """The error for an unsupported layout: what was found, and what is supported."""
    kind = folder.model_type or "unnamed"
    return ModelUnusable(
        f"this kind of model is not supported (type {kind}): {found}", where=str(model.path), advice=KNOWN
    )


def shown_inputs(model: OnnxModel) -> str:
    """Names and shapes for a message, the first few."""
    shown = [
        f"{name} [{', '.join(str(side) if isinstance(side, int) else '?' for side in shape)}]"
        for name, (_, shape) in model.inputs.items()
    ]
    return ", ".join(shown[:6]) + (f" and {len(shown) - 6} more" if len(shown) > 6 else "")


def _tried(make: MakeInput, folder: ModelFolder) -> MakeInput:
    """Try the preprocessing with a small picture, so that unusable settings fail on loading."""
    try:
        make(np.zeros((64, 64, 3), np.uint8))
    except (TypeError, ValueError, ArithmeticError, AttributeError, opencv().error) as error:
        raise ModelUnusable(
            f"a picture cannot be preprocessed with these settings ({brief(error)})",
            where=str(folder.path / "preprocessor_config.json"),
            advice="Export the model with its preprocessor",
        ) from None
    return make


def _check_side(vision: OnnxModel, size: tuple[int, int]) -> None:
    """Raise `ModelUnusable` if the encoder takes pictures of another size than its preprocessor makes."""
    height, width = vision.inputs["pixel_values"][1][-2:]
    for wanted, made in ((width, size[0]), (height, size[1])):
        if isinstance(wanted, int) and wanted != made:
            raise ModelUnusable(
                f"it takes pictures of {width} x {height}, and preprocessor_config.json makes {size[0]} x {size[1]}",
                where=str(vision.path),
                advice="Take both from one export",
            )


def _marks(folder: ModelFolder) -> TileMarks:
    known = folder.words
    marks = TileMarks(tokens=_tile_tokens(folder))
    return TileMarks(
        tokens=marks.tokens,
        around=known.get("fake_image_token", marks.around),
        whole=known.get("global_image_token", marks.whole),
    )


def _tile_tokens(folder: ModelFolder) -> int:
    """Image tokens per tile: from processor_config.json, else from the encoder's sizes."""
    told = folder.processing.get("image_seq_len")
    if isinstance(told, int) and told > 0:
        return told
    vision = section(folder.config, "vision_config")
    sizes = (vision.get("image_size"), vision.get("patch_size"), folder.config.get("scale_factor"))
    side, patch, scale = sizes
    if isinstance(side, int) and isinstance(patch, int) and isinstance(scale, int) and patch > 0 and scale:
        return int((side // patch) ** 2 / scale**2)
    return TILE_TOKENS
