"""Large values by the digest of their content: written before the event that names them, checked when read."""

from __future__ import annotations

import hashlib
import threading
import zipfile
from pathlib import Path

import msgspec
import zstandard

from traces.errors import TraceReadError, TraceWriteError
from traces.store.atomic_file import write_whole
from traces.store.places import Place

COMPRESSED_FROM = 256
"""Bytes; below this compression gains nothing."""
LEVEL, LEVEL_OF_LARGE, LARGE = 5, 3, 300_000
"""zstd levels; the second where more bytes than this are gone through, the basis included. A page of 100 KB takes 0.8 ms,
its observation 0.6 ms: a sixth of what level 9 takes, and a seventh larger (bench/walking.py)."""
REMEMBERED = 4
"""Values whose raw bytes are kept at hand, the last ones used: a page, its observation, and what both are packed against."""
COMPRESSED_ALREADY = ("image/", "application/zip", "application/zstd")


class BlobRef(
    msgspec.Struct, frozen=True, kw_only=True, rename={"digest": "$b", "size": "n", "media": "m", "coding": "z"}
):
    """Where a value lies: `digest` is `sha256:<hex>` over the raw bytes, `size` counts these, `coding` is "zstd" or None."""

    digest: str
    size: int
    media: str
    coding: str | None = None
    basis: BlobRef | None = None
    """What it was compressed against: an observation repeats the words of its page."""


def ref_of(data: bytes, media: str) -> BlobRef:
    """The reference that these bytes get, wherever they are kept."""
    packed = len(data) >= COMPRESSED_FROM and not media.startswith(COMPRESSED_ALREADY)
    return BlobRef(
        digest=f"sha256:{hashlib.sha256(data).hexdigest()}",
        size=len(data),
        media=media,
        coding="zstd" if packed else None,
    )


class BlobStore:
    """The folder `blobs/` of a run, within a zip only to be read. With `durable` a value survives a power failure as soon as
    `put` returns. May be used by several threads."""

    def __init__(self, folder: Place, *, durable: bool = False) -> None:
        self._folder, self._durable = folder, durable
        self._lock = threading.Lock()
        self._recent: dict[str, bytes] = {}
        """Raw bytes by digest: an observation is packed against the page that was kept or fetched just before it."""
        self._kept: dict[str, BlobRef] = {}
        """By digest, as what each value was kept first: packed by itself, or against another."""

    def put(self, data: bytes, media: str, basis: BlobRef | None = None) -> BlobRef:
        """Keep bytes; the file is complete when this returns. Equal bytes are kept once.

        `basis` is a kept blob that these bytes repeat much of: it serves as the dictionary of the compression, where it is at hand.
        """
        ref = ref_of(data, media)
        if ref.coding and basis is not None:
            # Who names a basis by its content need not know what that is packed against itself; where a run goes on after a
            # crash, nobody does, and it lies elsewhere.
            basis = self._kept.get(basis.digest, basis)
            is_at_hand = basis.digest in self._recent or self.holds(basis)
            ref = msgspec.structs.replace(ref, basis=basis) if is_at_hand else ref
        self._remember(ref, data)
        path = self.path_of(ref)
        if path.exists():
            return ref
        content = self._pack(data, ref) if ref.coding else data
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(path, content, mode=0o600, durable=self._durable)
        except OSError as error:
            raise TraceWriteError(error.strerror or "cannot be written", str(path)) from None
        return ref

    def _pack(self, data: bytes, ref: BlobRef) -> bytes:
        basis = self._raw_basis(ref.basis) if ref.basis is not None else b""
        level = LEVEL if len(data) + len(basis) <= LARGE else LEVEL_OF_LARGE
        sized = zstandard.ZstdCompressionParameters.from_level(level, source_size=len(data), dict_size=len(basis))
        return zstandard.ZstdCompressor(compression_params=sized, dict_data=_dictionary(basis)).compress(data)

    def _raw_basis(self, basis: BlobRef) -> bytes:
        data = self._recent.get(basis.digest)
        data = self.get(basis) if data is None else data
        self._remember(basis, data)
        return data

    def get(self, ref: BlobRef) -> bytes:
        """The bytes of a reference; raises `TraceReadError` when they are gone or were altered."""
        path = self._place_of(ref)
        try:
            content = path.read_bytes()
            dictionary = _dictionary(self._raw_basis(ref.basis)) if ref.basis is not None else None
            unpacker = zstandard.ZstdDecompressor(dict_data=dictionary)
            data = unpacker.decompress(content, max_output_size=ref.size) if ref.coding else content
        except OSError:
            raise TraceReadError("the recorded value is missing", str(path)) from None
        except (zstandard.ZstdError, zipfile.BadZipFile):
            raise TraceReadError("the recorded value is damaged", str(path)) from None
        if f"sha256:{hashlib.sha256(data).hexdigest()}" != ref.digest:
            raise TraceReadError("the recorded value was altered", str(path))
        self._remember(ref, data)
        return data

    def _remember(self, ref: BlobRef, data: bytes) -> None:
        with self._lock:
            self._kept.setdefault(ref.digest, ref)
            self._recent.pop(ref.digest, None)
            while len(self._recent) >= REMEMBERED:
                self._recent.pop(next(iter(self._recent)))
            self._recent[ref.digest] = data

    def holds(self, ref: BlobRef) -> bool:
        """Whether there is a file for a value; what is in it shows when it is read."""
        return self._place_of(ref).is_file()

    def path_of(self, ref: BlobRef) -> Path:
        """The file of a value. Raises `TraceWriteError` within a zip, where no value is a file of its own."""
        place = self._place_of(ref)
        if not isinstance(place, Path):
            raise TraceWriteError("a packed run is not written to", str(place))
        return place

    def _place_of(self, ref: BlobRef) -> Place:
        """Where the bytes lie: two digits of the digest, then the whole, and the basis where there is one."""
        digest = ref.digest.removeprefix("sha256:")
        if ref.basis is not None:
            return self._folder / digest[:2] / f"{digest}-{ref.basis.digest[7:15]}"
        return self._folder / digest[:2] / digest


def _dictionary(basis: bytes) -> zstandard.ZstdCompressionDict | None:
    return zstandard.ZstdCompressionDict(basis, dict_type=zstandard.DICT_TYPE_RAWCONTENT) if basis else None
