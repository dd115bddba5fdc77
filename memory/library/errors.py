"""Errors of a library, each one line for a person."""

from __future__ import annotations


class LibraryError(Exception):
    """The library cannot do what was asked: `what` went wrong, in which file (`where`), and what to do now (`advice`)."""

    def __init__(self, what: str, *, where: str = "", advice: str = "") -> None:
        self.what, self.where, self.advice = what, where, advice
        super().__init__(": ".join(part for part in (where, what) if part) + (f". {advice}" if advice else ""))


class LibraryUnusable(LibraryError):
    """The file is not there, is no library, is damaged, of a newer version, or cannot be read or written."""


class BadQuery(LibraryError):
    """The query holds nothing that could be found."""
