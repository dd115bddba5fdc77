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


class PartsManifest(msgspec.Struct, frozen=True, kw_only=True):
    """What lies below the prefix. While it is not `complete`, `parts` are all that may be there, some of an earlier writing."""

    complete: bool
    rows: int
    columns: dict[str, ColumnKind]
    parts: tuple[PartRecord, ...]


def write_s3_object(spool: Spool, to: S3Object) -> None:
    """Write all records as one object. Raises `MissingExtra`, `OutputUnwritable`, `OSError`."""
    check_format(to.suffix, str(to))
    with _store(to) as store:
        _put(store, to.key, format_file(spool, to.suffix, spool.path.with_suffix(".object")))


def write_s3_parts(spool: Spool, to: S3Parts, rows_a_part: int = ROWS_A_PART) -> None:
    """Write all records as parts; parts that are there already are left. Raises `MissingExtra`, `OutputUnwritable`, `OSError`."""
    check_format(to.suffix, str(to))
    with _store(to) as store:
        names = [f"part-{number + 1:06}{to.suffix}" for number in range(max(1, -(-spool.count // rows_a_part)))]
        parts = _Parts(store, to, names)
        kept: list[PartRecord] = []
        for name, part in zip(names, spool.parts(rows_a_part, spool.path.with_suffix(".rows")), strict=True):
            file = format_file(part, to.suffix, spool.path.with_suffix(".part"))
            record = PartRecord(name=name, rows=part.count, bytes=file.stat().st_size, sha256=_digest(file))
            if record not in parts.known:
                parts.begin()
                _put(store, f"{to.prefix}/{record.name}", file)
            kept.append(record)
        parts.end(spool, kept)


def check_s3(to: S3Object | S3Parts) -> None:
    """Raise a `WalkerError` if there is no such bucket or it may not be used. Whether it may be written shows in the end only."""
    check_format(to.suffix, str(to))
    with _store(to) as store:
        import obstore  # noqa: PLC0415 - an extra

        try:
            next(iter(obstore.list(store, prefix="walker-looks-whether-the-bucket-is-there", chunk_size=1)), None)
        except obstore.exceptions.PermissionDeniedError as error:
            if "<Code>AccessDenied</Code>" not in str(error):
                raise
            # Who may write need not be allowed to list.


class _Parts:
    """The manifest of a prefix, as it was and as it becomes."""

    def __init__(self, store: S3Store, to: S3Parts, names: list[str]) -> None:
        """`names` are those of the parts to come."""
        import obstore  # noqa: PLC0415

        self._store, self._path, self._prefix, self._names = store, f"{to.prefix}/{MANIFEST}", to.prefix, names
        self._before: PartsManifest | None = None
        self._is_begun = False
        try:
            data = bytes(obstore.get(store, self._path).bytes())
            self._before = msgspec.json.decode(data, type=PartsManifest)
        except (FileNotFoundError, obstore.exceptions.NotFoundError):
            pass
        except msgspec.DecodeError:
            raise OutputUnwritable(
                f"{MANIFEST} is there, and no crawl has made it", where=str(to), advice="Name another prefix"
            ) from None

    @property
    def known(self) -> frozenset[PartRecord]:
        """The parts that are there for sure."""
        return frozenset(self._before.parts) if self._before is not None and self._before.complete else frozenset()

    def begin(self) -> None:
        """Say, before the first change, that parts change, and which may be there from now on."""
        if not self._is_begun:
            names = dict.fromkeys([*self._names, *self._names_before()])
            parts = tuple(PartRecord(name=name) for name in names)
            self._write(PartsManifest(complete=False, rows=0, columns={}, parts=parts))
        self._is_begun = True

    def end(self, spool: Spool, parts: list[PartRecord]) -> None:
        """Remove the parts that are too many, and say that all is there."""
        import obstore  # noqa: PLC0415

        for name in self._names_before():
            if name not in self._names:
                self.begin()
                with contextlib.suppress(FileNotFoundError, obstore.exceptions.NotFoundError):
                    obstore.delete(self._store, f"{self._prefix}/{name}")
        manifest = PartsManifest(complete=True, rows=spool.count, columns=spool.columns, parts=tuple(parts))
        if manifest != self._before:
            self._write(manifest)

    def _names_before(self) -> list[str]:
        return [part.name for part in self._before.parts] if self._before is not None else []

    def _write(self, manifest: PartsManifest) -> None:
        import obstore  # noqa: PLC0415

        obstore.put(self._store, self._path, msgspec.json.format(msgspec.json.encode(manifest)))


def _put(store: S3Store, key: str, file: Path) -> None:
    import obstore  # noqa: PLC0415

    chunk = max(_LEAST_CHUNK, file.stat().st_size // _MOST_CHUNKS)
    obstore.put(store, key, file, chunk_size=chunk, max_concurrency=4)


def _digest(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


@contextlib.contextmanager
def _store(to: S3Object | S3Parts) -> Iterator[S3Store]:
    """The bucket. What the library raises within the block becomes one line, `OutputUnwritable`."""
    if importlib.util.find_spec("obstore") is None:
        raise MissingExtra("S3 needs obstore", where=str(to), advice=INSTALL)
    try:
        with opened_bucket(to.bucket, str(to)) as store:
            yield store
    except StoreError as error:
        raise OutputUnwritable(error.what, where=error.where, advice=error.advice) from None


msgspec.json.Decoder(PartsManifest)  # described at import: docs/design/msgspec.md
