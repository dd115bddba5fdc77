"""Writing a file that the user asked for."""

from __future__ import annotations

from pathlib import Path

from traces.store.atomic_file import write_atomically
from walker.errors import OutputUnwritable


def write_output(path: Path, data: bytes, *, mode: int = 0o666) -> None:
    """Write atomically, creating parent folders; devices and pipes are written directly.

    Raises `OutputUnwritable`.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            write_atomically(path, data, mode=mode)
    except OSError as error:
        raise unwritable(path, error) from None


def unwritable(path: Path, error: OSError) -> OutputUnwritable:
    """The one line for a file that could not be written."""
    return OutputUnwritable(
        f"it cannot be written ({error.strerror or error})",
        where=str(path),
        advice="Free some space, or name another file, and run the same command again",
    )
