"""Further workers of a shared crawl that begin and end with the command: the seam of where they run, and who keeps their number."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Protocol, TypeVar

from walker.errors import WalkerError

QUICK_SECONDS = 20.0
"""A worker that dies within so many seconds has hardly begun: starting takes a few, a browser's start among them."""
QUICK_DEATHS = 5
"""Of workers one after the other, after which it is the fault of what they find there, and the crawl is ended."""
ENDING_SECONDS = 10.0
"""How long workers are given to see that the crawl has ended."""
_Result = TypeVar("_Result")


class HelperLost(WalkerError):
    """A worker died: killed, out of memory, or its machine is gone."""


class HelperPlace(Protocol):
    """Where further workers run."""

    async def __aenter__(self) -> HelperPlace:
        """Make ready. Raises a `WalkerError` where the place cannot be reached."""

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End all that was started."""

    async def help(self) -> None:
        """Start a worker, and return when it sees that the crawl has ended; ends it if cancelled. Raises `HelperLost` where it died,
        and any other `WalkerError` for what no further worker would fare better with."""


class Crew:
    """So many workers, each replaced when it dies. What a dead one had in flight the job gives to others."""

    def __init__(self, place: HelperPlace, workers: int, tell: Callable[[str], None]) -> None:
        """`tell` is given a line when a worker is lost."""
        self._place, self._workers, self._tell = place, workers, tell
        self._tasks: list[asyncio.Task[None]] = []
        self._failed: asyncio.Future[None] | None = None

    async def working(self, crawl: Coroutine[object, object, _Result]) -> _Result:
        """What the crawl comes to, in which `begin` and `end` are called. Raises what it raises, and a `WalkerError` that keeps
        workers from working at all; all workers are ended then."""
        try:
            async with self._place:
                self._failed = asyncio.get_running_loop().create_future()
                work = asyncio.ensure_future(crawl)
                try:
                    await asyncio.wait((work, self._failed), return_when=asyncio.FIRST_COMPLETED)
                    if not work.done():
                        await self._failed
                    return await work
                finally:
                    work.cancel()
                    self._failed.cancel()
                    await asyncio.gather(work, return_exceptions=True)
                    await self._dismiss()
        finally:
            crawl.close()  # never started, if the place could not be entered

    def begin(self) -> None:
        """Start the workers; returns at once."""
        self._tasks = [asyncio.ensure_future(self._keep_one()) for _ in range(self._workers)]

    async def end(self) -> None:
        """Wait until the workers have seen the end of the crawl, and end those that have not."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=ENDING_SECONDS)
        await self._dismiss()

    async def _dismiss(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _keep_one(self) -> None:
        quick, has_ended = 0, False
        try:
            while not has_ended:
                began = time.monotonic()
                try:
                    await self._place.help()
                    has_ended = True
                except HelperLost as lost:
                    quick = quick + 1 if time.monotonic() - began < QUICK_SECONDS else 0
                    if quick == QUICK_DEATHS:
                        raise WalkerError(f"workers die as they start ({lost.what})", where=lost.where) from None
                    self._tell(f"a worker was lost ({lost.what}); another takes its place")
        except WalkerError as error:
            if self._failed is not None and not self._failed.done():
                self._failed.set_exception(error)
