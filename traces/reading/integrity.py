"""Verifies a run: that every blob it references exists and is unaltered."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from traces.errors import TraceReadError
from traces.reading.reader import Run
from traces.store.blobs import BlobRef
from traces.store.mirror import bring_whole
from traces.store.run_files import BLOB_FOLDER


class BlobCheck(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a blob check. `problems` name the line, the blob, and what is wrong with it."""

    blobs: int
    bytes: int
    """Size of the values, not of their files."""
    unnamed: int
    """Files that no line references: written before a line that a crash truncated. Harmless."""
    problems: tuple[str, ...] = ()


def check_blobs(run: Run) -> BlobCheck:
    """Read every blob that the lines of a run reference, once. The lines and their hash chain are checked by reading the run."""
    bring_whole(run.folder)
    store = run.blobs
    checked: set[str] = set()
    problems: list[str] = []
    size = 0
    for envelope in run.envelopes:
        where = f"line {envelope.seq + 1} ({envelope.k})"
        pending = list(refs_in(msgspec.json.decode(envelope.d)))
        while pending:
            plain = pending.pop()
            name = _name(plain)
            if name in checked:
                continue
            checked.add(name)
            try:
                if "n" in plain:
                    data = store.get(msgspec.convert(plain, BlobRef))
                    if plain.get("m") == "application/json":  # a message stored as a blob may reference images
                        pending += refs_in(msgspec.json.decode(data))
                else:
                    data = store.get_file(name)
                    if hashlib.sha256(data).hexdigest() != name:
                        problems.append(f"{where}: blob {name[:12]}: the recorded value was altered")
                size += len(data)
            except (TraceReadError, OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
                what = error.what if isinstance(error, TraceReadError) else "the recorded value is missing"
                problems.append(f"{where}: blob {name[:12]}: {what}")
    return BlobCheck(
        blobs=len(checked), bytes=size, unnamed=_unnamed(run.folder, checked, problems), problems=tuple(problems)
    )


def refs_in(value: Any) -> Iterator[dict[str, Any]]:
    """The blob references within a JSON-ready value, each with its compression dictionary."""
    if isinstance(value, dict):
        if "$b" in value:
            yield value
            if value.get("basis"):
                yield value["basis"]
        else:
            for inner in value.values():
                yield from refs_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from refs_in(inner)


def _name(plain: dict[str, Any]) -> str:
    digest = str(plain["$b"]).removeprefix("sha256:")
    basis = plain.get("basis")
    return f"{digest}-{str(basis['$b'])[7:15]}" if basis else digest


def _unnamed(folder: Path, checked: set[str], problems: list[str]) -> int:
    if problems or not folder.is_dir():
        return 0
    return sum(path.is_file() and path.name not in checked for path in (folder / BLOB_FOLDER).glob("*/*"))
