"""The one table of tools: it names every action, and whatever is made of it agrees with it."""

from __future__ import annotations

import re
from typing import get_args

import msgspec
import pytest

from walker.models.replies import Choice, PageReply, StepReply, schema_of
from walker.prompts import LANGUAGES, shipped_prompt
from walker.seams.actions import Action, Open
from walker.seams.tools import TOOLS, ToolName, declarations, tool_of
from walker.settings import ChosenTool, SwitchedTool

CHOSEN = {tool.name for tool in TOOLS if tool.is_chosen}
STEP = {tool.name for tool in TOOLS} - {"visit"}
"""What a model may choose at a step; `visit` begins a walk."""
_ENTRY = re.compile(r"(?:^- |[.;。；] ?)([a-z_]+)(?:: |：)", re.MULTILINE)
"""How a prompt begins what it says of an action; some share a line."""


def test_every_action_is_a_tool_and_every_tool_an_action() -> None:
    assert {tool.action for tool in TOOLS} == {*get_args(Action), Open}
    assert [tool.name for tool in TOOLS if tool.action is Open] == ["visit"]
    assert {tool.name for tool in TOOLS} == set(get_args(ToolName))
    assert all(tool_of(tool.action.__name__) is tool for tool in TOOLS)
    assert set(get_args(ChosenTool)) == {"run", "search_picture", *get_args(SwitchedTool)} == CHOSEN


def test_a_model_may_choose_each_tool_and_besides_only_see_a_step_again() -> None:
    assert set(get_args(Choice)) - STEP == {"refocus"}
    assert STEP - set(get_args(Choice)) == set()
    for kind in (StepReply, PageReply):
        offered = schema_of(kind, leave_out=frozenset(CHOSEN))["properties"]["action"]["enum"]
        assert set(offered) == (STEP - CHOSEN) | {"refocus"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("prompt", ["step", "explorer"])
def test_the_prompts_speak_of_exactly_the_tools_of_the_table(prompt: str, language: str) -> None:
    text = shipped_prompt(f"{prompt}.{language}").partition("<!-- user -->")[0]
    told = set(_ENTRY.findall(text)) & {*STEP, "refocus"}
    assert told == (STEP - CHOSEN) | {"refocus"}
    more = shipped_prompt(f"tools.{language}").partition("<!-- user -->")[0]
    assert set(_ENTRY.findall(more)) & STEP == CHOSEN
    assert set(re.findall(r'\{% if "(\w+)" in tools %\}', more)) == CHOSEN


def test_arguments_are_the_fields_of_the_action() -> None:
    for tool in TOOLS:
        fields = {one.name: one for one in msgspec.structs.fields(tool.action)}
        assert set(tool.arguments["properties"]) == set(fields)
        assert set(tool.arguments["required"]) == {name for name, one in fields.items() if one.required}
        assert tool.arguments["additionalProperties"] is False
        assert "$ref" not in msgspec.json.encode(tool.arguments).decode()


def test_what_is_declared_has_one_line_that_says_what_it_does() -> None:
    every = declarations(CHOSEN)
    assert [one["name"] for one in every] == [tool.name for tool in TOOLS]
    assert all(one["description"].endswith(".") and "\n" not in one["description"] for one in every)
    assert len({one["description"] for one in every}) == len(every)
    assert {one["name"] for one in declarations()} == {tool.name for tool in TOOLS} - CHOSEN


def test_a_call_with_declared_arguments_becomes_the_action() -> None:
    calls: dict[str, dict[str, object]] = {
        "follow": {"link_id": 3},
        "crop": {"box": [0, 0, 1, 0.5], "image_index": 1},
        "type": {"control_id": 2, "text": "a"},
    }
    for name, arguments in calls.items():
        tool = next(tool for tool in TOOLS if tool.name == name)
        made = msgspec.convert({"type": tool.action.__name__, **arguments}, Action)
        assert type(made) is tool.action
