"""Crawls a site: the entry point for programs and the command line."""

from __future__ import annotations

import contextlib
import hashlib
import secrets
import shutil
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from memory.url_key import key_of, origin_of
from walker.crawl.arrived_pages import FOLDER as ARRIVED_FOLDER
from walker.crawl.crawl_browsers import CrawlBrowsers
from walker.crawl.crawl_events import CrawlSink, CrawlStop, Silence
from walker.crawl.crawl_record import FOLDER as RECORD_FOLDER
from walker.crawl.crawl_record import CrawlRecord, record_folder
from walker.crawl.crawl_report import REASONS_TOLD, CrawlReport, make_report
from walker.crawl.crawler import Crawler
from walker.crawl.earlier_records import note_reading
from walker.crawl.errors import JobMismatch
from walker.crawl.fetch.fetching import Fetcher
from walker.crawl.fetch.page_pictures import PagePictures, picture_reader_of
from walker.crawl.fetch.politeness import Pace
from walker.crawl.fetch.retrying import Retries
from walker.crawl.fetch.robots import RobotsRules
from walker.crawl.fetch.site_files import SiteFiles
from walker.crawl.fetch.sitemaps import SitemapWalk
from walker.crawl.fetch.user_agent import agent_of
from walker.crawl.fleet.crew import Crew
from walker.crawl.fleet.fleet_meter import FleetMeter
from walker.crawl.fleet.shared_pace import SharedPace
from walker.crawl.fleet.shared_robots import SharedRobots
from walker.crawl.fleet.shared_script import share_script
from walker.crawl.fleet.telemetry import telemetry_of, telling
from walker.crawl.job.job_schema import STOP
from walker.crawl.job.job_store import FILE_NAME, LOCK_NAME, JobStore
from walker.crawl.job.shared.postgres_base import job_of, without_password
from walker.crawl.job.shared.shared_job import SharedJob
from walker.crawl.job.stored_job import StoredJob
from walker.crawl.job_records import NewPage
from walker.crawl.output.earlier_output import has_earlier
from walker.crawl.output.early.early_pages import ComingPages
from walker.crawl.output.early.early_records import Coming, ComingItems, kept_up
from walker.crawl.output.markdown_files import passages_of, write_markdown_folder
from walker.crawl.output.records import check_destination, write_records
from walker.crawl.pages.page_keeping import PageKeeper
from walker.crawl.script.crawl_scope import CrawlScope
from walker.crawl.script.destination import Destination
from walker.crawl.script.secret_text import secrets_of
from walker.crawl.script.spec import CrawlSpec
from walker.crawl.script.spec_loader import CrawlScript
from walker.crawl.traps.branches import branch_of
from walker.errors import UsageError
from walker.library.filling import LibraryFiller
from walker.library.opening import library_errors, opened_library
from walker.logins.login_use import secrets_of_state
from walker.seams.web.storage_state import NO_STATE, StorageState
from walker.settings import BrowserKind, WindowPlace

SCRIPT, SECONDS, SEEDED, SITEMAPS, RECORDS_OF = "script", "seconds", "seeded", "sitemaps", "records of"
"""Names of the job's settings."""
SCRATCH, EARLY_SCRATCH = "sending", "sending-early"
"""Folders in the job's for records on their way elsewhere, at the end and while it runs."""
SEEDS_AT_A_TIME = 1000
_NOT_THE_JOB = {"output", "concurrency", "name", "polite", "page_seconds", "headers", "proxy"}
"""Keys of a script that may change between two runs of one job."""


class CrawlSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of a crawl besides its script."""

    folder: Path
    """Folder of the job, which is created or resumed."""
    environment: Mapping[str, str] = {}
    """Values of `${NAME}`."""
    chromium: str = ""
    browser: BrowserKind | None = None
    """Which browser renders pages; None for the lightest that is there."""
    windows: WindowPlace = "shown"
    """Where one with a window has it."""
    state: StorageState = NO_STATE
    """Cookies and local storage of a person who has logged in."""
    fresh: bool = False
    """Remove an earlier job from the folder first."""
    again: bool = False
    """Crawl once more over a job that has ended, and compare; one that has not is resumed."""
    address: str = ""
    """Address of a job in Postgres that other workers may share, "" for one in the folder."""
    metrics: int | None = None
    """Port on loopback at which Prometheus may ask for numbers; 0 for any that is free, None for none. A collector is told if the
    environment names one (`OTEL_EXPORTER_OTLP_ENDPOINT`)."""
    is_helper: bool = False
    """Whether another process begins the job, and writes its outputs."""
    library: Path | None = None
    """File of a library to which every page is added before it is done; None for none."""


async def crawl(
    script: CrawlScript,
    settings: CrawlSettings,
    *,
    sink: CrawlSink | None = None,
    opened: Callable[[StoredJob], None] | None = None,
    crew: Crew | None = None,
) -> CrawlReport:
    """Crawl to the end or to a limit, and write the outputs. May be killed at any moment; another call resumes.

    `opened` is called with the job before the first page; a `crew` helps from then on, and has ended before outputs are written.
    Raises a `WalkerError` with a one-line message.
    """
    spec = script.spec
    check_outputs(spec)
    if settings.library is None and any(
        {"pictures", "picture-text"}.intersection(keep) for keep in (spec.keep, *(rule.keep for rule in spec.pages))
    ):
        raise UsageError("pictures are kept in a library", where="keep", advice="Name one with --library FILE")
    with contextlib.closing(open_job(script, settings)) as store:
        if opened is not None:
            opened(store)
        if (ended := _ended(store, spec)) is not None:
            if not store.setting(STOP):
                # The last run was killed between its last page and its end.
                store.keep_setting(STOP, ended)
            return _written(_report(spec, store, settings, ended), spec, store, settings)
        hidden = (*secrets_of(spec, settings.environment), *secrets_of_state(settings.state))
        store.keep_setting(STOP, "")
        note_reading(store, script.functions)
        trace = settings.folder / record_folder(store.repetition)
        told = telemetry_of(settings.metrics, settings.environment, hidden)
        name = job_of(settings.address)[1] if settings.address else settings.folder.name
        with contextlib.ExitStack() as opened_too:
            beyond = opened_too.enter_context(telling(told, name, store, _metered(store, sink or Silence())))
            record = CrawlRecord(trace, spec, beyond, items=store.items, hidden=hidden)
            opened_too.enter_context(contextlib.closing(record))
            before, started = store.done, time.monotonic()
            with _filled(settings.library) as filler:
                async with _sent_early(spec, store, settings):
                    stop = await _crawl_job(script, settings, (store, filler), record, crew)
            speed = (store.done - before) / (time.monotonic() - started)
            report = _report(spec, store, settings, stop, speed)
            record.end(report)
        return _written(report, spec, store, settings)


def _report(
    spec: CrawlSpec, store: StoredJob, settings: CrawlSettings, stop: CrawlStop, speed: float = 0.0
) -> CrawlReport:
    report = make_report(
        spec,
        store,
        stop,
        seconds=float(store.setting(SECONDS) or 0),
        pages_per_second=speed,
        sitemaps=tuple(store.setting(SITEMAPS).splitlines()),
    )
    return msgspec.structs.replace(report, files=()) if settings.is_helper else report


def _written(report: CrawlReport, spec: CrawlSpec, store: StoredJob, settings: CrawlSettings) -> CrawlReport:
    """The report, once the outputs are written."""
    if settings.is_helper:
        return report
    return msgspec.structs.replace(report, unchanged=write_outputs(spec, store))


def _metered(store: StoredJob, sink: CrawlSink) -> CrawlSink:
    """The sink, behind one that tells the other workers' job what this one does."""
    if not isinstance(store, SharedJob):
        return sink
    meter = FleetMeter(sink)
    store.report_from(meter.take)
    return meter


def open_job(script: CrawlScript, settings: CrawlSettings) -> StoredJob:
    """Create or resume the job. Raises `JobMismatch` if it belongs to another script."""
    spec = script.spec
    store = _opened(spec, settings)
    try:
        digest, known = script_digest(spec), store.setting(SCRIPT)
        if known and known != digest and not settings.is_helper:
            raise JobMismatch(
                "the job there was started with another script, or other options",
                where=without_password(settings.address) if settings.address else str(settings.folder),
                advice="Give those of then, name another job with --job, or start over with --fresh",
            )
        if isinstance(store, SharedJob) and not settings.is_helper:
            share_script(store, script, settings.environment)
        if not settings.is_helper:
            store.keep_setting(SCRIPT, digest)
        if settings.again and store.setting(STOP):
            shutil.rmtree(settings.folder / ARRIVED_FOLDER, ignore_errors=True)
            store.repeat()
    except BaseException:
        store.close()
        raise
    return store


def _opened(spec: CrawlSpec, settings: CrawlSettings) -> StoredJob:
    quota = spec.counter.target if spec.counter.mode == "quota" else 0
    most = min((number for number in (quota, spec.scope.items) if number), default=0)
    if settings.address:
        return SharedJob(
            settings.folder,
            settings.address,
            order=spec.order,
            depth=spec.scope.depth,
            quota=most,
            fresh=settings.fresh,
        )
    if settings.fresh or _came_to_nothing(settings.folder):
        _remove_job(settings.folder)
    return JobStore(settings.folder, order=spec.order, depth=spec.scope.depth, quota=most)


