"""The net as one ONNX file: standard operators, a byte a weight, half a byte a number of a word vector, and its digest."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

from tools.reader_training.base_model import BLOCK, BaseModel
from tools.reader_training.network import NORM_EPSILON, ReaderNetwork
from tools.reader_training.vocabulary import Vocabulary
from walker.strategies.reader import passage_reader

HEADS, HEAD_WIDTH = 12, 32
FAR = -1e4
OPERATORS, FORMAT = 17, 8
"""Versions of the operators and of the file."""
Array = npt.NDArray[Any]


class Graph:
    """Nodes and constants, each with a name of its own."""

    def __init__(self, weights: dict[str, Array]) -> None:
        self._weights = weights
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def constant(self, value: Any, kind: Any = np.float32) -> str:
        """A constant."""
        name = f"c{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(np.asarray(value, kind, order="C"), name))
        return name

    def weight(self, name: str) -> str:
        """A weight of the net as it is."""
        return self.constant(self._weights[name])

    def node(self, kind: str, *inputs: str, named: str = "", **attributes: Any) -> str:
        """A node's output."""
        output = named or f"n{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def linear(self, x: str, name: str) -> str:
        """A linear layer, its weights in a byte each and a scale for each output."""
        weight = self._weights[f"{name}.weight"].T
        scale = np.abs(weight).max(0) / 127
        held = self.constant(np.round(weight / scale), np.int8)
        zero = self.constant(np.zeros(scale.shape), np.int8)
        whole = self.node("DequantizeLinear", held, self.constant(scale), zero, axis=1)
        return self.node("Add", self.node("MatMul", x, whole), self.weight(f"{name}.bias"))

    def norm(self, x: str, name: str) -> str:
        """Layer normalisation."""
        return self.node(
            "LayerNormalization", x, self.weight(f"{name}.weight"), self.weight(f"{name}.bias"), epsilon=NORM_EPSILON
        )

    def embedded(self, packed: Array) -> str:
        """Word vectors as the base model packs them: half a byte a number, and a scale for each 32 of a row."""
        rows, blocks, _ = packed.shape
        scales = packed[:, :, :2].copy().view(np.float16).reshape(rows, blocks, 1)
        bytes_ = self.node("Gather", self.constant(packed[:, :, 2:], np.uint8), "ids")
        numbers = self.node("Cast", bytes_, to=TensorProto.FLOAT)
        high = self.node("Floor", self.node("Mul", numbers, self.constant(1 / 16)))
        low = self.node("Sub", numbers, self.node("Mul", high, self.constant(16)))
        centred = self.node("Sub", self.node("Concat", low, high, axis=-1), self.constant(8))
        scale = self.node("Cast", self.node("Gather", self.constant(scales, np.float16), "ids"), to=TensorProto.FLOAT)
        return self.node("Reshape", self.node("Mul", centred, scale), self.constant([0, 0, blocks * BLOCK], np.int64))

    def model(self) -> Any:
        """The checked model."""
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
            for name in ("ids", "mask", "types")
        ]
        outputs = [
            helper.make_tensor_value_info("spans", TensorProto.FLOAT, ["batch", "length", 2]),
            helper.make_tensor_value_info("relevance", TensorProto.FLOAT, ["batch", 1]),
        ]
        graph = helper.make_graph(self._nodes, "reader", inputs, outputs, self._constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPERATORS)], ir_version=FORMAT)
        onnx.checker.check_model(model)
        return model


def export_network(network: ReaderNetwork, base: BaseModel, vocabulary: Vocabulary, tokenizer: Path) -> None:
    """Write reader.onnx, the tokenizer and their digests into the package."""
    folder = passage_reader.FOLDER
    onnx.save(_model(network, base.words[list(vocabulary.kept)]), str(folder / "reader.onnx"))
    shutil.copyfile(tokenizer, folder / "tokenizer.json")
    (folder / "model_digest.py").write_text(
        '"""The digests of reader.onnx and of tokenizer.json; written by tools/reader_training/export.py."""\n\n'
        f'SHA256 = "{_digest(folder / "reader.onnx")}"\nTOKENIZER_SHA256 = "{_digest(folder / "tokenizer.json")}"\n'
    )


def _model(network: ReaderNetwork, words: Array) -> Any:
    weights = {name: value.numpy() for name, value in network.state_dict().items()}
    graph = Graph(weights)
    x = _embedding(graph, weights, words)
    one_less = graph.node("Sub", graph.constant(1), graph.node("Cast", "mask", to=TensorProto.FLOAT))
    padding = graph.node(
        "Unsqueeze", graph.node("Mul", one_less, graph.constant(FAR)), graph.constant([1, 2], np.int64)
    )
    for layer in range(network.encoder.config.num_hidden_layers):
        x = _layer(graph, x, padding, f"encoder.encoder.layer.{layer}")
    ends = graph.node("MatMul", x, graph.constant(weights["spans.weight"].T))
    graph.node("Add", ends, graph.weight("spans.bias"), named="spans")
    first = graph.node("Gather", x, graph.constant(0, np.int64), axis=1)
    said = graph.node("MatMul", first, graph.constant(weights["relevance.weight"].T))
    graph.node("Add", said, graph.weight("relevance.bias"), named="relevance")
    return graph.model()


def _embedding(graph: Graph, weights: dict[str, Array], packed: Array) -> str:
    name = "encoder.embeddings"
    positions = graph.constant(weights[f"{name}.position_embeddings.weight"][: passage_reader.LONGEST])
    length = graph.node("Gather", graph.node("Shape", "ids"), graph.constant(1, np.int64))
    numbers = graph.node("Range", graph.constant(0, np.int64), length, graph.constant(1, np.int64))
    words = graph.embedded(packed)
    kinds = graph.node("Gather", graph.weight(f"{name}.token_type_embeddings.weight"), "types")
    summed = graph.node("Add", graph.node("Add", words, kinds), graph.node("Gather", positions, numbers))
    return graph.norm(summed, f"{name}.LayerNorm")


def _layer(graph: Graph, x: str, padding: str, name: str) -> str:
    split = graph.constant([0, 0, HEADS, HEAD_WIDTH], np.int64)
    parts = {
        part: graph.node("Reshape", graph.linear(x, f"{name}.attention.self.{part}"), split)
        for part in ("query", "key", "value")
    }
    query, value = (graph.node("Transpose", parts[part], perm=[0, 2, 1, 3]) for part in ("query", "value"))
    key = graph.node("Transpose", parts["key"], perm=[0, 2, 3, 1])
    scores = graph.node("Mul", graph.node("MatMul", query, key), graph.constant(HEAD_WIDTH**-0.5))
    shares = graph.node("Softmax", graph.node("Add", scores, padding), axis=-1)
    mixed = graph.node("Transpose", graph.node("MatMul", shares, value), perm=[0, 2, 1, 3])
    joined = graph.node("Reshape", mixed, graph.constant([0, 0, HEADS * HEAD_WIDTH], np.int64))
    seen = graph.node("Add", graph.linear(joined, f"{name}.attention.output.dense"), x)
    x = graph.norm(seen, f"{name}.attention.output.LayerNorm")
    inner = graph.linear(x, f"{name}.intermediate.dense")
    error = graph.node("Erf", graph.node("Mul", inner, graph.constant(2**-0.5)))
    half = graph.node("Mul", inner, graph.constant(0.5))
    active = graph.node("Mul", half, graph.node("Add", error, graph.constant(1)))  # GELU
    return graph.norm(graph.node("Add", graph.linear(active, f"{name}.output.dense"), x), f"{name}.output.LayerNorm")


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
