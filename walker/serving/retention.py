"""Removes what is old, or more than fits: jobs with their runs and crawls, never those that are not over or are pinned."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator
from pathlib import Path

import msgspec

from traces.store.file_lock import is_locked
from traces.store.run_files import LOG_NAME
from walker.errors import WalkerError
from walker.jobs.kept_jobs import ENDED, JobRecord, Jobs

DAY = 86_400.0
GIGABYTE = 1 << 30
BLOCK_BYTES = 512
"""Of a block of `st_blocks`, by POSIX."""


class Retention(msgspec.Struct, frozen=True, kw_only=True):
    """How long what is kept; 0 for no limit."""

    days: float = 0.0
    gigabytes: float = 0.0
    """Of the disk: a run is many small files, which take more than twice what they hold."""


def remove_old(jobs: Jobs, data: Path, keep: Retention, now: float) -> list[str]:
    """Remove what is to be removed at a time (seconds since the epoch); the ids of the jobs. A kill in between leaves a job that is
    removed next time."""
    records = sorted(_records(jobs), key=lambda record: record.created)
    over = [one for one in records if one.state in ENDED and not one.pinned]
    removed = [one for one in over if keep.days and now - one.ended > keep.days * DAY]
    if keep.gigabytes:
        sizes = {one.id: sum(map(_size, _folders(one, data))) for one in records}
        left = sum(sizes.values()) - sum(sizes[one.id] for one in removed)
        gone = {one.id for one in removed}
        for one in over:
            if left <= keep.gigabytes * GIGABYTE:
                break
            if one.id not in gone:
                removed.append(one)
                left -= sizes[one.id]
    for one in removed:
        for folder in _folders(one, data):
            shutil.rmtree(folder, ignore_errors=True)
        jobs.remove(one.id)
    if keep.days:
        _remove_strays(data / "runs", {one.run for one in records}, now - keep.days * DAY)
    return [one.id for one in removed]


def _records(jobs: Jobs) -> Iterator[JobRecord]:
    for name in jobs.names():
        try:
            yield jobs.record_of(name)
        except WalkerError:  # removed meanwhile
            continue


def _folders(record: JobRecord, data: Path) -> list[Path]:
    runs = [data / "runs" / record.run] if record.run else []
    return [*runs, data / "crawls" / record.id] if record.tool == "crawl" else runs


def _size(folder: Path) -> int:
    """Bytes that a folder takes of the disk."""
    if not folder.is_dir():
        return 0
    return sum(BLOCK_BYTES * path.lstat().st_blocks for path in (folder, *folder.rglob("*")))


def _remove_strays(runs: Path, known: Collection[str], before: float) -> None:
    """Runs of no job: those of walks that had to begin again."""
    for folder in runs.iterdir() if runs.is_dir() else ():
        log = folder / LOG_NAME
        if folder.name not in known and log.is_file() and log.stat().st_mtime < before and not is_locked(log):
            shutil.rmtree(folder, ignore_errors=True)
