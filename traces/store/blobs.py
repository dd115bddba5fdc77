"""Content-addressed store of large values: written before the event that references them, verified when read."""

from __future__ import annotations

import hashlib
import threading
import zipfile
from functools import cached_property
from pathlib import Path

import msgspec
import zstandard

from traces.errors import TraceReadError, TraceWriteError
from traces.store.atomic_file import write_atomically
from traces.store.mirror import Mirror, mirror_of
from traces.store.run_path import RunPath

COMPRESSED_FROM = 256
"""Least bytes for compression; below it gains nothing."""
LEVEL, LEVEL_OF_LARGE, LARGE = 5, 3, 300_000
"""zstd levels; the second for more input bytes than this, including the dictionary. A page of 100 KB takes 0.8 ms,
its observation 0.6 ms: a sixth of the time of level 9, at a seventh more size (bench/walking.py)."""
REMEMBERED = 4
"""Most recently used values whose raw bytes are cached: a page, its observation, and the dictionaries of both."""
COMPRESSED_ALREADY = ("image/", "application/zip", "application/zstd")


class BlobRef(
    msgspec.Struct, frozen=True, kw_only=True, rename={"digest": "$b", "size": "n", "media": "m", "coding": "z"}
):
    """Reference of a value: `digest` is `sha256:<hex>` of the raw bytes, `size` their number, `coding` is "zstd" or None."""

    digest: str
    size: int
    media: str
    coding: str | None = None
    basis: BlobRef | None = None
    """The blob that served as compression dictionary: an observation repeats the words of its page."""


def ref_of(data: bytes, media: str) -> BlobRef:
    """The reference of these bytes, independent of where they are stored."""
    packed = len(data) >= COMPRESSED_FROM and not media.startswith(COMPRESSED_ALREADY)
    return BlobRef(
        digest=f"sha256:{hashlib.sha256(data).hexdigest()}",
        size=len(data),
        media=media,
        coding="zstd" if packed else None,
    )


class BlobStore:
    """The folder `blobs/` of a run, read-only inside a zip. With `durable` a value survives a power failure once `put` has
    returned. Thread-safe."""

    def __init__(self, folder: RunPath, *, durable: bool = False) -> None:
        self._folder, self._durable = folder, durable
        self._lock = threading.Lock()
        self._recent: dict[str, bytes] = {}
        """Raw bytes by digest: an observation is compressed with the page that was stored or read just before as dictionary."""
        self._kept: dict[str, BlobRef] = {}
        """References by digest, as each value was first stored: with or without a dictionary."""

    def put(self, data: bytes, media: str, basis: BlobRef | None = None) -> BlobRef:
        """Store bytes; the file is complete when this returns. Equal bytes are stored once. Raises `TraceWriteError`.

        `basis` is a stored blob similar to these bytes: it is used as the compression dictionary if it is cached.
        """
        ref = ref_of(data, media)
        if ref.coding and basis is not None:
            # The caller names a basis by its content and need not know the basis' own dictionary; after a resumed crash nobody
            # does, and the basis is in a file of another name.
            basis = self._kept.get(basis.digest, basis)
            is_at_hand = basis.digest in self._recent or self._place_of(basis).is_file()
            ref = msgspec.structs.replace(ref, basis=basis) if is_at_hand else ref
        self._remember(ref, data)
        path = self.path_of(ref)
        if path.exists():
            return ref
        content = self._pack(data, ref) if ref.coding else data
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_atomically(path, content, mode=0o600, durable=self._durable)
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
        """The bytes of a reference; raises `TraceReadError` if they are missing, damaged or altered."""
        path = self._place_of(ref)
        try:
            content = self._content(path)
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

    def _content(self, path: RunPath) -> bytes:
        """The file of a value, fetched where the run lies in a store. Raises `OSError`, and `StoreError`."""
        try:
            return path.read_bytes()
        except FileNotFoundError:
            mirror = self._mirror
            data = None if mirror is None else mirror.fetch(Path(str(self._folder)).parent.name, Path(str(path)))
            if data is None:
                raise
            return data

    @cached_property
    def _mirror(self) -> Mirror | None:
        return mirror_of(self._folder.parent) if isinstance(self._folder, Path) else None  # a zip lies in no store

    @cached_property
    def _names_in_store(self) -> frozenset[str]:
        mirror = self._mirror
        return frozenset() if mirror is None else mirror.blob_names(Path(str(self._folder)).parent.name)

    def holds(self, ref: BlobRef) -> bool:
        """Whether there is a file for a value, here or in the store; its content is verified by `get` only. Raises `StoreError`."""
        place = self._place_of(ref)
        return place.is_file() or str(place).rpartition("/")[2] in self._names_in_store

    def get_file(self, name: str) -> bytes:
        """The file of a value by its name, as it lies there. Raises `OSError`, and `StoreError`."""
        return self._content(self._folder / name[:2] / name)

    def path_of(self, ref: BlobRef) -> Path:
        """The file of a value. Raises `TraceWriteError` inside a zip, where values are not separate files."""
        place = self._place_of(ref)
        if not isinstance(place, Path):
            raise TraceWriteError("a run in a zip is read-only. Unpack it with `walker runs unpack`", str(place))
        return place

    def _place_of(self, ref: BlobRef) -> RunPath:
        """Path of the bytes: two digits of the digest, then the whole digest, and that of the basis if there is one."""
        digest = ref.digest.removeprefix("sha256:")
        if ref.basis is not None:
            return self._folder / digest[:2] / f"{digest}-{ref.basis.digest[7:15]}"
        return self._folder / digest[:2] / digest


def _dictionary(basis: bytes) -> zstandard.ZstdCompressionDict | None:
    return zstandard.ZstdCompressionDict(basis, dict_type=zstandard.DICT_TYPE_RAWCONTENT) if basis else None


msgspec.json.Decoder(BlobRef)  # described at import: docs/design/msgspec.md
