"""Folders that mirror a place in a store: runs are written here first, and what is read of others is fetched when it is wanted."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
from platformdirs import user_data_path

from traces.errors import TraceReadError, TraceWriteError
from traces.objects.bucket import SCHEME, BucketPlace, bucket_and_prefix
from traces.objects.places import FolderPlace, ObjectPlace
from traces.store.atomic_file import write_atomically
from traces.store.file_lock import is_locked
from traces.store.log_pieces import PIECE_FOLDER, choose_pieces
from traces.store.run_files import BLOB_FOLDER, LOG_NAME, MANIFEST_NAME, SEAL_NAME

MARK = ".store.json"
"""In a folder of runs: which place it mirrors. In a run of such a folder: how much of it lies there."""
AT_ONCE = 16
"""Objects that are asked for side by side."""
_RUN = re.compile(r"[^/\\\0.][^/\\\0]*")
_BLOB = re.compile(rf"{BLOB_FOLDER}/[0-9a-f]{{2}}/[0-9a-f]{{64}}(?:-[0-9a-f]{{8}})?")
"""Names in a store are not trusted: what is written here lies within the mirror, and is a run or a blob of one."""


class MirrorMark(msgspec.Struct, frozen=True, kw_only=True):
    """The mark of a folder of runs."""

    address: str


class CopyMark(msgspec.Struct, frozen=True, kw_only=True):
    """The mark of a run: so many bytes of its log lie in the store. `is_whole`: so does everything else, and the run has ended."""

    log: int = 0
    is_whole: bool = False


class Mirror:
    """A folder, and the place whose runs it shows. Thread-safe."""

    def __init__(self, folder: Path, place: ObjectPlace) -> None:
        self.folder, self.place = folder, place

    def marked(self) -> Mirror:
        """Make the folder known as one whose runs lie in the place. Raises `TraceWriteError`."""
        _write(self.folder / MARK, msgspec.json.encode(MirrorMark(address=str(self.place))))
        return self

    def names(self) -> tuple[str, ...]:
        """The runs that lie in the place. Raises `StoreError`."""
        return tuple(name for name in self.place.folders() if _RUN.fullmatch(name))

    def bring(self, name: str, *, again: bool = True) -> bool:
        """Fetch what every reader wants of a run: manifest, log and seal; without `again` only a run of which nothing is here. A run
        that a process of this machine writes, and one that is here whole, are left. Returns whether there is such a run.

        Raises `StoreError`, and `TraceReadError` where the run went on elsewhere.
        """
        run = self.folder / name
        if not _RUN.fullmatch(name):
            return False
        is_here = (run / MANIFEST_NAME).is_file()
        if is_here and (not again or mark_of(run).is_whole or is_locked(run / LOG_NAME)):
            return True
        manifest = self.place.get(f"{name}/{MANIFEST_NAME}")
        if manifest is None:
            return is_here
        log, missing = read_log(self.place, name)
        here = (run / LOG_NAME).read_bytes() if (run / LOG_NAME).is_file() else b""
        shared = min(len(log), len(here))
        if log[:shared] != here[:shared]:
            raise TraceReadError(f"it went on elsewhere: {self.place}/{name} has another log", str(run))
        seal = self.place.get(f"{name}/{SEAL_NAME}") if missing is None else None
        self.marked()
        _write(run / MANIFEST_NAME, manifest)
        if len(log) > len(here) or not (run / LOG_NAME).exists():
            _write(run / LOG_NAME, log)
        if seal is not None and len(log) >= len(here):
            _write(run / SEAL_NAME, seal)
            write_mark(run, CopyMark(log=len(log), is_whole=True))
        return True

    def bring_all(self, names: Iterable[str]) -> None:
        """The same for many runs, side by side; what is here and was removed from the place goes. Raises `StoreError`."""
        wanted = tuple(names)
        self.marked()
        with ThreadPoolExecutor(AT_ONCE) as crew:
            list(crew.map(self.bring, wanted))
        for run in self.folder.iterdir():
            if run.name not in wanted and run.is_dir() and mark_of(run).is_whole:
                shutil.rmtree(run, ignore_errors=True)

    def fetch(self, run: str, path: Path) -> bytes | None:
        """A blob of a run that is not here, which is then; None where it is not in the place either. Raises `StoreError`."""
        name = os.path.relpath(path, self.folder / run)
        data = self.place.get(f"{run}/{name}") if _BLOB.fullmatch(name) else None
        if data is not None:
            _write(path, data)
        return data

    def fetch_blobs(self, run: str) -> None:
        """All blobs of a run that are not here. Raises `StoreError`."""
        names = self.place.sizes(f"{run}/{BLOB_FOLDER}")
        paths = [self.folder / name for name in names if _BLOB.fullmatch(name.removeprefix(f"{run}/"))]
        with ThreadPoolExecutor(AT_ONCE) as crew:
            list(crew.map(lambda path: self.fetch(run, path), [path for path in paths if not path.exists()]))

    def blob_names(self, run: str) -> frozenset[str]:
        """The names of a run's blobs in the place. Raises `StoreError`."""
        return frozenset(name.rpartition("/")[2] for name in self.place.sizes(f"{run}/{BLOB_FOLDER}"))

    def remove(self, run: str) -> None:
        """Remove a run from the place, its manifest last, so that what a kill leaves can be removed again. Raises `StoreError`."""
        names = sorted(self.place.sizes(run), key=lambda name: name == f"{run}/{MANIFEST_NAME}")
        for most in (names[:-1], names[-1:]):
            with ThreadPoolExecutor(AT_ONCE) as crew:
                list(crew.map(self.place.remove, most))


