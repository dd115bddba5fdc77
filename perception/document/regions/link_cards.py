"""Cards that are one link around several blocks, such as a name and a list: where each begins and ends, and which block names it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set

import msgspec

from perception.observation import Block, Link, Observation

LEAST_CARDS = 3
"""Cards of a page from which what stands above each of them is its name, and no heading of a section."""
LEAST_SHARE = 0.8
"""Of the cards without a name of their own, those that have such a name above them."""
LABEL_SHARE = 0.1
"""Share of the cards of a page above which what they have is a label, and no name."""
NAME_CHARS = 80
"""Of a name that is no heading."""
_BETWEEN = " |"
"""What a label may have between two blocks."""


class LinkCard(msgspec.Struct, frozen=True, gc=False):
    """A link over several blocks; `first` and `last` are the ids of its outer blocks, its name among them."""

    link: int
    first: int
    last: int
    name: int
    """Id of the block that names it: its heading, a line before a label, the name right above the link, else its first text."""


def find_link_cards(observation: Observation) -> tuple[LinkCard, ...]:
    """The cards of the main text in document order; of cards within each other the outer one."""
    blocks = observation.blocks
    found = [card for link in observation.links if (card := _card_of(link, blocks)) is not None]
    found.sort(key=lambda card: (card.first, -card.last))
    outer: list[LinkCard] = []
    for card in found:
        if not outer or card.first > outer[-1].last:
            outer.append(card)
    return _named_otherwise(outer, observation) if len(outer) >= LEAST_CARDS else tuple(outer)


def _card_of(link: Link, blocks: Sequence[Block]) -> LinkCard | None:
    """The card that a link is, None for one that ends in its block."""
    if not link.block or link.hidden or not link.start < link.end < len(link.label):
        return None
    block = blocks[link.block - 1]
    if block.region != "main" or block.hidden:
        return None
    label, text = link.label, block.text[link.start : link.end]
    place = label.find(text)
    if place < 0:
        return None
    first = last = link.block
    before = label[:place].rstrip(_BETWEEN)
    while before and first > 1 and before.endswith(blocks[first - 2].text):
        first -= 1
        before = before.removesuffix(blocks[first - 1].text).rstrip(_BETWEEN)
    end = place + len(text)
    while last < len(blocks):
        while end < len(label) and label[end] in _BETWEEN:
            end += 1
        following = blocks[last].text
        if end >= len(label) or not label.startswith(following, end):
            break
        end += len(following)
        last += 1
    return LinkCard(link.id, first, last, link.block) if last > first else None


def _named_otherwise(cards: Sequence[LinkCard], observation: Observation) -> tuple[LinkCard, ...]:
    """The cards, with the names that stand in or right above those which begin with no name of their own: a heading that many of
    them have, such as "Type", is a label."""
    blocks = observation.blocks
    same = Counter(blocks[card.name - 1].text for card in cards)
    labels = {text for text, count in same.items() if count >= LEAST_CARDS and count > LABEL_SHARE * len(cards)}
    named = {card: _line_before_label(card, blocks, labels) or card.name for card in cards}
    bare = [
        card
        for card, name in named.items()
        if name == card.name and (blocks[name - 1].kind != "heading" or blocks[name - 1].text in labels)
    ]
    named |= _names_above(bare, cards, observation, labels)
    return tuple(LinkCard(card.link, min(card.first, name), card.last, name) for card, name in named.items())


def _line_before_label(card: LinkCard, blocks: Sequence[Block], labels: Set[str]) -> int:
    """The id of the short line that stands in a card before the label by which it would be named, 0 where there is none."""
    if blocks[card.name - 1].text not in labels:
        return 0
    before = (blocks[number - 1] for number in range(card.first, card.name))
    return next((one.id for one in before if one.text not in labels and len(one.text) <= NAME_CHARS), 0)


def _names_above(
    bare: Sequence[LinkCard], cards: Sequence[LinkCard], observation: Observation, labels: Set[str]
) -> dict[LinkCard, int]:
    """The ids of the blocks right above the cards that have no name of their own, where they name most of them."""
    blocks = observation.blocks
    linked = {link.block for link in observation.links} | {
        one.block for link in observation.links for one in link.again
    }
    taken = {number for card in cards for number in range(card.first, card.last + 1)}
    above = {card: blocks[card.first - 2] for card in bare if card.first > 1}
    named = {
        card: block.id
        for card, block in above.items()
        if block.id not in linked | taken and _is_name(block, blocks[card.first - 1], labels)
    }
    return {} if len(named) < LEAST_CARDS or len(named) < LEAST_SHARE * len(bare) else named


def _is_name(block: Block, first: Block, labels: Set[str]) -> bool:
    """Whether a block right above a card names it: a heading, or a short line above what begins with an entry or a label."""
    if block.hidden or block.region != first.region or block.opener != first.opener:
        return False
    begins = first.kind in ("item", "row", "term") or first.text in labels
    is_line = block.kind == "paragraph" and len(block.text) <= NAME_CHARS and begins
    return block.text not in labels and (block.kind == "heading" or is_line)
