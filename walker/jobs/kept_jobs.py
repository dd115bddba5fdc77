"""Work that outlasts a call: each piece has a file, so that its result is there after a restart, and what was cut off can go on."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from traces.store.atomic_file import write_atomically
from traces.store.file_lock import is_locked, lock_exclusively
from walker.errors import TraceUnwritable, UsageError, WalkerError
from walker.handover.open_question import OpenQuestion
from walker.jobs.event_log import OWN, RESTARTED, EventLog, EventReader, KeptEvent
from walker.seams.searches import is_own_page

JobState = Literal["running", "done", "failed", "interrupted", "paused", "cancelled"]
"""As its file has it; work that waits for its turn is `running` there too, so that a restart begins it."""
ENDED = frozenset(("done", "failed", "cancelled"))
LAST_EVENT = "job.ended"
_ID = re.compile(r"[a-z]+-[0-9a-f]{12}")


class QueueIsFull(WalkerError):
    """As much work waits as may wait; nothing was begun."""


class JobRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One piece of work as its file has it."""

    id: str
    tool: str
    arguments: dict[str, Any]
    state: JobState = "running"
    result: dict[str, Any] = {}
    error: str = ""
    """In one line, with advice; "" unless it failed."""
    created: float = 0.0
    """Seconds since the epoch, UTC."""
    ended: float = 0.0
    """The same; 0 until it ends."""
    run: str = ""
    """Name of the run that is recorded, "" before it begins and for crawls."""
    pages: int = 0
    """Pages that were opened, as far as is known when it ends."""
    pinned: bool = False
    """Whether it is kept however old it is."""


class JobProgress:
    """What a piece of work has come to so far, and whom it tells."""

    def __init__(
        self,
        run: str = "",
        log: EventLog | None = None,
        wake: Callable[[], None] | None = None,
        began: Callable[[str], None] | None = None,
    ) -> None:
        """`run` is that of an earlier start, `log` keeps the events of the work, and `wake` is called after each. `began` is told the
        name of a new run."""
        self.pages, self.last, self.run = 0, "", run
        self.person: OpenQuestion | None = None
        """Who is asked where the work is not sure, None for nobody."""
        self.so_far: dict[str, Any] = {}
        """The result as far as there is one, of work that is stopped before it is over."""
        self._log, self._wake, self._began = log, wake, began
        self._known = 0
        """Events still to come that were told before a restart."""

    def page(self, url: str) -> None:
        """One page more was opened; a page of our own, such as one of hits, is in no budget and is none."""
        if not is_own_page(url):
            self.pages += 1
            self.last = url

    def began(self, run: str) -> None:
        """A run is recorded under this name."""
        self.run = run
        if self._began is not None:
            self._began(run)

    def repeats(self) -> None:
        """What comes now came before, from the first event on: as many as were told are not told again."""
        self._known = self._log.told if self._log is not None else 0

    def restarts(self) -> None:
        """What was begun cannot go on, and begins again."""
        self.pages, self._known, self.so_far = 0, 0, {}
        self.tell(RESTARTED, {})

    def tell(self, event: str, data: Any) -> None:
        """Keep an event for those who follow. Raises `TraceUnwritable`."""
        if self._known and not event.startswith(OWN):
            self._known -= 1
            return
        if self._log is None:
            return
        try:
            self._log.add(event, data, round(time.time(), 3))
        except OSError as error:
            raise TraceUnwritable(f"events cannot be written ({error.strerror})", advice="Free some space") from None
        if self._wake is not None:
            self._wake()


Work = Callable[[str, Mapping[str, Any], JobProgress], Awaitable[dict[str, Any]]]
"""Does a piece of work, given its id and its arguments; its result is plain JSON. Raises a `WalkerError`."""


class RunningJob:
    """A piece of work of this process."""

    def __init__(self, record: JobRecord) -> None:
        self.record, self.progress = record, JobProgress()
        self.is_begun = False
        """Whether its turn has come."""
        self.wanted: Literal["", "paused", "cancelled"] = ""
        """What somebody asked it to be."""
        self.task: asyncio.Task[JobRecord]


