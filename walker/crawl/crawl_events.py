"""What a crawl tells while it runs: to a progress display, to the record, to tests."""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

CrawlStop = Literal[
    "complete", "quota reached", "page limit", "item limit", "byte limit", "time limit", "interrupted", "failed"
]

PageOutcome = Literal["kept", "same", "failed", "skipped", "later", "alias"]
"""Kept; kept as one that says the same as another; the rest was not kept. `alias`: it led to a page that was had already."""


class PageDone(msgspec.Struct, frozen=True, kw_only=True, tag="page"):
    """One page was kept, given up, skipped, or put off."""

    url: str
    outcome: PageOutcome
    final_url: str = ""
    """Where it led, "" where it was not had."""
    why: str = ""
    status: int = 0
    title: str = ""
    depth: int = 0
    items: int = 0
    """New ones."""
    links: int = 0
    """Addresses that entered the frontier with it."""
    cut: int = 0
    """Waiting pages that were cut with its branch."""
    size: int = 0
    seconds: float = 0.0
    driver: str = ""


class CrawlSink(Protocol):
    """Takes what a crawl tells, in order."""

    def tell(self, event: PageDone) -> None:
        """Take the news of one page; it is in the job's file already. Raises `TraceWriteError` where it has to be kept and cannot."""
        ...


class Silence:
    """Takes everything and does nothing."""

    def tell(self, event: PageDone) -> None:
        """Nothing."""
