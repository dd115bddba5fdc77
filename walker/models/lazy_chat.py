"""A language model that is made when it is first asked: a replay never asks."""

from __future__ import annotations

from collections.abc import Callable

from walker.seams.chat import ChatFailure, ChatReply, ChatRequest
from walker.seams.protocols import ChatModel


class LazyChat:
    """Implements `seams.ChatModel` by the one that `get` gives, called for each request."""

    def __init__(self, get: Callable[[], ChatModel]) -> None:
        self._get = get

    async def complete(self, request: ChatRequest) -> ChatReply | ChatFailure:
        """Ask it."""
        return await self._get().complete(request)
