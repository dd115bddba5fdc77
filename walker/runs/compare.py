"""Recorded walks as values for comparison: pages are identified by their URL keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from memory.url_key import key_or
from traces.compare.diff import WalkDiff, compare_walks
from traces.compare.origins import at_origins, digests_of, origins_between, with_moved_pages
from traces.reading.steps import Walk, walk_of
from walker.runs.recorded_run import open_run

CALLS = frozenset(("call",))


def read_walk(run: Path) -> Walk:
    """A run step by step; raises `UsageError` where there is none that can be read."""
    return walk_of(open_run(run), page_key)


def diff_runs(one: Path | str, other: Path | str, read: Callable[[Path], Walk] = read_walk) -> WalkDiff:
    """Compare two runs. Where their roots have different origins, the sites there count as one. `read` may return cached
    walks."""
    left, right = read(Path(one)), read(Path(other))
    origins = origins_between(left, right)
    if origins:
        right = with_moved_pages(right, open_run(other, CALLS), origins, digests_of(left))
        right = at_origins(right, origins, left.start["root_url"])
    return compare_walks(left, right, origins)


def page_key(url: str) -> str:
    """The URL key of a page; the address itself if it has none."""
    return key_or(url, url)
