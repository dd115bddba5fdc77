"""What the viewer shows and only the code of walks can compute. Traces know no walk: whoever starts a viewer hands this in."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol


class Tools(Protocol):
    """Each method gives a JSON-ready value, and raises `TraceReadError` where the runs do not allow it."""

    def gate(self, run: Path, weights: tuple[float, ...] = ()) -> Any:
        """Every decision of the gate, ready for other thresholds; with these weights where some are given, in the order of
        `GateWeights`. Raises `TraceReadError`."""

    def diff(self, one: Path, other: Path) -> Any:
        """Two runs compared, as `traces.compare.diff.WalkDiff`. Raises `TraceReadError`."""

    def state(self, run: Path, step: int) -> Any:
        """What the walk knew when it was done with a step; 0 is before the first page. Raises `TraceReadError`."""
