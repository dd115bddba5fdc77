"""Makes the reader: `python -m tools.reader_training FOLDER`, see README.md."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from random import Random

import torch

from tools.reader_training.examples import general_examples, site_examples
from tools.reader_training.export import export_network
from tools.reader_training.learn import Schedule, encode, learn
from tools.reader_training.network import ReaderNetwork, load_network

GENERAL, BESIDE = 19000, 4000
"""Examples of the public sets that are learnt first, and beside those of sites."""
TWICE = 2
FURTHER = Schedule(rate=8e-5, seed=2)


def make_reader(folder: Path) -> None:
    """Learn and export; what `folder` already holds is not made again."""
    random = Random(5)  # noqa: S311 - no secret
    general = general_examples(folder, random)
    random.shuffle(general)
    of_sites = encode(site_examples(folder, random))
    first, last = folder / "reader.pt", folder / "further.pt"
    beside = encode(general[GENERAL:][:BESIDE])
    if not first.exists():
        network = ReaderNetwork()
        learn(network, [encode(general[:GENERAL]), of_sites * TWICE + beside], Schedule())
        torch.save(network.state_dict(), first)
    if not last.exists():
        network = load_network(first)
        learn(network, [of_sites + beside], FURTHER)
        torch.save(network.state_dict(), last)
    export_network(load_network(last).eval())


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tools.reader_training FOLDER (clones of sources.json as OWNER+NAME lie in it)")
    make_reader(Path(sys.argv[1]))
