"""What stands around the main text of a page, as marks by which a walk knows it again on the site's other pages."""

from __future__ import annotations

from zlib import crc32

from perception.observation import Block, Link, Observation

MARKS_AT_MOST = 2_000
"""Marks that are kept of a page."""


def marks_around(observation: Observation) -> tuple[int, ...]:
    """The marks of what stands around the text, in ascending order."""
    found = {mark_of_block(block) for block in observation.blocks if block.region != "main" and not block.hidden}
    found |= {mark_of_link(link) for link in observation.links if link.opener or not link.block}
    return tuple(sorted(found)[:MARKS_AT_MOST])


def mark_of_block(block: Block) -> int:
    """Equal for equal texts."""
    return crc32(block.text.encode(errors="replace"))


def mark_of_link(link: Link) -> int:
    """Equal for links of one label to one address in one menu."""
    return crc32(f"{link.opener}\n{link.label}\n{link.url}".encode(errors="replace"))
