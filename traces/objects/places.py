"""The seam of places that hold objects: names with slashes, and bytes that are there whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path
from typing import Protocol

from traces.errors import StoreError


class ObjectPlace(Protocol):
    """Objects below a prefix, by names such as `run/blobs/ab/abcd`. Every method raises `StoreError`, and is called from several
    threads at once."""

    def __str__(self) -> str:
        """Its address, as a person gives it."""
        ...

    def put(self, name: str, data: bytes, *, new: bool = False) -> bool:
        """Write an object, in place of one of this name. With `new` one that is there stays, and False is returned."""
        ...

    def get(self, name: str) -> bytes | None:
        """The bytes of an object; None where there is none."""
        ...

    def sizes(self, folder: str) -> dict[str, int]:
        """Bytes of every object below a folder, by the whole name, in any order."""
        ...

    def folders(self) -> tuple[str, ...]:
        """First parts of names that have more than one, sorted."""
        ...

    def remove(self, name: str) -> None:
        """Remove an object, if there is one."""
        ...


class FolderPlace:
    """Objects as files of a folder, such as a network drive."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def __str__(self) -> str:
        return str(self._root)

    def put(self, name: str, data: bytes, *, new: bool = False) -> bool:
        """See `ObjectPlace`: written beside, then linked or renamed, so that half a file is never seen."""
        path = self._root / name
        part = path.with_name(f".{path.name}.{os.getpid()}-{os.urandom(4).hex()}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(data)
            if not new:
                part.replace(path)
                return True
            os.link(part, path)
        except FileExistsError:
            return False
        except OSError as error:
            raise self._unusable(error) from None
        finally:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
        return True

    def get(self, name: str) -> bytes | None:
        """See `ObjectPlace`."""
        try:
            return (self._root / name).read_bytes()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None
        except OSError as error:
            raise self._unusable(error) from None

    def sizes(self, folder: str) -> dict[str, int]:
        """See `ObjectPlace`."""
        found: dict[str, int] = {}
        for parent, _, names in os.walk(self._root / folder, onerror=self._refuse):
            for path in (Path(parent, name) for name in names if not name.endswith(".part")):
                found[path.relative_to(self._root).as_posix()] = path.stat().st_size
        return found

    def folders(self) -> tuple[str, ...]:
        """See `ObjectPlace`."""
        if not self._root.is_dir():
            return ()
        return tuple(sorted(path.name for path in self._root.iterdir() if path.is_dir()))

    def remove(self, name: str) -> None:
        """See `ObjectPlace`; a folder that is empty then goes too."""
        path = self._root / name
        try:
            path.unlink(missing_ok=True)
            while path.parent != self._root and not any(path.parent.iterdir()):
                path = path.parent
                shutil.rmtree(path)
        except FileNotFoundError:
            return
        except OSError as error:
            raise self._unusable(error) from None

    def _refuse(self, error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):
            raise self._unusable(error) from None

    def _unusable(self, error: OSError) -> StoreError:
        return StoreError(
            f"it cannot be used ({error.strerror})", str(self._root), "Check its rights and its disk, or name another"
        )
