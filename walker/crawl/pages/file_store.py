"""Screenshots and downloads of a crawl: where they go, under which names, and how they get there whole."""

from __future__ import annotations

import contextlib
import re
import unicodedata
from email.message import Message
from pathlib import Path
from urllib.parse import unquote, urlsplit

from traces.store.atomic_file import write_whole
from walker.crawl.script.spec import CrawlSpec

NAME_CHARS, ENDING_CHARS = 80, 12
_RESERVED = re.compile(r"[\\/:*?\"<>|%\s]+")
"""What separates folders, or means something to a shell or a file system that the files may be moved to."""
_DASHES = re.compile(r"-{2,}")


class KeptFiles:
    """The folder of one crawl's files. A file is whole or not there; written again, it is replaced."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, name: str, data: bytes) -> None:
        """Write it beside its place and rename it: a link that lies there is replaced, never followed. Raises `OSError`."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.folder / name, data, mode=0o644)

    def remove(self, name: str) -> None:
        """Take one away again."""
        with contextlib.suppress(OSError):
            (self.folder / name).unlink(missing_ok=True)


def files_folder(spec: CrawlSpec, job: Path) -> Path:
    """Where the files of a job go."""
    return spec.output.files or job / "files"


def file_name(row: int, wanted: str) -> str:
    """The name of a page's file: the page's row, and what is harmless of a name that a site chose. Always the same for the
    same page, so that what a crash left behind is written over.

    >>> file_name(7, "../../etc/passwd")
    '000007-etc-passwd'
    """
    name = safe_name(wanted)
    return f"{row:06}-{name}" if name else f"{row:06}"


def safe_name(wanted: str) -> str:
    """Of a name that a stranger chose what can be a part of a file's name on any system; "" where nothing can.

    No separators, nothing that is not seen, no dots or dashes at its ends; its ending stays."""
    shown = "".join(one for one in unicodedata.normalize("NFC", wanted) if unicodedata.category(one)[0] != "C")
    plain = _DASHES.sub("-", _RESERVED.sub("-", shown)).replace("..", ".").strip(".- ")
    stem, dot, ending = plain.rpartition(".")
    if not dot or len(ending) > ENDING_CHARS:
        stem, dot, ending = plain, "", ""
    while len((stem + dot + ending).encode()) > NAME_CHARS * 2 or len(stem) > NAME_CHARS:
        stem = stem[:-1]
    return (stem.rstrip(".- ") + dot + ending).strip(".- ")


def wanted_name(url: str, disposition: str = "") -> str:
    """What a site calls a file: by a Content-Disposition header (RFC 6266), or the end of its address."""
    if disposition:
        header = Message()
        header["Content-Disposition"] = " ".join(disposition.split())
        if name := header.get_filename():
            return name
    return unquote(urlsplit(url).path.rstrip("/").rpartition("/")[2])
