from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walker.models.replies import BadReply, FindReply, FoundReply, JudgeReply, StepReply, read_reply, schema_of
from walker.seams.chat import ChatReply

FOLLOW = '{"action": "follow", "number": 12, "text": "", "reason": "the page named"}'


def said(text: str, **more: str) -> ChatReply:
    return ChatReply(text=text, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        FOLLOW,
        f"Here it is:\n```json\n{FOLLOW}\n```\nGood luck!",
        f"<think>link 3 {{or}} 12?</think>{FOLLOW}",
        f"thinking without an opening tag</think>\n{FOLLOW}",
        f'[THINK]not {{"action": "back"}}[/THINK]{FOLLOW}',
        f'<|channel|>analysis<|message|>{{"action": "back"}}?<|end|><|start|>assistant<|channel|>final<|message|>{FOLLOW}<|return|>',
        f"First I would say {{}} but no. {FOLLOW}",
        f"[{FOLLOW}]",
        '{"Action": " Follow", "Number": "12", "text": null, "reason": "the page named"}',
        '{"action": "follow", "number": 12.0, "reason": "the page named", "confidence": "high"}',
    ],
)
def test_an_action_is_read_however_a_model_wraps_it(text: str) -> None:
    assert read_reply(said(text), StepReply) == StepReply(action="follow", number=12, reason="the page named")


@pytest.mark.parametrize(
    ("box", "read"),
    [
        ("[0.5, 0, 1, 0.25]", (0.5, 0, 1, 0.25)),
        ("[[0.5, 0, 1, 0.25]]", (0.5, 0, 1, 0.25)),
        ('{"left": 0.5, "top": 0, "right": 1, "bottom": 0.25}', (0.5, 0, 1, 0.25)),
        ('"0.5, 0, 1, 0.25"', (0.5, 0, 1, 0.25)),
        ("[0.5, 0, 1, 0.25, 0]", (0.5, 0, 1, 0.25)),
        ("[0.5]", ()),
        ("null", ()),
        ("7", ()),
    ],
)
def test_a_part_of_a_picture_is_read_however_it_is_written(box: str, read: tuple[float, ...]) -> None:
    reply = read_reply(said(f'{{"action": "crop", "number": 1, "box": {box}}}'), StepReply)
    assert reply == StepReply(action="crop", number=1, box=read)


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (said(""), "the reply was empty"),
        (said("<think>all thought and no"), "the reply was empty"),
        (said(f"[THINK]perhaps {FOLLOW} but", finish="length"), "cut off before it said anything"),
        (
            said(f"<|channel|>analysis<|message|>perhaps {FOLLOW} but", finish="length"),
            "cut off before it said anything",
        ),
        (said("", finish="length"), "cut off before it said anything"),
        (said('{"action": "follow", "number"', finish="length"), "was cut off: be shorter"),
        (said("I would follow link 12."), "holds no JSON object"),
        (said('{"action": "fly"}'), "Invalid enum value 'fly'"),
        (said('{"number": 3}'), "missing required field `action`"),
        (said('{"action": "follow", "number": "twelve"}'), "Expected `int`"),
        (said(FOLLOW, refusal="I cannot help with that"), "it was refused: I cannot help"),
        (said(FOLLOW, finish="content_filter"), "it was refused"),
    ],
)
def test_an_unusable_reply_is_explained_in_words_for_the_model(reply: ChatReply, why: str) -> None:
    with pytest.raises(BadReply, match=why):
        read_reply(reply, StepReply)


def test_a_confidence_given_as_a_share_is_a_percentage() -> None:
    text = '{"relevance": "30 points", "findings": [{"answer": "18.4 m", "quote": "is 18.4 metres", "confidence": 0.8}, "x"]}'
    found = FoundReply(answer="18.4 m", quote="is 18.4 metres", confidence=80)
    assert read_reply(said(text), FindReply) == FindReply(relevance=30, findings=(found,))


@given(st.text(max_size=80))
def test_any_text_is_a_reply_or_a_bad_reply(text: str) -> None:
    with contextlib.suppress(BadReply):
        assert isinstance(read_reply(said(text), JudgeReply), JudgeReply)


@given(st.text(max_size=30), st.integers(-5, 99))
def test_what_was_written_as_json_is_read_back(reason: str, number: int) -> None:
    text = f"Well: {json.dumps({'action': 'jump', 'number': number, 'reason': reason})}"
    reply = read_reply(said(text), StepReply)
    assert (reply.action, reply.number, reply.reason) == ("jump", number, reason)


@pytest.mark.parametrize("kind", [FindReply, JudgeReply, StepReply])
def test_schemas_are_as_strict_servers_want_them(kind: type[FindReply]) -> None:
    def check(schema: object) -> None:
        if isinstance(schema, dict):
            assert "$ref" not in schema
            if schema.get("type") == "object":
                assert schema["required"] == list(schema["properties"])
                assert schema["additionalProperties"] is False
            for inner in schema.values():
                check(inner)
        elif isinstance(schema, list):
            for inner in schema:
                check(inner)

    schema = schema_of(kind)
    assert schema["type"] == "object"
    check(schema)
