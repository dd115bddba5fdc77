"""The budget of a walk. Time is taken from the snapshots, so that a replay runs out of it at the same page."""

from __future__ import annotations

import msgspec

from memory.state import WalkMemory
from walker.seams.searches import is_own_page
from walker.settings import Limits


def pages_opened(memory: WalkMemory) -> int:
    """Pages of sites that a walk opened, or tried to: a page of our own is none of them."""
    return sum(not is_own_page(page.url) for page in memory.pages)


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """Limits on pages and time, checked before each page."""

    limits: Limits

    def why_spent(self, memory: WalkMemory, elapsed: float) -> str:
        """Which limit was reached, in words; "" if none was."""
        if pages_opened(memory) >= self.limits.pages:
            return f"{self.limits.pages} pages were opened"
        if elapsed >= self.limits.seconds:
            return f"{self.limits.seconds:g} seconds have passed"
        return ""

    def share_left(self, memory: WalkMemory) -> float:
        """Share of the pages that is left, 0..1."""
        return max(0.0, 1.0 - pages_opened(memory) / max(1, self.limits.pages))
