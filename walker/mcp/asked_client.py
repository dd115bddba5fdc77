"""The person at a client: told by an elicitation what to do in the window of a walk, and waited for. Clients of MCP 2025-11-25 and
before are sent a request while their call waits; for later ones the call returns the question, and is made again with the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from mcp import MCPError
from mcp.server.mcpserver import Context
from mcp_types import (
    ClientCapabilities,
    ElicitationCapability,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)

from walker.handover.whom_to_ask import WAIT_SECONDS, ask_by
from walker.seams.web.asked_person import Pause

_QUESTION = "person"
_CHOICE = "choice"
_NOTHING: dict[str, Any] = {"type": "object", "properties": {}}
"""The form of an obstacle: what a person types stands in the browser's window, never in a message."""
_RETURNED_SINCE = "2026-07-28"
"""Version of the protocol in which a server sends no requests of its own."""


def can_ask(ctx: Context[Any, Any]) -> bool:
    """Whether the client of a call shows questions to a person."""
    wanted = ClientCapabilities(elicitation=ElicitationCapability())
    return bool(ctx.session.check_client_capability(wanted))


class AskedClient:
    """Asks the person at the client of one piece of work. Only walks that may ask a person do (`Settings.ask_me`)."""

    def __init__(self) -> None:
        self._message, self._form = "", _NOTHING
        self._labels: tuple[str, ...] = ()
        """Of the choices; () where accepting is all that can be done."""
        self._chosen: asyncio.Future[int] | None = None

    def listen(self) -> None:
        """Walks that begin in this context ask here."""
        ask_by(self._ask)

    @property
    def is_waiting(self) -> bool:
        """Whether a walk waits for a person now."""
        return self._chosen is not None and not self._chosen.done()

    async def put(self, ctx: Context[Any, Any], work: str) -> InputRequiredResult | None:
        """Put the question to the client of a call that waits for `work`, the id of a job. None once it is answered, or the walk waits
        no longer; else what the call returns, which the client makes again with the answer."""
        if (ctx.protocol_version or "") >= _RETURNED_SINCE:
            form = ElicitRequestFormParams(message=self._message, requested_schema=self._form)
            return InputRequiredResult(input_requests={_QUESTION: ElicitRequest(params=form)}, request_state=work)
        assert self._chosen is not None
        asking = asyncio.create_task(self._send(ctx))
        either: set[asyncio.Future[Any]] = {asking, self._chosen}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if asking.done():
                asking.result()
        finally:
            asking.cancel()
        return None

    def take(self, answers: Mapping[str, Any] | None) -> None:
        """Take what a call that was made again brings; without an answer the question stays open."""
        answer = (answers or {}).get(_QUESTION)
        if isinstance(answer, ElicitResult):
            self._end(self._number(answer))

    async def _send(self, ctx: Context[Any, Any]) -> None:
        """The question as a request of the server, and take its answer."""
        try:
            answer = await ctx.session.elicit_form(self._message, self._form, related_request_id=ctx.request_id)
        except MCPError:
            self._end(0)
        else:
            self._end(self._number(answer))

    async def _ask(self, pause: Pause) -> int:
        """The number of what the person chooses; 0 where they decline, the time is over or the client is gone."""
        if len(pause.choices) > 1:
            self._labels = tuple(_labels(pause))
            self._form = _form(self._labels)
            self._message = f"{pause.text} (choose, or decline to go on without)"
        else:
            self._labels, self._form = (), _NOTHING
            # A client over HTTP may be anywhere; the window is not.
            self._message = f"{pause.text} on the machine of this server, then accept; decline to go on without"
        self._chosen = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                return await self._chosen
        except TimeoutError:
            return 0
        finally:
            self._chosen = None

    def _number(self, answer: ElicitResult) -> int:
        if answer.action != "accept":
            return 0
        if not self._labels:
            return 1
        said = (answer.content or {}).get(_CHOICE)
        return self._labels.index(said) + 1 if isinstance(said, str) and said in self._labels else 0

    def _end(self, number: int) -> None:
        if self._chosen is not None and not self._chosen.done():
            self._chosen.set_result(number)


def _labels(pause: Pause) -> list[str]:
    """The choices as clients show them, each in its line, with a number so that no two are the same."""
    return [
        " | ".join(filter(None, (f"{number}. {one.text}", one.detail, one.url)))
        for number, one in enumerate(pause.choices, 1)
    ]


def _form(labels: tuple[str, ...]) -> dict[str, Any]:
    field = {"type": "string", "title": "Choice", "enum": list(labels)}
    return {"type": "object", "properties": {_CHOICE: field}, "required": [_CHOICE]}
