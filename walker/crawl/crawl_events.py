"""Events of a running crawl, for the progress display, the recording and tests."""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

from walker.crawl.job_records import Change

CrawlStop = Literal[
    "complete",
    "quota reached",
    "page limit",
    "item limit",
    "byte limit",
    "time limit",
    "interrupted",
    "failed",
    "nothing fetched",
]
"""`nothing fetched`: no page was left to fetch, and none could be had."""

PageOutcome = Literal["kept", "same", "failed", "skipped", "later", "alias"]
"""Stored; stored as a duplicate; all others were not stored. `alias`: redirected to a page that was fetched already."""


class PageDone(msgspec.Struct, frozen=True, kw_only=True, tag="page"):
    """A page was stored, failed, was skipped, or was postponed."""

    url: str
    outcome: PageOutcome
    final_url: str = ""
    """URL after redirects, "" if it was not fetched."""
    why: str = ""
    status: int = 0
    title: str = ""
    depth: int = 0
    items: int = 0
    """Number of new items."""
    links: int = 0
    """Number of its URLs added to the frontier."""
    cut: int = 0
    """Number of waiting pages that were dropped with its branch."""
    size: int = 0
    seconds: float = 0.0
    driver: str = ""
    change: Change = ""
    """What has become of the page since the crawl before."""


class CrawlSink(Protocol):
    """Receives the events of a crawl, in order."""

    def emit(self, event: PageDone) -> None:
        """Process one event, which is in the job's file already. Must not block. Raises `TraceWriteError` if it has to be recorded
        and cannot."""
        ...


class Silence:
    """A sink that ignores all events."""

    def emit(self, event: PageDone) -> None:
        """Do nothing."""
