"""The one table of tools: what a walk can be asked to do, by name, with the action that each becomes.

Prompts name these tools, exported trajectories and other programs declare them. Descriptions and arguments are those of the
actions, so that neither can go stale.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any, Literal

import msgspec

from walker.seams.actions import (
    Click,
    Crop,
    FollowLink,
    GiveAnswer,
    GoBack,
    Ground,
    Jump,
    NextPage,
    Open,
    ReadLetters,
    ReadPart,
    RunCode,
    Scroll,
    Search,
    SearchPicture,
    TypeText,
)

ToolName = Literal[
    "visit",
    "next",
    "follow",
    "jump",
    "read",
    "click",
    "type",
    "search",
    "scroll",
    "crop",
    "search_picture",
    "run",
    "ocr",
    "ground",
    "back",
    "answer",
]


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool, and the action that a call of it becomes."""

    name: ToolName
    action: type[msgspec.Struct]
    """Of `Action`; that of `visit` is the move which begins a walk."""
    is_chosen: bool = False
    """Whether it is offered only where a user switches it on."""

    @property
    def description(self) -> str:
        """One line: what the action's own documentation says."""
        said = " ".join((self.action.__doc__ or "").split()).removeprefix("Move: ")
        return said[:1].upper() + said[1:]

    @property
    def arguments(self) -> dict[str, Any]:
        """JSON Schema of the arguments: the fields of the action."""
        return _schema_of(self.action)

    @property
    def declared(self) -> dict[str, Any]:
        """The declaration as plain values, in the form that chat templates and the Model Context Protocol share."""
        return {"name": self.name, "description": self.description, "parameters": self.arguments}


TOOLS: tuple[Tool, ...] = (
    Tool(name="visit", action=Open),
    Tool(name="next", action=NextPage),
    Tool(name="follow", action=FollowLink),
    Tool(name="jump", action=Jump),
    Tool(name="read", action=ReadPart),
    Tool(name="click", action=Click),
    Tool(name="type", action=TypeText),
    Tool(name="search", action=Search),
    Tool(name="scroll", action=Scroll),
    Tool(name="crop", action=Crop),
    Tool(name="ocr", action=ReadLetters, is_chosen=True),
    Tool(name="ground", action=Ground, is_chosen=True),
    Tool(name="search_picture", action=SearchPicture, is_chosen=True),
    Tool(name="run", action=RunCode, is_chosen=True),
    Tool(name="back", action=GoBack),
    Tool(name="answer", action=GiveAnswer),
)
"""In the order in which a prompt says what is possible; `visit` begins a walk, and is no choice of a step."""


def tool_of(action: str) -> Tool | None:
    """The tool that becomes an action of this class name, None for no tool."""
    return next((tool for tool in TOOLS if tool.action.__name__ == action), None)


def declarations(chosen: Collection[str] = ()) -> tuple[dict[str, Any], ...]:
    """The declarations of all tools, of those to be switched on only the `chosen` ones."""
    return tuple(tool.declared for tool in TOOLS if not tool.is_chosen or tool.name in chosen)


@cache
def _schema_of(action: type[msgspec.Struct]) -> dict[str, Any]:
    (whole,), parts = msgspec.json.schema_components([action])
    schema = _resolved(whole, parts)
    fields = {name: one for name, one in schema["properties"].items() if name != "type"}
    required = [name for name in schema.get("required", ()) if name in fields]
    return {"type": "object", "properties": fields, "required": required, "additionalProperties": False}


def _resolved(schema: Any, parts: dict[str, Any]) -> Any:
    """The schema with each part in its place, without titles."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            return _resolved(parts[schema["$ref"].rsplit("/", 1)[-1]], parts)
        return {name: _resolved(inner, parts) for name, inner in schema.items() if name != "title"}
    return [_resolved(inner, parts) for inner in schema] if isinstance(schema, list) else schema
