"""How much of what a question asks for may stand where the text of a page does not reach."""

from __future__ import annotations

import math
from collections.abc import Iterable

import msgspec

from memory.words import tokens
from perception.geometry import Box
from perception.observation import Observation
from perception.snapshot import BlindRegion

KIND_WEIGHT = {
    "media": 0.9, "control": 0.45, "width": 0.8, "colour": 0.8, "generated": 0.85, "scrambled": 0.9, "overlay": 0.95, "glyphs": 0.85,
}  # fmt: skip
"""How likely a rectangle of each kind carries what a question about its place asks for; fitted on bench/gate.py's pages, one
significant digit kept."""
FULL_AREA = 30_000.0
"""Square CSS pixels from which a picture counts in full: 200 x 150."""
DECLARED_SHARE = 0.35
"""What a picture counts that the page calls decoration: some that matter are called so, too."""
FAR_SHARE = {"media": 0.5, "control": 0.1}
FAR_SHARE_ELSE = 0.3
"""What a rectangle counts whose surroundings share no word with the question."""
WEIGHED_AT_MOST = 12


class Blindness(msgspec.Struct, frozen=True, kw_only=True):
    """Each 0..1. `regions` are those worth looking at, the weightiest first, with their weights."""

    blind: float = 0.0
    """Chance that what is asked for stands in one of the rectangles."""
    gap: float = 0.0
    """Share of the question's words that the text of the page never says."""
    regions: tuple[tuple[float, BlindRegion], ...] = ()


def find_blindness(observation: Observation, question: str) -> Blindness:
    """Weigh each rectangle by its kind, its size, and what stands near it."""
    asked = frozenset(tokens(question))
    weighed = sorted(
        ((round(_weight(region, asked), 4), region) for region in observation.blind), key=lambda pair: -pair[0]
    )
    unlikely = math.prod(1 - weight for weight, _ in weighed[:WEIGHED_AT_MOST])
    return Blindness(
        blind=round(1 - unlikely, 4),
        gap=_gap(observation, asked),
        regions=tuple((weight, region) for weight, region in weighed if weight > 0.02),
    )


def boxes_of(blindness: Blindness) -> tuple[Box, ...]:
    """The rectangles, smallest first."""
    return tuple(sorted((region.box for _, region in blindness.regions), key=lambda box: box.area))


def without_read(blindness: Blindness, read: Iterable[Box]) -> Blindness:
    """What is blind still when boxes of it were read: a rectangle of which something was read counts a third."""
    boxes = tuple(read)
    unlikely = 1.0
    for weight, region in blindness.regions:
        is_read = any(box.share_in(region.box) > 0.5 for box in boxes)
        unlikely *= 1 - (0.3 * weight if is_read else weight)
    return msgspec.structs.replace(blindness, blind=round(1 - unlikely, 4))


def _weight(region: BlindRegion, asked: frozenset[str]) -> float:
    weight = KIND_WEIGHT[region.kind]
    if region.kind == "media":
        weight *= min(1.0, math.sqrt(region.box.area / FULL_AREA))
    if region.declared:
        weight *= DECLARED_SHARE
    around = frozenset(tokens(f"{region.heading} {region.near}"))
    shared = len(asked & around) / len(asked) if asked else 0.0
    far = FAR_SHARE.get(region.kind, FAR_SHARE_ELSE)
    return weight * (far + (1 - far) * min(1.0, 2 * shared))


def _gap(observation: Observation, asked: frozenset[str]) -> float:
    if not asked:
        return 0.0
    said: set[str] = set()
    for block in observation.blocks:
        if not block.hidden:
            said.update(tokens(block.text))
            if asked <= said:
                return 0.0
    return round(len(asked - said - frozenset(tokens(observation.title))) / len(asked), 4)
