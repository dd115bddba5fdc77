"""What a worker does, added up for those who look at the fleet."""

from __future__ import annotations

import threading

from memory.url_key import BadUrl, origin_of
from walker.crawl.crawl_events import CrawlSink, PageDone
from walker.crawl.job.shared.worker_report import HostWork, WorkerReport

MOST_KINDS = 50
"""Kinds of errors of one report; what goes beyond is `other`."""
KIND_WIDTH = 60
STORED = frozenset(("kept", "same"))


def kind_of(event: PageDone) -> str:
    """The kind of error that an event tells, such as `timeout`, "" for none: what stands before the first colon, in one line."""
    if event.outcome not in ("failed", "later"):
        return ""
    return (
        " ".join("".join(c if c.isprintable() else " " for c in event.why.partition(":")[0]).split())[:KIND_WIDTH]
        or "unknown"
    )


class FleetMeter:
    """Implements `CrawlSink`: adds up events, and forwards them."""

    def __init__(self, beyond: CrawlSink) -> None:
        self._beyond, self._lock, self._report = beyond, threading.Lock(), WorkerReport()

    def emit(self, event: PageDone) -> None:
        """Add it up."""
        with self._lock:
            self._add(event)
        self._beyond.emit(event)

    def take(self) -> WorkerReport:
        """What was done since this was last called. Thread-safe."""
        with self._lock:
            report, self._report = self._report, WorkerReport()
        return report

    def _add(self, event: PageDone) -> None:
        kind = kind_of(event)
        if not kind and event.outcome not in STORED:
            return
        try:
            origin = origin_of(event.url)
        except BadUrl:
            return
        work = self._report.hosts.setdefault(origin, HostWork())
        if kind:
            work.failed += 1
            errors = self._report.errors
            kind = kind if kind in errors or len(errors) < MOST_KINDS else "other"
            errors[kind] = errors.get(kind, 0) + 1
        else:
            work.stored += 1
            work.size += event.size
