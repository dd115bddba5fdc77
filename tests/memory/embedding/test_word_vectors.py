"""The files of wordllama, read without its package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from memory.embedding.word_vectors import WordVectors, packaged_vectors


def test_nothing_of_the_package_is_imported_and_vectors_stay_in_their_file() -> None:
    program = (
        "import sys, numpy\n"
        "from memory.retrieval import embed_texts\n"
        "assert embed_texts(['the tide is late']).shape == (1, 256)\n"
        "print(*{'wordllama', 'requests', 'pydantic', 'safetensors'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
    assert isinstance(packaged_vectors()._rows, np.memmap)


def test_how_many_texts_are_taken_at_a_time_changes_nothing() -> None:
    texts = ["the tide", "", "港口", "a longer text about boats " * 9, "boats"]
    rows = packaged_vectors().means(texts, 1)
    for at_once in (2, 5, 16):
        assert np.allclose(packaged_vectors().means(texts, at_once), rows, atol=1e-6)
    assert packaged_vectors().means([], 16).shape == (0, 256)


def test_files_that_are_missing_or_of_another_kind_are_refused(tmp_path: Path) -> None:
    weights, tokenizer = tmp_path / "weights.safetensors", tmp_path / "tokenizer.json"
    with pytest.raises(FileNotFoundError):
        WordVectors(weights, tokenizer)
    for content in (b"", b"\xff" * 64, b"\x02\x00\x00\x00\x00\x00\x00\x00{}"):
        weights.write_bytes(content)
        with pytest.raises(ValueError, match="no vectors of 16 bits"):
            WordVectors(weights, tokenizer)
    header = b'{"embedding.weight":{"dtype":"F16","shape":[2,4],"data_offsets":[0,16]}}'
    weights.write_bytes(len(header).to_bytes(8, "little") + header + np.ones((2, 4), "<f2").tobytes())
    with pytest.raises(FileNotFoundError, match="no tokenizer"):
        WordVectors(weights, tokenizer)
