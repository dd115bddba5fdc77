"""Asks a chat model for a structured reply."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from walker.models.replies import BadReply, read_reply
from walker.seams.chat import ChatFailure, ChatMessage, ChatRequest
from walker.seams.protocols import ChatModel

TRIES = 2
SHOWN_AGAIN = 1000
"""An unusable reply is truncated to so many characters when it is sent back to its model."""
R = TypeVar("R", bound=msgspec.Struct)


class NoReply(Exception):
    """The model gave no valid reply; the message says why."""


async def ask_for(chat: ChatModel, request: ChatRequest, kind: type[R]) -> R:
    """The reply, parsed and validated; after an invalid one the model is asked once more with the reason. Raises `NoReply`, and
    what `chat` raises."""
    why = ""
    for _ in range(TRIES):
        reply = await chat.complete(request)
        if isinstance(reply, ChatFailure):
            raise NoReply(f"{reply.kind}: {reply.message}")
        try:
            return read_reply(reply, kind)
        except BadReply as error:
            why = str(error)
        again = (
            ChatMessage(role="assistant", content=reply.text[:SHOWN_AGAIN] or "{}"),
            ChatMessage(role="user", content=f"That cannot be used: {why}. Reply with the JSON object alone."),
        )
        request = msgspec.structs.replace(request, messages=request.messages + again)
    raise NoReply(f"the model gave no usable reply: {why}")
