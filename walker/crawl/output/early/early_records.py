"""Records that are written while a crawl runs, so that nobody has to wait for its end: what comes into the job goes to writers
(`early_parts`, `early_tables`) that remember how far they are. A file and a single object take nothing before the end."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import shutil
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

from walker.crawl.output.early.early_parts import EarlyParts
from walker.crawl.output.early.early_tables import EarlyTable
from walker.crawl.output.s3_objects import ROWS_A_PART, PartRecord
from walker.crawl.script.destination import Destination, DuckDbTable, PostgresTable, S3Object, S3Parts
from walker.errors import WalkerError

T = TypeVar("T")

SOON_ROWS, SOON_SECONDS = 1_000, 60.0
LATE_SECONDS = 600.0
"""A part is written when so many records have come and a minute is over, or any at all in ten: 600 parts at most in ten hours."""
POLL_SECONDS = 2.0
SLICE = 500
"""Records that are taken out of the job at once, a few milliseconds in which no page is fetched."""
LAST_ROW = 2**62
EARLY = (S3Parts, DuckDbTable, PostgresTable)
"""Destinations that take records while a crawl runs."""


def told_of_the_end(to: Iterable[Destination], *, is_repetition: bool) -> str:
    """The line on what is written when the crawl ends only, "" where nothing is."""
    late = [one for one in to if is_repetition or not isinstance(one, EARLY)]
    if not late:
        return ""
    names = ", ".join(dict.fromkeys(map(str, late)))
    parts = "".join(f"; {one}/ would get parts as they come" for one in late[:1] if isinstance(one, S3Object))
    return f"written when the crawl ends: {names} (until then they are safe in the job{parts})"


class Coming(Protocol):
    """Records of a job as they come to one place, in an order to which is only added. Rows are numbers that grow."""

    def waiting(self, after: int) -> int:
        """About how many there are behind a row."""
        ...

    def right_parts(self, parts: Sequence[PartRecord]) -> int:
        """How many of the first parts hold what the job has there."""
        ...

    def slices(self, after: int) -> Iterator[tuple[list[dict[str, Any]], int]]:
        """The records behind a row, a few at a time, and the row of the last of them. May be given up in its midst."""
        ...


class StoredItems(Protocol):
    """The items of a job, in order of their rows."""

    def items_after(self, row: int, most: int) -> list[tuple[int, dict[str, Any]]]:
        """Up to so many items behind a row, each with its own."""
        ...

    def count_items(self, after: int, until: int) -> int:
        """Number of items behind a row, up to another."""
        ...


class ComingItems:
    """The items of a job; those of a page that is read a second time have other rows."""

    def __init__(self, items: StoredItems) -> None:
        self._items = items

    def waiting(self, after: int) -> int:
        """See `Coming`."""
        return self._items.count_items(after, LAST_ROW)

    def right_parts(self, parts: Sequence[PartRecord]) -> int:
        """See `Coming`."""
        before = 0
        for number, part in enumerate(parts):
            if self._items.count_items(before, part.until) != part.rows:
                return number
            before = part.until
        return len(parts)

    def slices(self, after: int) -> Iterator[tuple[list[dict[str, Any]], int]]:
        """See `Coming`."""
        while taken := self._items.items_after(after, SLICE):
            after = taken[-1][0]
            yield [item for _, item in taken], after


class EarlyWriter(Protocol):
    """What writes records to one place. Its methods block, are called one after the other, and raise a `WalkerError` or an `OSError`
    if they cannot."""

    parts: list[PartRecord]
    """What is there, in order."""

    def begin(self) -> bool:
        """Read what is there; False if those are another crawl's records, which stay until this one ends."""
        ...

    def add(self, rows: list[dict[str, Any]], until: int) -> None:
        """Write further records, the last of which has this row."""
        ...

    def cut(self, count: int) -> None:
        """Keep only so many parts; the others have no right records any more."""
        ...


@contextlib.asynccontextmanager
async def kept_up(
    coming: Coming, to: Destination, job: str, columns: Iterable[str], folder: Path
) -> AsyncIterator[None]:
    """Within the block, what comes into a job is written to a place, if that takes some of it early; `columns` are those that the
    job's script names, `folder` is for files on their way. A place that does not answer holds nothing up: the end of the crawl says
    so."""
    shutil.rmtree(folder, ignore_errors=True)
    writer = _writer(to, job, tuple(columns), folder)
    if writer is None:
        yield
        return
    is_over = asyncio.Event()
    keeping = asyncio.create_task(_keep_up(coming, writer, is_over))
    try:
        yield
        is_over.set()
        await keeping
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        shutil.rmtree(folder, ignore_errors=True)


def _writer(to: Destination, job: str, columns: tuple[str, ...], folder: Path) -> EarlyWriter | None:
    if isinstance(to, S3Parts):
        return EarlyParts(to, job, columns, folder)
    return EarlyTable(to, job, columns, folder) if isinstance(to, DuckDbTable | PostgresTable) else None


async def _keep_up(coming: Coming, writer: EarlyWriter, is_over: asyncio.Event) -> None:
    with contextlib.suppress(WalkerError, OSError):
        if not await _beside(writer.begin):
            return
        last = time.monotonic()
        while not is_over.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLL_SECONDS):
                    await is_over.wait()
            waited, come = time.monotonic() - last, coming.waiting(_until(writer))
            is_late = waited >= LATE_SECONDS and come
            if is_over.is_set() or not (
                come >= ROWS_A_PART or is_late or (come >= SOON_ROWS and waited >= SOON_SECONDS)
            ):
                continue
            last = time.monotonic()
            # Whoever stumbles once is tried again with the next part.
            with contextlib.suppress(WalkerError, OSError):
                if (right := coming.right_parts(writer.parts)) < len(writer.parts):
                    await _beside(partial(writer.cut, right))
                rows, until = await _take(coming, _until(writer))
                if rows:
                    await _beside(partial(writer.add, rows, until))


def _until(writer: EarlyWriter) -> int:
    """The row of the last record that is there."""
    return writer.parts[-1].until if writer.parts else 0


async def _take(coming: Coming, after: int) -> tuple[list[dict[str, Any]], int]:
    rows: list[dict[str, Any]] = []
    for taken, until in coming.slices(after):
        rows += taken
        after = until
        if len(rows) >= ROWS_A_PART:
            break
        await asyncio.sleep(0)
    return rows, after


async def _beside(work: Callable[[], T]) -> T:
    """Run in a thread that an interrupted crawl does not wait for."""
    done: concurrent.futures.Future[T] = concurrent.futures.Future()

    def run() -> None:
        # Whoever waits may have gone.
        with contextlib.suppress(concurrent.futures.InvalidStateError):
            try:
                done.set_result(work())
            except (WalkerError, OSError) as error:
                done.set_exception(error)
            finally:
                if not done.done():
                    done.set_exception(RuntimeError("a part was not written"))

    threading.Thread(target=run, name="early-records", daemon=True).start()
    return await asyncio.wrap_future(done)
