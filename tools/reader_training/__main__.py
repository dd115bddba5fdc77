"""Makes the reader: `python -m tools.reader_training FOLDER`, see README.md."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from random import Random

import msgspec
import torch

from tools.reader_training.base_model import BaseModel, load_base
from tools.reader_training.examples import (
    Example,
    general_examples,
    load_questions,
    load_sources,
    paths_of,
    site_examples,
    texts_of_site,
)
from tools.reader_training.export import export_network
from tools.reader_training.learn import Schedule, encode, judge_of, learn
from tools.reader_training.network import ReaderNetwork, load_network
from tools.reader_training.vocabulary import Vocabulary, chosen_vocabulary, read_tokenizer, write_tokenizer

GENERAL, BESIDE = 30000, 4000
"""Examples of the public sets that are learnt first, and beside those of sites."""
WRITTEN_FIRST = 2685
"""Questions about sites that are learnt with what a search finds; then all are, with what the net itself takes for answers."""
FURTHER, LAST = Schedule(rate=1e-4, seed=2), Schedule(rate=6e-5, seed=3)


def make_reader(folder: Path) -> None:
    """Learn and export; what `folder` already holds is not made again."""
    random = Random(5)  # noqa: S311 - no secret
    general = general_examples(folder, random)
    random.shuffle(general)
    base = load_base()
    vocabulary = _vocabulary(folder, base, general)
    tokenizer = read_tokenizer(folder / "tokenizer.json")
    first, further, last = (folder / name for name in ("reader.pt", "further.pt", "last.pt"))
    beside = general[GENERAL:][:BESIDE]
    if not first.exists():
        network = ReaderNetwork(base, vocabulary)
        learn(network, [encode(general[:GENERAL], tokenizer)], Schedule())
        torch.save(network.state_dict(), first)
    if not further.exists():
        of_sites = encode(site_examples(folder, random, load_questions()[:WRITTEN_FIRST]), tokenizer)
        network = load_network(first, base, vocabulary)
        learn(network, [of_sites + encode(beside, tokenizer), of_sites], FURTHER)
        torch.save(network.state_dict(), further)
    if not last.exists():
        network = load_network(further, base, vocabulary)
        mistaken = site_examples(folder, random, load_questions(), judge_of(network, tokenizer))
        learn(network, [encode([*mistaken, *beside], tokenizer)], LAST)
        torch.save(network.state_dict(), last)
    export_network(load_network(last, base, vocabulary).eval(), base, vocabulary, folder / "tokenizer.json")


def _vocabulary(folder: Path, base: BaseModel, examples: Sequence[Example]) -> Vocabulary:
    """What was chosen before, so that saved nets stay readable."""
    file = folder / "vocabulary.json"
    if not file.exists():
        of_sets = (f"{one.question} {one.heading} {one.text}" for one in examples)
        of_sites = (
            one.text
            for source in load_sources().sites
            for one in texts_of_site(folder, source, paths_of(folder, source))
        )
        vocabulary = chosen_vocabulary(base, chain(of_sets, of_sites))
        write_tokenizer(base, vocabulary, folder / "tokenizer.json")
        file.write_bytes(msgspec.json.encode(vocabulary))
    return msgspec.json.decode(file.read_bytes(), type=Vocabulary)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tools.reader_training FOLDER (clones of sources.json as OWNER+NAME lie in it)")
    make_reader(Path(sys.argv[1]))
