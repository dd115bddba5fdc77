"""Stores screenshots and downloads of a crawl atomically, under safe names."""

from __future__ import annotations

import contextlib
import re
import unicodedata
from email.message import Message
from pathlib import Path
from urllib.parse import unquote, urlsplit

from traces.store.atomic_file import write_atomically
from walker.crawl.script.spec import CrawlSpec

NAME_CHARS, ENDING_CHARS = 80, 12
_RESERVED = re.compile(r"[\\/:*?\"<>|%\s]+")
"""Path separators, and characters special to shells or file systems that the files may be moved to."""
_DASHES = re.compile(r"-{2,}")


class FileStore:
    """The folder of one crawl's files. Files are written atomically; an existing one is replaced."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, name: str, data: bytes) -> None:
        """Write a file atomically; a symbolic link is replaced, never followed. Raises `OSError`."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_atomically(self.folder / name, data, mode=0o644)

    def remove(self, name: str) -> None:
        """Remove a file."""
        with contextlib.suppress(OSError):
            (self.folder / name).unlink(missing_ok=True)


def files_folder(spec: CrawlSpec, job: Path) -> Path:
    """The folder for the files of a job."""
    return spec.output.files or job / "files"


def file_name(row: int, wanted: str) -> str:
    """File name for a page: the page's row, and the safe part of the site's name. Deterministic, so that files left by a crash are
    overwritten.

    >>> file_name(7, "../../etc/passwd")
    '000007-etc-passwd'
    """
    name = safe_name(wanted)
    return f"{row:06}-{name}" if name else f"{row:06}"


def safe_name(wanted: str) -> str:
    """The part of an untrusted name that is a valid file name on any system; "" for none.

    Without separators, invisible characters, and dots or dashes at its ends; the file extension is kept."""
    shown = "".join(one for one in unicodedata.normalize("NFC", wanted) if unicodedata.category(one)[0] != "C")
    plain = _DASHES.sub("-", _RESERVED.sub("-", shown)).replace("..", ".").strip(".- ")
    stem, dot, ending = plain.rpartition(".")
    if not dot or len(ending) > ENDING_CHARS:
        stem, dot, ending = plain, "", ""
    while len((stem + dot + ending).encode()) > NAME_CHARS * 2 or len(stem) > NAME_CHARS:
        stem = stem[:-1]
    return (stem.rstrip(".- ") + dot + ending).strip(".- ")


def wanted_name(url: str, disposition: str = "") -> str:
    """The site's name for a file: from Content-Disposition (RFC 6266), else the last segment of the URL."""
    if disposition:
        header = Message()
        header["Content-Disposition"] = " ".join(disposition.split())
        if name := header.get_filename():
            return name
    return unquote(urlsplit(url).path.rstrip("/").rpartition("/")[2])
