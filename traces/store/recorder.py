"""Writes a run while it happens. Once `emit` has returned, the event survives kill -9."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import msgspec

from traces.errors import RunLocked, StoreError, TraceReadError, TraceWriteError
from traces.events import Event
from traces.manifest import RunManifest
from traces.redaction import Redactor, is_json_type
from traces.store.atomic_file import write_atomically
from traces.store.blobs import BlobRef, BlobStore
from traces.store.encoding import encode_body
from traces.store.file_lock import lock_exclusively
from traces.store.mirror import address_of, mark_of
from traces.store.run_copy import CopyThread, copying
from traces.store.run_files import BLOB_FOLDER, LOG_NAME, MANIFEST_NAME, SEAL_NAME

CHAIN_DIGITS = 16

Durability = Literal["process", "step"]


class Seal(msgspec.Struct, frozen=True, kw_only=True):
    """seal.json: the run ended normally, with a log of this length and hash."""

    status: str
    events: int
    log_sha256: str
    totals: dict[str, Any] = {}


class Recorder:
    """Single writer of a run folder. `clock` gives seconds since the epoch."""

    def __init__(
        self, folder: Path, *, clock: Callable[[], float], redactor: Redactor, durability: Durability = "process"
    ) -> None:
        self.folder, self._log = folder, folder / LOG_NAME
        self.redactor = redactor
        self._clock, self._durability = clock, durability
        self._blobs = BlobStore(folder / BLOB_FOLDER, durable=durability == "step")
        self._started = clock()
        self._seq = 0
        self._step = 0
        self._previous = ""
        self._is_broken = False
        self._log_digest = hashlib.sha256()
        self._copy: CopyThread | None = None
        self._file = self._open_log()

    @classmethod
    def create(
        cls,
        folder: Path,
        manifest: RunManifest,
        *,
        clock: Callable[[], float],
        redactor: Redactor | None = None,
        durability: Durability = "process",
    ) -> Recorder:
        """Create the folder of a new run, the manifest first. Raises `TraceWriteError`."""
        redactor = redactor or Redactor()
        try:
            folder.mkdir(mode=0o700, parents=True)
            write_atomically(
                folder / MANIFEST_NAME,
                redactor.clean_json(msgspec.json.format(msgspec.json.encode(manifest))),
                mode=0o600,
            )
        except FileExistsError:
            raise TraceWriteError("there is a run already", str(folder)) from None
        except OSError as error:
            raise TraceWriteError(error.strerror or "cannot be written", str(folder)) from None
        recorder = cls(folder, clock=clock, redactor=redactor, durability=durability)
        try:
            recorder._copy = copying(folder)
        except StoreError:
            recorder.close()
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return recorder

    @classmethod
    def resume(
        cls,
        folder: Path,
        *,
        clock: Callable[[], float],
        redactor: Redactor | None = None,
        durability: Durability = "process",
    ) -> Recorder:
        """Continue an interrupted run. A truncated last line is removed: it was never acknowledged. Raises `TraceReadError`,
        `TraceWriteError` or `RunLocked`."""
        if not (folder / MANIFEST_NAME).exists():
            raise TraceReadError("there is no run there", str(folder))
        recorder = cls(folder, clock=clock, redactor=redactor or Redactor(), durability=durability)
        try:
            recorder._go_on()
            recorder._copy = copying(folder)
        except StoreError:
            recorder.close()
            raise
        except OSError as error:
            recorder.close()
            raise TraceWriteError(error.strerror or "cannot be written", str(folder)) from None
        except (msgspec.DecodeError, KeyError, TypeError):
            recorder.close()
            raise TraceReadError("the first line of the log is damaged", str(folder / LOG_NAME)) from None
        return recorder

    def now(self) -> float:
        """Seconds since the epoch, by the clock of the events."""
        return self._clock()

    def emit(self, event: Event) -> None:
        """Write one event as one line; it is acknowledged once the operating system has all of it. Raises `TraceWriteError`."""
        kind, step, body = encode_body(event, self.put)
        now = self._clock()
        head = msgspec.json.encode(
            {
                "seq": self._seq,
                "t": max(0, round((now - self._started) * 1e6)),
                "wall": round(now, 6),
                "k": kind,
                "step": step,
            }
        )
        tail = msgspec.json.encode({"p": self._previous})
        line = head[:-1] + b',"d":' + self.redactor.clean_json(body) + b"," + tail[1:] + b"\n"
        self._write(line)
        self._seq += 1
        if self._durability == "step" and step != self._step:
            self._sync()
        if self._copy is not None and step != self._step:
            self._copy.checkpoint()
        self._step = step

    def put(self, data: bytes, media: str, basis: BlobRef | None = None) -> BlobRef:
        """Keep a large value; it is on disk before the event that names it."""
        return self._blobs.put(self.clean(data, media), media, basis)

    def clean(self, data: bytes, media: str) -> bytes:
        """A large value as it is kept."""
        return self.redactor.clean_json(data) if is_json_type(media) else self.redactor.clean(data)

    def get(self, ref: BlobRef) -> bytes:
        """A large value that was kept, as it was kept. Raises `TraceReadError`."""
        return self._blobs.get(ref)

    def seal(self, status: str, totals: dict[str, Any]) -> None:
        """Mark the run as ended normally; one that is kept in a store is sent. Raises `TraceWriteError`."""
        seal = Seal(status=status, events=self._seq, log_sha256=self._log_digest.hexdigest(), totals=totals)
        self._sync()
        try:
            write_atomically(self.folder / SEAL_NAME, msgspec.json.encode(seal), mode=0o600)
        except OSError as error:
            raise TraceWriteError(error.strerror or "cannot be written", str(self.folder)) from None
        if self._copy is not None:
            self._copy.end(is_sealed=True)

    @property
    def place(self) -> str:
        """Where all of the run lies: the address of a store that has it whole, else its folder."""
        return address_of(self.folder) if self._copy is not None and mark_of(self.folder).is_whole else str(self.folder)

    def close(self) -> None:
        """Release the run; it can be resumed if it was not sealed."""
        if self._copy is not None:
            self._copy.end(is_sealed=False)
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _open_log(self) -> int:
        try:
            file = os.open(self._log, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        except OSError as error:
            raise TraceWriteError(error.strerror or "cannot be written", str(self._log)) from None
        if not lock_exclusively(file):
            os.close(file)
            raise RunLocked("another process is writing to this run", str(self.folder))
        return file

    def _write(self, line: bytes) -> None:
        if self._is_broken:
            raise TraceWriteError("its last line is incomplete, so nothing can be appended", str(self._log))
        try:
            written = os.write(self._file, line)
            if written < len(line):  # a full disk takes part of a line: remove it, so that the log stays valid
                self._is_broken = True
                os.ftruncate(self._file, os.fstat(self._file).st_size - written)
                self._is_broken = False
                raise TraceWriteError("no space left", str(self._log))
        except OSError as error:
            raise TraceWriteError(error.strerror or "cannot be written", str(self._log)) from None
        self._previous = hashlib.sha256(line.rstrip(b"\n")).hexdigest()[:CHAIN_DIGITS]
        self._log_digest.update(line)

    def _sync(self) -> None:
        try:
            os.fsync(self._file)
        except OSError as error:
            raise TraceWriteError(error.strerror or "cannot be written", str(self._log)) from None

    def _go_on(self) -> None:
        data = self._log.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            os.ftruncate(self._file, len(whole))
        lines = whole.splitlines()
        if lines:
            self._seq = len(lines)
            self._previous = hashlib.sha256(lines[-1]).hexdigest()[:CHAIN_DIGITS]
            first = msgspec.json.decode(lines[0])
            self._started = first["wall"] - first["t"] / 1e6
        self._log_digest.update(whole)
        (self.folder / SEAL_NAME).unlink(missing_ok=True)


msgspec.json.Decoder(Seal)  # described at import: docs/design/msgspec.md
