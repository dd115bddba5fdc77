"""Retries failed calls that may succeed later. walker/assembly.py wraps it around an endpoint."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import msgspec

from walker.errors import EndpointUnusable
from walker.seams.chat import ChatFailure, ChatReply, ChatRequest
from walker.seams.protocols import ChatModel

ATTEMPTS = 3
FIRST_WAIT_SECONDS = 0.5
"""Wait before the second attempt; it doubles before each further one."""
LONGEST_WAIT_SECONDS = 30.0
"""A call whose server asks for a longer wait fails."""
WORTH_ANOTHER = frozenset(("rate_limited", "server_error", "unreachable", "timeout"))
"""Failures of a server that did not answer, and may the next time."""


class RetryingChat:
    """A `ChatModel` that retries with exponential backoff. An endpoint that was never reached raises an error at once: its address
    is wrong, and the user did not ask for a walk without the model."""

    def __init__(
        self, inner: ChatModel, *, address: str = "", sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._inner, self._address, self._sleep = inner, address, sleep
        self._was_reached = False

    async def complete(self, request: ChatRequest) -> ChatReply | ChatFailure:
        """The first reply, or the last failure."""
        wait = FIRST_WAIT_SECONDS
        for attempt in range(1, ATTEMPTS + 1):
            answer = await self._inner.complete(request)
            answer = msgspec.structs.replace(answer, attempts=attempt)
            if isinstance(answer, ChatReply) or answer.kind != "unreachable":
                self._was_reached = True
            if isinstance(answer, ChatReply) or answer.kind not in WORTH_ANOTHER:
                return answer
            pause = answer.retry_after or wait
            if attempt == ATTEMPTS or pause > LONGEST_WAIT_SECONDS:
                return self._given_up(answer)
            await self._sleep(pause)
            wait *= 2
        raise AssertionError("the last attempt returns")

    def _given_up(self, failure: ChatFailure) -> ChatFailure:
        if self._was_reached:
            return failure
        raise EndpointUnusable(
            f"the model's endpoint cannot be reached ({failure.message})",
            where=self._address,
            advice="Check that address, and that the server runs",
        )
