"""Makes the reader: `python -m tools.reader_training FOLDER`, see README.md."""

from __future__ import annotations

import copy
import logging
import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from random import Random

import msgspec
import torch

from memory.retrieval import Ranker, WordLlamaEmbedder
from tools.reader_training.base_model import BaseModel, load_base
from tools.reader_training.examples import (
    Example,
    Judge,
    general_examples,
    load_questions,
    load_sources,
    paths_of,
    site_examples,
    texts_of_site,
    with_groups_apart,
)
from tools.reader_training.export import export_network
from tools.reader_training.learn import Schedule, encode, judge_of, learn
from tools.reader_training.list_examples import list_examples
from tools.reader_training.network import ReaderNetwork, load_network, mean_of
from tools.reader_training.vocabulary import Vocabulary, chosen_vocabulary, read_tokenizer, write_tokenizer
from tools.reader_training.written_lists import ListQuestion, load_list_questions

GENERAL, BESIDE = 30000, 4000
"""Examples of the public sets that are learnt first, and beside those of sites."""
WRITTEN_FIRST, MISTAKEN_FIRST, WITH_LISTS = 2685, 5384, 7967
"""Questions about sites that are learnt with what a search finds; then these and further ones, with what the net itself takes for
answers; then more, with lists; and at the end the others, whose words are hardly the page's, and the later lists."""
LISTS_BEFORE = 933
"""Questions about lists that are learnt with the former."""
FURTHER, LATER, LAST = Schedule(rate=1e-4, seed=2), Schedule(rate=6e-5, seed=3), Schedule(rate=6e-5, seed=5)
OTHER_WORDS, LATER_LISTS = Schedule(rate=6e-5, seed=7), Schedule(rate=4e-5, seed=9)
AGAIN = 1350
"""Examples that were learnt before and are learnt again beside the last ones."""


def make_reader(folder: Path) -> None:
    """Learn and export; what `folder` already holds is not made again."""
    random = Random(5)  # noqa: S311 - no secret
    general = general_examples(folder, random)
    random.shuffle(general)
    base = load_base()
    vocabulary = _vocabulary(folder, base, general)
    tokenizer = read_tokenizer(folder / "tokenizer.json")
    first, further, later, last, words = (
        folder / f"{name}.pt" for name in ("reader", "further", "later", "last", "words")
    )
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
    if not later.exists():
        network = load_network(further, base, vocabulary)
        mistaken = site_examples(folder, random, load_questions()[:MISTAKEN_FIRST], judge_of(network, tokenizer))
        learn(network, [encode([*mistaken, *beside], tokenizer)], LATER)
        torch.save(network.state_dict(), later)
    if not last.exists():
        network = load_network(later, base, vocabulary)
        examples = _last_examples(folder, random, judge_of(network, tokenizer))
        learn(network, [encode([*examples, *beside[:AGAIN]], tokenizer)], LAST)
        torch.save(network.state_dict(), last)
    # The mean of before and after the last examples: of 159 building questions the text that answers is first for 112 (109, 107).
    network = mean_of(load_network(later, base, vocabulary), load_network(last, base, vocabulary))
    if not words.exists():
        judge = judge_of(network, tokenizer)
        own = site_examples(folder, random, load_questions()[WITH_LISTS:], judge)
        before = site_examples(folder, random, random.sample(load_questions()[:WITH_LISTS], AGAIN))
        former = _lists(folder, load_list_questions()[:LISTS_BEFORE], judge)
        lists = _lists(folder, load_list_questions()[LISTS_BEFORE:], judge)
        learnt = copy.deepcopy(network)
        parts = with_groups_apart([own, before, former])
        learn(learnt, [encode([*parts, *beside[:AGAIN]], tokenizer)], OTHER_WORDS)
        learn(learnt, [encode(with_groups_apart([lists, before]), tokenizer)], LATER_LISTS)
        torch.save(learnt.state_dict(), words)
    # Again a mean: the loss of choosing the text that answers falls from 1.156 to 1.112; after the last examples alone it is 1.212.
    network = mean_of(network, load_network(words, base, vocabulary))
    export_network(network.eval(), base, vocabulary, folder / "tokenizer.json")


def _last_examples(folder: Path, random: Random, judge: Judge) -> list[Example]:
    """The later questions, questions about lists, and some of what was learnt before."""
    questions = load_questions()
    examples = site_examples(folder, random, questions[MISTAKEN_FIRST:WITH_LISTS])
    before = site_examples(folder, random, random.sample(questions[:MISTAKEN_FIRST], AGAIN))
    return with_groups_apart([examples, _lists(folder, load_list_questions()[:LISTS_BEFORE], judge), before])


def _lists(folder: Path, asked: Sequence[ListQuestion], judge: Judge) -> list[Example]:
    return list_examples(folder, load_sources().sites, asked, Ranker(WordLlamaEmbedder.load()), judge)


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
