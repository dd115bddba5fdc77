"""A proposal that is thought about before it is known to be needed."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextvars import copy_context
from typing import Any

from walker.recording.recording import AHEAD
from walker.seams.actions import Action


class Lookahead:
    """An explorer at work in a task of its own, about the page of one step."""

    def __init__(self, task: asyncio.Task[Action], needed: asyncio.Event, step: int) -> None:
        self._task, self._needed = task, needed
        self.step = step

    @classmethod
    def begin(cls, propose: Coroutine[Any, Any, Action], step: int) -> Lookahead:
        """Start thinking."""
        needed, context = asyncio.Event(), copy_context()
        context.run(AHEAD.set, needed)
        return cls(asyncio.create_task(propose, context=context), needed, step)

    async def spoken(self) -> Action:
        """The proposal; from here on it is needed."""
        self._needed.set()
        try:
            return await self._task
        except asyncio.CancelledError:
            await self.drop()
            raise

    async def drop(self) -> None:
        """Stop thinking: the call to a model is cut off, and stops costing. What went wrong in it is nobody's concern now."""
        self._task.cancel()
        await asyncio.wait((self._task,))
        if not self._task.cancelled():
            self._task.exception()
