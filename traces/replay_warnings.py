"""Replay warnings: why a recorded walk may not replay exactly in a browser, as noted during recording."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from traces.events import Event, ReplayWarning


def doubts_of(events: Iterable[Event]) -> tuple[ReplayWarning, ...]:
    """All replay warnings of a run, in order."""
    return tuple(event for event in events if isinstance(event, ReplayWarning))


def count_doubts(doubts: Iterable[ReplayWarning]) -> dict[str, int]:
    """Number of warnings by kind, the most frequent first."""
    return dict(Counter(doubt.kind for doubt in doubts).most_common())


def tell_doubts(doubts: Iterable[ReplayWarning]) -> str:
    """All warnings summarised in one line, "" for none."""
    doubts = tuple(doubts)
    if not doubts:
        return ""
    steps = sorted({doubt.step for doubt in doubts})
    kinds = ", ".join(f"{kind} {count}" for kind, count in count_doubts(doubts).items())
    shown = ", ".join(map(str, steps[:8])) + (", ..." if len(steps) > 8 else "")
    return f"step{'s' * (len(steps) != 1)} {shown} may not replay exactly in a browser ({kinds})"


def tell_doubt(doubt: ReplayWarning) -> str:
    """One warning as a line."""
    detail = f": {doubt.detail}" if doubt.detail else ""
    return f"step {doubt.step}, {doubt.kind}{detail} ({doubt.url[:200]})"
