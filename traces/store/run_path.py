"""The path of a run: a folder, or a zip file that is read without unpacking it."""

from __future__ import annotations

import zipfile
from pathlib import Path

from traces.errors import TraceReadError
from traces.store.mirror import bring, is_address, mirror_at

RunPath = Path | zipfile.Path
"""Both have `/`, `exists` and `read_bytes`; only a `Path` is writable."""

ZIP_SUFFIX = ".zip"


def open_run_path(run: Path) -> RunPath:
    """The root of a run: `run` itself, or the root inside the zip file. A run in a store is fetched first. Raises `TraceReadError`
    for an invalid zip, and `StoreError`."""
    run = arrived(run)
    if run.suffix.lower() != ZIP_SUFFIX or not run.is_file():
        return run
    try:
        archive = zipfile.ZipFile(run)
    except (OSError, zipfile.BadZipFile) as error:
        raise TraceReadError(f"the zip cannot be read ({error})", str(run)) from None
    return zipfile.Path(archive, _folder_within(archive.namelist()))


def arrived(run: Path) -> Path:
    """The folder of a run on this machine: of an address its mirror, of a run of a mirror itself, fetched. Raises `StoreError`."""
    if is_address(str(run)):
        address, _, name = str(run).rpartition("/")
        mirror = mirror_at(address)
        mirror.bring(name)
        return mirror.folder / name
    bring(run)
    return run


def _folder_within(names: list[str]) -> str:
    """The folder of run.json: the root, as `walker runs pack` writes it, or a single top folder, as other programs do."""
    if "run.json" in names:
        return ""
    folders = {name.removesuffix("run.json") for name in names if name.count("/") == 1 and name.endswith("/run.json")}
    return folders.pop() if len(folders) == 1 else ""
