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

from walker.handover.live_handover import ask_by
from walker.seams.web.handover import WHAT_IS_IN_THE_WAY, Obstacle

WAIT_SECONDS = 300.0
_QUESTION = "person"
_NOTHING: dict[str, Any] = {"type": "object", "properties": {}}
"""The form: what a person types stands in the browser's window, never in a message."""
_RETURNED_SINCE = "2026-07-28"
"""Version of the protocol in which a server sends no requests of its own."""


def can_ask(ctx: Context[Any, Any]) -> bool:
    """Whether the client of a call shows questions to a person."""
    wanted = ClientCapabilities(elicitation=ElicitationCapability())
    return bool(ctx.session.check_client_capability(wanted))


class AskedClient:
    """Asks the person at the client of one piece of work. Only walks that may ask a person do (`Settings.ask_me`)."""

    def __init__(self) -> None:
        self._message = ""
        self._acted: asyncio.Future[bool] | None = None

    def listen(self) -> None:
        """Walks that begin in this context ask here."""
        ask_by(self._ask)

    @property
    def is_waiting(self) -> bool:
        """Whether a walk waits for a person now."""
        return self._acted is not None and not self._acted.done()

    async def put(self, ctx: Context[Any, Any], work: str) -> InputRequiredResult | None:
        """Put the question to the client of a call that waits for `work`, the id of a job. None once it is answered, or the walk waits
        no longer; else what the call returns, which the client makes again with the answer."""
        if (ctx.protocol_version or "") >= _RETURNED_SINCE:
            form = ElicitRequestFormParams(message=self._message, requested_schema=_NOTHING)
            return InputRequiredResult(input_requests={_QUESTION: ElicitRequest(params=form)}, request_state=work)
        assert self._acted is not None
        asking = asyncio.create_task(self._send(ctx))
        either: set[asyncio.Future[Any]] = {asking, self._acted}
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
            self._end(acted=answer.action == "accept")

    async def _send(self, ctx: Context[Any, Any]) -> None:
        """The question as a request of the server, and take its answer."""
        try:
            answer = await ctx.session.elicit_form(self._message, _NOTHING, related_request_id=ctx.request_id)
        except MCPError:
            self._end(acted=False)
        else:
            self._end(acted=answer.action == "accept")

    async def _ask(self, obstacle: Obstacle) -> bool:
        """Whether the person says that they have acted; False where they decline, the time is over or the client is gone."""
        what = f"{obstacle.url} {WHAT_IS_IN_THE_WAY[obstacle.kind]}"
        self._message = f"{what}. Act in the window that has opened, then accept; decline to go on without"
        self._acted = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                return await self._acted
        except TimeoutError:
            return False
        finally:
            self._acted = None

    def _end(self, *, acted: bool) -> None:
        if self._acted is not None and not self._acted.done():
            self._acted.set_result(acted)
