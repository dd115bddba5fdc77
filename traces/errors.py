"""What can go wrong with a trace on disk.

TraceError            one line: what, where
├── TraceWriteError   the folder cannot be written, or the disk is full; what was acknowledged stays valid
├── RunLocked         another process writes to this run
└── TraceReadError    there is no run there, or it cannot be read at all
"""

from __future__ import annotations


class TraceError(Exception):
    """Base; `where` is the file or folder."""

    def __init__(self, what: str, where: str) -> None:
        self.what, self.where = what, where
        super().__init__(f"{where}: {what}")


class TraceWriteError(TraceError):
    """The run folder cannot be written; the writer stops and the log stays valid."""


class RunLocked(TraceError):
    """Another process writes to this run."""


class TraceReadError(TraceError):
    """There is no run there, or nothing of it can be read."""
