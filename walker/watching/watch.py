"""The loop of a watch: check, record, tell, wait."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from walker.errors import WalkerError
from walker.watching.checking import Checking, CrawlCheckFailed
from walker.watching.history import History
from walker.watching.schedule import Schedule
from walker.watching.telling import Command, Message, Untold, Webhook
from walker.watching.watched import Change, Check, Told

LONGEST_SLEEP = 60.0
"""Seconds: a machine that was suspended is late by no more than this."""


class Tellers(msgspec.Struct, frozen=True, kw_only=True):
    """Who is told of a change."""

    webhook: Webhook | None = None
    command: Command | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Of those that are set."""
        return tuple(name for name in ("command", "webhook") if getattr(self, name) is not None)


class Watch:
    """Watches one thing, with its history open."""

    def __init__(
        self,
        folder: Path,
        checking: Checking,
        tellers: Tellers,
        *,
        told: Callable[[Check], None],
        warned: Callable[[str], None],
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`told` is called with each check once it is recorded, `warned` with why somebody could not be told. Raises `UsageError`."""
        self._name, self._checking, self._tellers = folder.name, checking, tellers
        self._told, self._warned, self._clock = told, warned, clock
        self.history = History(folder, checking.what)

    def close(self) -> None:
        """Let another process watch."""
        self.history.close()

    async def once(self) -> Check:
        """Tell what was left untold, check, record, tell. Raises `TraceUnwritable`; a check that fails is recorded as such."""
        await self._tell_all()
        check = await self._check()
        self.history.add(check)
        self._told(check)
        await self._tell_all()
        return check

    async def keep(self, schedule: Schedule, *, most: int = 0) -> list[Check]:
        """Check at each moment of a schedule, `most` times, 0 for without end; one that was missed is made up for at once."""
        done: list[Check] = []
        while True:
            last = next(reversed(self.history.checks), None)
            if last is not None:
                await self._wait(schedule.next_after(last.at))
            done.append(await self.once())
            if most and len(done) >= most:
                return done

    async def _check(self) -> Check:
        before, started = self.history.last_found, self._clock()
        number = len(self.history.checks) + 1
        try:
            found = await self._checking.check(before, max((one.repetition for one in self.history.checks), default=0))
        except WalkerError as error:
            return Check(
                number=number,
                at=started,
                seconds=round(self._clock() - started, 3),
                state="failed",
                error=str(error),
                repetition=error.repetition if isinstance(error, CrawlCheckFailed) else 0,
            )
        is_changed = not found.change.is_none
        return Check(
            number=number,
            at=started,
            seconds=round(self._clock() - started, 3),
            state="first" if before is None else "changed" if is_changed else "same",
            found=found.found,
            change=found.change if before is not None else Change(),
            tells=self._tellers.names if is_changed and before is not None else (),
            repetition=found.repetition,
        )

    async def _tell_all(self) -> None:
        """Tell of each change those who have not heard of it; the first that cannot be told keeps its later ones waiting."""
        stuck: set[str] = set()
        for check, by in self.history.untold:
            if by in stuck or by not in self._tellers.names:
                continue
            message = Message(
                id=f"{self.history.id}-{check.number}",
                watch=self._name,
                what=dict(self._checking.what),
                check=check,
                lines=check.change.lines,
            )
            try:
                detail = await self._tell(by, message)
            except Untold as error:
                stuck.add(by)
                self._warned(f"{by}: {error}; it is tried again with the next check")
                continue
            self.history.add(Told(number=check.number, by=by, at=self._clock(), detail=detail))

    async def _tell(self, by: str, message: Message) -> str:
        if by == "webhook" and self._tellers.webhook is not None:
            return await self._tellers.webhook.tell(message, self._clock)
        assert self._tellers.command is not None, "names are those of what is set"
        return await self._tellers.command.tell(message)

    async def _wait(self, due: float) -> None:
        # In pieces: the clock of a machine that was suspended jumps.
        while (left := due - self._clock()) > 0:  # noqa: ASYNC110 - nothing sets an event when a moment has come
            await asyncio.sleep(min(left, LONGEST_SLEEP))


async def watch_once(watch: Watch) -> Check:
    """One check, and the history closed."""
    with contextlib.closing(watch):
        return await watch.once()


async def keep_watching(watch: Watch, schedule: Schedule, *, most: int = 0) -> list[Check]:
    """Checks at the moments of a schedule, and the history closed in any case."""
    with contextlib.closing(watch):
        return await watch.keep(schedule, most=most)
