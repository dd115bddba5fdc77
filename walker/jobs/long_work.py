"""The long work of a server: questions, typed extraction, crawls and looks, with arguments and results as plain JSON. What was begun
goes on from its recording, or from the job of its crawl."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from traces.errors import TraceReadError
from traces.events import Event, PageOpened
from walker.asking import ask_in
from walker.browser.launch.find_chromium import find_browser
from walker.browser.launch.kept_chromium import keep_chromium
from walker.crawl.crawl_events import PageDone
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.script.spec_loader import CrawlScript, spec_of_root
from walker.errors import Divergence, UsageError
from walker.extraction.schemas.program_schema import typed_schema
from walker.extraction.schemas.schema_settings import as_checked, with_schema
from walker.extraction.schemas.typed_answers import FieldValue, TypedOutcome
from walker.jobs.allowed_hosts import check_address
from walker.jobs.browser_pool import BrowserPool
from walker.jobs.kept_jobs import JobProgress, Work
from walker.jobs.one_page import see_page
from walker.jobs.server_limits import ServerLimits, at_most
from walker.run_setup import StopKeeper
from walker.runs.replay import resume_run
from walker.seams.outcome import Outcome
from walker.settings import Settings

FIELDS_SHOWN = 200
ITEMS_SHOWN = 5


class LongWork:
    """Does what callers ask for, in one browser; each piece of work has a browser context of its own."""

    def __init__(
        self, settings: Settings, browsers: BrowserPool, data: Path, limits: ServerLimits, allowed: Sequence[str]
    ) -> None:
        """Runs are recorded in `data`/runs, crawls in `data`/crawls; `settings` are those of every walk."""
        self._settings, self._browsers, self._limits, self._allowed = settings, browsers, limits, allowed
        self.runs, self.crawls = data / "runs", data / "crawls"

    def works(self) -> Mapping[str, Work]:
        """By the name of the tool."""
        return {"ask": self.ask, "extract": self.extract, "crawl": self.crawl, "look": self.look}

    async def ask(self, _name: str, given: Mapping[str, Any], progress: JobProgress) -> dict[str, Any]:
        """Answer a question by a walk."""
        root = await check_address(given["root"], self._allowed)
        if given.get("schema") is not None:
            return await self._typed(root, given, progress)
        return _answer(await self._walked(root, given["question"], self.walk_settings(given), progress))

    async def extract(self, _name: str, given: Mapping[str, Any], progress: JobProgress) -> dict[str, Any]:
        """Fill in a schema from a page, or from the pages that it leads to."""
        root = await check_address(given["url"], self._allowed)
        return await self._typed(root, given, progress)

    async def crawl(self, name: str, given: Mapping[str, Any], progress: JobProgress) -> dict[str, Any]:
        """Crawl a site into the folder of the job, which goes on where it was."""
        script = await self.crawl_script(given)
        folder = self.crawls / name
        progress.pages = _pages_kept(folder)
        async with self._browsers.lent(progress) as resources:
            settings = CrawlSettings(folder=folder, chromium=resources.settings.chromium)
            with keep_chromium(find_browser(settings.chromium), resources.chromium):
                report = await crawl(script, settings, sink=_Fetched(progress))
        progress.pages = report.pages
        result = {
            "stop_reason": report.stop_reason,
            "pages": report.pages,
            "items": report.items,
            "waiting": report.waiting,
            "failures": report.failures,
            "sample": _first_lines(folder / "items.jsonl"),
        }
        if report.is_success:
            return result
        why = next(iter((*report.failures, *report.skips)), "")
        return result | {"error": f"the crawl ended: {report.stop_reason}{f' ({why})' if why else ''}"}

    async def look(self, _name: str, given: Mapping[str, Any], progress: JobProgress) -> dict[str, Any]:
        """See what a person sees on a page."""
        url = await check_address(given["url"], self._allowed)
        async with self._browsers.lent(progress) as resources:
            return await see_page(resources, url, given["find"])

    async def crawl_script(self, given: Mapping[str, Any]) -> CrawlScript:
        """The script of a crawl, all its hosts checked. Raises a `WalkerError`."""
        return CrawlScript(spec=self._spec(await check_address(given["start"], self._allowed), given))

    def walk_settings(self, given: Mapping[str, Any]) -> Settings:
        """The settings of a walk within the maxima of the server. Raises `UsageError`."""
        limits = msgspec.structs.replace(
            self._settings.limits,
            pages=at_most(int(given["max_pages"]), self._limits.pages),
            seconds=at_most(float(given["max_seconds"]), self._limits.seconds),
        )
        return msgspec.structs.replace(self._settings, limits=limits, runs_folder=self.runs)

    async def _typed(self, root: str, given: Mapping[str, Any], progress: JobProgress) -> dict[str, Any]:
        schema = typed_schema(given["schema"])
        settings = with_schema(self.walk_settings(given), schema, boxes=False)
        question = given.get("question") or f"Extract {schema.plain.get('title', 'the fields of the schema')}"
        return _extraction(as_checked(await self._walked(root, question, settings, progress), schema))

    async def _walked(self, root: str, question: str, settings: Settings, progress: JobProgress) -> Outcome:
        async with self._browsers.lent(progress) as resources:
            sink = _Told(progress, settings.sure)
            if progress.run:
                try:
                    progress.repeats()
                    return await resume_run(
                        self.runs / progress.run, settings=settings, progress=sink, shared=resources
                    )
                except (TraceReadError, UsageError, Divergence):
                    progress.restarts()  # too little of it was recorded
            return await ask_in(resources.with_settings(settings), root, question, progress=sink)

    def _spec(self, start: str, given: Mapping[str, Any]) -> Any:
        parts: dict[str, Any] = {
            "scope": {
                "pages": at_most(int(given["max_pages"]), self._limits.pages),
                "seconds": at_most(float(given["max_seconds"]), self._limits.seconds),
                "depth": max(0, int(given["max_depth"])),
                "include": tuple(given["include"]),
            },
            "keep": (given["keep"],),
        }
        if given["fields"]:
            if any("${" in text for text in (given["each"], *given["fields"].values())):
                raise UsageError("variables are not filled in here", where="fields")
            parts["pages"] = ({"items": ({"each": given["each"], "fields": given["fields"]},)},)
        elif given["each"]:
            raise UsageError("each needs fields too", where="each", advice="Name fields with their CSS selectors")
        return spec_of_root(start, **parts)


class _Told(StopKeeper):
    """Counts the pages of a walk, tells what happens in it, and what it had found if it is stopped."""

    def __init__(self, progress: JobProgress, sure: float) -> None:
        super().__init__()
        self._progress, self._sure = progress, sure

    def began(self, run: Path) -> None:
        """Keep where it is recorded, to go on from there."""
        super().began(run)
        self._progress.began(run.name)

    def emit(self, event: Event) -> None:
        """Count what was opened, and tell what happened."""
        super().emit(event)
        if (outcome := self.so_far(self._sure)) is not None:
            self._progress.so_far = _answer(outcome)
        if isinstance(event, PageOpened):
            self._progress.page(event.final_url)
        plain = msgspec.to_builtins(event)
        self._progress.tell(plain.pop("type"), plain)


class _Fetched:
    """A `CrawlSink` that counts the pages of a crawl."""

    def __init__(self, progress: JobProgress) -> None:
        self._progress = progress

    def emit(self, event: PageDone) -> None:
        """Count what was stored."""
        if event.outcome in ("kept", "same"):
            self._progress.page(event.url)
        plain = msgspec.to_builtins(event)
        self._progress.tell(plain.pop("type"), plain)


def _answer(outcome: Outcome) -> dict[str, Any]:
    return {
        "answered": outcome.answered,
        "answer": outcome.answer,
        "partial": outcome.partial,
        "nearest": outcome.nearest,
        "tied": [msgspec.to_builtins(one) for one in outcome.tied],
        "confidence": round(outcome.confidence, 3),
        "items": list(outcome.items),
        "citations": [{"url": one.url, "quote": one.quote} for one in outcome.citations],
        **_ended(outcome),
    }


def _extraction(outcome: TypedOutcome[Any]) -> dict[str, Any]:
    return {
        "data": outcome.data,
        "fields": {path: _field(one) for path, one in list(outcome.fields.items())[:FIELDS_SHOWN]},
        "missing": list(outcome.missing),
        "partial": outcome.partial,
        **_ended(outcome),
    }


def _field(one: FieldValue) -> dict[str, Any]:
    if one.value is None:
        return {"value": None, "reason": one.reason}
    return {"value": one.value, "quote": one.quote, "page": one.page}


def _ended(outcome: Outcome) -> dict[str, Any]:
    run = Path(outcome.trace).name if outcome.trace else ""
    by_person = {"by_person": outcome.by_person, "helped": [msgspec.to_builtins(one) for one in outcome.helped]}
    told = {"stop_reason": outcome.stop_reason.value, "pages": outcome.pages, "run": run, "error": outcome.error}
    return by_person | told


def _pages_kept(folder: Path) -> int:
    """Pages that a crawl stored before it was cut off, 0 where it begins; a kill may have cost the last lines."""
    try:
        with (folder / "pages.jsonl").open("rb") as file:
            return sum(b'"state":"done"' in line for line in file)
    except OSError:
        return 0


def _first_lines(path: Path) -> list[dict[str, Any]]:
    """The first items of a crawl, [] where it found none."""
    try:
        with path.open("rb") as file:
            return [msgspec.json.decode(line) for line, _ in zip(file, range(ITEMS_SHOWN), strict=False)]
    except OSError:
        return []
