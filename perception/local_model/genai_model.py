"""A vision model run by onnxruntime-genai, which has its own image processor, tokenizer and key-value cache."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np

from perception.errors import MissingPackage, ModelUnusable, PromptTooLong
from perception.images.image import Picture, encode_picture
from perception.local_model.chat_template import PLAIN_TEMPLATE, ChatTemplate, without
from perception.local_model.genai_folder import PARTS, GenaiFolder, read_genai_folder
from perception.local_model.generation import allowed_by
from perception.local_model.local_reply import LocalReply
from perception.ocr.onnx_models import Device, brief, has_cuda, keep_no_telemetry, load_cuda_libraries

_QWEN_PICTURE = "<|vision_start|><|image_pad|><|vision_end|>"
_NUMBERED = ("phi3v", "phi4mm")
"""Model types whose pictures are numbered in the prompt: `<|image_1|>`."""
_NUMBERED_PICTURE = re.compile(r"<\|image_\d+\|>")
_NO_PADDING = {"x-guidance": {"whitespace_flexible": False}}
"""No optional white space in JSON: it costs tokens, and a small model may repeat it without end."""
_IMPOSSIBLE = -1e30
"""Logit of a token that continues none of the choices."""
NO_DEEPSTACK = (
    "onnxruntime-genai 0.18 leaves out Qwen3-VL's DeepStack features: it reads and points worse than it could; Qwen2.5-VL does not"
    " need them"
)


@cache
def genai() -> Any:
    """The package, loaded when the first such folder is opened. Raises `MissingPackage`."""
    keep_no_telemetry()
    try:
        import onnxruntime_genai  # noqa: PLC0415 - an extra
    except ImportError as error:
        found = "is not installed" if isinstance(error, ModuleNotFoundError) else f"cannot be loaded ({brief(error)})"
        raise MissingPackage(
            f"the package onnxruntime-genai {found}", advice="pip install 'gemwalker[genai]'"
        ) from None
    if hasattr(onnxruntime_genai, "disable_telemetry_events"):
        onnxruntime_genai.disable_telemetry_events()
    return onnxruntime_genai


class ReplyConstraint(msgspec.Struct, frozen=True, kw_only=True):
    """A reply must be one of these texts, or follow a JSON Schema."""

    choices: tuple[str, ...] = ()
    schema: Mapping[str, Any] = {}


class GenaiModel:
    """Implements `local_reply.PictureModel`."""

    def __init__(self, folder: GenaiFolder, device: Device = "auto") -> None:
        """Raises `ModelUnusable` for files that the package cannot load, `MissingPackage` without it."""
        self.folder, self._strict = folder, device == "cuda"
        self._package = genai()
        self._notes: list[str] = [NO_DEEPSTACK] if folder.kind == "qwen3_vl" else []
        template = folder.template or PLAIN_TEMPLATE.replace("<|image|>", _QWEN_PICTURE)
        self._chat = ChatTemplate(template, folder.words, str(folder.path))
        self._lock = threading.Lock()
        self._open(device)

    @classmethod
    def load(cls, path: Path, device: Device = "auto") -> GenaiModel:
        """Open a folder."""
        return cls(read_genai_folder(path), device)

    @property
    def device(self) -> Literal["cpu", "cuda"]:
        """Where it runs now."""
        return "cuda" if str(self._model.device_type).lower() == "cuda" else "cpu"

    @property
    def notes(self) -> tuple[str, ...]:
        """Fallbacks after the GPU failed, and known limitations of the package."""
        return tuple(self._notes)

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
        prompt = self._prompt(question, system, len(pictures))
        encoded = [encode_picture(picture) for picture in pictures]
        constraint = ReplyConstraint(choices=tuple(choices), schema=schema or {})
        with self._lock:
            try:
                said, asked = self._answer(prompt, encoded, constraint, max_tokens)
            except RuntimeError as error:
                if self.device == "cpu" or self._strict:
                    raise self._failed(error) from None
                self._notes.append(f"{self.folder.path.name}: moved to the CPU, the GPU failed ({brief(error)})")
                self._open("cpu")
                try:
                    said, asked = self._answer(prompt, encoded, constraint, max_tokens)
                except RuntimeError as again:
                    raise self._failed(again) from None
        return LocalReply(
            text=str(self._tokenizer.decode(np.array(said, np.int32))).strip() if said else "",
            prompt_tokens=asked,
            completion_tokens=len(said),
            device=self.device,
            notes=self.notes,
        )

    def _open(self, device: Device) -> None:
        on_gpu = device == "cuda" or (device == "auto" and has_cuda())
        if on_gpu:
            load_cuda_libraries()
        try:
            self._model = self._package.Model(_config(self._package, self.folder, on_gpu=on_gpu))
            self._processor = self._model.create_multimodal_processor()
            self._tokenizer = self._package.Tokenizer(self._model)
            if on_gpu and self.device != "cuda":
                raise RuntimeError(f"CUDA was asked for, and it runs on {self._model.device_type}")
        except RuntimeError as error:
            if not on_gpu or self._strict:
                raise ModelUnusable(
                    f"the model cannot be opened ({brief(error, self.folder.path)})",
                    where=str(self.folder.path),
                    advice="Give the folder that onnxruntime-genai's model builder wrote for a vision model",
                ) from None
            self._notes.append(f"{self.folder.path.name}: opened on the CPU, the GPU failed ({brief(error)})")
            self._open("cpu")

    def _prompt(self, question: str, system: str, pictures: int) -> str:
        numbered = self.folder.kind in _NUMBERED
        words = [f"<|image_{number}|>\n" if numbered else _QWEN_PICTURE for number in range(1, pictures + 1)]
        clean = [_NUMBERED_PICTURE.sub(" ", without(self.folder.marks, text)) for text in (question, system)]
        return self._chat.render(*clean, image_words=words)

    def _answer(
        self, prompt: str, pictures: Sequence[bytes], constraint: ReplyConstraint, max_tokens: int
    ) -> tuple[list[int], int]:
        """Token ids of the reply, and the number of tokens of the prompt."""
        inputs = (
            self._processor(prompt, images=self._package.Images.open_bytes(*pictures))
            if pictures
            else self._processor(prompt)
        )
        asked = int(inputs["input_ids"].shape()[-1])
        if asked >= self.folder.context:
            raise PromptTooLong(
                f"the prompt has {asked} tokens, the model takes {self.folder.context}",
                where=str(self.folder.path),
                advice="Give it a smaller picture",
            )
        params = self._package.GeneratorParams(self._model)
        longest = min(asked + max_tokens, self.folder.context)
        params.set_search_options(
            do_sample=False, num_beams=1, repetition_penalty=1.0, min_length=0, max_length=longest
        )
        if constraint.schema and not constraint.choices:
            params.set_guidance("json_schema", msgspec.json.encode({**constraint.schema, **_NO_PADDING}).decode())
        generator = self._package.Generator(self._model, params)
        generator.set_inputs(inputs)
        ways = [[int(one) for one in self._tokenizer.encode(choice)] for choice in constraint.choices]
        allowed = allowed_by(ways, self.folder.ends) if ways else None
        said: list[int] = []
        while len(said) < longest - asked and not generator.is_done():
            if allowed is not None:
                may = allowed(said)
                if not may:
                    break
                generator.set_logits(_only(generator.get_logits(), may))
            generator.generate_next_token()
            token = int(generator.get_next_tokens()[0])
            if token in self.folder.ends:
                break
            said.append(token)
        return said, asked

    def _failed(self, error: Exception) -> ModelUnusable:
        return ModelUnusable(
            f"the model fails ({brief(error, self.folder.path)})",
            where=str(self.folder.path),
            advice="Check that its files are from one export, and that onnxruntime-genai supports its type",
        )


def _only(logits: Any, may: Sequence[int]) -> Any:
    """Logits with all ids but these set to `_IMPOSSIBLE`."""
    kept = np.full_like(logits, _IMPOSSIBLE)
    kept[..., list(may)] = logits[..., list(may)]
    return kept


def _config(package: Any, folder: GenaiFolder, *, on_gpu: bool) -> Any:
    """The folder's settings with CUDA, or with no provider, for each part. CUDA options of the folder are preserved.

    `clear_providers` and `append_provider` affect the decoder only; the other parts are set by an overlay.
    """
    config = package.Config(str(folder.path))
    wanted = [part for part in PARTS if not on_gpu or "cuda" not in folder.providers[part]]
    if "decoder" in wanted:
        config.clear_providers()
        if on_gpu:
            config.append_provider("cuda")
            wanted.remove("decoder")
    both: list[list[dict[str, Any]]] = [[], [{"cuda": {}}]]
    for options in both if on_gpu else both[:1]:
        parts = {part: {"session_options": {"provider_options": options}} for part in wanted}
        config.overlay(msgspec.json.encode({"model": parts}).decode())
    return config
