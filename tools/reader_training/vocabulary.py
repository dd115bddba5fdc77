"""The pieces of the vocabulary that the reader keeps: those of the scripts and languages that it reads, a quarter of all."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable
from pathlib import Path

import msgspec
from tokenizers import Tokenizer

from tools.reader_training.base_model import BaseModel
from walker.strategies.reader.passage_reader import LONGEST

COMMON = 30_000
"""Pieces of Latin letters that come first by how often they stand in texts of all languages; further ones must stand in the texts
that are learnt from."""
MARK = "\u2581"
"""Stands for the space before a word."""
EAST_ASIAN = ("CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "FULLWIDTH", "IDEOGRAPHIC")
READ_SCRIPTS = (*EAST_ASIAN, "LATIN")


class Vocabulary(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers of pieces of the base model, in the order of the reader's own numbers."""

    kept: tuple[int, ...]


def all_pieces(base: BaseModel) -> Tokenizer:
    """The tokenizer of the base model."""
    return _tokenizer([*base.pieces], base.special)


def chosen_vocabulary(base: BaseModel, texts: Iterable[str]) -> Vocabulary:
    """What is kept: special pieces, single characters but of scripts that are not read, East Asian pieces, common Latin ones and such
    as stand in the texts."""
    tokenizer = all_pieces(base)
    met: set[int] = set()
    batch: list[str] = []
    for text in texts:
        batch.append(text)
        if len(batch) == 2000:
            met.update(number for one in tokenizer.encode_batch_fast(batch) for number in one.ids)
            batch.clear()
    met.update(number for one in tokenizer.encode_batch_fast(batch) for number in one.ids)
    special = set(base.special.values())
    kept = [
        number
        for number, (piece, _) in enumerate(base.pieces)
        if number in special or number in met or _is_kept(piece.replace(MARK, ""), number)
    ]
    return Vocabulary(kept=tuple(kept))


def _is_kept(piece: str, number: int) -> bool:
    scripts = {_script(character) for character in piece}
    if not scripts <= {"", *READ_SCRIPTS} or piece == "<mask>":
        return False
    return len(piece) <= 1 or number < COMMON or bool(scripts & set(EAST_ASIAN))


def _script(character: str) -> str:
    """Of a letter, its script; "" of a digit or mark of ASCII; "?" of other marks."""
    if character.isascii():
        return "LATIN" if character.isalpha() else ""
    return unicodedata.name(character, "?").split(" ", 1)[0]


def write_tokenizer(base: BaseModel, vocabulary: Vocabulary, file: Path) -> None:
    """The reader's tokenizer, as the library tokenizers reads it."""
    new = {old: place for place, old in enumerate(vocabulary.kept)}
    special = {name: new[number] for name, number in base.special.items()}
    _tokenizer([base.pieces[number] for number in vocabulary.kept], special).save(str(file), pretty=False)


def read_tokenizer(file: Path) -> Tokenizer:
    """As the reader uses it."""
    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST, strategy="longest_first")
    return tokenizer


def _tokenizer(pieces: list[tuple[str, float]], special: dict[str, int]) -> Tokenizer:
    """SentencePiece unigrams over NFKC text; a pair is `<s> question </s></s> text </s>`, the text of type 1."""
    names = {name: pieces[number][0] for name, number in special.items()}
    added = [
        {"id": number, "content": pieces[number][0], "single_word": False, "lstrip": False, "rstrip": False}
        | {"normalized": False, "special": True}
        for number in sorted(special.values())
    ]
    start, end = ({"SpecialToken": {"id": names[name], "type_id": kind}} for name, kind in (("bos", 0), ("eos", 0)))
    closing = {"SpecialToken": {"id": names["eos"], "type_id": 1}}
    first, second = {"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}
    document = {
        "version": "1.0",
        "added_tokens": added,
        "normalizer": {
            "type": "Sequence",
            "normalizers": [{"type": "NFKC"}, {"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": " "}],
        },
        "pre_tokenizer": {"type": "Metaspace", "replacement": MARK, "prepend_scheme": "always", "split": True},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [start, first, end],
            "pair": [start, first, end, end, second, closing],
            "special_tokens": {
                names[name]: {"id": names[name], "ids": [special[name]], "tokens": [names[name]]}
                for name in ("bos", "eos")
            },
        },
        "decoder": {"type": "Metaspace", "replacement": MARK, "prepend_scheme": "always", "split": True},
        "model": {"type": "Unigram", "unk_id": special["unk"], "vocab": [list(one) for one in pieces]},
    }
    return Tokenizer.from_str(json.dumps(document))
