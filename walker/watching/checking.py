"""The three kinds of checks: a question asked, a script played, a site crawled again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from walker.asking import ask_in
from walker.assembly import WalkResources
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.script.spec_loader import CrawlScript
from walker.errors import WalkerError
from walker.extraction.schemas.program_schema import TypedSchema
from walker.extraction.schemas.schema_settings import as_checked, with_schema
from walker.flows.play_run import PlayOptions, play_file
from walker.flows.playing import StepPlayed
from walker.flows.script_file import read_flow
from walker.seams.outcome import Outcome
from walker.seams.protocols import TraceSink
from walker.settings import Settings
from walker.watching.watched import Change, Check, WatchFound, changes_between, changes_of_crawl


class CheckFound(msgspec.Struct, frozen=True, kw_only=True):
    """What a check found, with what changed since the one before; `repetition` is that of a crawl."""

    found: WatchFound
    change: Change
    repetition: int = 0


class CrawlCheckFailed(WalkerError):
    """A crawl came to nothing; the next check is another repetition."""

    def __init__(self, repetition: int, what: str, *, where: str, advice: str) -> None:
        self.repetition = repetition
        super().__init__(what, where=where, advice=advice)


class AskChecking:
    """Asks a question, with a schema if one is given."""

    def __init__(
        self, root: str, question: str, settings: Settings, schema: TypedSchema[Any] | None, progress: TraceSink | None
    ) -> None:
        self.what = {"ask": root, "question": question, **({} if schema is None else {"schema": _digest(schema)})}
        self._root, self._question, self._progress = root, question, progress
        self._settings = settings if schema is None else with_schema(settings, schema, boxes=False)
        self._schema = schema

    async def check(self, before: Check | None, seen: int) -> CheckFound:  # noqa: ARG002 - of crawls
        """Ask it."""
        async with WalkResources(self._settings) as resources:
            outcome = await ask_in(resources, self._root, self._question, progress=self._progress)
        found = self._found(outcome)
        return CheckFound(found=found, change=_since(before, found))

    def _found(self, outcome: Outcome) -> WatchFound:
        urls = tuple(dict.fromkeys(one.url for one in outcome.citations))
        if self._schema is None:
            return WatchFound(
                answer=outcome.answer,
                nearest=outcome.nearest,
                items=outcome.items,
                urls=urls,
                trace=outcome.trace,
            )
        typed = as_checked(outcome, self._schema)
        records = tuple(json.dumps(one.data, ensure_ascii=False, sort_keys=True) for one in typed.records)
        fields = {
            path: json.dumps(one.value, ensure_ascii=False)
            for path, one in typed.fields.items()
            if one.value is not None and not records
        }
        return WatchFound(items=records, fields=fields, urls=urls, trace=outcome.trace)


class PlayChecking:
    """Plays a flow script; a step that is missed is a check that failed."""

    def __init__(self, script: Path, settings: Settings, options: PlayOptions) -> None:
        self.what = {"script": str(script.resolve()), **{f"set {name}": "..." for name in sorted(options.values)}}
        self._script, self._settings, self._options = script, settings, options

    async def check(self, before: Check | None, seen: int) -> CheckFound:  # noqa: ARG002 - of crawls
        """Play it, as it is on disk now."""
        report = await play_file(read_flow(self._script), self._settings, self._options, _silent)
        played = report.played
        if not played.is_whole:
            missed = played.steps[-1]
            told = "; ".join(one.line for one in missed.mismatches) or "; ".join(missed.tried[:2])
            raise WalkerError(
                f"step {missed.number} ({missed.action} {missed.target}) was missed: {told}",
                where=str(self._script),
                advice="Mend the script, or export it from a new walk",
            )
        answer = played.answer
        kept = tuple(name for one in read_flow(self._script).script.answer.lists for name in one.names)
        items = (*(name for name in kept if name not in answer.gone), *answer.new)
        found = WatchFound(answer=answer.value if not items else "", items=items, trace=report.trace)
        return CheckFound(found=found, change=_since(before, found))


class CrawlChecking:
    """Crawls again by a crawl script; the job compares, and asks only for what changed."""

    def __init__(self, spec: Path | str, script: CrawlScript, job: Path, settings: CrawlSettings) -> None:
        self.what = {"spec": str(spec)}
        self._script, self._settings = script, msgspec.structs.replace(settings, folder=job)

    async def check(self, before: Check | None, seen: int) -> CheckFound:  # noqa: ARG002 - the job knows
        """Crawl. A crawl that a kill cut off goes on; one that had ended, and is not in the history yet, is taken as it is."""
        report = await crawl(self._script, self._settings)
        if report.repetition <= seen:
            report = await crawl(self._script, msgspec.structs.replace(self._settings, again=True))
        if not report.is_success:
            told = ", ".join(f"{reason} ({count})" for reason, count in report.failures.items())
            raise CrawlCheckFailed(
                report.repetition, f"the crawl ended with {report.stop_reason}", where=report.start[0], advice=told
            )
        folder = self._settings.folder
        change = Change()
        if report.repetition > 1:
            change = changes_of_crawl(_rows(folder / "pages.jsonl"), _rows(folder / "items.jsonl"))
        found = WatchFound(pages={"pages": report.pages, "items": report.items, **report.changes}, trace=report.job)
        return CheckFound(found=found, change=change, repetition=report.repetition)


Checking = AskChecking | PlayChecking | CrawlChecking
"""Each has `what` is watched, the same for the same watch, and `check(before, seen)`, which raises a `WalkerError` where nothing can
be found out: `before` is the last check that found something, `seen` the last repetition of a crawl that the history has."""


def _since(before: Check | None, found: WatchFound) -> Change:
    return Change() if before is None or before.found is None else changes_between(before.found, found)


def _rows(path: Path) -> list[dict[str, Any]]:
    with path.open("rb") as file:
        return [msgspec.json.decode(line) for line in file]


def _digest(schema: TypedSchema[Any]) -> str:
    return msgspec.json.encode(schema.wanted).decode()[:2000]


def _silent(_step: StepPlayed) -> None:
    """Says nothing: a watch tells what changed."""
