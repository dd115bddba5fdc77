"""A crawl job in one SQLite file, which is locked against other processes."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from walker.crawl.errors import BadJob
from walker.crawl.job.frontier import Frontier
from walker.crawl.job.job_file import lock_file, open_base
from walker.crawl.job.stored_job import StoredJob
from walker.crawl.job_records import Order

FILE_NAME, LOCK_NAME = "job.sqlite", "lock"


class JobStore(StoredJob):
    """An open job. A second process gets `JobLocked`."""

    def __init__(self, folder: Path, *, order: Order = "depth-first", depth: int = 0, quota: int = 0) -> None:
        """Open the job in a folder, or create it. `depth` and `quota` are 0 for no limit.

        Raises:
            BadJob: the folder's file is not a job, or of another version.
            JobLocked: another process has locked it.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadJob(
                f"the job's folder cannot be created ({error.strerror})",
                where=str(folder),
                advice="Name another folder",
            ) from None
        self._lock = lock_file(folder / LOCK_NAME)
        try:
            base = open_base(folder / FILE_NAME)
        except sqlite3.DatabaseError as error:
            self._lock.close()
            raise BadJob(
                f"is not a crawl job ({error})",
                where=str(folder / FILE_NAME),
                advice="Remove the folder, or name another",
            ) from None
        except BadJob:
            self._lock.close()
            raise
        super().__init__(folder, base, Frontier(base, order=order, depth=depth), quota=quota)
        self._frontier.take_back()
        self._read_numbers()

    def close(self) -> None:
        """Checkpoint the WAL and release the lock."""
        super().close()
        self._lock.close()
