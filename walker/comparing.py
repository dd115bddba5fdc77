"""Recorded walks as values for comparison: pages are told apart by their keys."""

from __future__ import annotations

from pathlib import Path

from memory.url_key import BadUrl, key_of
from traces.diff import WalkDiff, compare_walks
from traces.steps import Walk, walk_of
from walker.replaying import open_run


def read_walk(run: Path) -> Walk:
    """A run step by step; raises `UsageError` where there is none that can be read."""
    return walk_of(open_run(run), page_key)


def diff_runs(one: Path, other: Path) -> WalkDiff:
    """Compare two runs."""
    return compare_walks(read_walk(one), read_walk(other))


def page_key(url: str) -> str:
    """The identity of a page, its address where that is none."""
    try:
        return key_of(url)
    except BadUrl:
        return url