def _came_to_nothing(folder: Path) -> bool:
    """Whether an earlier job could fetch no page at all: the site may be there again."""
    if not (folder / FILE_NAME).exists():
        return False
    with contextlib.closing(JobStore(folder)) as store:
        return bool(store.setting(SEEDED)) and not store.waiting and not store.done and store.repetition == 1


def script_digest(spec: CrawlSpec) -> str:
    """Digest of a script, independent of its speed and output files."""
    # Left out where it is off, so that jobs of earlier versions can be resumed.
    parts = spec.model_dump_json(exclude=_NOT_THE_JOB | (set() if spec.press else {"press"}))
    parts += "+markdown" if spec.output.wants_markdown else ""
    return hashlib.sha256(parts.encode()).hexdigest()[:32]


def write_outputs(spec: CrawlSpec, store: StoredJob) -> tuple[str, ...]:
    """Write the results into the job's folder and the script's output files, and return those that were left as they were: where
    nothing was fetched, what an earlier crawl has written stays. Can be repeated at any time."""
    contents, output, job = store.contents, spec.output, _records_of(store)
    contents.only_changed = output.changed_only
    has_nothing = not store.done and not contents.changes.reasons_gone()
    left: list[str] = []

    def write(to: Destination, rows: Iterable[Mapping[str, Any]], early: str, **more: Any) -> None:
        if has_nothing and has_earlier(to, early):
            left.append(str(to))
        else:
            write_records(to, rows, scratch=store.folder / SCRATCH, **more)

    for to in (store.folder / "items.jsonl", *output.items):
        write(to, contents.items(), job, columns=spec.field_names, job=job)
    for to in (store.folder / "pages.jsonl", *output.pages):
        write(to, contents.pages(), _pages_of(job))
    if output.markdown is not None and not write_markdown_folder(output.markdown, contents.pages()):
        left += [str(output.markdown)] if has_nothing and has_earlier(output.markdown, job) else []
    if output.chunks is not None:
        write(output.chunks, passages_of(contents.pages()), _passages_of(job))
    return tuple(left)


def check_outputs(spec: CrawlSpec) -> None:
    """Raise a one-line `WalkerError` if a destination cannot be written: no such bucket or database, refused, another's table."""
    for to in spec.output.destinations:
        check_destination(to)


@contextlib.contextmanager
def _filled(path: Path | None) -> Iterator[LibraryFiller | None]:
    """What adds pages to the library at a path. Raises `LibraryFailed`."""
    if path is None:
        yield None
        return
    with opened_library(path, writable=True) as library:
        yield LibraryFiller(library)


def _sent_early(
    spec: CrawlSpec, store: StoredJob, settings: CrawlSettings
) -> contextlib.AbstractAsyncContextManager[None]:
    """Within the block, records go to the places that take some of them early. A crawl that is repeated tells what has changed,
    and that shows at its end."""
    if settings.is_helper or store.repetition > 1:
        return contextlib.nullcontext()
    return _kept_up(spec, store)


@contextlib.asynccontextmanager
async def _kept_up(spec: CrawlSpec, store: StoredJob) -> AsyncIterator[None]:
    contents, output, job = store.contents, spec.output, _records_of(store)
    given: list[tuple[Coming, Destination, str, tuple[str, ...]]] = [
        *((ComingItems(contents), to, job, spec.field_names) for to in output.items),
        *((ComingPages(contents, lambda: _read_or_failed(store)), to, _pages_of(job), ()) for to in output.pages),
    ]
    if output.chunks is not None:
        passages = ComingPages(contents, lambda: _read_or_failed(store), passages_of)
        given.append((passages, output.chunks, _passages_of(job), ()))
    async with contextlib.AsyncExitStack() as keeping:
        for number, (coming, to, records, columns) in enumerate(given):
            folder = store.folder / EARLY_SCRATCH / str(number)
            await keeping.enter_async_context(kept_up(coming, to, records, columns, folder))
        yield


def _read_or_failed(store: StoredJob) -> int:
    """Number of such pages."""
    return store.done + store.counts["failed"]


def _pages_of(job: str) -> str:
    """By what the records of its pages are known elsewhere while it runs."""
    return f"{job} pages"


def _passages_of(job: str) -> str:
    """Those of its passages."""
    return f"{job} passages"


def _records_of(store: StoredJob) -> str:
    """By what the records of a job are known elsewhere."""
    if not (name := store.setting(RECORDS_OF)):
        name = secrets.token_hex(8)
        store.keep_setting(RECORDS_OF, name)
    return name


