"""Reads a folder of onnxruntime-genai, and checks all that its genai_config.json names before the package loads it.

genai_config.json  processor_config.json  tokenizer.json  tokenizer_config.json  chat_template.jinja  and the ONNX files of
decoder, embedding and vision under names of their own
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from perception.errors import ModelUnusable
from perception.local_model.model_folder import read_json, read_json_if_there, read_template, read_words, section

CONFIG = "genai_config.json"
PARTS = ("decoder", "embedding", "vision")
_ADVICE = "Give the folder that onnxruntime-genai's model builder wrote for a vision model"


class GenaiFolder(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of such a folder."""

    path: Path
    kind: str
    """The model's type: qwen2_5_vl, phi3v, gemma3 ..."""
    providers: dict[str, tuple[str, ...]]
    """Names of the execution providers that the export requests, by part."""
    ends: tuple[int, ...]
    context: int
    """Context length: tokens of prompt and reply together."""
    marks: tuple[str, ...]
    """The tokenizer's special tokens, longest first."""
    words: dict[str, str]
    template: str


def is_genai_folder(path: Path) -> bool:
    """Whether a folder has onnxruntime-genai's layout."""
    return (path / CONFIG).is_file()


def read_genai_folder(path: Path) -> GenaiFolder:
    """Read and check a folder. Raises `ModelUnusable` with the file that is missing or cannot be read."""
    config = path / CONFIG
    model = read_json(config).get("model")
    if not isinstance(model, dict) or not all(isinstance(model.get(part), dict) for part in PARTS):
        lacking = [part for part in PARTS if not isinstance(model, dict) or not isinstance(model.get(part), dict)]
        raise ModelUnusable(
            f"it has no model.{lacking[0]}: this is not a supported vision model",
            where=str(config),
            advice=_ADVICE,
        )
    named = [str(model[part].get("filename", f"{part}.onnx")) for part in PARTS]
    for name in (*named, str(model["vision"].get("config_filename", "processor_config.json")), "tokenizer.json"):
        if not (path / name).is_file():
            raise ModelUnusable("the file is missing", where=str(path / name), advice=_ADVICE)
    ends = model.get("eos_token_id")
    naming = read_json_if_there(path / "tokenizer_config.json")
    return GenaiFolder(
        path=path,
        kind=str(model.get("type", "")),
        providers={part: _providers(model[part]) for part in PARTS},
        ends=tuple(end for end in (ends if isinstance(ends, list) else [ends]) if isinstance(end, int)),
        context=_context(model),
        marks=_marks(path / "tokenizer.json"),
        words=read_words(naming),
        template=read_template(path, naming),
    )


def _providers(part: dict[str, Any]) -> tuple[str, ...]:
    options = section(part, "session_options").get("provider_options")
    return tuple(
        name.lower() for one in (options if isinstance(options, list) else []) if isinstance(one, dict) for name in one
    )


def _context(model: dict[str, Any]) -> int:
    context = model.get("context_length")
    return context if isinstance(context, int) and context > 0 else 4096


def _marks(file: Path) -> tuple[str, ...]:
    added = read_json(file).get("added_tokens")
    added = added if isinstance(added, list) else []
    words = {str(one.get("content", "")) for one in added if isinstance(one, dict) and one.get("special")}
    return tuple(sorted(words - {""}, key=len, reverse=True))