def read_log(place: ObjectPlace, run: str) -> tuple[bytes, int | None]:
    """The log of a run as far as it lies in a place, and the first byte of a gap. Raises `StoreError`."""
    for _ in range(3):
        # At the end of a run its pieces become one while they are read.
        sizes = {name.removeprefix(f"{run}/"): size for name, size in place.sizes(f"{run}/{PIECE_FOLDER}").items()}
        whole = place.get(f"{run}/{LOG_NAME}")
        if whole is not None:
            sizes[LOG_NAME] = len(whole)
        chosen = choose_pieces(sizes)
        read = [whole if one.name == LOG_NAME else place.get(f"{run}/{one.name}") for one in chosen.pieces]
        if None not in read:
            break
    parts = [data[piece.skipped :] for data, piece in zip(read, chosen.pieces, strict=True) if data is not None]
    return b"".join(parts), chosen.missing


def mirror_of(run: Path) -> Mirror | None:
    """The mirror that a run lies in, None for a run in a folder of its own. Raises `StoreError`."""
    mark = run.parent / MARK
    try:
        address = msgspec.json.decode(mark.read_bytes(), type=MirrorMark).address
    except (OSError, msgspec.DecodeError):
        return None
    return Mirror(run.parent, place_at(address))


def bring(run: Path) -> None:
    """Fetch a run of a mirror of which nothing is here yet; does nothing for any other path. Raises `StoreError`."""
    if not (run / MANIFEST_NAME).exists() and (mirror := mirror_of(run)) is not None:
        mirror.bring(run.name, again=False)


def bring_whole(run: Path) -> None:
    """Fetch all blobs of a run of a mirror, side by side; does nothing for any other path. Raises `StoreError`."""
    if (mirror := mirror_of(run)) is not None:
        mirror.fetch_blobs(run.name)


def is_address(text: str) -> bool:
    """Whether a text or a path names a place in a store."""
    return text.startswith(SCHEME[:-1])


def mirror_at(address: str, folder: Path | None = None) -> Mirror:
    """The mirror of an address in `folder`, else in one of this user's data. Nothing is asked or written. Raises `StoreError`."""
    return Mirror(_home_of(address) if folder is None else folder, place_at(address))


def _home_of(address: str) -> Path:
    bucket, prefix = bucket_and_prefix(address)
    return user_data_path("walker", appauthor=False) / "stores" / bucket / prefix


def address_of(run: Path) -> str:
    """The address of a run that lies in a mirror, and of a mirror; the path itself of any other."""
    try:
        if (run / MARK).is_file() and not (run / MANIFEST_NAME).exists():
            return msgspec.json.decode((run / MARK).read_bytes(), type=MirrorMark).address
        address = msgspec.json.decode((run.parent / MARK).read_bytes(), type=MirrorMark).address
    except (OSError, msgspec.DecodeError):
        return str(run)
    return f"{address}/{run.name}"


def mark_of(run: Path) -> CopyMark:
    """How much of a run of a mirror lies in the place."""
    try:
        return msgspec.json.decode((run / MARK).read_bytes(), type=CopyMark)
    except (OSError, msgspec.DecodeError):
        return CopyMark()


def write_mark(run: Path, mark: CopyMark) -> None:
    """Write it. Raises `TraceWriteError`."""
    _write(run / MARK, msgspec.json.encode(mark))


def place_at(address: str) -> ObjectPlace:
    """The place that a text names: an address of a store, or a folder. Raises `StoreError`."""
    return BucketPlace(address) if is_address(address) else FolderPlace(Path(address))


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomically(path, data, mode=0o600, durable=False)
    except OSError as error:
        raise TraceWriteError(error.strerror or "cannot be written", str(path)) from None


msgspec.json.Decoder(MirrorMark)  # described at import: docs/design/msgspec.md
msgspec.json.Decoder(CopyMark)
