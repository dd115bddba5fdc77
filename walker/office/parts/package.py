"""The parts of an office file, which is a zip of XML: unpacked within limits, and parsed so that nothing is expanded or fetched."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from lxml import etree

from walker.office.parts.limits import Deadline
from walker.office.parts.unreadable import DAMAGED, Unreadable

PARTS_AT_MOST = 5_000
PART_BYTES, ALL_BYTES = 100_000_000, 200_000_000
RATIO_AT_MOST, RATIO_FROM_BYTES = 400, 10_000_000
"""How many times its packed size a part may have, beyond so many bytes. Sheets of equal rows reach 120."""
CHUNK_BYTES = 1 << 20
_DOCTYPE = b"<!DOCTYPE"
_DOCTYPE_WITHIN = 65_536
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/")
"""Namespaces of the strict form of Office files: `.../ooxml/wordprocessingml/main` is `.../wordprocessingml/2006/main` elsewhere."""
_TRANSITIONAL = rb"http://schemas.openxmlformats.org/\1/2006/"

Element = Any
"""An element of lxml, which has no types."""


class Package:
    """An opened file. Names of parts are compared without case, as Office does."""

    def __init__(self, data: bytes, deadline: Deadline) -> None:
        """Raises `Unreadable`."""
        self.deadline = deadline
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
            raise Unreadable(f"{DAMAGED} ({type(error).__name__})") from None
        infos = self._zip.infolist()
        if len(infos) > PARTS_AT_MOST:
            raise Unreadable(f"it has more than {PARTS_AT_MOST} parts")
        self._infos: dict[str, zipfile.ZipInfo] = {}
        for info in infos:
            self._infos.setdefault(info.filename.replace("\\", "/").lstrip("/").lower(), info)
        self._unpacked = 0

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._infos

    def read(self, name: str) -> bytes:
        """A part; b"" where there is none. Raises `Unreadable` where it is damaged, locked or too large."""
        info = self._infos.get(name.lower())
        if info is None:
            return b""
        if info.flag_bits & 1:
            raise Unreadable("it is protected by a password")
        read = bytearray()
        try:
            with self._zip.open(info) as part:
                while chunk := part.read(CHUNK_BYTES):
                    read += chunk
                    self._unpacked += len(chunk)
                    self._check_size(len(read), info.compress_size)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError) as error:
            raise Unreadable(f"{DAMAGED} ({type(error).__name__})") from None
        return bytes(read)

    def xml(self, name: str) -> Element | None:
        """The root of a part; None where there is none, or it is empty. Raises `Unreadable`."""
        data = self.read(name)
        return parsed(data) if data.strip() else None

    def elements(self, name: str, *tags: str) -> Iterator[Element]:
        """The elements of a large part with these tags as they end; each is emptied afterwards. Raises `Unreadable`."""
        data = _checked(self.read(name))
        if not data.strip():
            return
        try:
            for _, element in etree.iterparse(io.BytesIO(data), events=("end",), tag=tags, **_SAFE):
                yield element
                element.clear()
        except etree.XMLSyntaxError as error:
            raise Unreadable(f"{DAMAGED} ({type(error).__name__})") from None

    def _check_size(self, size: int, packed: int) -> None:
        if size > PART_BYTES or self._unpacked > ALL_BYTES:
            raise Unreadable(
                f"it unpacks to more than {(PART_BYTES if size > PART_BYTES else ALL_BYTES) // 1_000_000} MB"
            )
        if size > RATIO_FROM_BYTES and size > RATIO_AT_MOST * max(1, packed):
            raise Unreadable(f"a part of it unpacks to more than {RATIO_AT_MOST} times its size")


_SAFE: dict[str, Any] = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "remove_comments": True,
    "remove_pis": True,
}


def parsed(data: bytes) -> Element:
    """The root element of XML that may come from anyone. Raises `Unreadable`."""
    try:
        root = etree.fromstring(_checked(data), etree.XMLParser(**_SAFE))
    except (etree.XMLSyntaxError, ValueError) as error:
        raise Unreadable(f"{DAMAGED} ({type(error).__name__})") from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise Unreadable("it declares a document type, which no office file does")
    return root


def _checked(data: bytes) -> bytes:
    head = data[:_DOCTYPE_WITHIN].replace(b"\0", b"")
    if _DOCTYPE in head:
        raise Unreadable("it declares a document type, which no office file does")
    return _STRICT.sub(_TRANSITIONAL, data) if b"purl.oclc.org/ooxml" in head else data


def target_of(source: str, target: str) -> str:
    """The name of the part that a relationship of `source` names."""
    if target.startswith("/"):
        return target.lstrip("/")
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
