"""Keeps fetched pages that wait for their turn on disk, so that a crawl that is killed fetches none of them again."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec

from walker.crawl.fetch.fetching import Fetched
from walker.crawl.job_records import Lease

FOLDER = "arrived"
"""In the job's folder."""
_DECODER = msgspec.msgpack.Decoder(Fetched)


class ArrivedPages:
    """A file for each page, which is there only while the page is not stored."""

    def __init__(self, job: Path) -> None:
        self._folder = job / FOLDER
        self._left = {path.name for path in self._folder.iterdir()} if self._folder.is_dir() else set[str]()
        """Files of an earlier process."""
        self._written: set[str] = set()

    def keep(self, lease: Lease, fetched: Fetched) -> None:
        """Write a page that has to wait. Nothing is lost where that fails: it would be fetched again."""
        name = _name(lease)
        try:
            self._folder.mkdir(exist_ok=True)
            (self._folder / name).write_bytes(msgspec.msgpack.encode(fetched))
        except OSError:
            return
        self._written.add(name)

    def take(self, lease: Lease) -> Fetched | None:
        """The page that an earlier process had fetched, None for none."""
        name = _name(lease)
        if name not in self._left:
            return None
        try:
            return _DECODER.decode((self._folder / name).read_bytes())
        except (OSError, msgspec.DecodeError):
            # The process was killed while it wrote.
            return None
        finally:
            self._left.discard(name)
            self._written.add(name)

    def drop(self, lease: Lease) -> None:
        """Remove a page that is about to be stored."""
        name = _name(lease)
        if name in self._written:
            self._written.discard(name)
            (self._folder / name).unlink(missing_ok=True)

    def close(self) -> None:
        """Remove the folder where nothing is left in it."""
        if self._folder.is_dir() and not any(self._folder.iterdir()):
            shutil.rmtree(self._folder, ignore_errors=True)


def _name(lease: Lease) -> str:
    return f"{lease.id:06}"
