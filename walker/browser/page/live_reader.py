"""Reads the pages of a walk as they come."""

from __future__ import annotations

from perception.document.reading import observe
from perception.images.freed_memory import give_back_memory
from perception.observation import Observation
from perception.snapshot import Snapshot

LARGE_PAGE = 200_000
"""Characters of HTML from which what was needed for reading a page is given back at once: ten times as many bytes."""


class LiveReader:
    """Reads each snapshot as it comes."""

    async def read(self, snapshot: Snapshot) -> Observation:
        """The observation of a snapshot."""
        observation = observe(snapshot)
        if len(snapshot.html) >= LARGE_PAGE:
            give_back_memory()
        return observation
