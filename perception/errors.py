"""Errors of perception.

PerceptionError        all of them: what, where, and what to do now
+-- ModelUnusable      a model file is missing, damaged or not the expected one; whatever needs it is switched off
+-- PromptTooLong      text and images exceed a local model's context; a smaller image is tried
+-- PictureUnreadable  the bytes are not an image, or a damaged one; the page is read without it
+-- MissingPackage     an optional package is not installed; its `advice` is the command that installs it
"""

from __future__ import annotations


class PerceptionError(Exception):
    """Base class. The message is one line: what, where, what to do now."""

    def __init__(self, what: str, *, where: str = "", advice: str = "") -> None:
        self.what, self.where, self.advice = what, where, advice
        super().__init__(": ".join(part for part in (where, what) if part) + (f". {advice}" if advice else ""))


class ModelUnusable(PerceptionError):
    """A model file is missing, damaged or not the expected one."""


class PromptTooLong(PerceptionError):
    """Text and images exceed a local model's context."""


class PictureUnreadable(PerceptionError):
    """The bytes are not an image, or a damaged one."""


class MissingPackage(PerceptionError):
    """An optional package is not installed."""
