"""Where a run lies: a folder, or a zip of one that is read without unpacking it."""

from __future__ import annotations

import zipfile
from pathlib import Path

from traces.errors import TraceReadError

Place = Path | zipfile.Path
"""Both know `/`, `exists` and `read_bytes`; only a `Path` can be written to."""

ZIP_SUFFIX = ".zip"


def place_of(run: Path) -> Place:
    """The place of a run: `run` itself, or the inside of the zip it names. Raises `TraceReadError` for a zip that is none."""
    if run.suffix.lower() != ZIP_SUFFIX or not run.is_file():
        return run
    try:
        archive = zipfile.ZipFile(run)
    except (OSError, zipfile.BadZipFile) as error:
        raise TraceReadError(f"the zip cannot be read ({error})", str(run)) from None
    return zipfile.Path(archive, _folder_within(archive.namelist()))


def _folder_within(names: list[str]) -> str:
    """Where run.json lies: at the root as `walker runs pack` puts it, or in the only folder as other programs do."""
    if "run.json" in names:
        return ""
    folders = {name.removesuffix("run.json") for name in names if name.count("/") == 1 and name.endswith("/run.json")}
    return folders.pop() if len(folders) == 1 else ""
