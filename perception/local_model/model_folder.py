"""Reads the folder of an exported model in the layout that Hugging Face's ONNX exports share.

config.json  preprocessor_config.json  processor_config.json  tokenizer.json  tokenizer_config.json
chat_template.jinja (or in tokenizer_config.json)
onnx/vision_encoder*.onnx  onnx/embed_tokens*.onnx  onnx/decoder_model_merged*.onnx
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
"""Preferred precisions by device if none is requested, fastest first."""
KNOWN = (
    "Known are Idefics3 and SmolVLM (tiles), Qwen2-VL and Qwen2.5-VL (patches and a grid) and LLaVA-like models (one picture of"
    " fixed size), each with embed_tokens and a merged decoder, and folders of onnxruntime-genai"
)
_ADVICE = "Give the folder of a vision model exported to ONNX, with its tokenizer.json and its config.json"


class ModelFolder(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of a folder, checked."""

    path: Path
    files: dict[str, tuple[Path, ...]]
    """The three parts by name: the file to load, and those to try if it cannot be loaded."""
    model_type: str
    image_token: int
    """Id of the image token, which stands for one piece of a picture."""
    ends: tuple[int, ...]
    """Ids of the end tokens."""
    context: int
    """Context length: tokens of prompt and reply together, 0 if the folder does not say."""
    config: dict[str, Any]
    preprocessing: dict[str, Any]
    processing: dict[str, Any]
    """processor_config.json, {} if the folder has none."""
    words: dict[str, str]
    """Special tokens by their names in tokenizer_config.json: bos_token, eos_token ..."""
    template: str
    """Chat template, "" if the folder has none."""


def read_folder(path: Path, *, device: str = "cpu", precision: Precision = "") -> ModelFolder:
    """Read and check a folder. Raises `ModelUnusable` with the file that is missing or cannot be read."""
    if not path.is_dir():
        raise ModelUnusable("there is no such folder", where=str(path), advice=_ADVICE)
    config = read_json(path / "config.json")
    if encoders := sorted(_folder_of_parts(path).glob("encoder_model*.onnx")):
        kind = config.get("model_type") or "unnamed"
        raise ModelUnusable(
            f"an encoder-decoder such as Florence-2 is not supported (type {kind})",
            where=str(encoders[0]),
            advice=KNOWN,
        )
    files = {part: _files(path, part, device, precision) for part in PARTS}
    if not (path / "tokenizer.json").is_file():
        raise ModelUnusable("the file is missing", where=str(path / "tokenizer.json"), advice=_ADVICE)
    image_token = config.get("image_token_id", config.get("image_token_index"))
    if not isinstance(image_token, int) or image_token < 0:
        raise ModelUnusable(
            "image_token_id is missing: this is not a vision model", where=str(path / "config.json"), advice=_ADVICE
        )
    processing = read_json_if_there(path / "processor_config.json")
    preprocessing = processing.get("image_processor")
    if (path / "preprocessor_config.json").is_file() or not isinstance(preprocessing, dict):
        preprocessing = read_json(path / "preprocessor_config.json")
    naming = read_json_if_there(path / "tokenizer_config.json")
    return ModelFolder(
        path=path,
        files=files,
        model_type=str(config.get("model_type", "")),
        image_token=image_token,
        ends=_ends(path, config),
        context=_context(config),
        config=config,
        preprocessing=preprocessing,
        processing=processing,
        words=read_words(naming),
        template=read_template(path, naming),
    )


def precision_of(file: Path) -> Precision:
    """The precision in the name of a part's file, fp32 if it names none."""
    for precision in _BEST["cpu"]:
        if file.stem.endswith(f"_{precision}"):
            return precision
    return "fp32"


def best_first(files: Sequence[Path], device: str) -> tuple[Path, ...]:
    """Files of a part, fastest on this device first."""
    order = _BEST["cuda" if device == "cuda" else "cpu"]
    return tuple(sorted(files, key=lambda file: order.index(precision_of(file))))


def _files(path: Path, part: str, device: str, precision: Precision) -> tuple[Path, ...]:
    """Files of a part, best for the device first; only the requested precision, if there is one."""
    wanted = (precision,) if precision else _BEST["cuda" if device == "cuda" else "cpu"]
    found = tuple(file for one in wanted if (file := _name(path, part, one)).is_file())
    if not found:
        file = _name(path, part, precision)
        there = ", ".join(sorted(one.name for one in file.parent.glob("*.onnx"))[:8]) or "no .onnx file"
        raise ModelUnusable(f"the file is missing; there: {there}", where=str(file), advice=_ADVICE)
    return found


def _name(path: Path, part: str, precision: Precision) -> Path:
    return _folder_of_parts(path) / (f"{part}.onnx" if precision in ("", "fp32") else f"{part}_{precision}.onnx")


def _folder_of_parts(path: Path) -> Path:
    return path / "onnx" if (path / "onnx").is_dir() else path


def read_json(file: Path) -> dict[str, Any]:
    """The JSON object in a file. Raises `ModelUnusable` with the file's name."""
    try:
        value = msgspec.json.decode(file.read_bytes())
    except OSError as error:
        raise ModelUnusable(error.strerror or str(error), where=str(file), advice=_ADVICE) from None
    except msgspec.DecodeError as error:
        raise ModelUnusable(f"it is not JSON ({error})", where=str(file), advice=_ADVICE) from None
    if not isinstance(value, dict):
        raise ModelUnusable("it is not a JSON object", where=str(file), advice=_ADVICE)
    return value


def read_json_if_there(file: Path) -> dict[str, Any]:
    """As `read_json`, {} without the file."""
    return read_json(file) if file.is_file() else {}


def _ends(path: Path, config: dict[str, Any]) -> tuple[int, ...]:
    generation = read_json_if_there(path / "generation_config.json")
    inner = section(config, "text_config")
    found = generation.get("eos_token_id", config.get("eos_token_id", inner.get("eos_token_id")))
    ends = tuple(found) if isinstance(found, list) else (found,)
    return tuple(int(end) for end in ends if isinstance(end, int))


def _context(config: dict[str, Any]) -> int:
    most = (section(config, "text_config") or config).get("max_position_embeddings", 0)
    return most if isinstance(most, int) and most > 0 else 0


def section(config: Mapping[str, Any], name: str) -> dict[str, Any]:
    """An object within an object, {} where there is none."""
    value = config.get(name)
    return value if isinstance(value, dict) else {}


def read_words(naming: dict[str, Any]) -> dict[str, str]:
    """Special tokens by name, from tokenizer_config.json: each is a string, or an object with its content."""
    contents = {
        name: value.get("content") if isinstance(value, dict) else value
        for name, value in naming.items()
        if name.endswith("_token")
    }
    return {name: content for name, content in contents.items() if isinstance(content, str)}


def read_template(path: Path, naming: dict[str, Any]) -> str:
    """The folder's chat template, "" if it has none."""
    if (path / "chat_template.jinja").is_file():
        return (path / "chat_template.jinja").read_text(encoding="utf-8", errors="replace")
    for holder in (read_json_if_there(path / "chat_template.json"), naming):
        template = holder.get("chat_template", "")
        if isinstance(template, list):
            named = {one.get("name"): one.get("template") for one in template if isinstance(one, dict)}
            template = named.get("default", "")
        if isinstance(template, str) and template:
            return template
    return ""
