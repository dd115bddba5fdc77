"""A proposal that is thought about before it is known to be needed."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from walker.seams.actions import Action


class Lookahead:
    """An explorer at work in a task of its own, about the page of one step."""

    def __init__(self, task: asyncio.Task[Action], needed: asyncio.Event, step: int) -> None:
        self._task, self._needed = task, needed
        self.step = step

    @classmethod
    def begin(cls, propose: Coroutine[Any, Any, Action], needed: asyncio.Event, step: int) -> Lookahead:
        """Start thinking; `needed` is set when the proposal is wanted."""
        return cls(asyncio.create_task(propose), needed, step)

    async def result(self) -> Action:
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
