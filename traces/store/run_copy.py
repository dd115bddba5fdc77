"""Copies a run into a place while it is written. The folder is the truth: a place that fails gets the rest later.

Order: blobs, then the lines that name them. Whatever ends the process, a line in the place has its blobs.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from traces.errors import StoreError, TraceReadError, TraceWriteError
from traces.objects.places import ObjectPlace
from traces.store.log_pieces import PIECE_FOLDER, piece_name, piece_names
from traces.store.mirror import AT_ONCE, CopyMark, mark_of, mirror_of, read_log, write_mark
from traces.store.run_files import BLOB_FOLDER, LOG_NAME, MANIFEST_NAME, SEAL_NAME

LONGEST_WAIT = 5.0
"""Seconds after which events are sent although the step goes on."""
SHORTEST_WAIT = 0.5
"""Seconds between two pieces: a walk over cached pages makes several steps a second, and a piece is an object."""
LAST_WAIT = 60.0
"""Seconds that the end of a walk waits for the place, which has had everything but the last step before."""


class RunCopy:
    """One run on its way into a place. `send` and `finish` are called by one thread at a time."""

    def __init__(self, folder: Path, place: ObjectPlace, *, marks: bool = True) -> None:
        """`marks`: whether the folder, of a mirror of this place, says how much of it is there; others are only read."""
        self.folder, self.place, self._marks = folder, place, marks
        self._run = folder.name
        self._sent = 0
        self._known: set[str] = set()
        """Blobs that lie in the place, by their name within the run."""

    def begin(self) -> None:
        """Look at what lies in the place already, and write the manifest. Raises `StoreError`, also where somebody else goes on with
        this run."""
        manifest = (self.folder / MANIFEST_NAME).read_bytes()
        if not self.place.put(f"{self._run}/{MANIFEST_NAME}", manifest, new=True):
            if self.place.get(f"{self._run}/{MANIFEST_NAME}") != manifest:
                raise self._taken()
            log, missing = read_log(self.place, self._run)
            if missing is not None or log != self._log()[: len(log)]:
                raise self._taken()
            self._sent = len(log)
            self._known = {self._within(name) for name in self.place.sizes(f"{self._run}/{BLOB_FOLDER}")}
        self._mark(CopyMark(log=self._sent))

    def send(self) -> None:
        """Send what was acknowledged so far. Raises `StoreError`."""
        log = self._log()
        if len(log) == self._sent:
            return
        self._send_blobs()
        name, data = f"{self._run}/{piece_name(self._sent)}", log[self._sent :]
        if not self.place.put(name, data, new=True):
            there = self.place.get(name) or b""
            # Ours, if the answer to an earlier attempt was lost.
            if not there or not data.startswith(there):
                raise self._taken()
            self._sent += len(there)
            self.send()
            return
        self._sent = len(log)
        self._mark(CopyMark(log=self._sent))

    def finish(self) -> None:
        """Send all of a run that nobody writes any more: the log as one object, the seal last if there is one. Raises `StoreError`."""
        self.send()
        self._send_blobs()
        log = self._log()
        self.place.put(f"{self._run}/{LOG_NAME}", log)
        for path in sorted(self.folder.iterdir()):
            if (
                path.is_file()
                and not path.name.startswith(".")
                and path.name not in (MANIFEST_NAME, LOG_NAME, SEAL_NAME)
            ):
                self.place.put(f"{self._run}/{path.name}", path.read_bytes())
        is_sealed = (self.folder / SEAL_NAME).exists()
        if is_sealed:
            self.place.put(f"{self._run}/{SEAL_NAME}", (self.folder / SEAL_NAME).read_bytes())
        self._sent = len(log)
        self._mark(CopyMark(log=len(log), is_whole=is_sealed))
        pieces = self.place.sizes(f"{self._run}/{PIECE_FOLDER}")
        for name in piece_names(map(self._within, pieces)):
            self.place.remove(f"{self._run}/{name}")

    def _send_blobs(self) -> None:
        blobs = self.folder / BLOB_FOLDER
        found = [path for path in blobs.glob("*/*") if not path.name.startswith(".")]
        new = {name: path for path in found if (name := path.relative_to(self.folder).as_posix()) not in self._known}
        with ThreadPoolExecutor(AT_ONCE) as crew:
            for name in crew.map(self._send_blob, new.items()):
                self._known.add(name)

    def _send_blob(self, blob: tuple[str, Path]) -> str:
        name, path = blob
        self.place.put(f"{self._run}/{name}", path.read_bytes())
        return name

    def _mark(self, mark: CopyMark) -> None:
        if self._marks:
            write_mark(self.folder, mark)

    def _log(self) -> bytes:
        """The lines that are whole."""
        path = self.folder / LOG_NAME
        data = path.read_bytes() if path.exists() else b""
        return data[: data.rfind(b"\n") + 1]

    def _within(self, name: str) -> str:
        return name.removeprefix(f"{self._run}/")

    def _taken(self) -> StoreError:
        advice = f"The run in {self.folder} is whole; copy it to another place: walker runs copy"
        return StoreError("another run is there, or somebody else went on with this one", self._address, advice)

    @property
    def _address(self) -> str:
        return f"{self.place}/{self._run}"


class CopyThread:
    """Sends a run at each checkpoint, in a thread of its own. `problem` is what the last attempt met, None if it went well."""

    def __init__(self, copy: RunCopy) -> None:
        """Raises `StoreError` where the place cannot be used: before the walk, not after it."""
        self._copy = copy
        self.problem: StoreError | None = None
        copy.begin()
        self._wake, self._stop = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"copy of {copy.folder.name}", daemon=True)
        self._thread.start()

    def checkpoint(self) -> None:
        """Have what was acknowledged sent soon."""
        self._wake.set()

    def end(self, *, is_sealed: bool) -> None:
        """Send the rest, and wait for it; what goes wrong is in `problem`. Does nothing the second time."""
        if self._stop.is_set():
            return
        self._stop.set()
        self._wake.set()
        self._thread.join(LAST_WAIT)
        if self._thread.is_alive():
            self.problem = StoreError("it takes too long", str(self._copy.place), "Check the network")
            return
        self._attempt(is_sealed=is_sealed)

    def _run(self) -> None:
        while not self._stop.is_set():
            self._wake.wait(LONGEST_WAIT)
            self._wake.clear()
            if not self._stop.is_set():
                self._attempt(is_sealed=False)
            self._stop.wait(SHORTEST_WAIT)

    def _attempt(self, *, is_sealed: bool) -> None:
        try:
            if is_sealed:
                self._copy.finish()
            else:
                self._copy.send()
            self.problem = None
        except StoreError as error:
            self.problem = error
        except (TraceWriteError, OSError) as error:
            self.problem = StoreError(str(error), str(self._copy.folder), "Check the disk")


def copying(folder: Path) -> CopyThread | None:
    """The copy of a run that is about to be written in a mirror, None for a run in any other folder. Raises `StoreError`."""
    mirror = mirror_of(folder)
    return None if mirror is None else CopyThread(RunCopy(folder, mirror.place))


def copy_run(folder: Path, place: ObjectPlace) -> None:
    """Copy a run that nobody writes into a place; what lies there is not sent again. Raises `StoreError`, and `TraceReadError` where
    there is no run."""
    if not (folder / MANIFEST_NAME).is_file():
        raise TraceReadError("there is no run there (no run.json)", str(folder))
    mirror = mirror_of(folder)
    copy = RunCopy(folder, place, marks=mirror is not None and str(mirror.place) == str(place))
    copy.begin()
    copy.finish()


def unsent_runs(folders: Iterable[Path]) -> tuple[Path, ...]:
    """Which of these runs of a mirror are not wholly in its place."""
    return tuple(folder for folder in folders if not _is_there(folder))


def _is_there(folder: Path) -> bool:
    mark, log = mark_of(folder), folder / LOG_NAME
    if (folder / SEAL_NAME).exists():
        return mark.is_whole
    return log.exists() and mark.log == log.stat().st_size
