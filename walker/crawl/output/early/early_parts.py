"""Parts in an S3 store that are written while a crawl runs, each once.

A part has the records that came since the one before, and its name by its place. The manifest lists it once it is there: who is killed
between the two writes that part again, under the same name. Where a page is read a second time its items change: from the first part
that had one of them on all are written again. What the end of the crawl writes (`write_s3_parts`) keeps the parts that are right.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from walker.crawl.output.s3_objects import (
    PartRecord,
    PartsManifest,
    formatted_part,
    name_of_part,
    opened_store,
    put_file,
    read_manifest,
    write_manifest,
)
from walker.crawl.output.spool import ColumnKind, Spool
from walker.crawl.script.destination import S3Parts


class EarlyParts:
    """The parts of one prefix. Its methods block, and are called one after the other."""

    def __init__(self, to: S3Parts, job: str, columns: Iterable[str], folder: Path) -> None:
        self._to, self._job, self._named, self._folder = to, job, tuple(columns), folder
        self._kinds: dict[str, ColumnKind | None] = {}
        self._left: tuple[str, ...] = ()
        self.parts: list[PartRecord] = []

    def begin(self) -> bool:
        """Read what is there; False if those are another crawl's records, which stay until this one ends."""
        with opened_store(self._to) as store:
            manifest = read_manifest(store, self._to)
        if manifest is None:
            return True
        if manifest.job != self._job:
            return False
        self.parts = [part for part in manifest.there if part.until]
        self._left = tuple(part.name for part in manifest.parts if part not in self.parts)
        # A column of texts may be one that had no value yet.
        self._kinds = {name: None if kind == "text" else kind for name, kind in manifest.columns.items()}
        return True

    def add(self, rows: list[dict[str, Any]], until: int) -> None:
        """Write one more part. Raises a `WalkerError` if the store does not take it."""
        self._folder.mkdir(parents=True, exist_ok=True)
        spool = Spool.fill(self._folder / "records", rows, self._named, self._kinds)
        with opened_store(self._to) as store:
            record, file = formatted_part(spool, self._to, name_of_part(self._to, len(self.parts)))
            put_file(store, f"{self._to.prefix}/{record.name}", file)
            parts = (*self.parts, msgspec.structs.replace(record, until=until))
            self._left = tuple(name for name in self._left if name != record.name)
            write_manifest(store, self._to, self._manifest(parts))
        self.parts = list(parts)

    def cut(self, count: int) -> None:
        """Keep only so many parts; the others have no right records any more. Raises a `WalkerError`."""
        kept = tuple(self.parts[:count])
        self._left = tuple(dict.fromkeys((*(part.name for part in self.parts[count:]), *self._left)))
        with opened_store(self._to) as store:
            write_manifest(store, self._to, self._manifest(kept))
        self.parts = list(kept)

    def _manifest(self, parts: tuple[PartRecord, ...]) -> PartsManifest:
        columns: dict[str, ColumnKind] = {name: kind or "text" for name, kind in self._kinds.items()}
        left = tuple(PartRecord(name=name) for name in self._left)
        rows = sum(part.rows for part in parts)
        return PartsManifest(complete=False, rows=rows, columns=columns, parts=(*parts, *left), job=self._job)
