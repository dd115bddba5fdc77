"""Reads a run, even while it is written or after a crash: damage is reported and does not stop the reader."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import msgspec

from traces.errors import TraceReadError
from traces.events import FORMAT, Envelope, Event, MoveTaken, PageOpened, WalkEnded
from traces.manifest import RunManifest
from traces.notebooks.table import Linked, notebook_table
from traces.store.blobs import BlobStore
from traces.store.encoding import decode_body
from traces.store.recorder import CHAIN_DIGITS, Seal
from traces.store.run_files import BLOB_FOLDER, LOG_NAME, MANIFEST_NAME, SEAL_NAME
from traces.store.run_path import RunPath, open_run_path


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """A run as read: `events` and `envelopes` in order, `problems` one line each."""

    folder: Path
    """The run's folder or zip file."""
    manifest: RunManifest
    events: tuple[Event, ...]
    envelopes: tuple[Envelope, ...]
    problems: tuple[str, ...] = ()
    torn_bytes: int = 0
    """Bytes of a truncated last line after a crash; the last problem then says so, and no acknowledged event is lost."""
    seal: Seal | None = None
    blobs: BlobStore
    """The store of its large values."""

    @property
    def seconds(self) -> float:
        """Duration from the first event to the last."""
        return self.envelopes[-1].t / 1e6 if self.envelopes else 0.0

    def _repr_html_(self) -> str:
        """As a notebook shows it: which pages were opened in which step, and what the walk did there."""
        rows: list[tuple[str, str, str, str]] = []
        for event, envelope in zip(self.events, self.envelopes, strict=False):
            match event:
                case PageOpened():
                    rows.append(
                        (str(envelope.step), "page", Linked(event.title or event.final_url, event.final_url), "")
                    )
                case MoveTaken():
                    rows.append((str(envelope.step), event.move, Linked(event.url, event.url), event.reason))
                case WalkEnded():
                    rows.append((str(envelope.step), event.stop_reason, event.answer, f"{event.confidence:.2f}"))
                case _:
                    pass
        return notebook_table(str(self.folder), rows, heads=("step", "what", "where", "why"))


def read_run(folder: Path, kinds: frozenset[str] | None = None) -> Run:
    """Read a run from its folder or zip; only events of `kinds` if given. Raises `TraceReadError` where there is no run, or its
    format is newer than this reader."""
    place = open_run_path(folder)
    manifest = read_manifest(place)
    reading = _Log(place, kinds)
    seal = _read_seal(place, reading)  # first: what is wrong with it is one of the problems
    return Run(
        folder=folder,
        manifest=manifest,
        events=tuple(reading.events),
        envelopes=tuple(reading.envelopes),
        problems=tuple(reading.problems),
        torn_bytes=reading.torn_bytes,
        seal=seal,
        blobs=reading.blobs,
    )


class _Version(msgspec.Struct, frozen=True):
    """The one field of a manifest that every format has."""

    version: tuple[int, ...] = FORMAT


def read_manifest(folder: RunPath) -> RunManifest:
    """The manifest of a run. Raises `TraceReadError` if it is missing, unreadable, or of a newer format."""
    path = folder / MANIFEST_NAME
    try:
        data = path.read_bytes()
        version = msgspec.json.decode(data, type=_Version).version
        if version[:1] > FORMAT[:1]:
            newer = ".".join(map(str, version))
            raise TraceReadError(f"it has format {newer}, written by a newer version; update to read it", str(folder))
        return msgspec.json.decode(data, type=RunManifest)
    except (FileNotFoundError, NotADirectoryError):
        raise TraceReadError("there is no run there (no run.json)", str(folder)) from None
    except OSError as error:
        raise TraceReadError(f"the manifest cannot be read ({error.strerror})", str(path)) from None
    except zipfile.BadZipFile as error:
        raise TraceReadError(f"the manifest cannot be read ({error})", str(path)) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise TraceReadError(f"the manifest cannot be read ({error})", str(path)) from None


class _Log:
    """events.jsonl, line by line, with its hash chain."""

    def __init__(self, folder: RunPath, kinds: frozenset[str] | None) -> None:
        self._kinds = kinds
        self.events: list[Event] = []
        self.envelopes: list[Envelope] = []
        self.problems: list[str] = []
        self.blobs = BlobStore(folder / BLOB_FOLDER)
        path = folder / LOG_NAME
        try:
            data = path.read_bytes() if path.exists() else b""
        except OSError as error:
            raise TraceReadError(f"the log cannot be read ({error.strerror})", str(path)) from None
        except zipfile.BadZipFile as error:
            raise TraceReadError(f"the log cannot be read ({error})", str(path)) from None
        whole, torn = data[: data.rfind(b"\n") + 1], data[data.rfind(b"\n") + 1 :]
        self.digest = hashlib.sha256(whole).hexdigest()
        decoder = msgspec.json.Decoder(Envelope)
        previous = ""
        for number, line in enumerate(whole.splitlines(), start=1):
            self._read_line(decoder, line, number, previous)
            previous = hashlib.sha256(line).hexdigest()[:CHAIN_DIGITS]
        self.torn_bytes = len(torn)
        if torn:
            self.problems.append(f"the last line is truncated after {len(torn)} bytes; it was never acknowledged")

    def _read_line(self, decoder: msgspec.json.Decoder[Envelope], line: bytes, number: int, previous: str) -> None:
        try:
            envelope = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            self.problems.append(f"line {number} cannot be read ({error})")
            return
        if envelope.p != previous:
            self.problems.append(f"line {number} does not match the hash of the one before: one of them was altered")
        if self._kinds is not None and envelope.k not in self._kinds:
            return
        try:
            event = decode_body(envelope.k, envelope.step, bytes(envelope.d), self.blobs.get)
        except TraceReadError as error:
            self.problems.append(f"line {number} ({envelope.k}): {error}")
            return
        except (msgspec.DecodeError, UnicodeDecodeError, TypeError, AttributeError):
            self.problems.append(f"line {number}: the kind {envelope.k} is unknown, or has other fields")
            return
        self.envelopes.append(envelope)
        self.events.append(event)


def _read_seal(folder: RunPath, log: _Log) -> Seal | None:
    path = folder / SEAL_NAME
    if not path.exists():
        return None
    try:
        seal = msgspec.json.decode(path.read_bytes(), type=Seal)
    except (OSError, zipfile.BadZipFile, msgspec.DecodeError, UnicodeDecodeError) as error:
        log.problems.append(f"the seal cannot be read ({error})")
        return None
    if seal.log_sha256 != log.digest:
        log.problems.append("the log is not the one that was sealed")
    return seal


msgspec.json.Decoder(_Version)  # described at import: docs/design/msgspec.md
