"""The protocol of what the viewer shows but only the package `walker` can compute. `traces` does not import `walker`, so the caller
passes an implementation in."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol


class Tools(Protocol):
    """Computations over runs. Each method gives a JSON-ready value, and raises `TraceReadError` where a run is damaged or does not
    have the needed data."""

    def gate(self, run: Path, weights: tuple[float, ...] = ()) -> Any:
        """Every gate decision of a run with its score 0..100, for what-if thresholds; recomputed with `weights` if given."""

    def diff(self, one: Path, other: Path) -> Any:
        """The comparison of two runs, as `traces.compare.diff.WalkDiff`."""

    def state(self, run: Path, step: int) -> Any:
        """The walk's memory at the end of a step."""

    def asked(self, run: Path) -> Any:
        """What the walk of a run asks a person now, as `walker.handover.open_question.Asked`; None where it asks nothing."""

    def answer(self, run: Path, number: int, choice: int) -> str:
        """Bring the walk what a person chose; why it was not taken, "" where it was."""
