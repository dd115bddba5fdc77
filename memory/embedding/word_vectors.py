"""The word vectors of the package wordllama: read from its files, without importing it.

Importing brings clients of the web and settings of logging, 20 MB and 0.3 s; its loader makes 32 bits of the vectors, which the file
has in 16. Here its pages are mapped: only those of the words that are met are in memory, and processes share them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]

_WEIGHTS = Path("weights") / "l2_supercat_256.safetensors"
_TOKENIZER = Path("tokenizers") / "l2_supercat_tokenizer_config.json"
_NAME = "embedding.weight"
_HEADER_LENGTH = 8
"""Bytes at the start of a safetensors file that say how long its JSON header is, the first of them the least."""
_LONGEST_HEADER = 1 << 20
"""Bytes; that of one table has a hundred."""


class WordVectors:
    """A vector for each piece of a word; a text's is the mean of those in it."""

    def __init__(self, weights: Path, tokenizer: Path) -> None:
        """Open both files. Raises `OSError` where one is missing, `ValueError` for weights of another kind."""
        from tokenizers import Tokenizer  # noqa: PLC0415 - 20 ms, and not every command embeds

        self._rows = _mapped(weights)
        if not tokenizer.is_file():
            raise FileNotFoundError(f"there is no tokenizer at {tokenizer}")
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.enable_padding()
        self._tokenizer.no_truncation()

    def means(self, texts: Sequence[str], at_once: int) -> Vectors:
        """One row a text, not of unit length; so many texts are divided and held as vectors at a time."""
        found = np.empty((len(texts), self._rows.shape[1]), np.float32)
        for first in range(0, len(texts), at_once):
            divided = self._tokenizer.encode_batch(list(texts[first : first + at_once]), add_special_tokens=False)
            ids = np.array([one.ids for one in divided], np.int32)
            mask = np.array([one.attention_mask for one in divided], np.float32)
            vectors = self._rows[np.clip(ids, 0, len(self._rows) - 1)].astype(np.float32)
            counts = np.maximum(mask.sum(axis=1, keepdims=True), 1.0).astype(np.float32)
            found[first : first + at_once] = np.sum(vectors * mask[..., np.newaxis], axis=1, dtype=np.float32) / counts
        return found


def _mapped(file: Path) -> npt.NDArray[np.float16]:
    with file.open("rb") as opened:
        length = int.from_bytes(opened.read(_HEADER_LENGTH), "little")
        header = opened.read(length) if length < _LONGEST_HEADER else b""
    told: Any = json.loads(header or b"{}")
    found = told.get(_NAME, {})
    if found.get("dtype") != "F16":
        raise ValueError(f"{file.name} holds no vectors of 16 bits named {_NAME}: pip install 'wordllama>=0.3.9'")
    start, shape = _HEADER_LENGTH + length + found["data_offsets"][0], tuple(found["shape"])
    return np.memmap(file, np.dtype("<f2"), "r", offset=start, shape=shape)


@cache
def packaged_vectors() -> WordVectors:
    """Those of the installed package, opened once a process (0.1 s). Raises `FileNotFoundError` if it lacks them."""
    package = find_spec("wordllama")
    if package is None or package.origin is None:
        raise FileNotFoundError("the package wordllama is not installed")
    folder = Path(package.origin).parent
    return WordVectors(folder / _WEIGHTS, folder / _TOKENIZER)
