"""Objects of an S3 store, through `obstore` (the extra `s3`): one object, or parts with a manifest.

An object is there whole or not at all. Parts have names by the place of their records, so that writing them again replaces them; the
manifest is complete only while all parts are those that it lists. Credentials, region and endpoint are those of AWS_ACCESS_KEY_ID,
AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION, AWS_ENDPOINT_URL and the others that the library reads.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from traces.errors import StoreError
from traces.objects.bucket import INSTALL, opened_bucket
from walker.crawl.output.file_formats import check_format, format_file
from walker.crawl.output.spool import ColumnKind, Spool
from walker.crawl.script.destination import S3Object, S3Parts
from walker.errors import MissingExtra, OutputUnwritable

if TYPE_CHECKING:
    from obstore.store import S3Store

ROWS_A_PART = 50_000
MANIFEST = "_manifest.json"
"""Readers of folders leave out names that begin with an underscore."""
_MOST_CHUNKS = 9_000
_LEAST_CHUNK = 8 << 20


class PartRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part in the manifest; `sha256` is "" while it is being written."""

    name: str
    rows: int = 0
    bytes: int = 0
    sha256: str = ""
    until: int = 0
    """The row of its last record in the job, of a part that was written while the crawl ran."""

    def is_same(self, other: PartRecord) -> bool:
        """Whether both are the same object with the same records."""
        return (self.name, self.rows, self.sha256) == (other.name, other.rows, other.sha256)


class PartsManifest(msgspec.Struct, frozen=True, kw_only=True):
    """What lies below the prefix. While it is not `complete`, `parts` are all that may be there: those with a digest hold the first
    records of a crawl that runs, others are being written or of an earlier writing."""

    complete: bool
    rows: int
    columns: dict[str, ColumnKind]
    parts: tuple[PartRecord, ...]
    job: str = ""
    """The job whose records these are."""

    @property
    def there(self) -> tuple[PartRecord, ...]:
        """The parts that are there for sure."""
        return tuple(part for part in self.parts if part.sha256)


def write_s3_object(spool: Spool, to: S3Object) -> None:
    """Write all records as one object. Raises `MissingExtra`, `OutputUnwritable`, `OSError`."""
    check_format(to.suffix, str(to))
    with opened_store(to) as store:
        put_file(store, to.key, format_file(spool, to.suffix, spool.path.with_suffix(".object")))


def write_s3_parts(spool: Spool, to: S3Parts, rows_a_part: int = ROWS_A_PART, *, job: str = "") -> None:
    """Write all records as parts; parts that are there already are left, those that a crawl has written while it ran (`early_parts`)
    as they were cut. `job` is the one that the records are of. Raises `MissingExtra`, `OutputUnwritable`, `OSError`."""
    check_format(to.suffix, str(to))
    with opened_store(to) as store:
        before = read_manifest(store, to)
        early = [part.rows for part in before.there] if before is not None and job and before.job == job else []
        sizes = _sizes(spool.count, early, rows_a_part)
        names = [name_of_part(to, number) for number in range(len(sizes))]
        parts = _Parts(store, to, names, before)
        kept: list[PartRecord] = []
        for name, part in zip(names, spool.parts(sizes, spool.path.with_suffix(".rows")), strict=True):
            record, file = formatted_part(part, to, name)
            if (same := parts.known(record)) is None:
                parts.begin()
                put_file(store, f"{to.prefix}/{record.name}", file)
            kept.append(same or record)
        parts.end(spool, kept, job)


def name_of_part(to: S3Parts, number: int) -> str:
    """The name of a part, by its place from 0."""
    return f"part-{number + 1:06}{to.suffix}"


def formatted_part(part: Spool, to: S3Parts, name: str) -> tuple[PartRecord, Path]:
    """A part as a file, and what the manifest says of it."""
    file = format_file(part, to.suffix, part.path.with_suffix(".part"))
    return PartRecord(name=name, rows=part.count, bytes=file.stat().st_size, sha256=_digest(file)), file


