"""Whether a list goes on behind a page's pager, or the pager belongs to something else: to the posts of which one holds the list."""

from __future__ import annotations

from collections.abc import Sequence

from perception.observation import Block, Observation, Record, RecordSet

LEAST_POSTS = 2
"""Sections whose headings all are links that are posts, or entries of an overview."""


def ends_before_pager(records: RecordSet, observation: Observation) -> bool:
    """Whether a list ends on its page though the page has a next one: it stands within one entry of another list, or another section
    with text of its own stands between it and the pager. Where places are not known the pager is taken for the list's."""
    first, last = _extent(records.records)
    if not first:
        return False
    if any(
        _holds(one, first, last) for other in observation.record_sets if other is not records for one in _own(other)
    ):
        return True
    heading = _heading_above(first, observation.blocks)
    if heading is None:
        return False
    return _is_post(heading, observation) or _another_follows(heading, last, observation)


def _extent(records: Sequence[Record]) -> tuple[int, int]:
    """Ids of the first and the last block of a list; (0, 0) where they are not known."""
    placed = [record for record in records if record.first and record.last]
    return (placed[0].first, placed[-1].last) if placed else (0, 0)


def _own(other: RecordSet) -> Sequence[Record]:
    return other.records if other.region == "main" and len(other.records) >= LEAST_POSTS else ()


def _holds(record: Record, first: int, last: int) -> bool:
    return 0 < record.first <= first and last <= record.last and (record.first, record.last) != (first, last)


def _heading_above(first: int, blocks: Sequence[Block]) -> Block | None:
    """The heading of the section in which a block stands."""
    above = (block for block in reversed(blocks[: first - 1]) if block.kind == "heading" and not block.hidden)
    return next(above, None)


def _is_post(heading: Block, observation: Observation) -> bool:
    """Whether a heading is a link, as are all headings beside it."""
    linked = {link.block for link in observation.links if not link.hidden}
    beside = [
        block
        for block in observation.blocks
        if block.kind == "heading"
        and not block.hidden
        and (block.level, block.region, block.headings[:-1]) == (heading.level, heading.region, heading.headings[:-1])
    ]
    return len(beside) >= LEAST_POSTS and all(block.id in linked for block in beside)


def _another_follows(heading: Block, last: int, observation: Observation) -> bool:
    """Whether another section of the same rank, with text in it, stands between the list and the last link to the next page."""
    pagination = observation.pagination
    pages = {pagination.next_url, pagination.previous_url, *pagination.page_urls} - {""}
    on_pages = {link.block for link in observation.links if link.url in pages}
    pager = max((link.block for link in observation.links if link.url == pagination.next_url), default=0)
    is_other = False
    for block in observation.blocks[last : max(last, pager - 1)]:
        if block.hidden or block.region != "main":
            continue
        if block.kind == "heading":
            is_other = is_other or block.level <= heading.level
        elif is_other and block.id not in on_pages:
            return True
    return False
