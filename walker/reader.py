"""The live page reader: a thin edge round `perception.reading`."""

from __future__ import annotations

from perception.observation import Observation
from perception.reading import observe
from perception.snapshot import Snapshot


class SnapshotReader:
    """Reads each snapshot as it comes."""

    async def read(self, snapshot: Snapshot) -> Observation:
        """The observation of a snapshot."""
        return observe(snapshot)
