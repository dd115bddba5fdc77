"""An office file to a document, within limits; run as a module it parses one file in a process of its own."""

from __future__ import annotations

import importlib
import sys

import msgspec

from perception.encodings import decode_html
from walker.office.parts.limits import Deadline
from walker.office.parts.office_document import OfficeDocument
from walker.office.parts.ooxml import main_part
from walker.office.parts.package import Package
from walker.office.parts.unreadable import DAMAGED, Unreadable
from walker.parsing.process_limits import limit_process

GRACE_SECONDS = 10
"""Of processor time beyond its own limit: to parse a part of 100 MB takes some seconds, in which nothing can be asked."""
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_ZIP = b"PK\x03\x04"
_UNEXPECTED = (
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    OSError,
    MemoryError,
)
"""What a reader raises on a file whose XML says what no such file says."""
_READERS = {
    "word": ("walker.office.word.docx_reading", "read_docx"),
    "excel": ("walker.office.sheets.xlsx_reading", "read_xlsx"),
    "powerpoint": ("walker.office.pptx_reading", "read_pptx"),
    "odf-text": ("walker.office.odt_reading", "read_odt"),
    "odf-sheets": ("walker.office.ods_reading", "read_ods"),
    "odf-slides": ("walker.office.odp_reading", "read_odp"),
}
_TEXT_READERS = {
    "csv": ("walker.office.csv_reading", "read_csv"),
    "tsv": ("walker.office.csv_reading", "read_tsv"),
    "markdown": ("walker.office.markdown_reading", "read_markdown"),
}
"""By name: a file needs one of them."""
_ODF = "application/vnd.oasis.opendocument."
_ODF_KINDS = {"text": "odf-text", "spreadsheet": "odf-sheets", "presentation": "odf-slides"}
_MAIN_KINDS = {"}document": "word", "}workbook": "excel", "}presentation": "powerpoint"}


def read_office(kind: str, data: bytes, content_type: str = "", *, seconds: float = 30.0) -> OfficeDocument:
    """The document of a file: "csv", "tsv", "markdown", or "office", which the file tells itself; `content_type` is what its server
    said. What could be read in about `seconds` of processor time; a file that cannot be read gives a `problem`."""
    deadline = Deadline(seconds)
    try:
        if not data.strip(b"\0 \r\n\t"):
            raise Unreadable("it is empty")
        if kind == "office":
            return _read_package(data, deadline)
        return _read_text(kind, decode_html(data, content_type), deadline)
    except Unreadable as error:
        return OfficeDocument(problem=str(error))
    except _UNEXPECTED as error:
        return OfficeDocument(problem=f"{DAMAGED} ({type(error).__name__})")


def _read_text(kind: str, text: str, deadline: Deadline) -> OfficeDocument:
    if "\0" in text:
        raise Unreadable("it is no text")
    return _read_by(_TEXT_READERS[kind], text, deadline)


def _read_by(reader: tuple[str, str], *given: object) -> OfficeDocument:
    module, name = reader
    document = getattr(importlib.import_module(module), name)(*given)
    assert isinstance(document, OfficeDocument)
    return document


def _read_package(data: bytes, deadline: Deadline) -> OfficeDocument:
    if data.startswith(_OLE):
        if _ENCRYPTED in data:
            raise Unreadable("it is protected by a password")
        raise Unreadable("it is in the old binary form (as .doc, .xls and .ppt), which is not read")
    if not data.startswith(_ZIP):
        raise Unreadable("it is no Word, Excel, PowerPoint or OpenDocument file")
    package = Package(data, deadline)
    return _read_by(_READERS[kind_inside(package)], package)


def kind_inside(package: Package) -> str:
    """What a package is, whatever it is called. Raises `Unreadable` for a zip that is none of these."""
    declared = package.read("mimetype")[:100].decode("ascii", "replace").strip()
    for mark, kind in _ODF_KINDS.items():
        if declared.startswith(f"{_ODF}{mark}"):
            return kind
    main = main_part(package)
    if main.endswith(".bin"):
        return "excel"
    root = package.xml(main)
    found = next((kind for mark, kind in _MAIN_KINDS.items() if root is not None and root.tag.endswith(mark)), "")
    if not found:
        raise Unreadable("it is a zip, and no Word, Excel, PowerPoint or OpenDocument file")
    return found


def main(kind: str, seconds: int, content_type: str) -> None:
    """Parse one file from standard input and write the document to standard output; limits are enforced by the operating system,
    since the parent process may be gone."""
    limit_process(seconds + GRACE_SECONDS)
    sys.stdout.buffer.write(
        msgspec.json.encode(read_office(kind, sys.stdin.buffer.read(), content_type, seconds=seconds))
    )


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
