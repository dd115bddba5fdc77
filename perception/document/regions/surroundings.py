"""What stands around the main text of a page, and the links that are all of an entry within it, as marks by which a walk knows them
again on the site's other pages."""

from __future__ import annotations

from zlib import crc32

from perception.observation import Block, Link, Observation, Place

MARKS_AT_MOST = 2_000
"""Marks that are kept of a page."""
NUMBERING = 6
"""Characters of an entry beside its link, such as "2.3. "."""


def marks_around(observation: Observation) -> tuple[int, ...]:
    """The marks of what stands around the text, and of the entries that are links, in ascending order."""
    entries = linked_entries(observation)
    found = {
        mark_of_block(block)
        for block in observation.blocks
        if (block.region != "main" or block.id in entries) and not block.hidden
    }
    found |= {mark_of_link(link) for link in observation.links if link.opener or not link.block}
    return tuple(sorted(found)[:MARKS_AT_MOST])


def linked_entries(observation: Observation) -> frozenset[int]:
    """Ids of the blocks of the main text that are nothing but a link, as the entries of a table of contents are; no headings."""
    places = [Place(block=link.block, start=link.start, end=link.end) for link in observation.links if link.block]
    again = (place for link in observation.links for place in link.again if place.block)
    return frozenset(
        place.block
        for place in (*places, *again, *observation.own)
        if _is_whole(place, observation.blocks[place.block - 1])
    )


def _is_whole(place: Place, block: Block) -> bool:
    is_entry = block.region == "main" and block.kind != "heading"
    return is_entry and place.end > place.start and len(block.text) - (place.end - place.start) <= NUMBERING


def mark_of_block(block: Block) -> int:
    """Equal for equal texts."""
    return crc32(block.text.encode(errors="replace"))


def mark_of_link(link: Link) -> int:
    """Equal for links of one label to one address in one menu."""
    return crc32(f"{link.opener}\n{link.label}\n{link.url}".encode(errors="replace"))
