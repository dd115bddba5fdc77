"""What stands around the main text of a page, and the entries of its lists and tables, as marks by which a walk knows them again: on
the site's other pages, and when it returns to this one."""

from __future__ import annotations

from zlib import crc32

from perception.observation import Block, Link, Observation, Place

MARKS_AT_MOST = 3_000
"""Marks that are kept of a page."""
LEAST_CARDS, BLOCKS_OF_A_CARD = 3, 12
_ENTRIES = frozenset(("item", "row", "term", "definition"))
NUMBERING = 6
"""Characters of an entry beside its link, such as "2.3. "."""


def marks_around(observation: Observation) -> tuple[int, ...]:
    """The marks of what stands around the text, and of entries of lists and tables within it, in ascending order."""
    entries = listed_entries(observation)
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


def listed_entries(observation: Observation) -> frozenset[int]:
    """Ids of the blocks of the main text that are entries of lists, rows of tables or parts of cards."""
    found = set(linked_entries(observation))
    found.update(block.id for block in observation.blocks if block.region == "main" and block.kind in _ENTRIES)
    cards = (
        records
        for records in observation.record_sets
        if records.region == "main" and len(records.records) >= LEAST_CARDS
    )
    for records in cards:
        for card in records.records:
            if 0 < card.last - card.first < BLOCKS_OF_A_CARD:
                found.update(range(card.first, card.last + 1))
    return frozenset(found)


def _is_whole(place: Place, block: Block) -> bool:
    is_entry = block.region == "main" and block.kind != "heading"
    return is_entry and place.end > place.start and len(block.text) - (place.end - place.start) <= NUMBERING


def mark_of_block(block: Block) -> int:
    """Equal for equal texts."""
    return crc32(block.text.encode(errors="replace"))


def mark_of_link(link: Link) -> int:
    """Equal for links of one label to one address in one menu."""
    return crc32(f"{link.opener}\n{link.label}\n{link.url}".encode(errors="replace"))
