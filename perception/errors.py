"""Errors of seeing.

PerceptionError        all of them: what, where, and what to do now
+-- ModelUnusable      a model file is missing, damaged or not what it should be; what needs it is left out
+-- PromptTooLong      words and pictures are more than a local model's context; a smaller picture is tried
+-- PictureUnreadable  bytes that are no picture, or a damaged one; the page is read without it
+-- MissingPackage     an optional package is not installed; its `advice` is the command that installs it
"""

from __future__ import annotations


class PerceptionError(Exception):
    """Something that was to be seen cannot be. One line: what, where, what to do now."""

    def __init__(self, what: str, *, where: str = "", advice: str = "") -> None:
        self.what, self.where, self.advice = what, where, advice
        super().__init__(": ".join(part for part in (where, what) if part) + (f". {advice}" if advice else ""))


class ModelUnusable(PerceptionError):
    """A model file is missing, damaged or not what it should be."""


class PromptTooLong(PerceptionError):
    """Words and pictures are more than a local model's context takes."""


class PictureUnreadable(PerceptionError):
    """Bytes that are no picture, or a damaged one."""


class MissingPackage(PerceptionError):
    """An optional package is not installed."""
