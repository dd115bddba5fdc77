"""What the viewer shows beyond the record: the gate at other thresholds, two walks beside each other, the state at a step."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import msgspec

from traces.diff import WalkDiff
from traces.errors import TraceError, TraceReadError
from walker.comparing import diff_runs
from walker.errors import WalkerError
from walker.gate import GateWeights
from walker.travelling import WalkState, state_at
from walker.whatif import GateCase, GateSlider, for_slider, read_cases

WEIGHTS = tuple(field.name for field in msgspec.structs.fields(GateWeights))


class WalkTools:
    """The viewer's `Tools`."""

    def __init__(self) -> None:
        self._read: tuple[tuple[Path, int], tuple[GateCase, ...]] | None = None
        """The decisions that were read last: a slider asks for the same ones many times."""

    def gate(self, run: Path, weights: tuple[float, ...] = ()) -> GateSlider:
        """See `walker.whatif.for_slider`; `weights` in the order of `GateWeights`. Raises `KeyError` for another number of them."""
        if len(weights) not in (0, len(WEIGHTS)):
            raise KeyError(weights)
        given = GateWeights(**dict(zip(WEIGHTS, weights, strict=True))) if weights else None
        with _damage_told(run):
            return for_slider(self._cases(run), given)

    def diff(self, one: Path, other: Path) -> WalkDiff:
        """See `walker.comparing.diff_runs`."""
        with _damage_told(one):
            return diff_runs(one, other)

    def state(self, run: Path, step: int) -> WalkState:
        """See `walker.travelling.state_at`; the run is named, not where it lies on this machine."""
        with (
            _damage_told(run),
            ThreadPoolExecutor(1, "time-travel") as thread,
        ):  # whoever asks may have a loop of its own running
            state = thread.submit(asyncio.run, state_at(run, step)).result()
        return msgspec.structs.replace(state, run=run.name)

    def _cases(self, run: Path) -> tuple[GateCase, ...]:
        log = run / "events.jsonl" if run.is_dir() else run
        version = (run, log.stat().st_size)
        if self._read is None or self._read[0] != version:
            self._read = (version, read_cases(run))
        return self._read[1]


@contextmanager
def _damage_told(run: Path) -> Iterator[None]:
    """What stands in the way, in the words of the command that would meet it."""
    try:
        yield
    except (WalkerError, TraceError, OSError, msgspec.ValidationError) as error:
        raise TraceReadError(str(error), str(run)) from error
