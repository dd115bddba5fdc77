"""Replies that follow a schema, from a model that knows nothing of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perception.local_model.json_constraint import JsonConstraint, UnsupportedSchema, constrained_choice
from perception.local_model.local_model import LocalModel
from perception.local_model.model_folder import read_folder
from perception.local_model.prompt_text import PromptText
from tests.perception.local_model.reference import QUESTION, drawn
from tests.perception.local_model.tiny import Layout, make_tokenizer, write_folder

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "found": {"type": "boolean"},
        "answer": {"type": "string", "maxLength": 12},
        "marks": {"type": "array", "items": {"type": "integer"}, "maxItems": 3},
        "place": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
        "mark": {"enum": ["e1", "e17", None]},
    },
}
REPLIES = st.fixed_dictionaries(
    {
        "found": st.booleans(),
        "answer": st.text(st.characters(codec="utf-8"), max_size=12).filter(
            lambda text: len(json.dumps(text, ensure_ascii=False)) <= 14
        ),
        "marks": st.lists(st.integers(-99999, 99999), max_size=3),
        "place": st.lists(st.integers(0, 1000).map(lambda number: number / 8), min_size=2, max_size=2),
        "mark": st.sampled_from(["e1", "e17", None]),
    }
)


@settings(max_examples=60, deadline=None)
@given(REPLIES, st.booleans())
def test_every_reply_is_taken_letter_by_letter(reply: dict[str, Any], narrow: bool) -> None:
    ordered = {name: reply[name] for name in SCHEMA["properties"]}
    text = json.dumps(ordered, ensure_ascii=False, separators=(",", ":") if narrow else None)
    hold = JsonConstraint(SCHEMA)
    assert hold.state(text) == "whole"
    assert {hold.state(text[:length]) for length in range(len(text))} == {"open"}


@pytest.mark.parametrize(
    "text",
    [
        "[",
        "```json",
        '{"answer"',
        '{"found": 1',
        '{"found": true}',
        '{"found": true, "answer": "a\n',
        '{"found": true, "answer": "' + "a" * 13,
        '{"found": true, "answer": "", "marks": [01',
        '{"found": true, "answer": "", "marks": [1, 2, 3, ',
        '{"found": true, "answer": "", "marks": [], "place": [1]',
        '{"found": true, "answer": "", "marks": [], "place": [1, 2], "mark": "e2',
    ],
)
def test_what_leads_to_no_reply_is_not_taken(text: str) -> None:
    assert JsonConstraint(SCHEMA).state(text) == "no"


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"$ref": "#/$defs/x"},
        {"anyOf": [{"type": "null"}, {"type": "string"}]},
        {"type": ["string", "null"]},
        {"type": "object"},
        {"type": "object", "properties": {"a": {"type": "object", "properties": {}}}},
        {"type": "array"},
        {"type": "string", "minLength": 3, "maxLength": 2},
    ],
)
def test_a_schema_that_says_more_is_not_held(schema: dict[str, Any]) -> None:
    with pytest.raises(UnsupportedSchema):
        JsonConstraint(schema)


@pytest.mark.parametrize("layout", ["qwen", "square", "tiles"])
def test_a_model_that_knows_nothing_says_what_the_schema_lets_it(tmp_path: Path, layout: Layout) -> None:
    write_folder(tmp_path / "m", layout)
    model = LocalModel.load(tmp_path / "m", device="cpu")
    said = [model.answer([drawn(seed=seed)], QUESTION, schema=SCHEMA, max_tokens=300).text for seed in range(3)]
    for reply in map(json.loads, said):
        assert list(reply) == list(SCHEMA["properties"])
        assert reply["mark"] in ("e1", "e17", None)
    assert len(set(said)) > 1, "the picture still matters"
    free = model.answer([drawn()], QUESTION, max_tokens=8)
    assert model.answer([drawn()], QUESTION, schema={"anyOf": []}, max_tokens=8) == free


def test_a_letter_of_several_tokens_is_said_whole(tmp_path: Path) -> None:
    """Bytes are tokens here: the three of a Chinese letter are the likeliest, one after the other."""
    write_folder(tmp_path / "m")
    text = PromptText(read_folder(tmp_path / "m"))
    tokenizer = make_tokenizer()
    wanted = text.encode('"中文"')
    choose = constrained_choice(JsonConstraint({"type": "string"}), text.decode, text.letter_ids, text.mark_ids)
    said: list[int] = []
    for token in wanted:
        logits = np.zeros(tokenizer.get_vocab_size(), np.float32)
        logits[tokenizer.token_to_id("<|im_end|>")] = 9
        logits[token] = 5
        chosen = choose(said, logits)
        assert chosen == token
        said.append(chosen)
    assert choose(said, np.zeros(tokenizer.get_vocab_size(), np.float32)) is None
    assert text.decode(said) == '"中文"'


def test_where_nothing_likely_fits_a_single_letter_does(tmp_path: Path) -> None:
    write_folder(tmp_path / "m")
    text = PromptText(read_folder(tmp_path / "m"))
    logits = np.linspace(1, 0, make_tokenizer().get_vocab_size()).astype(np.float32)
    logits[text.encode("{")[0]] = -5
    choose = constrained_choice(JsonConstraint(SCHEMA), text.decode, text.letter_ids, text.mark_ids)
    assert choose(text.encode(" "), logits) == text.encode("{")[0]
