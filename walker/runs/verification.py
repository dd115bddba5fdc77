"""Is a recorded walk still what this code would do? Derived again from its recording in milliseconds, no network, no browser."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import msgspec

from traces.compare.difference import Difference
from traces.compare.matching import Certificate, Mismatch, Rung
from traces.errors import StoreError
from traces.events import ReplayWarning
from traces.reading.integrity import check_blobs
from traces.replay_warnings import replay_warnings_of
from traces.store.mirror import address_of
from walker.errors import Divergence, UsageError
from walker.run_setup import is_played
from walker.runs.recorded_run import open_run
from walker.runs.replay import Replay


class Departure(msgspec.Struct, frozen=True, kw_only=True):
    """Where the replay differs from the recording."""

    step: int
    place: str
    """Seam and method of a call, or the kind of an event."""
    field: str
    expected: Any
    got: Any
    told: str
    """The whole of it in one line."""


class Verification(msgspec.Struct, frozen=True, kw_only=True):
    """The result for one run. `is_equal` if everything was computed again and nothing is damaged."""

    run: str
    is_equal: bool
    events: int = 0
    calls: int = 0
    lines: int = 0
    blobs: int = 0
    unnamed_blobs: int = 0
    certificate: Certificate = Certificate()
    departure: Departure | None = None
    mismatches: tuple[Mismatch, ...] = ()
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """Remarks that are no fault of the recording, such as an interrupted walk, or a script that was played and decided nothing."""
    doubts: tuple[ReplayWarning, ...] = ()
    """Replay warnings from the recording: why a browser may not show the same pages again."""
    milliseconds: float = 0.0


async def verify_run(folder: Path, *, deep: bool = False, tolerance: Rung = "exact") -> Verification:
    """Check every line and blob of a run, and derive every score, gate, count, stack move and choice again.

    Stops at the first field that differs. Problems of the run are in the result; nothing is raised.
    """
    started = time.perf_counter()
    try:
        run = open_run(folder)
        blobs = check_blobs(run)
        problems = (*run.problems[: -1 if run.torn_bytes else None], *blobs.problems)
        kept = Verification(
            run=address_of(folder),
            is_equal=not problems,
            lines=len(run.envelopes),
            blobs=blobs.blobs,
            unnamed_blobs=blobs.unnamed,
            problems=problems,
        )
        if is_played(run.manifest.settings):
            note = "a script was played here: lines and blobs were checked, there are no decisions to repeat"
            return msgspec.structs.replace(kept, notes=(note,), milliseconds=_since(started))
        replay = Replay(run, tolerance)
    except StoreError as error:
        return Verification(run=address_of(folder), is_equal=False, problems=(str(error),))
    except UsageError as error:
        return Verification(run=address_of(folder), is_equal=False, problems=(f"{error.where}: {error.what}",))
    notes, departure = run.problems[-1:] if run.torn_bytes else (), None
    try:
        report = await replay.follow(deep=deep)
        notes += (f"the walk was interrupted or failed: {report.ended_with}",) if report.ended_with else ()
    except Divergence as error:
        departure = _departure(error)
    return msgspec.structs.replace(
        kept,
        is_equal=departure is None and not problems,
        events=replay.sink.compared,
        calls=replay.recording.answered,
        certificate=replay.recording.certificate,
        departure=departure,
        mismatches=tuple(replay.recording.mismatches),
        notes=notes,
        doubts=replay_warnings_of(run.events),
        milliseconds=_since(started),
    )


def _since(started: float) -> float:
    return round(1000 * (time.perf_counter() - started), 1)


def _departure(error: Divergence) -> Departure:
    difference = error.difference or Difference(field="", expected=None, got=None)
    return Departure(
        step=error.step,
        place=error.place,
        field=difference.field,
        expected=difference.expected,
        got=difference.got,
        told=f"{error.where}: {error.what}",
    )
