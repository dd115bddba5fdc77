"""Answers questions about pictures with an exported vision model."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perception.errors import ModelUnusable, PromptTooLong
from perception.images.image import Picture
from perception.local_model.generation import Choose, Decoder, likeliest, one_of, positions_of
from perception.local_model.image_input import ImageInput
from perception.local_model.json_constraint import JsonConstraint, UnsupportedSchema, constrained_choice
from perception.local_model.layouts import input_maker, shown_inputs, unknown_layout
from perception.local_model.local_reply import LocalReply
from perception.local_model.model_folder import PARTS, ModelFolder, Precision, best_first, precision_of, read_folder
from perception.local_model.prompt_text import PromptText
from perception.local_model.tiles import parts_of
from perception.ocr.onnx_models import ELEMENT_TYPES, Device, OnnxModel, SessionFactory, brief, has_cuda, runtime_errors

PLACES = {"cpu": "CPU", "cuda": "GPU"}


class LocalModel:
    """Implements `local_reply.PictureModel` for a folder in Hugging Face's layout."""

    def __init__(self, folder: ModelFolder, models: dict[str, OnnxModel]) -> None:
        """Raises `ModelUnusable` for parts in an unsupported layout."""
        self.folder = folder
        self._vision, self._embed = models["vision_encoder"], models["embed_tokens"]
        self._decoder_model = models["decoder_model_merged"]
        self._models = (self._vision, self._embed, self._decoder_model)
        self._decoder = Decoder(self._decoder_model, folder)
        if set(self._embed.inputs) != {"input_ids"}:
            raise unknown_layout(f"its inputs are {shown_inputs(self._embed)}", self._embed, folder)
        self._input = input_maker(self._vision, folder)
        self._text = PromptText(folder)
        self._lock = threading.Lock()

    @classmethod
    def load(
        cls,
        path: Path,
        device: Device = "auto",
        precision: Precision = "",
        make_session: SessionFactory | None = None,
    ) -> LocalModel:
        """Load a folder. Raises `ModelUnusable` with the faulty file, `MissingPackage` without `tokenizers`."""
        on_gpu = device == "cuda" or (device == "auto" and has_cuda())
        folder = read_folder(path, device="cuda" if on_gpu else "cpu", precision=precision)
        models = {part: _open(folder.files[part], device, make_session, on_gpu=on_gpu) for part in PARTS}
        return cls(folder, models)

    @property
    def device(self) -> str:
        """Where the decoder runs now."""
        return self._decoder_model.device

    @property
    def precision(self) -> Precision:
        """Precision of the decoder in use."""
        return precision_of(self._decoder_model.path)

    @property
    def notes(self) -> tuple[str, ...]:
        """Fallbacks after a GPU or a file failed."""
        return tuple(note for model in self._models for note in model.notes)

    def answer(
        self,
        pictures: Sequence[Picture],
        question: str,
        *,
        system: str = "",
        choices: Sequence[str] = (),
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 200,
    ) -> LocalReply:
        """As `PictureModel.answer`. If the GPU fails, the CPU takes over, unless CUDA was requested."""
        inputs = [self._input(picture) for picture in pictures]
        choose = self._choose(choices, schema or {})
        with self._lock:
            try:
                said, prompt = self._answer(inputs, question, system, choose, max_tokens)
            except runtime_errors() as error:
                if not any(model.may_leave_gpu for model in self._models):
                    raise self._failed(error) from None
                for model in self._models:
                    if model.may_leave_gpu:
                        model.leave_gpu(error)
                try:
                    said, prompt = self._answer(inputs, question, system, choose, max_tokens)
                except runtime_errors() as again:
                    raise self._failed(again) from None
        return LocalReply(
            text=self._text.decode(said).strip(),
            prompt_tokens=prompt,
            completion_tokens=len(said),
            device=self.device,
            notes=self.notes,
        )

    def image_tokens(self, picture: Picture) -> int:
        """Tokens of a picture in the prompt; 0 if only the encoder's output determines them."""
        return self._input(picture).tokens

    def _failed(self, error: Exception) -> ModelUnusable:
        advice = "Its parts may be of different models: take them from one export"
        return ModelUnusable(f"the model fails ({brief(error)})", where=str(self.folder.path), advice=advice)

    def _answer(
        self, inputs: Sequence[ImageInput], question: str, system: str, choose: Choose, max_tokens: int
    ) -> tuple[list[int], int]:
        features = [self._features(one) for one in inputs]
        for made, one in zip(features, inputs, strict=True):
            if one.pieces and len(made) != one.tokens:
                raise ModelUnusable(
                    f"it makes {len(made)} rows of features for a picture, the prompt has a place for {one.tokens}",
                    where=str(self._vision.path),
                    advice="preprocessor_config.json or processor_config.json is of another model",
                )
        pieces = [one.pieces or (len(made),) for made, one in zip(features, inputs, strict=True)]
        ids = self._text.tokens(question, system, pieces)
        if 0 < self.folder.context <= len(ids):
            raise PromptTooLong(
                f"the prompt has {len(ids)} tokens, the model takes {self.folder.context}",
                where=str(self.folder.path),
                advice="Give it a smaller picture",
            )
        embeds = self._embedded(ids)
        if features:
            self._check_width(features[0], embeds)
            embeds[0, np.asarray(ids) == self.folder.image_token] = np.concatenate(features)
        positions = positions_of(ids, self.folder.image_token, [one.grid for one in inputs])
        said = self._decoder.generate(
            embeds,
            positions,
            lambda token: self._embedded([token]),
            choose=choose,
            most=min(max_tokens, self.folder.context - len(ids)) if self.folder.context else max_tokens,
        )
        return said, len(ids)

    def _choose(self, choices: Sequence[str], schema: Mapping[str, Any]) -> Choose:
        """How tokens are chosen: among the choices, constrained by a schema, or freely."""
        if choices:
            return one_of([self._text.encode(choice) for choice in choices], self.folder.ends)
        if schema:
            with suppress(UnsupportedSchema):
                marks = self._text.mark_ids | set(self.folder.ends)
                return constrained_choice(JsonConstraint(schema), self._text.decode, self._text.letter_ids, marks)
        return likeliest(self.folder.ends)

    def _check_width(self, features: NDArray[Any], embeds: NDArray[Any]) -> None:
        if features.shape[-1] != embeds.shape[-1]:
            raise ModelUnusable(
                f"its features are {features.shape[-1]} wide, the words of embed_tokens {embeds.shape[-1]}",
                where=str(self._vision.path),
                advice="Take all parts from one export",
            )

    def _features(self, picture: ImageInput) -> NDArray[Any]:
        """Feature vectors, one row per token of the picture."""
        inputs = self._vision.inputs
        feeds = {
            name: value.astype(ELEMENT_TYPES.get(inputs[name][0], value.dtype), copy=False)
            for name, value in picture.feeds.items()
            if name in inputs
        }
        rows = []
        for part in parts_of(feeds):
            (features, *_) = self._vision.run(part)
            rows.append(np.asarray(features, np.float32).reshape(-1, features.shape[-1]))
        return np.concatenate(rows)

    def _embedded(self, ids: list[int]) -> NDArray[Any]:
        kind = ELEMENT_TYPES.get(self._embed.inputs["input_ids"][0], np.int64)
        (embeds, *_) = self._embed.run({"input_ids": np.array([ids], kind)})
        return np.array(embeds, np.float32)


def _open(files: Sequence[Path], device: Device, make_session: SessionFactory | None, *, on_gpu: bool) -> OnnxModel:
    """The first of a part's files that can be loaded: on the GPU, where a larger one may not fit, else on the CPU. If none can,
    raises `ModelUnusable` with the error of the first."""
    tries: list[tuple[Path, Device]] = [(file, "cuda") for file in files] if on_gpu else []
    if device != "cuda":
        tries += [(file, "cpu") for file in best_first(files, "cpu")]
    failures: list[ModelUnusable] = []
    for file, place in tries:
        try:
            model = OnnxModel(file, device=place, make_session=make_session)
        except ModelUnusable as error:
            failures.append(error)
            continue
        if device == "auto":
            model.allow_cpu()
        model.notes += [f"{file.name} was taken, on the {PLACES[place]}: {failure}" for failure in failures]
        return model
    raise failures[0]
