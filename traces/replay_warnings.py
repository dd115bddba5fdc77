"""Why a recorded walk will not replay exactly in a browser: what was noted of it while it was recorded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from traces.events import Event, ReplayWarning


def doubts_of(events: Iterable[Event]) -> tuple[ReplayWarning, ...]:
    """All that was noted, in order."""
    return tuple(event for event in events if isinstance(event, ReplayWarning))


def count_doubts(doubts: Iterable[ReplayWarning]) -> dict[str, int]:
    """How many there are of each kind, the most frequent first."""
    return dict(Counter(doubt.kind for doubt in doubts).most_common())


def tell_doubts(doubts: Iterable[ReplayWarning]) -> str:
    """All of them in one line, "" where there is none."""
    doubts = tuple(doubts)
    if not doubts:
        return ""
    steps = sorted({doubt.step for doubt in doubts})
    kinds = ", ".join(f"{kind} {count}" for kind, count in count_doubts(doubts).items())
    shown = ", ".join(map(str, steps[:8])) + (", ..." if len(steps) > 8 else "")
    return f"step{'s' * (len(steps) != 1)} {shown} may not replay exactly in a browser ({kinds})"


def tell_doubt(doubt: ReplayWarning) -> str:
    """One of them in a line."""
    detail = f": {doubt.detail}" if doubt.detail else ""
    return f"step {doubt.step}, {doubt.kind}{detail} ({doubt.url[:200]})"