async def _crawl_job(
    script: CrawlScript,
    settings: CrawlSettings,
    kept_in: tuple[StoredJob, LibraryFiller | None],
    sink: CrawlSink,
    crew: Crew | None,
) -> CrawlStop:
    spec, (store, library) = script.spec, kept_in
    environment = settings.environment
    made = CrawlBrowsers(
        spec,
        chromium=settings.chromium,
        browser=settings.browser,
        windows=settings.windows,
        environment=environment,
        state=settings.state,
    )
    async with made as browsers:
        await browsers.log_in()
        pace = SharedPace(spec.polite, store) if isinstance(store, SharedJob) else Pace(spec.polite)
        retries = Retries(spec.polite.retries)
        files = SiteFiles(browsers.client, pace, retries)
        robots_text = SharedRobots(store, files.text).text if isinstance(store, SharedJob) else files.text
        robots = RobotsRules(robots_text, agent_of(spec.polite), obey=spec.polite.robots)
        if not store.setting(SEEDED):
            await _seed(spec, store, robots, files)
        if crew is not None:
            crew.begin()
        browsers.choices.record_earlier_reads(store.contents.read_over_http())
        fetcher = Fetcher(
            robots, pace, retries, environment=settings.environment, driver=spec.driver, files=browsers.client
        )
        fetcher.presses = spec.press
        if library is not None:
            fetcher.pictures = PagePictures(browsers.client, robots, pace, picture_reader_of(spec))
        crawler = Crawler(
            spec,
            store,
            fetcher,
            PageKeeper(spec, store, functions=script.functions),
            robots=robots,
            sink=sink,
        )
        try:
            spent = float(store.setting(SECONDS) or 0)
            refetch = browsers.choices.take_refetch_urls
            stop = await crawler.run(browsers.browsers, refetch, spent_seconds=spent, library=library)
            if stop == "complete" and not store.done:
                stop = "nothing fetched"
            if crew is not None:
                await crew.end()
            store.keep_setting(STOP, stop)
            if library is not None:
                with library_errors():
                    for page in store.contents.changes.unlinked():
                        library.forget(page["final_url"])
            await browsers.save_state()
            return stop
        finally:
            store.keep_setting(SECONDS, f"{crawler.seconds:.3f}")


async def _seed(spec: CrawlSpec, store: StoredJob, robots: RobotsRules, files: SiteFiles) -> None:
    """Add the start URLs and those of the sitemaps to the frontier. Idempotent, so it is repeated after a crash."""
    store.offer([_seed_page(url) for url in spec.start])
    scope = CrawlScope(spec)
    if spec.sitemaps != "none":
        sitemaps, unnamed = await sitemaps_of(spec, robots)
        walk = SitemapWalk(files.body, lambda url: not scope.why_outside(url), unnamed=unnamed)
        batch: list[NewPage] = []
        async for url in walk.addresses(sitemaps):
            batch.append(_seed_page(url))
            if len(batch) == SEEDS_AT_A_TIME:
                store.offer(batch)
                batch = []
        store.offer(batch)
        store.keep_setting(SITEMAPS, "\n".join(walk.problems[:REASONS_TOLD]))
    store.keep_setting(SEEDED, "yes")


async def sitemaps_of(spec: CrawlSpec, robots: RobotsRules) -> tuple[tuple[str, ...], frozenset[str]]:
    """URLs of sitemaps, and those of them that are guesses: if no sitemap is named, the conventional location is tried."""
    if spec.sitemaps != "robots":
        return tuple(spec.sitemaps), frozenset()
    found: list[str] = []
    unnamed: list[str] = []
    for origin in dict.fromkeys(origin_of(url) for url in spec.start):
        named = await robots.sitemaps(origin + "/")
        usual = () if named else (f"{origin}/sitemap.xml",)
        found += named or usual
        unnamed += usual
    return tuple(dict.fromkeys(found)), frozenset(unnamed)


def _seed_page(url: str) -> NewPage:
    return NewPage(url=url, key=key_of(url), origin=origin_of(url), branch=branch_of(url, ""))


def _ended(store: StoredJob, spec: CrawlSpec) -> CrawlStop | None:
    """Why the job is finished already, None if there is work left: what other workers have in flight may lead on."""
    if not store.setting(SEEDED):
        return None
    if store.is_full:
        return "quota reached" if spec.counter.mode == "quota" else "item limit"
    if store.waiting or store.in_flight:
        return None
    return "complete" if store.done else "nothing fetched"


def _remove_job(folder: Path) -> None:
    """Remove only a job's own files, as the folder may contain others."""
    for name in (FILE_NAME, f"{FILE_NAME}-wal", f"{FILE_NAME}-shm", LOCK_NAME, "items.jsonl", "pages.jsonl"):
        (folder / name).unlink(missing_ok=True)
    for path in (
        folder / "files",
        folder / ARRIVED_FOLDER,
        folder / SCRATCH,
        folder / EARLY_SCRATCH,
        *folder.glob(f"{RECORD_FOLDER}*"),
    ):
        shutil.rmtree(path, ignore_errors=True)
