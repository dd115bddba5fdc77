"""What a walk is asked to do."""

from __future__ import annotations

import msgspec

from memory.counting.requirement import Requirement


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """A question about the site under `root_url`."""

    question: str
    root_url: str
    language: str = "en"
    """Language of the question: BCP 47 primary tag ("en", "zh")."""
    requirement: Requirement = Requirement()
    """What has to be counted, read from the question."""
