"""The person at the page of a job: what is asked stands there until somebody presses a choice, or the time is over."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import msgspec

from walker.errors import UsageError
from walker.handover.whom_to_ask import WAIT_SECONDS
from walker.seams.web.asked_person import Pause

ASKS, ANSWERED = "job.asks", "job.answered"


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What waits for somebody now."""

    number: int
    """Of the pause in its job, from 1, so that a late press answers no later one."""
    pause: Pause
    until: float
    """When the walk goes on without, in seconds since the epoch, UTC."""


class NotAsked(UsageError):
    """An answer to what is not asked, or not any more."""


class AskedPage:
    """Asks whoever watches one job."""

    def __init__(
        self, tell: Callable[[str, Any], None], longer: Callable[[float], None], seconds: float = WAIT_SECONDS
    ) -> None:
        """`tell` is given the events of the job; `longer` the seconds by which a pause may put its end off."""
        self._tell, self._longer, self._seconds = tell, longer, seconds
        self._number, self._chosen = 0, asyncio.Future[int]()
        self.asked: Asked | None = None

    async def ask(self, pause: Pause) -> int:
        """The number of the choice that was pressed, 0 for none."""
        self._number += 1
        self._chosen = asyncio.get_running_loop().create_future()
        self._longer(self._seconds)
        until = round(time.time() + self._seconds, 1)
        self.asked = Asked(number=self._number, pause=pause, until=until)
        self._tell(ASKS, {"number": self._number, "text": pause.text})
        chosen = 0
        try:
            async with asyncio.timeout(self._seconds):
                chosen = await self._chosen
        except TimeoutError:
            pass
        finally:
            self.asked = None
        self._tell(ANSWERED, {"number": self._number, "choice": chosen})
        return chosen

    def answer(self, number: int, choice: int) -> None:
        """Take what was pressed; 0 is to go on without. Raises `NotAsked` where that is not asked, or there is no such choice."""
        if self.asked is None or self.asked.number != number or self._chosen.done():
            raise NotAsked("this is not asked any more", advice="Read the job again")
        if choice > len(self.asked.pause.choices):
            raise NotAsked(f"there are {len(self.asked.pause.choices)} choices", where=f"choice {choice}")
        self._chosen.set_result(choice)
