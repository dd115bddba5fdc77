"""Trains the 4096 descriptors of perception/picture_search/vocabulary.bin: medians of groups that lie near to each other.

usage: python -m tools.picture_words FOLDER ... [--out FILE]

The folders hold the pictures (PNG, JPEG, WebP) of the sites of bench/answers, building half. The same pictures give the same file.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from perception.errors import PictureUnreadable
from perception.images.image import opencv
from perception.images.picture_file import open_picture
from perception.picture_search.features import look_of
from perception.picture_search.visual_words import VOCABULARY

WORDS, SAMPLE, ROUNDS, SEED = 4096, 120_000, 6, 7
ENDINGS = (".png", ".jpg", ".jpeg", ".webp")


def main() -> None:
    """Read the pictures, group their descriptors, write the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=VOCABULARY)
    options = parser.parse_args()
    opencv().setNumThreads(1)
    described = np.concatenate(list(_descriptors(options.folders)))
    chance = np.random.default_rng(SEED)
    described = described[chance.permutation(len(described))[:SAMPLE]]
    words = _medians(described, chance)
    options.out.write_bytes(words.tobytes())
    sys.stderr.write(f"{len(words)} words from {len(described)} descriptors\n")


def _descriptors(folders: list[Path]) -> Iterator[NDArray[np.uint8]]:
    seen: set[bytes] = set()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix.lower() not in ENDINGS or not path.is_file() or (data := path.read_bytes()) in seen:
                continue
            seen.add(data)
            try:
                yield look_of(open_picture(data)).features.descriptors
            except PictureUnreadable:
                continue


def _medians(described: NDArray[np.uint8], chance: np.random.Generator) -> NDArray[np.uint8]:
    words = described[:WORDS].copy()
    matcher = opencv().BFMatcher(opencv().NORM_HAMMING)
    bits = np.unpackbits(described, axis=1).astype(np.float32)
    for _ in range(ROUNDS):
        nearest = np.array([one.trainIdx for one in matcher.match(described, words)])
        sums = np.zeros((WORDS, 256), np.float32)
        np.add.at(sums, nearest, bits)
        members = np.bincount(nearest, minlength=WORDS)[:, None]
        medians = np.packbits(sums > members / 2, axis=1)
        words = np.where(members > 0, medians, described[chance.integers(0, len(described), WORDS)])
    return words


if __name__ == "__main__":
    main()
