"""What a job has met so far, in memory: which text, and from where it was led to which pages.

Nothing of it is lost for good when a process dies. Texts are put back with `restore` from the marks that the store keeps with its
pages; the links that families had are met again, which lets a trap have some pages more.
"""

from __future__ import annotations

from collections.abc import Iterable
from zlib import crc32

import msgspec
import numpy as np

from memory.near_duplicates import SeenHashes, SeenText, SimilarTexts, TextMark
from walker.crawl.branches import are_akin, family_name
from walker.crawl.templates import template_of


class News(msgspec.Struct, frozen=True, kw_only=True):
    """What is new about a page; goes into `branches.Found`."""

    duplicate_of: int
    """Row of a page with nearly the same text, and the same name and numbers; 0 for none."""
    share: float
    """Of its text, 0..1, that no page had."""
    reached: int
    """Links to known addresses that are not akin to its own and that no page of its family had."""


class Novelty:
    """Of one job. About 17 MB, and 24 bytes a page."""

    def __init__(self) -> None:
        self._similar = SimilarTexts()
        self._text = SeenText()
        self._links = SeenHashes()

    def restore(self, row: int, mark: TextMark) -> None:
        """Enter a page that was kept before; rows that are duplicates are left out."""
        if mark.fingerprint:
            self._similar.add(row, mark.fingerprint, mark.details)
        self._text.add(mark)

    def take(self, row: int, mark: TextMark, branch: str, links: Iterable[str]) -> News:
        """Enter a page and say what is new about it. `links` are its links to addresses that were known before it."""
        near = self._similar.neighbours(mark.fingerprint, mark.details) if mark.fingerprint else ()
        share = self._text.novelty(mark)
        if not near and mark.fingerprint:
            self._similar.add(row, mark.fingerprint, mark.details)
        self._text.add(mark)
        family, own = family_name(branch), branch.rpartition(" > ")[2]
        outside = [crc32(f"{family} {link}".encode()) for link in links if not are_akin(template_of(link), own)]
        hashes = np.array(outside, dtype=np.uint32)
        reached = self._links.unseen(hashes)
        self._links.add(hashes)
        return News(duplicate_of=near[0] if near else 0, share=share, reached=reached)
