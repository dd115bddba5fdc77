"""Access to the blobs of a run by digest: the page requests what it shows."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from traces.errors import TraceReadError
from traces.store.blobs import BlobRef, BlobStore
from traces.store.run_files import BLOB_FOLDER
from traces.store.run_path import RunPath

DIGEST = re.compile(r"[0-9a-f]{64}")
DEEPEST_BASIS = 8
"""Longest chain of compression dictionaries; the recorder makes chains of two at most."""


class BlobValues:
    """The blobs of a run. References in the log are not trusted: a digest must have the format of a digest."""

    def __init__(self, folder: RunPath) -> None:
        self._folder = folder / BLOB_FOLDER
        self._store = BlobStore(self._folder)

    def get(self, ref: BlobRef) -> bytes:
        """The bytes; raises `TraceReadError` if they are missing or altered, or the reference is invalid."""
        basis: BlobRef | None = ref
        for _ in range(DEEPEST_BASIS):
            if basis is None:
                return self._store.get(ref)
            if not DIGEST.fullmatch(basis.digest.removeprefix("sha256:")):
                break
            basis = basis.basis
        raise TraceReadError("the reference of a recorded value is damaged", str(self._folder))

    def has(self, ref: BlobRef) -> bool:
        """Whether there is a file for the reference."""
        return bool(DIGEST.fullmatch(ref.digest.removeprefix("sha256:"))) and self._store.holds(ref)

    def whole(self, value: Any, most: int = 1 << 62) -> Any:
        """A value that may be a blob reference, dereferenced; `{"$missing": why}` where the blob is missing, and the reference
        itself where it is not JSON or larger than `most` bytes."""
        if not is_ref(value) or value.get("m") != "application/json" or value.get("n", 0) > most:
            return value
        try:
            return msgspec.json.decode(self.get(msgspec.convert(value, BlobRef)))
        except TraceReadError as error:
            return {"$missing": error.what}
        except (msgspec.DecodeError, msgspec.ValidationError):
            return {"$missing": "the recorded value is damaged"}


def is_ref(value: object) -> bool:
    """Whether this is a blob reference."""
    return isinstance(value, dict) and isinstance(value.get("$b"), str)


def refs_in(value: Any) -> list[dict[str, Any]]:
    """Every blob reference in a JSON-ready value, that of a basis after the one that names it."""
    if is_ref(value):
        return [value, *refs_in(value.get("basis"))]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [ref for one in inner for ref in refs_in(one)]


def media_of(data: bytes) -> str:
    """Media type by the first bytes, for a blob known by its digest only, such as an image sent to a model."""
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        return "image/png"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return "image/jpeg" if data[:3] == b"\xff\xd8\xff" else "application/octet-stream"
