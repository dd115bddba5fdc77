"""The folder of an exported model: the layout that Hugging Face's ONNX exports share.

config.json  preprocessor_config.json  tokenizer.json  chat_template.jinja (or in tokenizer_config.json)
onnx/vision_encoder*.onnx  onnx/embed_tokens*.onnx  onnx/decoder_model_merged*.onnx
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec

from perception.errors import ModelUnusable

Precision = Literal["", "fp32", "fp16", "q4", "q4f16", "int8", "uint8", "quantized", "bnb4"]
PARTS = ("vision_encoder", "embed_tokens", "decoder_model_merged")
_BEST: dict[str, tuple[Precision, ...]] = {
    "cuda": ("fp16", "q4f16", "fp32", "q4", "quantized", "int8", "uint8", "bnb4"),
    "cpu": ("q4", "quantized", "int8", "uint8", "fp32", "bnb4", "q4f16", "fp16"),
}
"""Which precision is taken where none is asked for: what the device computes fast comes first."""
_ADVICE = "Give the folder of a vision model exported to ONNX, with its tokenizer.json and its config.json"


class ModelFolder(msgspec.Struct, frozen=True, kw_only=True):
    """What is in a folder, checked."""

    path: Path
    files: dict[str, Path]
    """The three parts by name."""
    precision: Precision
    model_type: str
    image_token: int
    """Id of the token that stands for one piece of a picture."""
    ends: tuple[int, ...]
    """Ids of tokens that end a reply."""
    preprocessing: dict[str, Any]
    template: str
    """Chat template, "" where the folder has none."""


def read_folder(path: Path, *, device: str = "cpu", precision: Precision = "") -> ModelFolder:
    """Look through a folder. Raises `ModelUnusable` with the file that is missing or cannot be read."""
    if not path.is_dir():
        raise ModelUnusable("there is no such folder", where=str(path), advice=_ADVICE)
    config = _json(path / "config.json")
    chosen = precision or _choose(path, device)
    files = {part: _file(path, part, chosen) for part in PARTS}
    if not (path / "tokenizer.json").is_file():
        raise ModelUnusable("the file is missing", where=str(path / "tokenizer.json"), advice=_ADVICE)
    image_token = config.get("image_token_id", config.get("image_token_index"))
    if not isinstance(image_token, int):
        raise ModelUnusable(
            "image_token_id is missing: this is no vision model", where=str(path / "config.json"), advice=_ADVICE
        )
    return ModelFolder(
        path=path,
        files=files,
        precision=chosen,
        model_type=str(config.get("model_type", "")),
        image_token=image_token,
        ends=_ends(path, config),
        preprocessing=_json(path / "preprocessor_config.json"),
        template=_template(path),
    )


def _choose(path: Path, device: str) -> Precision:
    for precision in _BEST["cuda" if device == "cuda" else "cpu"]:
        if all(_name(path, part, precision).is_file() for part in PARTS):
            return precision
    return "fp32"


def _file(path: Path, part: str, precision: Precision) -> Path:
    file = _name(path, part, precision)
    if not file.is_file():
        there = ", ".join(sorted(found.name for found in file.parent.glob("*.onnx"))[:8]) or "no .onnx file"
        raise ModelUnusable(f"the file is missing; there: {there}", where=str(file), advice=_ADVICE)
    return file


def _name(path: Path, part: str, precision: Precision) -> Path:
    folder = path / "onnx" if (path / "onnx").is_dir() else path
    return folder / (f"{part}.onnx" if precision in ("", "fp32") else f"{part}_{precision}.onnx")


def _json(file: Path) -> dict[str, Any]:
    try:
        value = msgspec.json.decode(file.read_bytes())
    except OSError as error:
        raise ModelUnusable(error.strerror or str(error), where=str(file), advice=_ADVICE) from None
    except msgspec.DecodeError as error:
        raise ModelUnusable(f"it is no JSON ({error})", where=str(file), advice=_ADVICE) from None
    if not isinstance(value, dict):
        raise ModelUnusable("it holds no object", where=str(file), advice=_ADVICE)
    return value


def _ends(path: Path, config: dict[str, Any]) -> tuple[int, ...]:
    generation = _json(path / "generation_config.json") if (path / "generation_config.json").is_file() else {}
    inner = config.get("text_config") or {}
    found = generation.get("eos_token_id", config.get("eos_token_id", inner.get("eos_token_id")))
    ends = tuple(found) if isinstance(found, list) else (found,)
    return tuple(int(end) for end in ends if isinstance(end, int))


def _template(path: Path) -> str:
    if (path / "chat_template.jinja").is_file():
        return (path / "chat_template.jinja").read_text(encoding="utf-8")
    for name in ("chat_template.json", "tokenizer_config.json"):
        if (path / name).is_file():
            template = _json(path / name).get("chat_template", "")
            if isinstance(template, str) and template:
                return template
    return ""
