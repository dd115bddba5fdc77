"""Computed views of the viewer: the gate at other thresholds, two walks compared, the state at a step."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import msgspec

from traces.compare.diff import WalkDiff
from traces.errors import TraceError, TraceReadError
from traces.reading.steps import Walk
from traces.store.run_files import LOG_NAME
from walker.errors import UsageError, WalkerError
from walker.handover.open_question import Asked
from walker.handover.question_socket import answer_in, asked_in
from walker.runs.compare import diff_runs, read_walk
from walker.runs.state_at_step import StateAtStep, state_at
from walker.runs.threshold_whatif import GateCase, GateSlider, read_cases, slider_cases
from walker.settings import GateWeights

WEIGHTS = tuple(field.name for field in msgspec.structs.fields(GateWeights))
WALKS_KEPT = 2

_Version = tuple[Path, int, int]
"""Cache key of a run: its path, and the size and modification time of its log."""


class WalkTools:
    """The viewer's `Tools`."""

    def __init__(self) -> None:
        self._read: tuple[_Version, tuple[GateCase, ...]] | None = None
        """Cache of gate decisions: a slider asks for the same ones many times."""
        self._lock = threading.Lock()
        self._walks: dict[_Version, Walk] = {}
        """Cache of compared walks: they are often swapped, or compared with a third."""

    def gate(self, run: Path, weights: tuple[float, ...] = ()) -> GateSlider:
        """See `walker.runs.threshold_whatif.slider_cases`; `weights` in the order of `GateWeights`.
        Raises `KeyError` for another number of them."""
        if len(weights) not in (0, len(WEIGHTS)):
            raise KeyError(weights)
        given = GateWeights(**dict(zip(WEIGHTS, weights, strict=True))) if weights else None
        with _damage_told(run):
            return slider_cases(self._cases(run), given)

    def diff(self, one: Path, other: Path) -> WalkDiff:
        """See `walker.runs.compare.diff_runs`."""
        with _damage_told(one):
            return diff_runs(one, other, self._walk)

    def state(self, run: Path, step: int) -> StateAtStep:
        """See `walker.runs.state_at_step.state_at`; the run by its name, without its path on this machine."""
        with (
            _damage_told(run),
            ThreadPoolExecutor(1, "time-travel") as thread,
        ):  # the caller may already run an event loop
            state = thread.submit(asyncio.run, state_at(run, step)).result()
        return msgspec.structs.replace(state, run=run.name)

    def asked(self, run: Path) -> Asked | None:
        """See `walker.handover.question_socket.asked_in`."""
        return asked_in(run)

    def answer(self, run: Path, number: int, choice: int) -> str:
        """See `walker.handover.question_socket.answer_in`."""
        try:
            answer_in(run, number, choice)
        except UsageError as error:
            return str(error)
        return ""

    def _walk(self, run: Path) -> Walk:
        version = _version(run)
        with self._lock:
            walk = self._walks.pop(version, None) or read_walk(run)
            while len(self._walks) >= WALKS_KEPT:
                self._walks.pop(next(iter(self._walks)))
            self._walks[version] = walk
            return walk

    def _cases(self, run: Path) -> tuple[GateCase, ...]:
        version = _version(run)
        if self._read is None or self._read[0] != version:
            self._read = (version, read_cases(run))
        return self._read[1]


def _version(run: Path) -> _Version:
    stat = (run / LOG_NAME if run.is_dir() else run).stat()
    return run, stat.st_size, stat.st_mtime_ns


@contextmanager
def _damage_told(run: Path) -> Iterator[None]:
    """The error, in the words of the corresponding command."""
    try:
        yield
    except (WalkerError, TraceError, OSError, msgspec.ValidationError) as error:
        raise TraceReadError(str(error), str(run)) from error
