"""Vectors of an encoder: packed for a file, and how likely it is that a near one means the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

SAMPLE = 400
"""Vectors from which it is learned how near different pictures are to each other."""
RARE = 0.05
"""Share of the pictures here that are as near to another one; a chance of one half."""


def packed_vector(vector: NDArray[np.float32]) -> bytes:
    """Of unit length, two bytes a number."""
    length = float(np.linalg.norm(vector))
    return (vector / length if length > 0 else vector).astype("<f2").tobytes()


def unpacked_vectors(packed: Sequence[bytes]) -> NDArray[np.float32]:
    """A row each."""
    return np.frombuffer(b"".join(packed), "<f2").reshape(len(packed), -1).astype(np.float32)


def chances(searched: bytes, kept: NDArray[np.float32]) -> list[float]:
    """For each kept vector, how likely it shows what the searched one does.

    Cosines of two encoders cannot be compared, so those of this library are the measure: a picture that is as near as only one in
    twenty is to its nearest neighbour has a chance of one half. A library of fewer than 20 pictures cannot say so, and no chance in it
    reaches one half."""
    vector = unpacked_vectors([searched])[0]
    if len(vector) != kept.shape[1]:
        return [0.0] * len(kept)
    near = kept @ vector
    step = max(1, len(kept) // SAMPLE)
    some = np.arange(0, len(kept), step)[:SAMPLE]
    among = kept[some] @ kept.T
    among[np.arange(len(some)), some] = -1.0
    usual = np.sort(among.max(axis=1))
    rarer = len(usual) - np.searchsorted(usual, near, side="left")
    share = (1 + rarer) / (1 + len(usual))
    return [round(float(one), 4) for one in RARE / (RARE + share)]
