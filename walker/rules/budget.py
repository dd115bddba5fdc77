"""The budget of a walk. Time is taken from the snapshots, so that a replay runs out of it at the same page."""

from __future__ import annotations

import msgspec

from memory.state import WalkMemory
from walker.settings import Limits


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """Limits on pages and time, checked before each page."""

    limits: Limits

    def why_spent(self, memory: WalkMemory, elapsed: float) -> str:
        """Which limit was reached, in words; "" if none was."""
        if len(memory.pages) >= self.limits.pages:
            return f"{self.limits.pages} pages were opened"
        if elapsed >= self.limits.seconds:
            return f"{self.limits.seconds:g} seconds have passed"
        return ""

    def share_left(self, memory: WalkMemory) -> float:
        """Share of the pages that is left, 0..1."""
        return max(0.0, 1.0 - len(memory.pages) / max(1, self.limits.pages))
