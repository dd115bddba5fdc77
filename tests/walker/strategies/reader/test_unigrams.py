"""Tokens of the reader are those of the library tokenizers, whose unigram model takes five times as much memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from walker.strategies.reader.passage_reader import FOLDER, LONGEST
from walker.strategies.reader.unigrams import Unigrams, shared_lengths

PIECES = 4000
"""Of the vocabulary, the likeliest first: with all of them the library would take 70 MB of this process."""
MOST_GROWTH = 30.0
"""MB of a process that opens the whole vocabulary and reads with it; 15 are measured, with the library 71."""
WORDS = st.sampled_from(
    "harbour ferries Öffnungszeiten l'été señor 18:45 会议在哪里 カフェ <s> </s> <unk> ﬁne ①② Ａ \u2581x e\u0301 \U0001f600".split()
)
SPACES = st.sampled_from([" ", "  ", "\n\t", "\u00a0", "\u3000", ""])


def small_file() -> bytes:
    document = json.loads((FOLDER / "tokenizer.json").read_bytes())
    document["model"]["vocab"] = document["model"]["vocab"][:PIECES]
    return json.dumps(document).encode()


@pytest.fixture(scope="module")
def library() -> Tokenizer:
    return Tokenizer.from_str(small_file().decode())


@pytest.fixture(scope="module")
def unigrams() -> Unigrams:
    return Unigrams(small_file())


def told(library: Tokenizer, text: str) -> list[tuple[int, int, int]]:
    read = library.encode(text, add_special_tokens=False)
    return [(number, start, end) for number, (start, end) in zip(read.ids, read.offsets, strict=True)]


@given(st.one_of(st.text(), st.lists(st.one_of(WORDS, SPACES, st.text(max_size=3))).map("".join)))
@example("The ferry  leaves\u00a0at 18:45.")
@example("ab</s>cd <pad>\u2581 ")
@example("＜s＞ \U0001f600\U0001f601x\U0001f600 \x1c\x00")
@example("x" * 400)
def test_every_token_has_the_librarys_id_and_place(library: Tokenizer, unigrams: Unigrams, text: str) -> None:
    whole = text.encode("utf-8", "replace").decode()
    assert [tuple(token) for token in unigrams.tokens(whole, 10**6)] == told(library, whole)


@given(st.lists(WORDS, max_size=30).map(" ".join), st.integers(0, 20))
def test_of_a_long_text_the_first_tokens_are_the_same(unigrams: Unigrams, text: str, most: int) -> None:
    assert unigrams.tokens(text, most)[:most] == unigrams.tokens(text, 10**6)[:most]


@given(st.integers(0, 200), st.integers(0, 200))
def test_a_pair_that_is_too_long_is_cut_as_by_the_library(library: Tokenizer, one: int, other: int) -> None:
    library.enable_truncation(LONGEST, strategy="longest_first")
    try:
        read = library.encode(" a" * one, " b" * other)
    finally:
        library.no_truncation()
    kept = tuple(read.sequence_ids.count(part) for part in (0, 1))
    assert kept == shared_lengths(len(told(library, " a" * one)), len(told(library, " b" * other)), LONGEST - 4)


def test_a_file_of_another_model_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="vocab"):
        Unigrams(b'{"model": {"type": "BPE", "vocab": {}, "merges": []}, "added_tokens": []}')


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_the_whole_vocabulary_takes_little_memory() -> None:
    program = (
        "import numpy, msgspec, psutil, tokenizers\n"
        "from pathlib import Path\n"
        "from perception.images.freed_memory import give_back_memory\n"
        "from walker.strategies.reader import passage_reader, unigrams\n"
        "process = psutil.Process()\n"
        "before = process.memory_info().rss\n"
        "found = passage_reader._tokenizer()\n"
        "assert len(found.tokens('The ferry leaves at 18:45', 160)) > 5\n"
        "give_back_memory()\n"
        "print((process.memory_info().rss - before) / 1e6)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert float(done.stdout) < MOST_GROWTH
