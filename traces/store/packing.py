"""Packs a run into a zip file, and unpacks it. Members are stored uncompressed, so that each can be read in place; blobs are
compressed already."""

from __future__ import annotations

import os
import re
import shutil
import stat
import zipfile
from pathlib import Path

from traces.errors import TraceReadError, TraceWriteError
from traces.store.atomic_file import replace_file, temporary_path
from traces.store.mirror import bring_whole
from traces.store.run_files import BLOB_FOLDER, LOG_NAME, MANIFEST_NAME, SEAL_NAME

NOTES_NAME = "annotations.jsonl"
_HEAD = (MANIFEST_NAME, LOG_NAME, SEAL_NAME, NOTES_NAME)
"""First in the zip, in this order: a reader that fetches only the beginning has what a list of runs shows."""
_MEMBER = re.compile(
    rf"(?:[^/\\\0]+/)?({'|'.join(map(re.escape, _HEAD))}|{BLOB_FOLDER}/[0-9a-f]{{2}}/[0-9a-f]{{64}}(?:-[0-9a-f]{{8}})?)"
)
_OLDEST = (1980, 1, 1, 0, 0, 0)
"""Fixed date of every member, so that the zip of a run is reproducible."""
_CHUNK = 1 << 20


def pack_run(folder: Path, file: Path) -> int:
    """Write a run's folder as a zip and return its size in bytes. Raises `TraceReadError` without a run, and `TraceWriteError`."""
    if not (folder / MANIFEST_NAME).is_file():
        raise TraceReadError("there is no run there (no run.json)", str(folder))
    if file.exists():
        raise TraceWriteError("there is a file already", str(file))
    bring_whole(folder)
    blobs = sorted(path for path in (folder / BLOB_FOLDER).glob("*/*") if path.is_file() and path.suffix != ".part")
    head = [folder / name for name in _HEAD if (folder / name).is_file()]
    try:
        with temporary_path(file) as part:
            with (
                os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out,
                zipfile.ZipFile(out, "w") as archive,
            ):
                for path in (*head, *blobs):
                    member = zipfile.ZipInfo(path.relative_to(folder).as_posix(), _OLDEST)
                    member.external_attr = (stat.S_IFREG | 0o600) << 16
                    archive.writestr(member, path.read_bytes())
            replace_file(part, file)
    except OSError as error:
        raise TraceWriteError(error.strerror or "cannot be written", str(file)) from None
    return file.stat().st_size


def unpack_run(file: Path, folder: Path) -> int:
    """Write the files of a zipped run into a new folder and return their number. Writes nothing if the zip has other members.

    Raises `TraceReadError` for a zip that is not a run, or is malicious: path traversal, links, sizes larger than the zip.
    Raises `TraceWriteError` if the folder exists.
    """
    if folder.exists():
        raise TraceWriteError("the folder exists already", str(folder))
    part = folder.with_name(f"{folder.name}.{os.getpid()}.part")
    try:
        with zipfile.ZipFile(file) as archive:
            wanted = _checked(archive, file)
            part.mkdir(mode=0o700, parents=True)
            for name, member in wanted.items():
                _write_member(archive, member, part / name)
        part.rename(folder)
    except FileNotFoundError:
        raise TraceReadError("there is no such file", str(file)) from None
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise TraceReadError(f"the zip cannot be read ({error})", str(file)) from None
    except OSError as error:
        raise TraceWriteError(error.strerror or "cannot be written", str(folder)) from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return len(wanted)


def _checked(archive: zipfile.ZipFile, file: Path) -> dict[str, zipfile.ZipInfo]:
    """The members by their name within the run."""
    wanted: dict[str, zipfile.ZipInfo] = {}
    room = file.stat().st_size
    for member in archive.infolist():
        if member.is_dir():
            continue
        match = _MEMBER.fullmatch(member.filename)
        kind = stat.S_IFMT(member.external_attr >> 16)
        if match is None or kind not in (0, stat.S_IFREG):
            raise TraceReadError(f"{member.filename!r} is not a file of a run; nothing was unpacked", str(file))
        if match[1] in wanted:
            raise TraceReadError(f"{match[1]} is in it twice; nothing was unpacked", str(file))
        room -= member.file_size
        if member.compress_type != zipfile.ZIP_STORED or room < 0:
            raise TraceReadError("its members are not stored uncompressed; nothing was unpacked", str(file))
        wanted[match[1]] = member
    if MANIFEST_NAME not in wanted:
        raise TraceReadError("there is no run in it (no run.json)", str(file))
    return wanted


def _write_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (
        archive.open(member) as source,
        os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out,
    ):
        shutil.copyfileobj(source, out, _CHUNK)