def _sizes(count: int, early: list[int], rows_a_part: int) -> list[int]:
    """How many records each part has: those that were written early as they are, then as many as a part holds; one of none if there
    are none."""
    sizes, left = [], count
    for rows in early:
        if rows > left:
            break
        sizes.append(rows)
        left -= rows
    sizes += [rows_a_part] * (left // rows_a_part)
    return [*sizes, left % rows_a_part] if left % rows_a_part or not sizes else sizes


def check_s3(to: S3Object | S3Parts) -> None:
    """Raise a `WalkerError` if there is no such bucket or it may not be used. Whether it may be written shows in the end only."""
    check_format(to.suffix, str(to))
    with opened_store(to) as store:
        import obstore  # noqa: PLC0415 - an extra

        try:
            next(iter(obstore.list(store, prefix="walker-looks-whether-the-bucket-is-there", chunk_size=1)), None)
        except obstore.exceptions.PermissionDeniedError as error:
            if "<Code>AccessDenied</Code>" not in str(error):
                raise
            # Who may write need not be allowed to list.


class _Parts:
    """The manifest of a prefix, as it was and as it becomes."""

    def __init__(self, store: S3Store, to: S3Parts, names: list[str], before: PartsManifest | None) -> None:
        """`names` are those of the parts to come, `before` is what the manifest says."""
        self._store, self._to, self._names, self._before = store, to, names, before
        self._there = {part.name: part for part in before.there} if before is not None else {}
        self._is_begun = False

    def known(self, record: PartRecord) -> PartRecord | None:
        """A part as the manifest has it, if it is there for sure."""
        there = self._there.get(record.name)
        return there if there is not None and there.is_same(record) else None

    def begin(self) -> None:
        """Say, before the first change, that parts change, and which may be there from now on."""
        if not self._is_begun:
            names = dict.fromkeys([*self._names, *self._names_before()])
            parts = tuple(PartRecord(name=name) for name in names)
            write_manifest(self._store, self._to, PartsManifest(complete=False, rows=0, columns={}, parts=parts))
        self._is_begun = True

    def end(self, spool: Spool, parts: list[PartRecord], job: str) -> None:
        """Remove the parts that are too many, and say that all is there."""
        import obstore  # noqa: PLC0415

        for name in self._names_before():
            if name not in self._names:
                self.begin()
                with contextlib.suppress(FileNotFoundError, obstore.exceptions.NotFoundError):
                    obstore.delete(self._store, f"{self._to.prefix}/{name}")
        manifest = PartsManifest(complete=True, rows=spool.count, columns=spool.columns, parts=tuple(parts), job=job)
        if manifest != self._before:
            write_manifest(self._store, self._to, manifest)

    def _names_before(self) -> list[str]:
        return [part.name for part in self._before.parts] if self._before is not None else []


def has_object(to: S3Object) -> bool:
    """Whether there is one; where that may not be asked, nobody can tell, and it counts as there. Raises `OutputUnwritable`."""
    with opened_store(to) as store:
        import obstore  # noqa: PLC0415 - an extra

        try:
            obstore.head(store, to.key)
        except (FileNotFoundError, obstore.exceptions.NotFoundError):
            return False
        except (PermissionError, obstore.exceptions.PermissionDeniedError):
            # Who may write need not be allowed to read.
            return True
    return True


def read_manifest(store: S3Store, to: S3Parts) -> PartsManifest | None:
    """The manifest of a prefix, None if there is none. Raises `OutputUnwritable` for one that no crawl has made."""
    import obstore  # noqa: PLC0415

    try:
        data = bytes(obstore.get(store, f"{to.prefix}/{MANIFEST}").bytes())
        return msgspec.json.decode(data, type=PartsManifest)
    except (FileNotFoundError, obstore.exceptions.NotFoundError):
        return None
    except msgspec.DecodeError:
        raise OutputUnwritable(
            f"{MANIFEST} is there, and no crawl has made it", where=str(to), advice="Name another prefix"
        ) from None


def write_manifest(store: S3Store, to: S3Parts, manifest: PartsManifest) -> None:
    """Put it in place of the one before."""
    import obstore  # noqa: PLC0415

    obstore.put(store, f"{to.prefix}/{MANIFEST}", msgspec.json.format(msgspec.json.encode(manifest)))


def put_file(store: S3Store, key: str, file: Path) -> None:
    """Send a file, in chunks where it is large."""
    import obstore  # noqa: PLC0415

    chunk = max(_LEAST_CHUNK, file.stat().st_size // _MOST_CHUNKS)
    obstore.put(store, key, file, chunk_size=chunk, max_concurrency=4)


def _digest(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


@contextlib.contextmanager
def opened_store(to: S3Object | S3Parts) -> Iterator[S3Store]:
    """The bucket. What the library raises within the block becomes one line, `OutputUnwritable`."""
    if importlib.util.find_spec("obstore") is None:
        raise MissingExtra("S3 needs obstore", where=str(to), advice=INSTALL)
    try:
        with opened_bucket(to.bucket, str(to)) as store:
            yield store
    except StoreError as error:
        raise OutputUnwritable(error.what, where=error.where, advice=error.advice) from None


msgspec.json.Decoder(PartsManifest)  # described at import: docs/design/msgspec.md