class Jobs:
    """The pieces of work of a folder; several servers may share it."""

    def __init__(
        self, folder: Path, works: Mapping[str, Work], *, at_once: int, most_waiting: int = 0, events: bool = False
    ) -> None:
        """`works` by the names of the tools. At most `most_waiting` wait for their turn, 0 for any number; with `events` what happens
        is kept beside each record. Raises `TraceUnwritable` where the folder cannot be made."""
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            advice = "Choose another folder with --data"
            raise TraceUnwritable(f"cannot be written ({error.strerror})", where=str(folder), advice=advice) from None
        self._folder, self._works = folder, works
        self._turn, self._most_waiting, self._events = asyncio.Semaphore(at_once), most_waiting, events
        self.running: dict[str, RunningJob] = {}
        self._followers: dict[str, set[asyncio.Event]] = {}
        self.on_end: Callable[[JobRecord], None] = lambda _: None
        """Called with each record that ended here, once it is kept."""

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return sum(not one.is_begun for one in self.running.values())

    def start(self, tool: str, arguments: Mapping[str, Any], name: str = "") -> RunningJob:
        """A new piece of work, begun; its id is `name` if that is given. Raises `TraceUnwritable` and `QueueIsFull`."""
        if self._most_waiting and self.waiting >= self._most_waiting:
            raise QueueIsFull(f"{self.waiting} jobs wait already", advice="Try again later")
        name = name or f"{tool}-{secrets.token_hex(6)}"
        record = JobRecord(id=name, tool=tool, arguments=dict(arguments), created=round(time.time(), 3))
        self._keep(record)
        return self._begin(record)

    def find(self, name: str) -> RunningJob | JobRecord:
        """A piece of work by its id; one that no process works on is `interrupted`. Raises `UsageError`."""
        if name in self.running:
            return self.running[name]
        path = self._path(name)
        try:
            record = msgspec.json.decode(path.read_bytes(), type=JobRecord)
        except (OSError, msgspec.DecodeError):
            raise _unknown(name) from None
        if record.state == "running" and not is_locked(path.with_suffix(".lock")):
            return msgspec.structs.replace(record, state="interrupted")
        return record

    def record_of(self, name: str) -> JobRecord:
        """The record of a piece of work, whoever works on it. Raises `UsageError`."""
        found = self.find(name)
        return found.record if isinstance(found, RunningJob) else found

    def names(self) -> list[str]:
        """The ids of all pieces of work, in no order."""
        return [path.stem for path in self._folder.glob("*.json") if _ID.fullmatch(path.stem)]

    def go_on(self, record: JobRecord) -> RunningJob:
        """What was interrupted or paused, begun again: where it was, as far as that was recorded."""
        kept = msgspec.structs.replace(record, state="running")
        if record.state == "paused":
            self._keep(kept)
        return self._begin(kept)

    async def pause(self, name: str) -> JobRecord:
        """Stop work that runs or waits, to go on later; what has ended stays as it is. Raises `UsageError`."""
        return await self._stop(name, "paused")

    async def cancel(self, name: str) -> JobRecord:
        """End work that has not ended; what was recorded stays. Raises `UsageError`."""
        return await self._stop(name, "cancelled")

    def pin(self, name: str, *, is_pinned: bool) -> JobRecord:
        """Keep a piece of work however old it is, or no longer. Raises `UsageError` for one that runs elsewhere."""
        found = self.find(name)
        if isinstance(found, RunningJob):
            found.record = msgspec.structs.replace(found.record, pinned=is_pinned)
            self._keep(found.record)
            return found.record
        stored = msgspec.structs.replace(found, pinned=is_pinned)
        self._keep(msgspec.structs.replace(stored, state="running") if found.state == "interrupted" else stored)
        return stored

    def remove(self, name: str) -> None:
        """Remove the files of work that does not run here."""
        path = self._path(name)
        for suffix in (".events", ".lock", ".told", ".json"):
            path.with_suffix(suffix).unlink(missing_ok=True)

    async def follow(self, name: str, after: int, pause: float) -> AsyncIterator[tuple[int, KeptEvent] | None]:
        """The events behind an id, those that come included, to the last one; None whenever `pause` seconds brought none. Raises
        `UsageError`."""
        self.find(name)
        reader, woken = EventReader(self._path(name).with_suffix(".events"), after), asyncio.Event()
        followers = self._followers.setdefault(name, set())
        followers.add(woken)
        is_completed = False
        try:
            while True:
                woken.clear()
                has_ended = name not in self.running and self.record_of(name).state in ENDED
                for number, event in reader.more():
                    yield number, event
                if reader.last == LAST_EVENT:
                    return
                if has_ended:  # a kill came between its record and its last event
                    if is_completed:
                        return  # it cannot be written
                    is_completed = True
                    with self._log_of(name) as log:
                        self._tell_state(log, self.record_of(name))
                    continue
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(pause):
                        await woken.wait()
                    continue
                yield None
        finally:
            followers.discard(woken)
            if not followers:
                self._followers.pop(name, None)

    async def close(self) -> None:
        """Interrupt what runs; its file says so by having no owner."""
        tasks = [one.task for one in self.running.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _stop(self, name: str, state: Literal["paused", "cancelled"]) -> JobRecord:
        found = self.find(name)
        if not isinstance(found, RunningJob):
            if found.state in {*ENDED, state, "running"}:
                return found  # of another server, if it runs
            return self._ended_as(found, state)
        if found.wanted:  # somebody else is about to stop it
            await asyncio.wait({found.task})
            return await self._stop(name, state)
        if found.task.done():
            return found.task.result()
        found.wanted = state
        self._keep(msgspec.structs.replace(found.record, state=state))  # what a kill would leave now
        found.task.cancel()
        await asyncio.wait({found.task})
        if not found.task.cancelled():
            return found.task.result()
        self.running.pop(name, None)
        stopped = msgspec.structs.replace(
            found.record, pages=found.progress.pages, result=found.progress.so_far or found.record.result
        )
        return self._ended_as(stopped, state)

    def _ended_as(self, record: JobRecord, state: Literal["paused", "cancelled"]) -> JobRecord:
        ended = round(time.time(), 3) if state in ENDED else 0.0
        kept = msgspec.structs.replace(record, state=state, ended=ended)
        self._keep(kept)
        with self._log_of(record.id) as log:
            self._tell_state(log, kept)
        if state in ENDED:
            self.on_end(kept)
        return kept

    def _begin(self, record: JobRecord) -> RunningJob:
        running = self.running[record.id] = RunningJob(record)
        running.task = asyncio.create_task(self._work(running))
        running.task.add_done_callback(lambda _: self._forget(running))
        return running

    def _forget(self, running: RunningJob) -> None:
        if self.running.get(running.record.id) is running:
            del self.running[running.record.id]

    async def _work(self, running: RunningJob) -> JobRecord:
        name = running.record.id
        with self._owned(name), self._log_of(name) as log:
            running.progress = JobProgress(
                running.record.run, log, lambda: self._wake(name), lambda run: self._keep_run(running, run)
            )
            async with self._turn:
                running.is_begun = True
                if self._events:
                    running.progress.tell("job.started", {"id": name})
                ended = await self._ended(running)
            ended = msgspec.structs.replace(
                ended,
                state=running.wanted or ended.state,
                pinned=running.record.pinned,
                ended=round(time.time(), 3),
                pages=running.progress.pages,
            )
            self._keep(ended)
            self._tell_state(log, ended)
        if ended.state in ENDED:
            self.on_end(ended)
        return ended

    async def _ended(self, running: RunningJob) -> JobRecord:
        record = running.record
        try:
            result = await self._works[record.tool](record.id, record.arguments, running.progress)
        except WalkerError as error:
            so_far = running.progress.so_far
            return msgspec.structs.replace(running.record, state="failed", error=str(error), result=so_far)
        return msgspec.structs.replace(running.record, state="done", result=result)

    def _keep_run(self, running: RunningJob, run: str) -> None:
        running.record = msgspec.structs.replace(running.record, run=run)
        self._keep(running.record)

    def _tell_state(self, log: EventLog | None, record: JobRecord) -> None:
        event = LAST_EVENT if record.state in ENDED else f"job.{record.state}"
        if log is not None:
            with contextlib.suppress(OSError):  # the record says it too
                log.add(event, {"state": record.state, "error": record.error}, round(time.time(), 3))
        self._wake(record.id)

    def _wake(self, name: str) -> None:
        for woken in self._followers.get(name, ()):
            woken.set()

    @contextlib.contextmanager
    def _log_of(self, name: str) -> Iterator[EventLog | None]:
        if not self._events:
            yield None
            return
        path = self._path(name).with_suffix(".events")
        try:
            log = EventLog(path)
        except OSError as error:
            raise TraceUnwritable(f"cannot be written ({error.strerror})", where=str(path)) from None
        with contextlib.closing(log):
            yield log

    def _keep(self, record: JobRecord) -> None:
        path = self._path(record.id)
        try:
            write_atomically(path, msgspec.json.encode(record), mode=0o600)
        except OSError as error:
            raise TraceUnwritable(f"cannot be written ({error.strerror})", where=str(path)) from None

    @contextlib.contextmanager
    def _owned(self, name: str) -> Iterator[None]:
        """Within the block other processes know that somebody works on it, however this one ends."""
        path = self._path(name).with_suffix(".lock")
        file = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            if not lock_exclusively(file):
                raise UsageError("another server works on this job", where=name, advice="Ask that one, or wait")
            yield
        finally:
            path.unlink(missing_ok=True)
            os.close(file)

    def _path(self, name: str) -> Path:
        if not _ID.fullmatch(name):
            raise _unknown(name)
        return self._folder / f"{name}.json"


def _unknown(name: str) -> UsageError:
    return UsageError(
        "there is no such job", where=name[:40], advice="Give the id that a call returned with state running"
    )


msgspec.json.Decoder(JobRecord)  # described at import: docs/design/msgspec.md
