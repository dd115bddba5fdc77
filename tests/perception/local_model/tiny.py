"""Exported models small enough to be made by a test: real attention, a cache, and positions that change what is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

Layout = Literal["qwen", "square", "tiles"]
MARKS = ("<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>", "<|image_pad|>")
TILE_MARKS = (
    "<|im_start|>",
    "<end_of_utterance>",
    "<image>",
    "<fake_token_around_image>",
    "<global-img>",
    *(f"<row_{row}_col_{column}>" for row in range(1, 5) for column in range(1, 5)),
)
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{% for part in message['content'] %}{% if part['type'] == 'image' %}"
    "<|vision_start|><|image_pad|><|vision_end|>{% else %}{{ part['text'] }}{% endif %}{% endfor %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
TILE_TEMPLATE = (
    "<|im_start|>{% for message in messages %}{{ message['role'] | capitalize }}:{% for part in message['content'] %}{% if part['type'] == 'image' %}"
    "{{ '<image>' }}{% else %} {{ part['text'] }}{% endif %}{% endfor %}{{ eos_token }}\n{% endfor %}{% if add_generation_prompt %}{{ 'Assistant:' }}{% endif %}"
)


class Shape(NamedTuple):
    """Numbers of a decoder."""

    width: int = 16
    heads: int = 2
    size: int = 8
    layers: int = 2


WIDTH, HEADS, SIZE, LAYERS = TINY = Shape()
PATCH, MERGE, TIMES, SIDE = 4, 2, 2, 8
"""Of the picture: patches of 4 pixels, four of them merged; a square and a tile are 8 x 8 pixels, four rows of features."""
LONGEST = 32
"""Pixels of the longer side from which tiles are cut: four of them."""


class Weights:
    """Numbers from a seed."""

    def __init__(self, layout: Layout, words: int, shape: Shape = TINY, seed: int = 5) -> None:
        width = shape.width
        chance = np.random.default_rng(seed)

        def some(*shape: int) -> NDArray[np.float32]:
            return np.asarray(chance.standard_normal(shape) / np.sqrt(shape[0]), np.float32)

        self.layout, self.words, self.shape = layout, words, shape
        self.embed = some(words, width) * 3
        self.vision = some(
            3 * TIMES * PATCH * PATCH * MERGE * MERGE if layout == "qwen" else 3 * SIDE * SIDE // 4, width
        )
        self.layers = [{name: some(width, width) for name in ("q", "k", "v", "o")} for _ in range(shape.layers)]
        self.head = some(width, words) * 2
        self.waves = np.linspace(0.3, 2.1, width, dtype=np.float32)


def make_tokenizer(layout: Layout = "qwen") -> Any:
    """Bytes, and the marks."""
    letters = {letter: number for number, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    tokenizer = Tokenizer(models.BPE(vocab=letters, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(list(TILE_MARKS if layout == "tiles" else MARKS))
    return tokenizer


def write_folder(folder: Path, layout: Layout = "qwen", *, half: bool = False, shape: Shape = TINY) -> Weights:
    """A folder as exports are laid out."""
    (folder / "onnx").mkdir(parents=True)
    tokenizer = make_tokenizer(layout)
    tokenizer.save(str(folder / "tokenizer.json"))
    weights = Weights(layout, tokenizer.get_vocab_size(), shape)
    picture, end = ("<image>", "<end_of_utterance>") if layout == "tiles" else ("<|image_pad|>", "<|im_end|>")
    config = {
        "model_type": "tiny",
        "image_token_id": tokenizer.token_to_id(picture),
        "eos_token_id": tokenizer.token_to_id(end),
    }
    _write(folder / "config.json", config)
    _write(folder / "tokenizer_config.json", {"eos_token": {"content": end, "special": True}})
    half_way = {"image_mean": [0.5] * 3, "image_std": [0.5] * 3}
    match layout:
        case "qwen":
            sizes = {
                "patch_size": PATCH,
                "merge_size": MERGE,
                "temporal_patch_size": TIMES,
                "min_pixels": 64,
                "max_pixels": 1600,
            }
            _write(folder / "preprocessor_config.json", sizes)
        case "square":
            _write(folder / "preprocessor_config.json", {"size": {"width": SIDE, "height": SIDE}, **half_way})
        case "tiles":
            cuts = {
                "size": {"longest_edge": LONGEST},
                "max_image_size": {"longest_edge": SIDE},
                "do_image_splitting": True,
            }
            _write(folder / "preprocessor_config.json", {**cuts, **half_way})
            _write(folder / "processor_config.json", {"image_seq_len": 4})
    (folder / "chat_template.jinja").write_text(TILE_TEMPLATE if layout == "tiles" else TEMPLATE)
    kind = "_fp16" if half else ""
    parts = {
        "embed_tokens": _embed(weights),
        "vision_encoder": vision_of(weights),
        "decoder_model_merged": decoder_of(weights, half=half),
    }
    for name, model in parts.items():
        onnx.save(model, folder / "onnx" / f"{name}{kind}.onnx")
    return weights


def _write(file: Path, value: dict[str, Any]) -> None:
    file.write_text(json.dumps(value))


def model_of(nodes: list[Any], inputs: list[Any], outputs: list[Any], constants: dict[str, NDArray[Any]]) -> Any:
    tensors = [numpy_helper.from_array(value, name) for name, value in constants.items()]
    graph = helper.make_graph(nodes, "tiny", inputs, outputs, tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def value_of(name: str, shape: list[Any], kind: int = TensorProto.FLOAT) -> Any:
    return helper.make_tensor_value_info(name, kind, shape)


def _embed(weights: Weights) -> Any:
    return model_of(
        [helper.make_node("Gather", ["table", "input_ids"], ["inputs_embeds"])],
        [value_of("input_ids", ["b", "s"], TensorProto.INT64)],
        [value_of("inputs_embeds", ["b", "s", weights.shape.width])],
        {"table": weights.embed},
    )


def vision_of(weights: Weights) -> Any:
    rows = weights.vision.shape[0]
    nodes, taken = [], "pixel_values"
    match weights.layout:
        case "qwen":
            inputs = [
                value_of("pixel_values", ["n", rows // (MERGE * MERGE)]),
                value_of("image_grid_thw", ["i", 3], TensorProto.INT64),
            ]
        case "square":
            inputs = [value_of("pixel_values", ["b", 3, SIDE, SIDE])]
        case "tiles":
            inputs = [
                value_of("pixel_values", ["b", "n", 3, SIDE, SIDE]),
                value_of("pixel_attention_mask", ["b", "n", SIDE, SIDE], TensorProto.BOOL),
            ]
            nodes = [
                helper.make_node("Cast", ["pixel_attention_mask"], ["shown"], to=TensorProto.FLOAT),
                helper.make_node("Unsqueeze", ["shown", "channel"], ["shown3"]),
                helper.make_node("Mul", ["pixel_values", "shown3"], ["masked"]),
            ]
            taken = "masked"
    nodes += [
        helper.make_node("Reshape", [taken, "rows"], ["merged"]),
        helper.make_node("MatMul", ["merged", "weights"], ["image_features"]),
    ]
    return model_of(
        nodes,
        inputs,
        [value_of("image_features", ["t", weights.shape.width])],
        {"rows": np.array([-1, rows]), "weights": weights.vision, "channel": np.array([2])},
    )


def decoder_of(weights: Weights, *, half: bool) -> Any:
    width, heads, size, layers = weights.shape
    kind, form = (TensorProto.FLOAT16, np.float16) if half else (TensorProto.FLOAT, np.float32)
    axes = 3 if weights.layout == "qwen" else 1
    inputs = [value_of("inputs_embeds", [1, "s", width], kind), value_of("attention_mask", [1, "t"], TensorProto.INT64)]
    inputs.append(value_of("position_ids", [3, 1, "s"] if axes == 3 else [1, "s"], TensorProto.INT64))
    constants: dict[str, NDArray[Any]] = {
        "waves": weights.waves[None] * np.arange(1, axes + 1, dtype=np.float32)[:, None], "zero": np.array(0), "one": np.array(1),
        "heads": np.array([1, -1, heads, size]), "flat": np.array([1, -1, width]), "root": np.array(size**0.5, form),
        "far": np.array(-1e4, form), "near": np.array(0, form), "second": np.array([1]), "first": np.array([0]), "head": weights.head.astype(form),
        "column": np.array([-1, 1]), "row": np.array([1, -1]), "axes": np.array([axes, -1, 1]), "wave_shape": np.array([axes, 1, width]),
    }  # fmt: skip
    nodes = [
        helper.make_node("Cast", ["position_ids"], ["places"], to=TensorProto.FLOAT),
        helper.make_node("Reshape", ["places", "axes"], ["places3"]),
        helper.make_node("Reshape", ["waves", "wave_shape"], ["waves3"]),
        helper.make_node("Mul", ["places3", "waves3"], ["turned"]),
        helper.make_node("Sin", ["turned"], ["sines"]),
        helper.make_node("ReduceSum", ["sines", "first"], ["summed"], keepdims=1),
        helper.make_node("Cast", ["summed"], ["moved"], to=kind),
        helper.make_node("Add", ["inputs_embeds", "moved"], ["x0"]),
        helper.make_node("Shape", ["attention_mask"], ["mask_shape"]),
        helper.make_node("Gather", ["mask_shape", "one"], ["total"]),
        helper.make_node("Shape", ["inputs_embeds"], ["in_shape"]),
        helper.make_node("Gather", ["in_shape", "one"], ["new"]),
        helper.make_node("Sub", ["total", "new"], ["old"]),
        helper.make_node("Range", ["old", "total", "one"], ["own"]),
        helper.make_node("Range", ["zero", "total", "one"], ["all"]),
        helper.make_node("Reshape", ["own", "column"], ["own2"]),
        helper.make_node("Reshape", ["all", "row"], ["all2"]),
        helper.make_node("LessOrEqual", ["all2", "own2"], ["may"]),
        helper.make_node("Where", ["may", "near", "far"], ["mask"]),
    ]
    outputs = [value_of("logits", [1, "s", weights.words], kind)]
    for number, layer in enumerate(weights.layers):
        for name, matrix in layer.items():
            constants[f"{name}{number}"] = matrix.astype(form)
        nodes += _layer(number)
        for part in ("key", "value"):
            inputs.append(value_of(f"past_key_values.{number}.{part}", [1, heads, "p", size], kind))
            outputs.append(value_of(f"present.{number}.{part}", [1, heads, "t", size], kind))
    nodes.append(helper.make_node("MatMul", [f"x{layers}", "head"], ["logits"]))
    return model_of(nodes, inputs, outputs, constants)


def _layer(number: int) -> list[Any]:
    x, n = f"x{number}", str(number)
    nodes = []
    for name in "qkv":
        nodes += [
            helper.make_node("MatMul", [x, name + n], [name + "a" + n]),
            helper.make_node("Reshape", [name + "a" + n, "heads"], [name + "b" + n]),
            helper.make_node("Transpose", [name + "b" + n], [name + "c" + n], perm=[0, 2, 1, 3]),
        ]
    return [
        *nodes,
        helper.make_node("Concat", [f"past_key_values.{n}.key", "kc" + n], [f"present.{n}.key"], axis=2),
        helper.make_node("Concat", [f"past_key_values.{n}.value", "vc" + n], [f"present.{n}.value"], axis=2),
        helper.make_node("Transpose", [f"present.{n}.key"], ["kt" + n], perm=[0, 1, 3, 2]),
        helper.make_node("MatMul", ["qc" + n, "kt" + n], ["raw" + n]),
        helper.make_node("Div", ["raw" + n, "root"], ["scaled" + n]),
        helper.make_node("Add", ["scaled" + n, "mask"], ["masked" + n]),
        helper.make_node("Softmax", ["masked" + n], ["weights" + n], axis=-1),
        helper.make_node("MatMul", ["weights" + n, f"present.{n}.value"], ["mixed" + n]),
        helper.make_node("Transpose", ["mixed" + n], ["back" + n], perm=[0, 2, 1, 3]),
        helper.make_node("Reshape", ["back" + n, "flat"], ["joined" + n]),
        helper.make_node("MatMul", ["joined" + n, "o" + n], ["out" + n]),
        helper.make_node("Add", [x, "out" + n], [f"x{number + 1}"]),
    ]


def reference_logits(weights: Weights, embeds: NDArray[Any], positions: NDArray[Any]) -> NDArray[Any]:
    """All logits at once in NumPy, without a cache. `embeds` tokens x width, `positions` axes x tokens."""
    x = embeds.astype(np.float64)
    for axis, places in enumerate(positions, start=1):
        x = x + np.sin(places[:, None] * weights.waves[None] * axis)
    count, size = len(x), weights.shape.size
    for layer in weights.layers:
        mixed = np.zeros_like(x)
        for head in range(weights.shape.heads):
            part = slice(head * size, (head + 1) * size)
            q, k, v = (x @ layer[name][:, part] for name in "qkv")
            for row in range(count):
                scores = q[row] @ k[: row + 1].T / size**0.5
                shares = np.exp(scores - scores.max())
                mixed[row, part] = shares / shares.sum() @ v[: row + 1]
        x = x + mixed @ layer["o"]
    return x @ weights.head
