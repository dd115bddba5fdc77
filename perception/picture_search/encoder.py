"""An image encoder that the user brings, as ONNX, and its text encoder where it has one: pictures and words as vectors.

FOLDER/preprocessor_config.json                     size, mean and spread of the pictures
FOLDER/vision_model.onnx (or in FOLDER/onnx)         pixel_values -> image_embeds, or pooler_output
FOLDER/text_model.onnx, FOLDER/tokenizer.json        input_ids [, attention_mask] -> text_embeds; may be left out
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perception.errors import MissingPackage, ModelUnusable
from perception.images.image import Picture
from perception.local_model.image_input import square_of
from perception.local_model.model_folder import read_json
from perception.ocr.onnx_models import ELEMENT_TYPES, Device, OnnxModel, brief, runtime_errors
from perception.picture_search.vectors import packed_vector

_ADVICE = "Give the folder of an image encoder exported to ONNX, with its preprocessor_config.json"
_IMAGE_OUTPUTS = ("image_embeds", "image_embeddings", "pooler_output", "last_hidden_state")
_TEXT_OUTPUTS = ("text_embeds", "text_embeddings", "pooler_output")
_SUFFIXES = ("", "_fp16", "_quantized", "_int8")
TOKENS_AT_MOST = 77
"""Context length of CLIP's text encoder, where the folder names none."""


class PictureEncoder:
    """Makes vectors of pictures, and of words if the folder has a text encoder. Stateless between calls."""

    def __init__(self, vision: OnnxModel, settings: dict[str, Any], text: OnnxModel | None, tokenizer: Any) -> None:
        self._vision, self._settings, self._text, self._tokenizer = vision, settings, text, tokenizer
        self.name = hashlib.sha256(vision.path.read_bytes()).hexdigest()[:32]
        """By which its vectors are known: those of another model cannot be compared with them."""

    @classmethod
    def load(cls, folder: Path, device: Device = "auto") -> PictureEncoder:
        """Open a folder. Raises `ModelUnusable` with the faulty file, `MissingPackage` where its tokenizer cannot be read."""
        if not folder.is_dir():
            raise ModelUnusable("there is no such folder", where=str(folder), advice=_ADVICE)
        settings = read_json(folder / "preprocessor_config.json")
        path = _file(folder, ("vision_model", "model"))
        if path is None:
            raise ModelUnusable("vision_model.onnx is missing", where=str(folder), advice=_ADVICE)
        text_path = _file(folder, ("text_model",))
        tokenizer = None
        if text_path is not None and (folder / "tokenizer.json").is_file():
            tokenizer = _tokenizer(folder / "tokenizer.json")
        text = OnnxModel(text_path, device=device) if text_path is not None and tokenizer is not None else None
        return cls(OnnxModel(path, device=device), settings, text, tokenizer)

    @property
    def device(self) -> str:
        """Where it runs: `cpu` or `cuda`."""
        return self._vision.device

    @property
    def reads_words(self) -> bool:
        """Whether it has a text encoder."""
        return self._text is not None

    def of_picture(self, picture: Picture) -> bytes:
        """The vector of a picture, packed. Raises `ModelUnusable` where the model fails."""
        feeds = square_of(picture, self._settings).feeds
        name, (kind, _) = next(iter(self._vision.inputs.items()))
        values = feeds["pixel_values"].astype(ELEMENT_TYPES.get(kind, np.float32))
        return packed_vector(_run(self._vision, {name: values}, _IMAGE_OUTPUTS))

    def of_words(self, words: str) -> bytes | None:
        """The vector of a text, packed; None without a text encoder. Raises `ModelUnusable` where the model fails."""
        if self._text is None or not words.strip():
            return None
        encoded = self._tokenizer.encode(words)
        rows = {"input_ids": encoded.ids[:TOKENS_AT_MOST], "attention_mask": encoded.attention_mask[:TOKENS_AT_MOST]}
        feeds = {
            name: np.array([rows[name]], ELEMENT_TYPES.get(kind, np.int64))
            for name, (kind, _) in self._text.inputs.items()
            if name in rows
        }
        return packed_vector(_run(self._text, feeds, _TEXT_OUTPUTS))


def _file(folder: Path, names: Sequence[str]) -> Path | None:
    places = (folder / "onnx", folder)
    candidates = (place / f"{name}{suffix}.onnx" for name in names for place in places for suffix in _SUFFIXES)
    return next((path for path in candidates if path.is_file()), None)


def _run(model: OnnxModel, feeds: dict[str, NDArray[Any]], known: Sequence[str]) -> NDArray[np.float32]:
    wanted = next((name for name in known if name in model.outputs), model.outputs[0])
    try:
        (found,) = model.run(feeds, (wanted,))
    except runtime_errors() as error:
        raise ModelUnusable(brief(error), where=str(model.path), advice=_ADVICE) from None
    vector: NDArray[np.float32] = np.asarray(found, np.float32)[0]
    if vector.ndim == 2:
        vector = vector[0]  # a row a token: the first stands for all
    if vector.ndim != 1 or not np.isfinite(vector).all():
        raise ModelUnusable(f"its output {wanted} is no vector", where=str(model.path), advice=_ADVICE)
    return vector


def _tokenizer(path: Path) -> Any:
    try:
        from tokenizers import Tokenizer  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingPackage(
            "the package tokenizers is not installed", where=str(path), advice="pip install gemwalker[local]"
        ) from None
    return Tokenizer.from_file(str(path))
