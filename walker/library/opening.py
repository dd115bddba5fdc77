"""Opens a library for a command or a crawl: what is wrong with it is one line for a person."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from memory.library.errors import BadQuery, LibraryError
from walker.errors import BrowserUnavailable, UsageError, WalkerError
from walker.library.library_file import LibraryFile


class LibraryFailed(WalkerError):
    """A library cannot be read or written."""


@contextlib.contextmanager
def opened_library(path: Path, *, writable: bool = False) -> Iterator[LibraryFile]:
    """The library, closed at the end. Raises `LibraryFailed`, within the block too, and `UsageError` for a query that cannot be."""
    with library_errors():
        library = LibraryFile.write(path) if writable else LibraryFile.read(path)
        with contextlib.closing(library):
            yield library


@contextlib.contextmanager
def library_errors() -> Iterator[None]:
    """Errors of a library, as the walker's own."""
    try:
        yield
    except BadQuery as error:
        raise UsageError(error.what, where=error.where, advice=error.advice) from None
    except LibraryError as error:
        raise LibraryFailed(error.what, where=error.where, advice=error.advice) from None


@contextlib.contextmanager
def errors_of_a_walk() -> Iterator[None]:
    """Errors of a library that a walk cannot go on without, as `BrowserUnavailable`."""
    try:
        yield
    except LibraryError as error:
        raise BrowserUnavailable(error.what, where=error.where, advice=error.advice) from None


class LateLibrary:
    """A library that is opened for reading when it is first asked."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._library: LibraryFile | None = None

    def opened(self) -> LibraryFile:
        """The library. Raises `LibraryUnusable` if it cannot be read."""
        if self._library is None:
            self._library = LibraryFile.read(self._path)
        return self._library

    def close(self) -> None:
        """Close the file, if it was opened."""
        if self._library is not None:
            self._library.close()
            self._library = None
