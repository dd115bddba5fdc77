"""The tiny Qwen-like model once more, in a folder as onnxruntime-genai reads it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper

from tests.perception.local_model.tiny import (
    HEADS,
    LAYERS,
    MERGE,
    PATCH,
    SIZE,
    TEMPLATE,
    TIMES,
    WIDTH,
    Weights,
    decoder_of,
    make_tokenizer,
    model_of,
    value_of,
    vision_of,
)

MEAN, SPREAD = [0.48145466, 0.4578275, 0.40821073], [0.26862954, 0.26130258, 0.27577711]


def write_genai_folder(folder: Path, kind: str = "qwen2_5_vl") -> Weights:
    """A folder with genai_config.json; `kind` is the type that it says."""
    folder.mkdir(parents=True)
    tokenizer = make_tokenizer()
    tokenizer.save(str(folder / "tokenizer.json"))
    weights = Weights("qwen", tokenizer.get_vocab_size())
    onnx.save(vision_of(weights), folder / "vision.onnx")
    onnx.save(_embedding(weights, tokenizer.token_to_id("<|image_pad|>")), folder / "embedding.onnx")
    onnx.save(decoder_of(weights, half=False), folder / "text.onnx")
    (folder / "genai_config.json").write_text(json.dumps(_config(weights, tokenizer, kind)))
    (folder / "processor_config.json").write_text(
        json.dumps({"processor": {"name": "tiny", "transforms": _transforms()}})
    )
    naming = {"tokenizer_class": "Qwen2Tokenizer", "eos_token": "<|im_end|>", "add_bos_token": False}
    (folder / "tokenizer_config.json").write_text(json.dumps(naming))
    (folder / "chat_template.jinja").write_text(TEMPLATE)
    return weights


def _embedding(weights: Weights, pad: int) -> Any:
    """Words from the table; rows of features where the image tokens are."""
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["words"]),
        helper.make_node("Equal", ["input_ids", "pad"], ["is_picture"]),
        helper.make_node("NonZero", ["is_picture"], ["places"]),
        helper.make_node("Transpose", ["places"], ["places2"], perm=[1, 0]),
        helper.make_node("ScatterND", ["words", "places2", "image_features"], ["inputs_embeds"]),
    ]
    inputs = [value_of("input_ids", ["b", "s"], TensorProto.INT64), value_of("image_features", ["t", WIDTH])]
    outputs = [value_of("inputs_embeds", ["b", "s", WIDTH])]
    return model_of(nodes, inputs, outputs, {"table": weights.embed, "pad": np.array(pad)})


def _config(weights: Weights, tokenizer: Any, kind: str) -> dict[str, Any]:
    ids = {
        name: tokenizer.token_to_id(mark)
        for name, mark in (("end", "<|im_end|>"), ("pad", "<|image_pad|>"), ("start", "<|vision_start|>"))
    }
    model = {
        "type": kind, "bos_token_id": ids["end"], "eos_token_id": [ids["end"]], "pad_token_id": 0, "context_length": 512,
        "image_token_id": ids["pad"], "video_token_id": ids["start"], "vision_start_token_id": ids["start"], "vocab_size": weights.words,
        "decoder": {
            "filename": "text.onnx", "head_size": SIZE, "hidden_size": WIDTH, "num_attention_heads": HEADS,
            "num_hidden_layers": LAYERS, "num_key_value_heads": HEADS, "session_options": {"provider_options": []},
            "inputs": {
                "inputs_embeds": "inputs_embeds", "attention_mask": "attention_mask", "position_ids": "position_ids",
                "past_key_names": "past_key_values.%d.key", "past_value_names": "past_key_values.%d.value",
            },
            "outputs": {"logits": "logits", "present_key_names": "present.%d.key", "present_value_names": "present.%d.value"},
        },
        "embedding": {
            "filename": "embedding.onnx", "inputs": {"input_ids": "input_ids", "image_features": "image_features"},
            "outputs": {"inputs_embeds": "inputs_embeds"},
        },
        "vision": {
            "filename": "vision.onnx", "config_filename": "processor_config.json", "spatial_merge_size": MERGE, "patch_size": PATCH,
            "tokens_per_second": 2.0, "inputs": {"pixel_values": "pixel_values", "image_grid_thw": "image_grid_thw"},
            "outputs": {"image_features": "image_features"},
        },
    }  # fmt: skip
    search = {
        "do_sample": False,
        "max_length": 512,
        "min_length": 0,
        "num_beams": 1,
        "past_present_share_buffer": False,
    }
    return {"model": model, "search": search}


def _transforms() -> list[Any]:
    sizes = {
        "width": 40,
        "height": 40,
        "smart_resize": 1,
        "min_pixels": 64,
        "max_pixels": 1600,
        "patch_size": PATCH,
        "merge_size": MERGE,
    }
    steps: tuple[tuple[str, dict[str, Any]], ...] = (
        ("DecodeImage", {"color_space": "RGB"}),
        ("ConvertRGB", {}),
        ("Resize", sizes),
        ("Rescale", {"rescale_factor": 1 / 255}),
        ("Normalize", {"mean": MEAN, "std": SPREAD, "qwen2_5_vl": 1}),
        ("PatchImage", {"patch_size": PATCH, "temporal_patch_size": TIMES, "merge_size": MERGE}),
    )
    return [
        {"operation": {"name": kind.lower(), "type": kind, **({"attrs": attrs} if attrs else {})}}
        for kind, attrs in steps
    ]
