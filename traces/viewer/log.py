"""Follows the log of a run as it grows: a damaged line is reported, and reading continues after it."""

from __future__ import annotations

import hashlib
import zipfile
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path

import msgspec

from traces.store.file_lock import is_locked
from traces.store.recorder import CHAIN_DIGITS
from traces.store.run_files import LOG_NAME
from traces.store.run_path import RunPath


class Line(msgspec.Struct, frozen=True, gc=False):
    """Position and kind of a line of the log."""

    number: int
    """Line number, from 1."""
    start: int
    """Byte offset."""
    size: int
    """Its length in bytes, without the line break."""
    seq: int
    t: int
    """Microseconds since the run started."""
    kind: str
    """Kind of the event, "" where the line cannot be read."""
    step: int
    damage: str = ""


class _Head(msgspec.Struct, frozen=True, gc=False):
    """A line's fields; `d` remains undecoded."""

    seq: int
    t: int
    k: str
    step: int
    d: msgspec.Raw
    p: str = ""


class GrowingLog:
    """The complete lines of a log so far. Each `grow` gives those added since the previous one."""

    def __init__(self, folder: RunPath) -> None:
        self._path = folder / LOG_NAME
        self._packed = b"" if isinstance(folder, Path) else _whole(folder)
        """Content of a log inside a zip, which does not grow."""
        self._decoder = msgspec.json.Decoder(_Head)
        self.lines: list[Line] = []
        self.read_bytes = 0
        """Number of complete lines."""
        self.torn_bytes = 0
        """Offset after the last complete line."""
        self._previous = ""

    @property
    def was_replaced(self) -> bool:
        """Whether the log is shorter than what was read already."""
        return self.size < self.read_bytes

    @property
    def size(self) -> int:
        """Bytes on disk now, 0 for a log that does not exist yet."""
        if not isinstance(self._path, Path):
            return len(self._packed)
        try:
            return self._path.stat().st_size
        except OSError:
            return 0

    def grow(self) -> Iterator[tuple[Line, msgspec.Raw | None]]:
        """New lines with their event's fields; None for a line that cannot be read."""
        data = self._read_from(self.read_bytes)
        end = data.rfind(b"\n") + 1
        self.torn_bytes = len(data) - end
        start = self.read_bytes
        for raw in data[:end].split(b"\n")[:-1]:
            line, fields = self._read_line(raw, start)
            self.lines.append(line)
            self._previous = hashlib.sha256(raw).hexdigest()[:CHAIN_DIGITS]
            start += len(raw) + 1
            self.read_bytes = start
            yield line, fields

    def fields_of(self, line: Line) -> msgspec.Raw | None:
        """The event fields of a line that was read before."""
        try:
            return self._decoder.decode(self.text_of(line)).d
        except msgspec.DecodeError:
            return None

    def text_of(self, line: Line) -> bytes:
        """The raw bytes of a line."""
        return self._read_from(line.start, line.size)

    def line_with(self, words: bytes) -> Line | None:
        """The first line that contains these bytes."""
        place = self._read_from(0, self.read_bytes).find(words)
        return None if place < 0 else self.lines[bisect_right(self.lines, place, key=lambda line: line.start) - 1]

    def _read_line(self, raw: bytes, start: int) -> tuple[Line, msgspec.Raw | None]:
        number = len(self.lines) + 1
        try:
            head = self._decoder.decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            last = self.lines[-1] if self.lines else None
            t, step = (last.t, last.step) if last else (0, 0)
            return Line(number, start, len(raw), -1, t, "", step, f"the line cannot be read ({error})"), None
        damage = (
            ""
            if head.p == self._previous
            else "it does not match the hash of the line before: one of the two was altered"
        )
        return Line(number, start, len(raw), head.seq, head.t, head.k, head.step, damage), head.d

    def _read_from(self, start: int, size: int = -1) -> bytes:
        if not isinstance(self._path, Path):
            return self._packed[start : start + size] if size >= 0 else self._packed[start:]
        try:
            with self._path.open("rb") as file:
                file.seek(start)
                return file.read(size)
        except OSError:
            return b""


def _whole(folder: RunPath) -> bytes:
    try:
        return (folder / LOG_NAME).read_bytes()
    except (OSError, zipfile.BadZipFile):
        return b""


def is_being_written(folder: RunPath) -> bool:
    """Whether a recorder has locked the log of this run."""
    return isinstance(folder, Path) and is_locked(folder / LOG_NAME)
