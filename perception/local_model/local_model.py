"""One exported vision model: a picture and a question in, words out."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from perception.errors import ModelUnusable
from perception.image import Picture
from perception.local_model.generation import Decoder, allowed_by, positions_of
from perception.local_model.image_input import ImageInput, patches_of, square_of
from perception.local_model.model_folder import PARTS, ModelFolder, Precision, read_folder
from perception.local_model.prompt_text import PromptText
from perception.onnx_models import Device, OnnxModel, SessionFactory, has_cuda, runtime_errors


class LocalReply(msgspec.Struct, frozen=True, kw_only=True):
    """What the model said, and what it cost."""

    text: str
    prompt_tokens: int
    completion_tokens: int
    device: str
    notes: tuple[str, ...] = ()


class LocalModel:
    """Safe to use from several threads, one at a time."""

    def __init__(self, folder: ModelFolder, models: dict[str, OnnxModel]) -> None:
        self.folder = folder
        self._vision, self._embed = models["vision_encoder"], models["embed_tokens"]
        self._decoder_model = models["decoder_model_merged"]
        self._decoder = Decoder(self._decoder_model)
        self._text = PromptText(folder.path, folder.template, folder.image_token)
        self._lock = threading.Lock()
        self._patched = "image_grid_thw" in self._vision.inputs
        pixels = self._vision.inputs.get("pixel_values")
        if pixels is None or (not self._patched and len(pixels[1]) != 4):
            raise ModelUnusable(
                f"a vision encoder of this form is not known (model type {folder.model_type or 'unnamed'})",
                where=str(self._vision.path),
                advice="Qwen-VL (patches and grid) and CLIP or SigLIP encoders (one picture of fixed size) are",
            )
        self._vision_type = np.float16 if pixels[0] == "tensor(float16)" else np.float32

    @classmethod
    def load(
        cls,
        path: Path,
        device: Device = "auto",
        precision: Precision = "",
        make_session: SessionFactory | None = None,
    ) -> LocalModel:
        """Open a folder. Raises `ModelUnusable` with the file that is wrong, `MissingPackage` without `tokenizers`."""
        on_gpu = device == "cuda" or (device == "auto" and has_cuda())
        folder = read_folder(path, device="cuda" if on_gpu else "cpu", precision=precision)
        models = {part: OnnxModel(folder.files[part], device=device, make_session=make_session) for part in PARTS}
        return cls(folder, models)

    @property
    def device(self) -> str:
        """Where the decoder runs now."""
        return self._decoder_model.device

    def answer(
        self,
        pictures: Sequence[Picture],
        question: str,
        *,
        system: str = "",
        choices: Sequence[str] = (),
        max_tokens: int = 200,
    ) -> LocalReply:
        """Ask about pictures (uint8, height x width x 3, blue-green-red). With `choices` the reply is one of them. A GPU that
        fails is left for the CPU, and the answer still comes."""
        with self._lock:
            try:
                said, prompt = self._answer(pictures, question, system, choices, max_tokens)
            except runtime_errors() as error:
                if self._decoder_model.device == "cpu" or isinstance(error, ValueError):
                    raise
                for model in (self._vision, self._embed, self._decoder_model):
                    model.leave_gpu(error)
                said, prompt = self._answer(pictures, question, system, choices, max_tokens)
        notes = (*self._vision.notes, *self._embed.notes, *self._decoder_model.notes)
        return LocalReply(
            text=self._text.decode(said).strip(),
            prompt_tokens=prompt,
            completion_tokens=len(said),
            device=self.device,
            notes=notes,
        )

    def image_tokens(self, picture: Picture) -> int:
        """Tokens that a picture takes in the prompt; 0 where only the encoder tells."""
        return self._input(picture).tokens

    def _answer(
        self, pictures: Sequence[Picture], question: str, system: str, choices: Sequence[str], max_tokens: int
    ) -> tuple[list[int], int]:
        inputs = [self._input(picture) for picture in pictures]
        features = [self._features(one) for one in inputs]
        ids = self._text.tokens(question, system, [len(rows) for rows in features])
        embeds = self._embedded(ids)
        if features:
            embeds[0, np.asarray(ids) == self.folder.image_token] = np.concatenate(features)
        positions = positions_of(ids, self.folder.image_token, [one.grid for one in inputs])
        ways = [self._text.encode(choice) for choice in choices]
        said = self._decoder.generate(
            embeds,
            positions,
            lambda token: self._embedded([token]),
            ends=self.folder.ends,
            most=max_tokens,
            allowed=allowed_by(ways, self.folder.ends) if ways else lambda _: None,
        )
        return said, len(ids)

    def _input(self, picture: Picture) -> ImageInput:
        make = patches_of if self._patched else square_of
        return make(picture, self.folder.preprocessing)

    def _features(self, picture: ImageInput) -> NDArray[Any]:
        """Rows of features, one for each token of the picture."""
        feeds = {
            name: value.astype(self._vision_type) if name == "pixel_values" else value
            for name, value in picture.feeds.items()
        }
        (features, *_) = self._vision.run(feeds)
        return np.asarray(features, np.float32).reshape(-1, features.shape[-1])

    def _embedded(self, ids: list[int]) -> NDArray[Any]:
        (embeds, *_) = self._embed.run({"input_ids": np.array([ids], np.int64)})
        return np.array(embeds, np.float32)
