"""Figures of the service for Prometheus."""

from __future__ import annotations

from collections.abc import Callable

import psutil
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from walker.jobs.kept_jobs import JobRecord

SECONDS = (1, 2, 5, 10, 20, 60, 120, 300, 600, 1800)


class Figures:
    """What is counted and measured. Nothing of a question, an answer or an address is a label."""

    def __init__(self, *, running: Callable[[], int], waiting: Callable[[], int], recycled: Callable[[], int]) -> None:
        self.registry = CollectorRegistry()
        self._jobs = Counter("walker_jobs", "Jobs that have ended", ("kind", "result"), registry=self.registry)
        self._seconds = Histogram(
            "walker_job_seconds",
            "Seconds from request to end, waiting included",
            ("kind",),
            buckets=SECONDS,
            registry=self.registry,
        )
        self._pages = Counter("walker_pages", "Pages opened by jobs that have ended", ("kind",), registry=self.registry)
        self.webhooks = Counter("walker_webhooks", "Webhooks sent", ("result",), registry=self.registry)
        self.removed = Counter("walker_jobs_removed", "Jobs removed by age or size", registry=self.registry)
        measured: dict[str, tuple[str, Callable[[], float]]] = {
            "walker_jobs_running": ("Jobs that run now", running),
            "walker_jobs_waiting": ("Jobs that wait for their turn", waiting),
            "walker_browsers": ("Browsers that run now", lambda: len(_browsers())),
            "walker_browsers_recycled": ("Browsers replaced since the start", recycled),
            "walker_memory_bytes": ("Memory of the service itself", lambda: psutil.Process().memory_info().rss),
            "walker_browser_memory_bytes": ("Memory of its browsers, shared parts once", browser_bytes),
        }
        for name, (told, measure) in measured.items():
            Gauge(name, told, registry=self.registry).set_function(measure)

    def ended(self, record: JobRecord) -> None:
        """Count a job."""
        self._jobs.labels(record.tool, record.state).inc()
        self._seconds.labels(record.tool).observe(max(0.0, record.ended - record.created))
        self._pages.labels(record.tool).inc(record.pages)

    def text(self) -> bytes:
        """All figures in Prometheus's text format."""
        return generate_latest(self.registry)


def browser_bytes() -> int:
    """Memory of all child processes in bytes, without what each shares with others."""
    return sum(_own_bytes(one) for one in psutil.Process().children(recursive=True))


def _own_bytes(process: psutil.Process) -> int:
    try:
        memory = process.memory_info()
    except psutil.Error:
        return 0
    return max(0, memory.rss - getattr(memory, "shared", 0))


def _browsers() -> list[psutil.Process]:
    """The main process of each browser: one whose parent is none."""
    return [one for one in psutil.Process().children(recursive=True) if _is_first_of_browser(one)]


def _is_first_of_browser(process: psutil.Process) -> bool:
    try:
        parent = process.parent()
        return _is_browser(process) and not (parent is not None and _is_browser(parent))
    except psutil.Error:  # it has ended meanwhile
        return False


def _is_browser(process: psutil.Process) -> bool:
    return "chrom" in process.name().lower()
