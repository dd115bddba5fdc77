"""A worker's sign of life: a row that it writes every few seconds, and a lock that the server frees with its connection."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass

from walker.crawl.job.shared.postgres_base import PostgresBase

BEAT_SECONDS = 2.0
GONE_SECONDS = 5.0
"""Seconds without a beat after which a worker whose connection has ended is gone."""
DEAD_SECONDS = 30.0
"""Seconds without a beat after which it is gone, whatever its connection says."""


class Heartbeat:
    """Beats in a thread with a connection of its own, so that a long read of a page does not stop it."""

    def __init__(self, address: str, worker: int) -> None:
        self._base, self._worker = PostgresBase(address), worker
        self._base.connected = self._hold
        self._hold()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="walker-heartbeat", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Beat no more."""
        self._ended.set()
        self._thread.join(timeout=BEAT_SECONDS)
        self._base.close()

    def _hold(self) -> None:
        self._base.execute("SELECT pg_advisory_lock(?, ?)", (self._base.key, self._worker))

    def _beat(self) -> None:
        while not self._ended.wait(BEAT_SECONDS):
            with suppress(Exception):
                self._base.execute("UPDATE workers SET beat_at = clock_timestamp() WHERE id = ?", (self._worker,))
