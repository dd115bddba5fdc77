"""The net that the reader starts as, and the pieces of its vocabulary that are kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tools.reader_training.base_model import BLOCK, BaseModel, read_base, unpacked
from tools.reader_training.vocabulary import COMMON, Vocabulary, chosen_vocabulary, read_tokenizer, write_tokenizer

PIECES = ("<s>", "<pad>", "</s>", "<unk>", "▁", "▁berth", "s", "の", "港口", "ё", "привет", "9")


def base(pieces: tuple[str, ...] = PIECES) -> BaseModel:
    """A vocabulary alone."""
    return BaseModel(
        width=BLOCK,
        layers=0,
        heads=1,
        pieces=tuple((piece, -float(place)) for place, piece in enumerate(pieces)),
        special={"bos": 0, "eos": 2, "pad": 1, "unk": 3},
        words=np.zeros((len(pieces), 1, 18), np.uint8),
        weights={},
    )


def kept_pieces(vocabulary: Vocabulary, of: BaseModel) -> list[str]:
    return [of.pieces[number][0] for number in vocabulary.kept]


def test_a_block_is_its_scale_times_its_nibbles_low_ones_first() -> None:
    nibbles = np.arange(BLOCK, dtype=np.uint8) % 16
    packed = np.concatenate([np.array([0.5], np.float16).view(np.uint8), nibbles[:16] | (nibbles[16:] << 4)])
    assert unpacked(packed.reshape(1, 1, 18)).tolist() == [[0.5 * (int(one) - 8) for one in nibbles]]


def test_another_format_is_refused_by_its_first_letters() -> None:
    with pytest.raises(ValueError, match="E5S1"):
        read_base(b"GGUF" + bytes(64))


def test_pieces_of_scripts_that_are_read_are_kept_and_others_only_where_a_text_has_them() -> None:
    whole = base()
    assert kept_pieces(chosen_vocabulary(whole, []), whole) == [*PIECES[:9], "9"]
    assert "привет" in kept_pieces(chosen_vocabulary(whole, ["привет"]), whole)


def test_rare_pieces_of_latin_letters_are_kept_where_a_text_has_them() -> None:
    filler = tuple(f"x{place}" for place in range(COMMON))
    whole = base((*PIECES, *filler, "▁quay", "▁crane"))
    kept = kept_pieces(chosen_vocabulary(whole, ["the quay"]), whole)
    assert "▁quay" in kept
    assert "▁crane" not in kept


def test_a_pair_is_a_question_and_a_text_of_the_second_kind_with_its_characters(tmp_path: Path) -> None:
    whole = base()
    vocabulary = chosen_vocabulary(whole, [])
    write_tokenizer(whole, vocabulary, tmp_path / "tokenizer.json")
    encoded = read_tokenizer(tmp_path / "tokenizer.json").encode("berths", "港口の berth9")
    assert encoded.tokens == ["<s>", "▁berth", "s", "</s>", "</s>", "▁", "港口", "の", "▁berth", "9", "</s>"]
    assert encoded.type_ids == [0] * 5 + [1] * 6
    assert encoded.offsets[6:10] == [(0, 2), (2, 3), (3, 9), (9, 10)]
    assert max(encoded.ids) < len(vocabulary.kept)
