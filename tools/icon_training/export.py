"""The trained net as one ONNX file with a byte a weight, and the vocabulary beside it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from perception.icons import icon_reader
from perception.icons.glyph_image import SIDE
from tools.icon_training.labels import Labels
from tools.icon_training.network import IconNetwork, Residual

PACKAGE = Path(icon_reader.__file__).parent
Array = npt.NDArray[np.float32]
OPERATORS, FORMAT = 17, 9
"""Operator set and file format: what every ONNX Runtime since 1.16 reads."""


class Graph:
    """Nodes and weights in the order of running; each method adds a layer and returns its output's name."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def add(self, operator: str, *inputs: str, **attributes: object) -> str:
        """One node with one output."""
        output = f"{operator.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(inputs), [output], **attributes))
        return output

    def constant(self, values: npt.NDArray[np.generic]) -> str:
        """A stored array."""
        name = f"weight{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def in_bytes(self, values: Array) -> str:
        """Weights as int8 with a scale for each output; ONNX Runtime makes floats of them once, when it opens the file."""
        axes = tuple(range(1, values.ndim))
        scale = np.maximum(np.abs(values).max(axis=axes, keepdims=True), 1e-8) / 127
        stored = self.constant(np.round(values / scale).astype(np.int8))
        return self.add("Mul", self.add("Cast", stored, to=TensorProto.FLOAT), self.constant(scale.astype(np.float32)))

    def convolution(self, taken: str, layer: nn.Conv2d, norm: nn.BatchNorm2d) -> str:
        """A convolution with its normalisation folded in."""
        factor, bias = _folded(norm)
        weight = layer.weight.detach().numpy() * factor[:, None, None, None]
        pad, stride = int(layer.padding[0]), layer.stride[0]
        return self.add(
            "Conv", taken, self.in_bytes(weight), self.constant(bias), pads=[pad] * 4, strides=[stride, stride]
        )

    def linear(self, taken: str, weight: Array, bias: Array) -> str:
        """A full layer."""
        return self.add("Gemm", taken, self.in_bytes(weight), self.constant(bias), transB=1)


def export_network(
    network: IconNetwork, labels: Labels, also: Mapping[str, tuple[str, ...]], calibration: tuple[float, float]
) -> None:
    """Write `icons.onnx`, `vocabulary.json` and `model_digest.py`.

    `also` are other names of classes, `calibration` is the temperature and the threshold.
    """
    temperature, threshold = calibration
    model = _model(network.eval(), temperature)
    onnx.checker.check_model(model)
    data = model.SerializeToString()
    (PACKAGE / "icons.onnx").write_bytes(data)
    vocabulary = {
        "threshold": threshold,
        "common": len(labels.also),
        "classes": labels.classes,
        "words": labels.words,
        "also": dict(also),
    }
    words = (json.dumps(vocabulary, separators=(",", ":")) + "\n").encode()
    (PACKAGE / "vocabulary.json").write_bytes(words)
    (PACKAGE / "model_digest.py").write_text(
        '"""The digests of icons.onnx and of vocabulary.json; written by training/export.py."""\n\n'
        f'SHA256 = "{hashlib.sha256(data).hexdigest()}"\n'
        f'VOCABULARY_SHA256 = "{hashlib.sha256(words).hexdigest()}"\n',
        encoding="utf-8",
    )


def load_network(path: Path, labels: Labels) -> IconNetwork:
    """The net that `train` wrote."""
    network = IconNetwork(len(labels.classes), len(labels.words))
    network.load_state_dict(torch.load(path))
    network.eval()
    return network


def _model(network: IconNetwork, temperature: float) -> onnx.ModelProto:
    graph = Graph()
    last = _trunk(graph, network.trunk)
    heads = []
    for head, warmth, operator in ((network.classes, temperature, "Softmax"), (network.words, 1.0, "LogSoftmax")):
        weight, bias = head.weight.detach().numpy() / warmth, head.bias.detach().numpy() / warmth
        heads.append(graph.add(operator, graph.linear(last, weight, bias), axis=1))
    for output, name in zip(heads, ("classes", "words"), strict=True):
        graph.nodes.append(helper.make_node("Identity", [output], [name]))
    shapes = {"classes": network.classes.out_features, "words": network.words.out_features}
    whole = helper.make_graph(
        graph.nodes,
        "icons",
        [helper.make_tensor_value_info("pictures", TensorProto.FLOAT, ["count", 1, SIDE, SIDE])],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["count", width]) for name, width in shapes.items()],
        graph.weights,
    )
    return helper.make_model(whole, opset_imports=[helper.make_opsetid("", OPERATORS)], ir_version=FORMAT)


def _trunk(graph: Graph, trunk: nn.Sequential) -> str:
    last = "pictures"
    for layer in trunk:
        if isinstance(layer, Residual):
            first = graph.add("Relu", graph.convolution(last, layer.first[0], layer.first[1]))
            last = graph.add("Relu", graph.add("Add", last, graph.convolution(first, layer.second[0], layer.second[1])))
        elif isinstance(layer, nn.Sequential):
            last = graph.add("Relu", graph.convolution(last, layer[0], layer[1]))
        elif isinstance(layer, nn.Flatten):
            last = graph.add("Flatten", last)
        elif isinstance(layer, nn.Linear):
            weight = layer.weight.detach().numpy()
        elif isinstance(layer, nn.BatchNorm1d):
            factor, bias = _folded(layer)
            last = graph.linear(last, weight * factor[:, None], bias)
    return last


def _folded(norm: nn.BatchNorm1d | nn.BatchNorm2d) -> tuple[Array, Array]:
    """A normalisation as a factor and a bias of each channel."""
    assert norm.running_var is not None
    assert norm.running_mean is not None
    factor = norm.weight.detach() / torch.sqrt(norm.running_var + norm.eps)
    return factor.numpy(), (norm.bias.detach() - norm.running_mean * factor).numpy()
