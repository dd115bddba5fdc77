"""Errors of runs on disk.

TraceError            one line: what, where
├── TraceWriteError   the folder cannot be written, or the disk is full; acknowledged events stay valid
├── RunLocked         another process is writing to this run
└── TraceReadError    there is no run at that path, or nothing of it can be read
    └── StoreError    a place that runs are kept in cannot be used; with advice
"""

from __future__ import annotations


class TraceError(Exception):
    """Base class; `where` is the file or folder."""

    def __init__(self, what: str, where: str) -> None:
        self.what, self.where = what, where
        super().__init__(f"{where}: {what}")


class TraceWriteError(TraceError):
    """The run folder cannot be written; recording stops and the log stays valid."""


class RunLocked(TraceError):
    """Another process is writing to this run."""


class TraceReadError(TraceError):
    """There is no run at that path, or nothing of it can be read."""


class StoreError(TraceReadError):
    """A store that runs are kept in cannot be used: no such bucket, no rights, no answer. `advice` says what to do now."""

    def __init__(self, what: str, where: str, advice: str) -> None:
        self.advice = advice
        super().__init__(what, where)
