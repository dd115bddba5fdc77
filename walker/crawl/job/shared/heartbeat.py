"""A worker's sign of life: a row that it writes every few seconds, and a lock that the server frees with its connection."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress

import msgspec

from walker.crawl.job.shared.postgres_base import PostgresBase
from walker.crawl.job.shared.process_use import use_of
from walker.crawl.job.shared.worker_report import WorkerReport

BEAT_SECONDS = 2.0
GONE_SECONDS = 5.0
"""Seconds without a beat after which a worker whose connection has ended is gone."""
DEAD_SECONDS = 30.0
"""Seconds without a beat after which it is gone, whatever its connection says."""
BEATS_A_REPORT = 5
"""A report is of the beats since the one before."""
REPORTS_KEPT = 8
"""Of a worker: those of the last minute, and one that is just written over."""
_REPORT = """
INSERT INTO reports (worker, slot, began_at, ended_at, facts)
VALUES (?, ?, COALESCE((SELECT MAX(ended_at) FROM reports WHERE worker = ?), (SELECT began_at FROM workers WHERE id = ?)),
    clock_timestamp(), ?)
ON CONFLICT (worker, slot) DO UPDATE SET began_at = excluded.began_at, ended_at = excluded.ended_at, facts = excluded.facts
"""
_ERROR = """
INSERT INTO errors (worker, kind, number, last_at) VALUES (?, ?, ?, clock_timestamp())
ON CONFLICT (worker, kind) DO UPDATE SET number = errors.number + excluded.number, last_at = excluded.last_at
"""


class Heartbeat:
    """Beats in a thread with a connection of its own, so that a long read of a page does not stop it."""

    def __init__(self, address: str, worker: int) -> None:
        self._base, self._worker = PostgresBase(address), worker
        self._base.connected = self._hold
        self._hold()
        self._reports = 0
        self.take_report: Callable[[], WorkerReport] = WorkerReport
        """Gives what the worker did since it was last called; called in the thread."""
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="walker-heartbeat", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Beat no more."""
        self._ended.set()
        self._thread.join(timeout=BEAT_SECONDS)
        if not self._thread.is_alive():  # else the server is away
            with suppress(Exception):
                self._report()
        self._base.close()

    def _hold(self) -> None:
        self._base.execute("SELECT pg_advisory_lock(?, ?)", (self._base.key, self._worker))

    def _beat(self) -> None:
        beats = 0
        while not self._ended.wait(BEAT_SECONDS):
            beats += 1
            with suppress(Exception):
                use = use_of()
                self._base.execute(
                    "UPDATE workers SET beat_at = clock_timestamp(), memory = ?, cpu_seconds = ? WHERE id = ?",
                    (use.memory, use.cpu_seconds, self._worker),
                )
                if beats % BEATS_A_REPORT == 0:
                    self._report()

    def _report(self) -> None:
        report = self.take_report()
        slot, self._reports = self._reports % REPORTS_KEPT, self._reports + 1
        me = self._worker
        self._base.execute(_REPORT, (me, slot, me, me, msgspec.json.encode(report)))
        self._base.executemany(_ERROR, [(me, kind, number) for kind, number in report.errors.items()])
