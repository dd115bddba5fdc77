"""Which known pages the branches of a family led to: a real list leads to other ones on each page, a trap to the same ones again."""

from __future__ import annotations

from collections.abc import Iterable
from zlib import crc32

import numpy as np

from memory.near_duplicates import SeenHashes
from walker.crawl.traps.branches import are_akin, family_name
from walker.crawl.traps.templates import template_of


class FamilyLinks:
    """Of one job, in 8 MB. Not kept with it: after a crash the links are met again, and a trap has a few pages more."""

    def __init__(self) -> None:
        self._seen = SeenHashes()

    def reached(self, branch: str, links: Iterable[str]) -> int:
        """How many of a page's links to addresses that were known before it, and are not akin to its own, no page of its family
        had; they are remembered. Goes into `branches.Found.reached`."""
        family, own = family_name(branch), branch.rpartition(" > ")[2]
        outside = [crc32(f"{family} {link}".encode()) for link in set(links) if not are_akin(template_of(link), own)]
        hashes = np.array(outside, dtype=np.uint32)
        unseen = self._seen.unseen(hashes)
        self._seen.add(hashes)
        return unseen
