"""Opens and locks a job's SQLite file, and creates its tables."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import IO

from traces.store.file_lock import lock_exclusively
from walker.crawl.errors import BadJob, JobLocked
from walker.crawl.job.job_base import SqliteBase
from walker.crawl.job.job_schema import CRAWL_SCHEMA, RECORDS_SCHEMA, SCHEMA, VERSION

LOG_PAGES = 4000
"""4 KB pages until a WAL checkpoint. With the default of 1000, a commit among 60,000 URLs takes half as long again as one among
6,000, since few of its database pages are in the WAL already."""


def lock_file(path: Path) -> IO[bytes]:
    """Lock a job for this process; the lock ends with the process, however it ends. Raises `JobLocked`."""
    file = path.open("wb")
    if not lock_exclusively(file.fileno()):
        file.close()
        raise JobLocked(
            "another process is crawling into this folder",
            where=str(path.parent),
            advice="Wait for it, or name another folder",
        )
    return file


def open_base(path: Path) -> SqliteBase:
    """Open the database, creating missing tables. Raises `BadJob`."""
    base = sqlite3.connect(path, isolation_level=None, factory=SqliteBase)
    try:
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("PRAGMA synchronous = NORMAL")
        base.execute("PRAGMA cache_size = -32000")
        base.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")
        version = base.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            # Atomic: a process that dies here leaves an empty file, for which this is repeated.
            base.executescript(f"BEGIN; {SCHEMA} {CRAWL_SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
        elif version != VERSION:
            raise BadJob(
                f"was written by another version of Walker (format {version}, this one reads {VERSION})",
                where=str(path),
                advice="Start a new job in another folder",
            )
        base.executescript(RECORDS_SCHEMA)
    except (sqlite3.Error, BadJob):
        base.close()
        raise
    return base
