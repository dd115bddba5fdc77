"""Replay warnings: why a recorded walk may not replay exactly in a browser, as noted during recording."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from traces.events import Event, ReplayWarning


def replay_warnings_of(events: Iterable[Event]) -> tuple[ReplayWarning, ...]:
    """All replay warnings of a run, in order."""
    return tuple(event for event in events if isinstance(event, ReplayWarning))


def count_warnings(warnings: Iterable[ReplayWarning]) -> dict[str, int]:
    """Number of warnings by kind, the most frequent first."""
    return dict(Counter(warning.kind for warning in warnings).most_common())


def summarize_warnings(warnings: Iterable[ReplayWarning]) -> str:
    """All warnings summarised in one line, "" for none."""
    warnings = tuple(warnings)
    if not warnings:
        return ""
    steps = sorted({warning.step for warning in warnings})
    kinds = ", ".join(f"{kind} {count}" for kind, count in count_warnings(warnings).items())
    shown = ", ".join(map(str, steps[:8])) + (", ..." if len(steps) > 8 else "")
    return f"step{'s' * (len(steps) != 1)} {shown} may not replay exactly in a browser ({kinds})"


def describe_warning(warning: ReplayWarning) -> str:
    """One warning as a line."""
    detail = f": {warning.detail}" if warning.detail else ""
    return f"step {warning.step}, {warning.kind}{detail} ({warning.url[:200]})"
