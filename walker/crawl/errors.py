"""Errors that end a crawl, each with a one-line message. Failures of single pages are values, not errors."""

from __future__ import annotations

from walker.errors import UsageError, WalkerError


class BadJob(WalkerError):
    """The folder's file is not a job, or of another version."""


class JobLocked(WalkerError):
    """Another process has locked the job."""


class JobMismatch(UsageError):
    """The folder has a job of another script."""


class PageUnavailable(WalkerError):
    """The one page that a script is written from, or a selector tried on, cannot be had."""


class LoginFailed(WalkerError):
    """The login steps before the first page failed; nothing was fetched."""
