"""Known pages that the branches of a family linked to: each page of a real list links to other ones, a trap to the same ones again."""

from __future__ import annotations

from collections.abc import Iterable
from zlib import crc32

import numpy as np

from memory.near_duplicates import SeenHashes
from walker.crawl.traps.branches import are_akin, family_name
from walker.crawl.traps.templates import template_of


class FamilyLinks:
    """A Bloom filter for one job, 8 MB. Not persisted: after a crash the links are seen again, and a trap gets a few pages more."""

    def __init__(self) -> None:
        self._seen = SeenHashes()

    def reached(self, branch: str, links: Iterable[str]) -> int:
        """Number of a page's links to known, unrelated URLs that no page of its family had linked to; they are added. The value of
        `branches.Found.reached`."""
        family, own = family_name(branch), branch.rpartition(" > ")[2]
        outside = [crc32(f"{family} {link}".encode()) for link in set(links) if not are_akin(template_of(link), own)]
        hashes = np.array(outside, dtype=np.uint32)
        unseen = self._seen.unseen(hashes)
        self._seen.add(hashes)
        return unseen
