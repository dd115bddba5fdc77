"""TRL export: one line of JSON per walk, `messages` in the conversational format with tool calls, and `tools`."""

from __future__ import annotations

from typing import Any

import msgspec

from traces.export.training.messages import as_said, asked, concluded
from traces.export.training.pictures import picture_path
from traces.export.training.trajectory import Trajectory
from traces.store.blobs import BlobRef

SHOWN = "What it shows, enlarged."


def trl_line(trajectory: Trajectory) -> bytes:
    """`{"id", "messages", "tools", "thoughts"}` for `SFTTrainer`; the chat template renders the calls in its model's syntax. With
    pictures it is a vision line: `images`, and each content in parts. Pictures of a tool are the user's next message, since TRL (1.16)
    takes none in a tool's."""
    pictured = bool(trajectory.shown)
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": content_of(asked(trajectory), trajectory.pictures, pictured=pictured)}
    ]
    for number, turn in enumerate(trajectory.turns):
        call = {
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": turn.tool, "arguments": turn.arguments},
        }
        thought = content_of(f"<think>{as_said(turn.think)}</think>", (), pictured=pictured)
        messages.append({"role": "assistant", "content": thought, "tool_calls": [call]})
        content = content_of(as_said(turn.response), (), pictured=pictured)
        messages.append({"role": "tool", "name": turn.tool, "tool_call_id": call["id"], "content": content})
        if turn.pictures:
            messages.append({"role": "user", "content": content_of(SHOWN, turn.pictures, pictured=True)})
    messages.append({"role": "assistant", "content": content_of(concluded(trajectory), (), pictured=pictured)})
    line: dict[str, object] = {
        "id": trajectory.run_id,
        "messages": messages,
        "tools": [declared(tool) for tool in trajectory.tools],
        "thoughts": trajectory.thoughts,
    }
    if pictured:
        line["images"] = [picture_path(picture) for picture in trajectory.shown]
    return msgspec.json.encode(line) + b"\n"


def declared(tool: dict[str, Any]) -> dict[str, Any]:
    """A tool as chat templates take it."""
    return {"type": "function", "function": tool}


def content_of(text: str, pictures: tuple[BlobRef, ...], *, pictured: bool) -> str | list[dict[str, str]]:
    """A text, in a vision line as parts: places of pictures before the text."""
    if not pictured:
        return text
    return [*({"type": "image"} for _ in pictures), {"type": "text", "text": text}]
