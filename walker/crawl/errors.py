"""What can go wrong with a crawl as a whole; each is one line for a person. What goes wrong with a page is not here."""

from __future__ import annotations

from walker.errors import UsageError, WalkerError


class BadJob(WalkerError):
    """The folder's file is no job, or one of another version."""


class JobLocked(WalkerError):
    """Another process has the job open."""


class JobMismatch(UsageError):
    """The folder holds a job with another script."""


class LoginFailed(WalkerError):
    """The steps before the first page did not log in; nothing was fetched."""
