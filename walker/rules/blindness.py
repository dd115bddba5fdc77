"""Estimates how likely the answer to a question is in a region that the text of a page does not cover."""

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
"""Probability 0..1 that a region of each kind holds the answer to a question about its surroundings; fitted on bench/gate.py's
pages, rounded to one significant digit."""
FULL_AREA = 30_000.0
"""Square CSS pixels from which a picture has its full weight: 200 x 150."""
DECLARED_SHARE = 0.35
"""Weight factor of a picture that the page declares decorative: some of these matter, too."""
FAR_SHARE = {"media": 0.5, "control": 0.1}
FAR_SHARE_ELSE = 0.3
"""Weight factor of a region whose surroundings share no word with the question, by kind and for all other kinds."""
WEIGHED_AT_MOST = 12


class Blindness(msgspec.Struct, frozen=True, kw_only=True):
    """Values 0..1. `regions` are those worth looking at, highest weight first, with their weights."""

    blind: float = 0.0
    """Probability that the answer is in one of the regions."""
    gap: float = 0.0
    """Share of the question's words that do not occur in the page's text."""
    regions: tuple[tuple[float, BlindRegion], ...] = ()


def find_blindness(observation: Observation, question: str) -> Blindness:
    """Weigh each blind region by its kind, its size, and the text near it."""
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
    """Boxes of the regions, smallest first."""
    return tuple(sorted((region.box for _, region in blindness.regions), key=lambda box: box.area))


def without_read(blindness: Blindness, read: Iterable[Box]) -> Blindness:
    """The blindness left after OCR read text in some boxes: a region in which something was read keeps 0.3 of its weight."""
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
