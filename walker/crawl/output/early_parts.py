"""Parts in an S3 store that are written while a crawl runs, each once, so that nobody has to wait for its end.

A part has the records that came since the one before, and its name by its place. The manifest lists it once it is there: who is killed
between the two writes that part again, under the same name. Where a page is read a second time its items change: from the first part
that had one of them on all are written again. What the end of the crawl writes (`write_s3_parts`) keeps the parts that are right.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import shutil
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from walker.crawl.output.s3_objects import (
    ROWS_A_PART,
    PartRecord,
    PartsManifest,
    formatted_part,
    name_of_part,
    opened_store,
    put_file,
    read_manifest,
    write_manifest,
)
from walker.crawl.output.spool import ColumnKind, Spool
from walker.crawl.script.destination import S3Parts
from walker.errors import WalkerError

T = TypeVar("T")

SOON_ROWS, SOON_SECONDS = 1_000, 60.0
LATE_SECONDS = 600.0
"""A part is written when so many records have come and a minute is over, or any at all in ten: 600 parts at most in ten hours."""
POLL_SECONDS = 2.0
SLICE = 500
"""Records that are taken out of the job at once, a few milliseconds in which no page is fetched."""
LAST_ROW = 2**62


class StoredItems(Protocol):
    """The items of a job, in order of their rows."""

    def items_after(self, row: int, most: int) -> list[tuple[int, dict[str, Any]]]:
        """Up to so many items behind a row, each with its own."""
        ...

    def count_items(self, after: int, until: int) -> int:
        """Number of items behind a row, up to another."""
        ...


@contextlib.asynccontextmanager
async def parts_kept_up(
    items: StoredItems, to: Iterable[S3Parts], job: str, columns: Iterable[str], folder: Path
) -> AsyncIterator[None]:
    """Within the block, what comes into a job is written as parts; `columns` are those that its script names, `folder` is for files on
    their way. A store that does not answer holds nothing up: the end of the crawl says so."""
    shutil.rmtree(folder, ignore_errors=True)
    is_over = asyncio.Event()
    writers = [EarlyParts(one, job, columns, folder / str(number)) for number, one in enumerate(to)]
    keeping = [asyncio.create_task(_keep_up(items, writer, is_over)) for writer in writers]
    try:
        yield
        is_over.set()
        await asyncio.gather(*keeping)
    finally:
        for task in keeping:
            task.cancel()
        await asyncio.gather(*keeping, return_exceptions=True)
        shutil.rmtree(folder, ignore_errors=True)


class EarlyParts:
    """The parts of one prefix. Its methods block, and are called one after the other."""

    def __init__(self, to: S3Parts, job: str, columns: Iterable[str], folder: Path) -> None:
        self._to, self._job, self._named, self._folder = to, job, tuple(columns), folder
        self._kinds: dict[str, ColumnKind | None] = {}
        self._left: tuple[str, ...] = ()
        self.parts: list[PartRecord] = []

    def begin(self) -> bool:
        """Read what is there; False if those are another crawl's records, which stay until this one ends."""
        with opened_store(self._to) as store:
            manifest = read_manifest(store, self._to)
        if manifest is None:
            return True
        if manifest.job != self._job:
            return False
        self.parts = [part for part in manifest.there if part.until]
        self._left = tuple(part.name for part in manifest.parts if part not in self.parts)
        # A column of texts may be one that had no value yet.
        self._kinds = {name: None if kind == "text" else kind for name, kind in manifest.columns.items()}
        return True

    @property
    def until(self) -> int:
        """The row of the last record that is there."""
        return self.parts[-1].until if self.parts else 0

    def add(self, rows: list[dict[str, Any]], until: int) -> None:
        """Write one more part. Raises a `WalkerError` if the store does not take it."""
        self._folder.mkdir(parents=True, exist_ok=True)
        spool = Spool.fill(self._folder / "records", rows, self._named, self._kinds)
        with opened_store(self._to) as store:
            record, file = formatted_part(spool, self._to, name_of_part(self._to, len(self.parts)))
            put_file(store, f"{self._to.prefix}/{record.name}", file)
            parts = (*self.parts, msgspec.structs.replace(record, until=until))
            self._left = tuple(name for name in self._left if name != record.name)
            write_manifest(store, self._to, self._manifest(parts))
        self.parts = list(parts)

    def cut(self, count: int) -> None:
        """Keep only so many parts; the others have no right records any more. Raises a `WalkerError`."""
        kept = tuple(self.parts[:count])
        self._left = tuple(dict.fromkeys((*(part.name for part in self.parts[count:]), *self._left)))
        with opened_store(self._to) as store:
            write_manifest(store, self._to, self._manifest(kept))
        self.parts = list(kept)

    def _manifest(self, parts: tuple[PartRecord, ...]) -> PartsManifest:
        columns: dict[str, ColumnKind] = {name: kind or "text" for name, kind in self._kinds.items()}
        left = tuple(PartRecord(name=name) for name in self._left)
        rows = sum(part.rows for part in parts)
        return PartsManifest(complete=False, rows=rows, columns=columns, parts=(*parts, *left), job=self._job)


async def _keep_up(items: StoredItems, writer: EarlyParts, is_over: asyncio.Event) -> None:
    with contextlib.suppress(WalkerError, OSError):
        if not await _beside(writer.begin):
            return
        last = time.monotonic()
        while not is_over.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLL_SECONDS):
                    await is_over.wait()
            waited, come = time.monotonic() - last, items.count_items(writer.until, LAST_ROW)
            is_late = waited >= LATE_SECONDS and come
            if is_over.is_set() or not (
                come >= ROWS_A_PART or is_late or (come >= SOON_ROWS and waited >= SOON_SECONDS)
            ):
                continue
            last = time.monotonic()
            # Whoever stumbles once is tried again with the next part.
            with contextlib.suppress(WalkerError, OSError):
                if (right := _right_parts(items, writer.parts)) < len(writer.parts):
                    await _beside(partial(writer.cut, right))
                rows, until = await _take(items, writer.until)
                if rows:
                    await _beside(partial(writer.add, rows, until))


def _right_parts(items: StoredItems, parts: list[PartRecord]) -> int:
    """How many of the first parts have as many records as the job has there."""
    before = 0
    for number, part in enumerate(parts):
        if items.count_items(before, part.until) != part.rows:
            return number
        before = part.until
    return len(parts)


async def _take(items: StoredItems, after: int) -> tuple[list[dict[str, Any]], int]:
    rows: list[dict[str, Any]] = []
    while len(rows) < ROWS_A_PART and (taken := items.items_after(after, SLICE)):
        rows += [item for _, item in taken]
        after = taken[-1][0]
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

    threading.Thread(target=run, name="early-parts", daemon=True).start()
    return await asyncio.wrap_future(done)
