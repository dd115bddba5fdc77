"""Lists runs, one line each, from the manifest and the tail of the log only, so that thousands are listed quickly."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import msgspec

from traces.errors import TraceError
from traces.events import Envelope
from traces.reading.reader import read_manifest
from traces.store.blobs import BlobRef, BlobStore
from traces.store.file_lock import is_locked
from traces.store.run_files import BLOB_FOLDER, LOG_NAME, MANIFEST_NAME
from traces.store.run_path import ZIP_SUFFIX, RunPath, open_run_path

State = Literal["ended", "failed", "cut off", "live", "damaged"]
TAIL_BYTES = 65_536
"""Bytes of the tail of a log that are read first: no line is longer, since large values are in blobs."""


class RunEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One run in a list."""

    path: Path
    state: State
    """`live`: being written now; `cut off`: interrupted, without an end; `damaged`: `problem` says how."""
    bytes: int
    created: float = 0.0
    """Seconds since the epoch; of a damaged run, the modification time of its folder."""
    question: str = ""
    root_url: str = ""
    answer: str = ""
    nearest: str = ""
    """What a walk found that was not sure: no answer."""
    stop_reason: str = ""
    pages: int = 0
    seconds: float = 0.0
    is_packed: bool = False
    parent: str = ""
    """Id of the run that this one is a fork of."""
    problem: str = ""


class RunFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Criteria for runs; an omitted one accepts all."""

    words: str = ""
    """Text in the question, the answer or the nearest, the root URL or the folder name; case-insensitive."""
    states: tuple[str, ...] = ()
    """States or stop reasons, any of which must apply."""
    created_before: float | None = None
    created_after: float | None = None
    least_bytes: int = 0

    def takes(self, entry: RunEntry) -> bool:
        """Whether a run meets all criteria."""
        said = f"{entry.question} {entry.answer} {entry.nearest} {entry.root_url} {entry.path.name}".casefold()
        return (
            all(word in said for word in self.words.casefold().split())
            and (not self.states or bool({entry.state, entry.stop_reason} & set(self.states)))
            and (self.created_before is None or entry.created < self.created_before)
            and (self.created_after is None or entry.created >= self.created_after)
            and entry.bytes >= self.least_bytes
        )


def find_runs(paths: Iterable[Path]) -> tuple[Path, ...]:
    """The runs at these paths: each is a run (a folder or a zip), or a folder of runs."""
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir() and not (path / MANIFEST_NAME).exists():
            inner = sorted(path.iterdir())
            found |= dict.fromkeys(one for one in inner if (one / MANIFEST_NAME).exists() or one.suffix == ZIP_SUFFIX)
        else:
            found[path] = None
    return tuple(found)


def describe_run(path: Path) -> RunEntry:
    """The entry of one run; a damaged run is reported in its entry."""
    size, changed, packed = _size(path), _changed(path), path.suffix == ZIP_SUFFIX
    try:
        place = open_run_path(path)
        manifest = read_manifest(place)
        end = _read_end(place, path)
    except (TraceError, zipfile.BadZipFile, OSError, msgspec.MsgspecError, UnicodeDecodeError, KeyError) as error:
        problem = error.what if isinstance(error, TraceError) else str(error)
        return RunEntry(path=path, state="damaged", bytes=size, created=changed, is_packed=packed, problem=problem)
    return RunEntry(
        path=path,
        state=end.state,
        bytes=size,
        created=manifest.created,
        question=manifest.question,
        root_url=manifest.root_url,
        answer=end.found if end.confidence >= manifest.sure else "",
        nearest=end.found if end.confidence < manifest.sure else "",
        stop_reason=end.stop_reason,
        pages=end.pages,
        seconds=end.seconds,
        is_packed=packed,
        parent=manifest.parent.run_id if manifest.parent is not None else "",
        problem=end.problem,
    )


class _End(msgspec.Struct, frozen=True, kw_only=True):
    state: State
    found: str = ""
    """What it found, as its answer or as the nearest: which of both its confidence says."""
    confidence: float = 0.0
    stop_reason: str = ""
    pages: int = 0
    seconds: float = 0.0
    problem: str = ""


def _read_end(place: RunPath, path: Path) -> _End:
    log = place / LOG_NAME
    if not log.exists():
        return _End(state="damaged", problem="it has no log")
    data = _tail(log)
    end = data.rfind(b"\n")
    if end < 0:
        return _End(state="live" if is_locked(path / LOG_NAME) else "cut off")
    last = msgspec.json.decode(data[data.rfind(b"\n", 0, end) + 1 : end], type=Envelope)
    fields = msgspec.json.decode(last.d)
    seconds = last.t / 1e6
    if last.k == "run.end":
        return _End(
            state="ended",
            found=_whole(fields["answer"], place),
            confidence=fields["confidence"],
            stop_reason=fields["stop_reason"],
            pages=fields["pages"],
            seconds=seconds,
        )
    pages = log.read_bytes().count(b'"k":"page.open"')
    if last.k == "error":
        return _End(state="failed", pages=pages, seconds=seconds, problem=f"{fields['error']}: {fields['message']}")
    return _End(state="live" if is_locked(path / LOG_NAME) else "cut off", pages=pages, seconds=seconds)


def _tail(log: RunPath) -> bytes:
    if not isinstance(log, Path):
        return log.read_bytes()
    with log.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        start = max(0, size - TAIL_BYTES)
        file.seek(start)
        data = file.read()
    return data[data.find(b"\n") + 1 :] if start else data


def _whole(value: Any, place: RunPath) -> str:
    if isinstance(value, dict) and "$b" in value:
        value = msgspec.json.decode(BlobStore(place / BLOB_FOLDER).get(msgspec.convert(value, BlobRef)))
    return str(value)


def _size(path: Path) -> int:
    if path.is_file():
        return path.stat().st_size
    return _bytes_in(str(path))


def _bytes_in(folder: str) -> int:
    """Total size of all files below a folder. Uses strings, as `Path` objects for a run's many blobs cost more than the rest of
    the entry; files that cannot be read, or disappear meanwhile, count 0."""
    total = 0
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    total += _bytes_in(entry.path)
                elif entry.is_file():
                    total += entry.stat().st_size
    except OSError:
        return total
    return total


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
