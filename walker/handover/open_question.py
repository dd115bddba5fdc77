"""What a walk asks while it waits: it stands until somebody chooses, at whatever place they see it, or the time is over."""

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
    """Of the pause, from 1, so that a late press answers no later one."""
    pause: Pause
    until: float
    """When the walk goes on without, in seconds since the epoch, UTC."""


class NotAsked(UsageError):
    """An answer to what is not asked, or not any more."""


class NoSuchChoice(UsageError):
    """An answer that is none of the choices."""


class OpenQuestion:
    """What one walk asks, again and again."""

    def __init__(
        self,
        tell: Callable[[str, Any], None] = lambda *_: None,
        longer: Callable[[float], None] = lambda _: None,
        seconds: float = WAIT_SECONDS,
    ) -> None:
        """`tell` is given an event for each pause and its end; `longer` the seconds by which a pause may put that of the work off."""
        self._tell, self._longer, self._seconds = tell, longer, seconds
        self._number = 0
        self._chosen: asyncio.Future[int] | None = None
        self.asked: Asked | None = None

    async def ask(self, pause: Pause) -> int:
        """The number of the choice that was pressed, 0 for none."""
        self.put(pause)
        return await self.chosen()

    def put(self, pause: Pause) -> Asked:
        """Have it stand from now on."""
        self._number += 1
        self._chosen = asyncio.get_running_loop().create_future()
        self._longer(self._seconds)
        until = round(time.time() + self._seconds, 1)
        self.asked = Asked(number=self._number, pause=pause, until=until)
        self._tell(ASKS, {"number": self._number, "text": pause.text})
        return self.asked

    async def chosen(self) -> int:
        """What comes of what was put; it stands no more then."""
        assert self._chosen is not None, "put before"
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
        """Take what was pressed; 0 is to go on without. Raises `NotAsked` where that is not asked now, and `NoSuchChoice`."""
        if self.asked is None or self.asked.number != number or self._chosen is None or self._chosen.done():
            raise NotAsked("this is not asked any more", advice="Look again at what is asked now")
        most = len(self.asked.pause.choices)
        if not 0 <= choice <= most:
            raise NoSuchChoice("there is no such choice", where=f"choice {choice}", advice=f"Choose from 0 to {most}")
        self._chosen.set_result(choice)
