"""A reply's schema asks only for what the text of its prompt explains."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from walker.models.replies import AnalysisReply, FindReply, JudgeReply, LocateReply, LookReply, PageReply, StepReply
from walker.settings import ModelSettings
from walker.strategies.model.model_talk import ModelTalk, NoUsableReply
from walker.testing.fakes import ScriptedChat
from walker.workflows.replies import KnownReply

KINDS: dict[str, type[msgspec.Struct]] = {
    "step": PageReply,
    "critic_find": FindReply,
    "critic_judge": JudgeReply,
    "explorer": StepReply,
    "analysis": AnalysisReply,
    "direct": KnownReply,
    "look": LookReply,
    "locate": LocateReply,
}
VALUES = (
    "question task progress known missing findings differ steps more path page earlier controls refused possible root title"
    " site_language picture pictured marks convention thing vain"
).split()


def fields_of(schema: Any) -> Iterator[str]:
    if isinstance(schema, list):
        for inner in schema:
            yield from fields_of(inner)
    if isinstance(schema, dict):
        yield from schema.get("properties", ())
        for inner in schema.values():
            yield from fields_of(inner)


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("given", [(), ("parts",), ("pictures",), ("parts", "pictures")])
async def test_every_field_of_a_schema_stands_in_the_text(name: str, language: str, given: tuple[str, ...]) -> None:
    chat = ScriptedChat(lambda _: "no reply")

    def build(_: int) -> dict[str, object]:
        shown = {value: "shown" if value in given else "" for value in ("parts", "pictures")}
        return {**dict.fromkeys(VALUES, "x"), "most": 8, "next_number": 1, **shown}

    talk = ModelTalk(chat, ModelSettings(name="m"), "seed", repairs=0)
    with pytest.raises(NoUsableReply):
        await talk.ask(name, language, 1, build, KINDS[name], lambda reply: reply)
    (request,) = chat.asked
    assert request.schema is not None
    asked = set(fields_of(request.schema))
    assert {field for field in asked if f'"{field}"' not in request.messages[0].content} == set()
    example = next((line for line in request.messages[0].content.splitlines() if line.startswith("{")), "")
    assert name == "locate" or set(re.findall(r'"(\w+)":', example)) <= asked, (
        "a reply that the text shows is one that the schema takes"
    )
    assert ("part" in asked) == ("parts" in given and name in ("step", "critic_find"))
