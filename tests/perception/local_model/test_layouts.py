"""What a folder's files say about its layout: variants of those that are known do, all others are refused in one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from perception.errors import ModelUnusable, PromptTooLong
from perception.images.image import Picture
from perception.local_model.local_model import LocalModel
from tests.perception.local_model.tiny import WIDTH, Layout, write_folder

QUESTION = "What is it?"
VISION, EMBED, DECODER = "vision_encoder", "embed_tokens", "decoder_model_merged"


def drawn(seed: int = 1) -> Picture:
    return np.random.default_rng(seed).integers(0, 255, (16, 24, 3)).astype(np.uint8)


def changed(folder: Path, part: str, change: Callable[[Any], None]) -> None:
    """A part with its graph changed."""
    file = folder / "onnx" / f"{part}.onnx"
    model = onnx.load(file)
    change(model.graph)
    onnx.save(model, file)


def more_inputs(*names: str, kind: int = TensorProto.INT64, shape: tuple[int, ...] = (1,)) -> Callable[[Any], None]:
    return lambda graph: graph.input.extend(helper.make_tensor_value_info(name, kind, shape) for name in names)


def renamed(old: str, new: str) -> Callable[[Any], None]:
    def change(graph: Any) -> None:
        for value in (*graph.input, *graph.output):
            value.name = new if value.name == old else value.name
        for node in graph.node:
            for names in (node.input, node.output):
                names[:] = [new if name == old else name for name in names]

    return change


def without_numbers(graph: Any) -> None:
    """Heads and their size as names, as some exports have them."""
    for value in graph.input:
        if value.name.startswith("past_key_values"):
            value.type.tensor_type.shape.dim[1].dim_param = "heads"
            value.type.tensor_type.shape.dim[3].dim_param = "size"


@pytest.mark.parametrize(
    ("part", "change", "words"),
    [
        (DECODER, more_inputs("encoder_hidden_states", "encoder_attention_mask"), "its decoder has the inputs encoder_hidden_states, encoder_attention_mask"),
        (DECODER, more_inputs("past_conv.0"), r"its decoder has the inputs past_conv\.0"),
        (DECODER, more_inputs("deepstack_embeds"), "its decoder has the inputs deepstack_embeds"),
        (EMBED, more_inputs("image_features"), r"its inputs are input_ids \[\?, \?\], image_features \[1\]"),
        (VISION, more_inputs("image_sizes"), r"its inputs are pixel_values \[\?, 96\], image_grid_thw \[\?, 3\], image_sizes \[1\]"),
        (VISION, renamed("pixel_values", "images"), r"its inputs are images \[\?, 96\], image_grid_thw"),
    ],
)  # fmt: skip
def test_a_layout_that_is_not_known_is_refused(tmp_path: Path, part: str, change: Any, words: str) -> None:
    write_folder(tmp_path / "m")
    changed(tmp_path / "m", part, change)
    with pytest.raises(
        ModelUnusable, match=rf"{part}\.onnx: this kind of model is not supported \(type tiny\): {words}"
    ) as told:
        LocalModel.load(tmp_path / "m", device="cpu")
    assert "Known are Idefics3 and SmolVLM (tiles), Qwen2-VL" in str(told.value)
    assert "\n" not in str(told.value)


def test_four_axes_of_positions_are_refused(tmp_path: Path) -> None:
    def change(graph: Any) -> None:
        next(value for value in graph.input if value.name == "position_ids").type.tensor_type.shape.dim[0].dim_value = 4

    write_folder(tmp_path / "m")
    changed(tmp_path / "m", DECODER, change)
    with pytest.raises(ModelUnusable, match="takes 4 positions per token"):
        LocalModel.load(tmp_path / "m", device="cpu")


@pytest.mark.parametrize(
    "change",
    [
        more_inputs("num_logits_to_keep"),
        more_inputs("num_logits_to_keep", shape=()),
        more_inputs("use_cache_branch", kind=TensorProto.BOOL),
        without_numbers,
    ],
)
def test_variants_of_a_decoder_say_the_same(tmp_path: Path, change: Any) -> None:
    write_folder(tmp_path / "m")
    plain = LocalModel.load(tmp_path / "m", device="cpu").answer([drawn()], QUESTION, max_tokens=6)
    changed(tmp_path / "m", DECODER, change)
    config = json.loads((tmp_path / "m" / "config.json").read_text())
    config["text_config"] = {"num_attention_heads": 2, "hidden_size": WIDTH}
    (tmp_path / "m" / "config.json").write_text(json.dumps(config))
    assert LocalModel.load(tmp_path / "m", device="cpu").answer([drawn()], QUESTION, max_tokens=6) == plain


def test_a_cache_of_unknown_size_is_refused(tmp_path: Path) -> None:
    write_folder(tmp_path / "m")
    changed(tmp_path / "m", DECODER, without_numbers)
    with pytest.raises(ModelUnusable, match=r"neither it nor config\.json gives the number and size of its cache"):
        LocalModel.load(tmp_path / "m", device="cpu")


def test_parts_of_different_models_are_told(tmp_path: Path) -> None:
    write_folder(tmp_path / "m")
    write_folder(tmp_path / "other", "square")

    def narrower(graph: Any) -> None:
        weights = next(tensor for tensor in graph.initializer if tensor.name == "table")
        table = onnx.numpy_helper.to_array(weights)[:, : WIDTH // 2]
        weights.CopyFrom(onnx.numpy_helper.from_array(np.ascontiguousarray(table), "table"))
        graph.output[0].type.tensor_type.shape.dim[2].dim_value = WIDTH // 2

    changed(tmp_path / "m", EMBED, narrower)
    model = LocalModel.load(tmp_path / "m", device="cpu")
    with pytest.raises(ModelUnusable, match="its features are 16 wide, the words of embed_tokens 8"):
        model.answer([drawn()], QUESTION)
    with pytest.raises(ModelUnusable, match=r"m: the model fails \(.*inputs_embeds.*take them from one export") as told:
        model.answer([], QUESTION)
    assert "\n" not in str(told.value)


def test_each_part_takes_the_best_file_that_this_device_runs(tmp_path: Path) -> None:
    write_folder(tmp_path / "m")
    parts = tmp_path / "m" / "onnx"
    expected = LocalModel.load(tmp_path / "m", device="cpu").answer([drawn()], QUESTION, max_tokens=4)
    (parts / f"{DECODER}_fp16.onnx").write_bytes(b"not opened, the CPU computes in fp32 faster")
    model = LocalModel.load(tmp_path / "m", device="cpu")
    assert model.precision == "fp32"
    assert model.answer([drawn()], QUESTION, max_tokens=4) == expected
    (parts / f"{DECODER}.onnx").rename(parts / f"{DECODER}_q4.onnx")
    mixed = LocalModel.load(tmp_path / "m", device="cpu")
    assert mixed.precision == "q4"
    assert mixed.answer([drawn()], QUESTION, max_tokens=4) == expected


def test_a_file_that_cannot_be_opened_here_makes_place_for_the_next(tmp_path: Path) -> None:
    write_folder(tmp_path / "m")
    (tmp_path / "m" / "onnx" / f"{DECODER}_q4.onnx").write_bytes(b"made with operators that are not there")
    reply = LocalModel.load(tmp_path / "m", device="cpu").answer([drawn()], QUESTION, max_tokens=4)
    assert len(reply.notes) == 1
    assert reply.notes[0].startswith(f"{DECODER}.onnx was taken, on the CPU: ")
    assert f"{DECODER}_q4.onnx: the model cannot be opened" in reply.notes[0]
    with pytest.raises(
        ModelUnusable, match=r"vision_encoder_q4\.onnx: the file is missing; there: decoder_model_merged\.onnx"
    ):
        LocalModel.load(tmp_path / "m", device="cpu", precision="q4")


def test_weights_beside_a_file_are_missed_by_name(tmp_path: Path) -> None:
    write_folder(tmp_path / "m")
    file = tmp_path / "m" / "onnx" / f"{DECODER}.onnx"
    onnx.save(onnx.load(file), file, save_as_external_data=True, location=f"{DECODER}.onnx_data", size_threshold=512)
    assert LocalModel.load(tmp_path / "m", device="cpu").answer([drawn()], QUESTION, max_tokens=2).completion_tokens
    (tmp_path / "m" / "onnx" / f"{DECODER}.onnx_data").unlink()
    with pytest.raises(
        ModelUnusable, match=r"decoder_model_merged\.onnx: the model cannot be opened .*onnx_data[^/]*\. Give"
    ):
        LocalModel.load(tmp_path / "m", device="cpu")


def test_an_encoder_decoder_is_told_by_its_files(tmp_path: Path) -> None:
    write_folder(tmp_path / "m")
    parts = tmp_path / "m" / "onnx"
    (parts / "encoder_model_fp16.onnx").write_bytes((parts / f"{EMBED}.onnx").read_bytes())
    (tmp_path / "m" / "config.json").write_text('{"model_type": "florence2"}')
    with pytest.raises(
        ModelUnusable, match=r"encoder_model_fp16\.onnx: an encoder-decoder .* \(type florence2\)\. Known are"
    ):
        LocalModel.load(tmp_path / "m", device="cpu")


@pytest.mark.parametrize(
    ("layout", "settings"),
    [
        ("qwen", {"patch_size": "x"}),
        ("qwen", {"patch_size": 0}),
        ("qwen", {"image_mean": [1, 2]}),
        ("square", {"size": {"width": "8", "height": None}}),
        ("square", {"size": "large"}),
        ("tiles", {"image_std": {"r": 1}}),
    ],
)
def test_settings_of_no_use_are_told_at_once(tmp_path: Path, layout: Layout, settings: dict[str, Any]) -> None:
    write_folder(tmp_path / "m", layout)
    file = tmp_path / "m" / "preprocessor_config.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **settings}))
    with pytest.raises(ModelUnusable, match=r"preprocessor_config\.json:? ") as told:
        LocalModel.load(tmp_path / "m", device="cpu")
    assert "\n" not in str(told.value)


def test_a_prompt_longer_than_the_context_is_refused(tmp_path: Path) -> None:
    write_folder(tmp_path / "m")
    config = json.loads((tmp_path / "m" / "config.json").read_text())
    config["text_config"] = {"max_position_embeddings": 40}
    (tmp_path / "m" / "config.json").write_text(json.dumps(config))
    model = LocalModel.load(tmp_path / "m", device="cpu")
    assert model.answer([drawn()], QUESTION, max_tokens=50).completion_tokens <= 2, "no more than fits"
    with pytest.raises(
        PromptTooLong, match=r"the prompt has 41 tokens, the model takes 40\. Give it a smaller picture"
    ):
        model.answer([drawn()], QUESTION + "xxx")
