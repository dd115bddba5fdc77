"""The result of a crawl, for people, for `--json`, and for the recording."""

from __future__ import annotations

from typing import Any

import msgspec

from walker.crawl.crawl_events import CrawlStop
from walker.crawl.job.job_schema import CUT, FAILED, SKIPPED
from walker.crawl.job.stored_job import StoredJob
from walker.crawl.script.spec import CrawlSpec

REASONS_TOLD = 12


class CrawlReport(msgspec.Struct, frozen=True, kw_only=True):
    """Statistics of a whole job, earlier runs included."""

    name: str
    start: tuple[str, ...]
    stop_reason: CrawlStop
    pages: int
    """Pages stored."""
    same: int
    """Stored pages that are duplicates of another."""
    items: int
    empty_fields: tuple[str, ...] = ()
    """Fields of the script of which no item has a value."""
    waiting: int
    failed: int
    skipped: int
    cut: int
    """Waiting pages dropped with branches that gave nothing new."""
    bytes: int
    seconds: float
    """Duration of all runs of the job."""
    pages_per_second: float
    """Pages per second of this run."""
    failures: dict[str, int]
    """Reason -> pages, the most frequent first."""
    skips: dict[str, int]
    cuts: dict[str, int]
    drivers: dict[str, int]
    repetition: int = 1
    """Which crawl of the job this is."""
    changes: dict[str, int] = {}
    """Pages that are new, changed, unchanged (of which the server called some `not modified`, so that they were not fetched) and gone
    since the crawl before; empty in the first one."""
    gone: dict[str, int] = {}
    """Reason -> pages that are gone."""
    sitemaps: tuple[str, ...] = ()
    """Problems of sitemaps that the site or the script names, one line each."""
    job: str
    """Folder of the job."""
    files: tuple[str, ...]
    unchanged: tuple[str, ...] = ()
    """Those of the files that hold what an earlier crawl has written, because this one fetched nothing."""

    @property
    def is_success(self) -> bool:
        """Whether the crawl did what its script asked for."""
        return self.stop_reason not in ("interrupted", "failed", "nothing fetched") and self.pages > 0

    @property
    def files_told(self) -> list[str]:
        """A line for each file, which says where it was left as it was."""
        return [f"{file} is unchanged: nothing was fetched" if file in self.unchanged else file for file in self.files]

    def describe(self) -> dict[str, Any]:
        """As `--json` prints it."""
        described: dict[str, Any] = msgspec.to_builtins(self)
        return described


def make_report(
    spec: CrawlSpec,
    store: StoredJob,
    stop: CrawlStop,
    *,
    seconds: float,
    pages_per_second: float,
    sitemaps: tuple[str, ...] = (),
) -> CrawlReport:
    """The report of a job in its current state."""
    counts, contents = store.counts, store.contents
    return CrawlReport(
        name=spec.name,
        start=spec.start,
        stop_reason=stop,
        pages=store.done,
        same=contents.same_pages(),
        items=store.items,
        empty_fields=contents.never_filled(spec.field_names),
        waiting=store.waiting,
        failed=counts["failed"],
        skipped=counts["skipped"],
        cut=counts["cut"],
        bytes=store.size,
        seconds=round(seconds, 3),
        pages_per_second=round(pages_per_second, 2),
        failures=_most(contents.reasons(FAILED)),
        skips=_most(contents.reasons(SKIPPED)),
        cuts=_most(contents.reasons(CUT)),
        drivers=contents.drivers(),
        repetition=store.repetition,
        changes=contents.changes.counts(),
        gone=_most(contents.changes.reasons_gone()),
        sitemaps=sitemaps,
        job=str(store.folder),
        files=tuple(
            str(path)
            for path in (
                store.folder / "items.jsonl",
                store.folder / "pages.jsonl",
                *spec.output.items,
                *spec.output.pages,
                *(path for path in (spec.output.markdown, spec.output.chunks) if path is not None),
            )
        ),
    )


def _most(reasons: dict[str, int]) -> dict[str, int]:
    return dict(list(reasons.items())[:REASONS_TOLD])
