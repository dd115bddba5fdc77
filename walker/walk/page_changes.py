"""What an operation on a page changed."""

from __future__ import annotations

import msgspec

from perception.document.addresses import without_fragment
from perception.observation import Observation


def shows_the_same(before: Observation, now: Observation) -> bool:
    """Whether an operation left the page's text, links and controls as they were."""

    def shown(one: Observation) -> tuple[object, ...]:
        blocks = tuple((block.text, block.hidden) for block in one.blocks if not block.pictured)
        return blocks, tuple(link.url for link in one.links), one.controls, one.pagination

    return shown(before) == shown(now)


def has_the_same_text(before: Observation, now: Observation) -> bool:
    """Whether text and links are the same at two addresses, as where a form only adds its words to the address."""

    def shown(one: Observation) -> tuple[object, ...]:
        texts = tuple(block.text for block in one.blocks if not block.hidden and not block.pictured)
        return texts, tuple(without_fragment(link.url).partition("?")[0] for link in one.links)

    return bool(before.blocks) and shown(before) == shown(now)


def what_is_new(before: Observation, now: Observation) -> str:
    """How many lines and links came and went, in words; "" where only something else changed."""
    lines, lines_before = _lines(now), _lines(before)
    links, links_before = _links(now), _links(before)
    counts = (
        (len(lines - lines_before), "new lines"),
        (len(lines_before - lines), "lines gone"),
        (len(links - links_before), "new links"),
        (len(links_before - links), "links gone"),
    )
    return ", ".join(f"{count} {what}" for count, what in counts if count)


def with_results_in_text(before: Observation, now: Observation) -> Observation:
    """The page after a search with what is new as part of its text: sites show results in a side bar or a header too."""
    known = _lines(before)
    blocks = tuple(
        msgspec.structs.replace(block, region="main")
        if block.region != "main" and not block.hidden and block.text not in known
        else block
        for block in now.blocks
    )
    return msgspec.structs.replace(now, blocks=blocks)


def _lines(observation: Observation) -> frozenset[str]:
    return frozenset(block.text for block in observation.blocks if not block.hidden and not block.pictured)


def _links(observation: Observation) -> frozenset[tuple[str, str]]:
    return frozenset((link.url, link.label) for link in observation.links if not link.hidden)
