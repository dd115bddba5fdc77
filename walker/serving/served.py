"""What the routes share: the jobs of the service, in the order in which they were sent, and what is known of each."""

from __future__ import annotations

import asyncio
import bisect
import contextlib
import hashlib
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from traces.viewer.library import Library
from walker.assembly import WalkResources
from walker.errors import UsageError, WalkerError
from walker.handover.open_question import NotAsked, OpenQuestion
from walker.jobs.browser_pool import BrowserPool
from walker.jobs.kept_jobs import JobRecord, Jobs, RunningJob
from walker.jobs.run_views import RunViews
from walker.jobs.server_limits import ServerLimits, at_most
from walker.runs.viewer_tools import WalkTools
from walker.serving.answers import Asks, Job, JobHead, State
from walker.serving.figures import Figures, browser_bytes
from walker.serving.guard import job_key
from walker.serving.retention import Retention, remove_old
from walker.serving.served_work import Profiles, ServedWork
from walker.serving.webhooks import Webhooks
from walker.settings import Settings, WindowPlace

SWEEP_SECONDS = 300.0


class ServiceOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How a service is run."""

    settings: Settings
    """Of every walk; the model is the operator's, never the caller's."""
    data: Path
    """Folder of runs, crawls and jobs; of one service at a time."""
    limits: ServerLimits = ServerLimits()
    most_waiting: int = 1000
    allowed: tuple[str, ...] = ()
    """Hosts that may be opened, `host` or `host:port`; () for all public ones."""
    profiles: Profiles = Profiles()
    keep: Retention = Retention()
    recycle_pages: int = 500
    """Pages after which new jobs get a new browser; 0 for never."""
    recycle_megabytes: int = 2000
    """Memory of all browsers after which likewise."""
    webhook_secret: str = ""
    """What webhooks are signed with; "" where there are none."""


class NotDone(UsageError):
    """The service does not do what a request asks for."""


class KeyTaken(UsageError):
    """Another request was sent under the same idempotency key."""


class Served:
    """The service, apart from HTTP."""

    def __init__(self, options: ServiceOptions, resources: WalkResources, token: str) -> None:
        """Raises `TraceUnwritable` where the folder cannot be written."""
        self.options, self.token = options, token
        limits = options.limits
        self.browsers = BrowserPool(
            resources,
            most_pages=options.recycle_pages,
            most_bytes=options.recycle_megabytes << 20,
            memory=browser_bytes,
        )
        work = ServedWork(options.settings, self.browsers, options.data, limits, options.allowed, options.profiles)
        self._work = work
        self.jobs = Jobs(
            options.data / "jobs",
            work.works(),
            at_once=limits.at_once,
            most_waiting=options.most_waiting,
            events=True,
        )
        work.runs.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.views = RunViews(work.runs, work.crawls)
        self.library = Library(work.runs, tools=WalkTools())
        self.figures = Figures(
            running=lambda: len(self.jobs.running) - self.jobs.waiting,
            waiting=lambda: self.jobs.waiting,
            recycled=lambda: self.browsers.recycled,
        )
        self._webhooks = Webhooks(
            options.data / "jobs",
            options.webhook_secret,
            options.allowed,
            counted=lambda result: self.figures.webhooks.labels(result).inc(),
        )
        self.jobs.on_end = self._ended
        self._order: list[tuple[float, str]] = []
        self.is_ready = False

    @contextlib.asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """Within the block jobs are done; first those that an earlier service left. What runs at its end is interrupted."""
        self._take_up()
        sweeping = asyncio.create_task(self._sweep())
        self.is_ready = True
        try:
            yield
        finally:
            self.is_ready = False
            sweeping.cancel()
            await asyncio.gather(sweeping, return_exceptions=True)
            await self.jobs.close()
            await self._webhooks.close()
            await self.browsers.close()

    async def begin(self, kind: str, given: Mapping[str, Any], key: str) -> JobRecord:
        """A new job; that of an earlier request under the same key. Raises a `WalkerError`."""
        name = f"{kind}-{hashlib.sha256(key.encode()).hexdigest()[:12]}" if key else ""
        if name and (known := self._known(name, given)) is not None:
            return known
        if given.get("webhook") and not self.options.webhook_secret:
            raise NotDone("this service signs no webhooks", advice="Whoever runs it sets WALKER_WEBHOOK_SECRET")
        try:
            await self._work.check(kind, given)
        except WalkerError as error:
            raise NotDone(error.what, where=error.where, advice=error.advice) from None
        if name and (known := self._known(name, given)) is not None:
            return known  # sent twice at once
        record = self.jobs.start(kind, given, name).record
        bisect.insort(self._order, (record.created, record.id))
        return record

    def resume(self, name: str) -> JobRecord:
        """Go on with a job that was paused or interrupted; any other stays as it is. Raises `UsageError`."""
        found = self.jobs.find(name)
        if not isinstance(found, RunningJob) and found.state in ("paused", "interrupted"):
            return self.jobs.go_on(found).record
        return self.jobs.record_of(name)

    def answer(self, name: str, number: int, choice: int) -> JobRecord:
        """Give a job what a person chose. Raises `UsageError` for one that does not exist, `NotAsked` where that is not
        asked, and `NoSuchChoice`."""
        record, person = self.jobs.record_of(name), _person_of(self.jobs.running.get(name))
        if person is None:
            raise NotAsked("this job asks nobody now", where=name)
        person.answer(number, choice)
        return record

    def newest(self, after: str) -> Iterator[JobRecord]:
        """The jobs, the newest first, behind one. Raises `UsageError` for one that does not exist."""
        place = len(self._order)
        if after:
            one = self.jobs.record_of(after)
            place = bisect.bisect_left(self._order, (one.created, one.id))
        for _, name in reversed(self._order[:place]):
            with contextlib.suppress(UsageError):
                yield self.jobs.record_of(name)

    def head(self, record: JobRecord) -> JobHead:
        """A job for its caller, without its result."""
        return JobHead(**self._told(record))

    def job(self, record: JobRecord) -> Job:
        """A job for its caller."""
        is_running = record.state in ("running", "interrupted")
        result = None if is_running else record.result or None
        return Job(**self._told(record), request=record.arguments, result=result)

    def _told(self, record: JobRecord) -> dict[str, Any]:
        running = self.jobs.running.get(record.id)
        return {
            "id": record.id,
            "kind": record.tool,
            "about": _about(record.arguments),
            "state": self._state(record, running),
            "created": record.created,
            "ended": record.ended,
            "pages": running.progress.pages if running is not None else record.pages,
            "most_pages": at_most(int(_wanted(record.arguments, "pages")), self.options.limits.pages),
            "most_seconds": at_most(float(_wanted(record.arguments, "seconds")), self.options.limits.seconds),
            "last_page": running.progress.last if running is not None else "",
            "run": record.run,
            "pinned": record.pinned,
            "error": record.error,
            "window": _window(self.options.settings.windows) if record.arguments.get("ask_me") else "",
            "asks": _asks(_person_of(running)),
            "links": self._links(record),
        }

    @staticmethod
    def _state(record: JobRecord, running: RunningJob | None) -> State:
        return "queued" if running is not None and not running.is_begun else record.state

    def _links(self, record: JobRecord) -> dict[str, str]:
        job = f"/v1/jobs/{record.id}"
        key = f"?key={record.id}.{job_key(self.token, record.id)}" if self.token else ""
        links = {"self": job, "events": f"{job}/events", "live": f"/live/{record.id}{key}"}
        if record.run:
            run = f"/v1/runs/{record.run}"
            links |= {"run": run, "zip": f"{run}/zip", "view": f"/view/#run={record.run}"}
        if record.tool == "crawl":
            crawl = f"/v1/crawls/{record.id}"
            links |= {"items": f"{crawl}/items", "pages": f"{crawl}/pages"}
        return links

    def _known(self, name: str, given: Mapping[str, Any]) -> JobRecord | None:
        try:
            record = self.jobs.record_of(name)
        except UsageError:
            return None
        if record.arguments != dict(given):
            raise KeyTaken("another request was sent under this Idempotency-Key", advice="Take a new key")
        return record

    def _take_up(self) -> None:
        records = sorted((self.jobs.record_of(name) for name in self.jobs.names()), key=lambda one: one.created)
        self._order = [(one.created, one.id) for one in records]
        for record in records:
            if record.state == "interrupted":
                self.jobs.go_on(record)
            else:
                self._webhooks.tell(record)

    def _ended(self, record: JobRecord) -> None:
        self.figures.ended(record)
        self._webhooks.tell(record)

    async def _sweep(self) -> None:
        while self.options.keep != Retention():
            with contextlib.suppress(OSError, WalkerError):  # what could not be removed now is next time
                keep, data = self.options.keep, self.options.data
                gone = set(await asyncio.to_thread(remove_old, self.jobs, data, keep, time.time()))
                self._order = [one for one in self._order if one[1] not in gone]
                self.figures.removed.inc(len(gone))
            await asyncio.sleep(SWEEP_SECONDS)


def _person_of(running: RunningJob | None) -> OpenQuestion | None:
    return running.progress.person if running is not None else None


def _asks(person: OpenQuestion | None) -> Asks | None:
    asked = person.asked if person is not None else None
    if asked is None:
        return None
    return Asks(number=asked.number, until=asked.until, **msgspec.to_builtins(asked.pause))


def _window(place: WindowPlace) -> str:
    """What the caller of a job that may ask a person is told of windows: they are never on the caller's own display."""
    if place == "shown":
        return "A window opens on the display of the machine that runs this service: only somebody at that machine can act in it"
    return "No window can open: the machine that runs this service has no display, so check pages and logins are passed over"


def _wanted(arguments: Mapping[str, Any], what: Literal["pages", "seconds"]) -> float:
    """How many a caller asked for, in the scope of a crawl too; 0 for as many as there may be."""
    return arguments.get(f"max_{what}") or (arguments.get("scope") or {}).get(what) or 0


def _about(arguments: Mapping[str, Any]) -> str:
    """The question of a job, or the address that it begins at."""
    start = arguments.get("root") or arguments.get("url") or next(iter(arguments.get("start", ())), "")
    return str(arguments.get("question") or start)
