"""Estimates how likely the answer to a question is in a region that the text of a page does not cover, region by region."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import msgspec

from memory.words import tokens
from perception.geometry import Box
from perception.observation import Observation
from perception.snapshot import BlindRegion
from walker.rules.picture_fit import is_decoration, is_photograph, pointed_fit, share_said, topic_of, words_of
from walker.rules.picture_words import figure_numbers, question_points, text_points

KIND_WEIGHT = {
    "media": 0.9, "control": 0.45, "width": 0.8, "colour": 0.8, "generated": 0.85, "scrambled": 0.9, "overlay": 0.95, "glyphs": 0.85,
}  # fmt: skip
"""Probability 0..1 that a region of each kind holds the answer to a question about its surroundings; fitted on bench/gate.py's
pages, rounded to one significant digit."""
FULL_AREA = 30_000.0
"""Square CSS pixels from which a picture has its full weight: 200 x 150."""
DECLARED_SHARE, DECORATION_SHARE, PHOTOGRAPH_SHARE, LINKED_SHARE = 0.35, 0.02, 0.25, 0.3
"""Weight factors of a picture that the page declares decorative (some of these matter, too), of one that looks like decoration, of
a photograph, and of one that leads to another page, which has more to say about it."""
OUTSIDE_SHARE = 0.3
"""Weight factor of a control that stands in the navigation, the header or the footer."""
DESCRIBED_WEIGHT = 0.6
"""As `KIND_WEIGHT`, for a picture that the page has words for."""
DESCRIBED_FROM = 0.5
"""Share 0..1 of the question's words in a picture's description from which it is weighed at all."""
FAR_SHARE = {"media": 0.5, "control": 0.1}
FAR_SHARE_ELSE = 0.3
"""Weight factor of a region whose surroundings share no word with the question, by kind and for all other kinds."""
COUNTED_OF_A_KIND = 3
"""Regions of one kind, the most likely, that raise the probability that the answer is in one of them."""
SHORT_PAGE, FAR_OF_LONG = 2500, 0.3
"""Characters of content up to which a picture that shares no word with the question may still be what the page is about; the least
factor for one on a longer page."""
POINTED_FROM, POINTED_NEAR_BEST, POINTED_AT_MOST = 0.38, 0.7, 3
"""Least fit 0..1 of a picture that is taken for the one pointed to; share of the best fit from which a second one is, too; most of
a page."""
POINTED_WEIGHT = 0.95
SENDING_SHARE = 0.5
"""Share 0..1 of the question's words in a passage that sends its reader to a picture, from which the picture is meant."""


class Blindness(msgspec.Struct, frozen=True, kw_only=True):
    """Values 0..1. `regions` are those worth looking at, highest weight first, with their weights."""

    blind: float = 0.0
    """Probability that the answer is in one of the regions."""
    gap: float = 0.0
    """Share of the question's words that do not occur in the page's text."""
    pointed: float = 0.0
    """How well the best picture fits, of those that the question or a passage of the page points to."""
    told: float = 0.0
    """Share of the question's words in what the page says of one of its pictures, which costs nothing to read."""
    regions: tuple[tuple[float, BlindRegion], ...] = ()


def find_blindness(
    observation: Observation, question: str, often: frozenset[str] = frozenset(), meant: str = ""
) -> Blindness:
    """Weigh each region by its kind, its size, and the words about it. `often` are the files of pictures that stand on many pages:
    these say nothing of one page, and are left out. `meant` names the picture that the question points to."""
    pictures = tuple(one for one in (*observation.blind, *observation.described) if one.source not in often)
    pointed = _pointed(observation, question, pictures, meant)
    asked, topic = frozenset(tokens(question)), topic_of(question)
    far = min(1.0, max(FAR_OF_LONG, SHORT_PAGE / max(1, observation.signals.content_chars)))
    weighed = [(_weight(one, asked, far), one) for one in observation.blind if one.source not in often]
    weighed += [(_described_weight(one, topic, observation), one) for one in observation.described if one in pictures]
    if pointed:
        # Where a picture is meant, no other one is asked.
        weighed = [(weight, one) for weight, one in weighed if one.kind != "media"]
        weighed += [(POINTED_WEIGHT, one) for _, one in pointed]
    weighed = sorted(((round(weight, 4), one) for weight, one in weighed), key=lambda pair: -pair[0])
    return Blindness(
        blind=round(1 - _unlikely(weighed), 4),
        gap=_gap(observation, asked),
        pointed=pointed[0][0] if pointed else 0.0,
        told=_told(observation, topic),
        regions=tuple((weight, region) for weight, region in weighed if weight > 0.02),
    )


def boxes_of(blindness: Blindness) -> tuple[Box, ...]:
    """Boxes of the regions, smallest first."""
    return tuple(sorted((region.box for _, region in blindness.regions), key=lambda box: box.area))


def without_read(blindness: Blindness, read: Iterable[Box]) -> Blindness:
    """The blindness left after OCR read text in some boxes: a region in which something was read keeps 0.3 of its weight."""
    boxes = tuple(read)
    left = [
        (0.3 * weight if any(box.share_in(region.box) > 0.5 for box in boxes) else weight, region)
        for weight, region in blindness.regions
    ]
    return msgspec.structs.replace(blindness, blind=round(1 - _unlikely(left), 4))


def _unlikely(weighed: Sequence[tuple[float, BlindRegion]]) -> float:
    """The probability that none of the regions holds the answer. Regions of one kind are much alike, and thirty photographs hold it
    hardly more likely than three: the best of each kind count."""
    best: dict[str, list[float]] = {}
    for weight, region in weighed:
        best.setdefault(region.kind, []).append(weight)
    return math.prod(1 - weight for weights in best.values() for weight in sorted(weights)[-COUNTED_OF_A_KIND:])


def _weight(region: BlindRegion, asked: frozenset[str], far_pictures: float) -> float:
    """`far_pictures` 0..1 is a factor for pictures whose surroundings have nothing to do with the question."""
    weight = KIND_WEIGHT[region.kind]
    far = FAR_SHARE.get(region.kind, FAR_SHARE_ELSE)
    if region.kind == "media":
        weight *= min(1.0, math.sqrt(region.box.area / FULL_AREA))
        weight *= DECORATION_SHARE if is_decoration(region) else PHOTOGRAPH_SHARE if is_photograph(region) else 1.0
        weight *= LINKED_SHARE if region.linked else 1.0
        far *= far_pictures
    elif region.kind == "control" and region.place != "main":
        weight *= OUTSIDE_SHARE
    if region.declared:
        weight *= DECLARED_SHARE
    around = frozenset(tokens(f"{region.heading} {region.near}"))
    shared = len(asked & around) / len(asked) if asked else 0.0
    return weight * (far + (1 - far) * min(1.0, 2 * shared))


def _described_weight(picture: BlindRegion, topic: frozenset[str], observation: Observation) -> float:
    if is_decoration(picture) or picture.linked:
        return 0.0
    shared = share_said(topic, words_of(picture, observation).own)
    if shared < DESCRIBED_FROM:
        return 0.0
    return DESCRIBED_WEIGHT * min(1.0, math.sqrt(picture.box.area / FULL_AREA)) * shared


def _pointed(
    observation: Observation, question: str, pictures: tuple[BlindRegion, ...], meant: str
) -> tuple[tuple[float, BlindRegion], ...]:
    """The pictures that are meant, best fit first, where the question, what is known of it, or a passage about it points to one."""
    asked = f"{question} {meant}".strip()
    points, fits = question_points(question), []
    if points or meant:
        fits = [(pointed_fit(one, asked, observation), one) for one in pictures if one.kind == "media"]
    fits = [pair for pair in fits if pair[0] >= POINTED_FROM]
    if not points and not fits:
        sent = _sent_to(observation, topic_of(question), pictures)
        fits = [pair for pair in sent if pair[0] >= POINTED_FROM]
    fits.sort(key=lambda pair: -pair[0])
    return tuple(pair for pair in fits if pair[0] >= POINTED_NEAR_BEST * fits[0][0])[:POINTED_AT_MOST]


def _sent_to(
    observation: Observation, topic: frozenset[str], pictures: tuple[BlindRegion, ...]
) -> list[tuple[float, BlindRegion]]:
    """The pictures that a passage about the question sends its reader to: by the figure's number, else by the common heading."""
    fits = []
    for block in observation.blocks:
        if block.hidden or block.pictured or not text_points(block.text):
            continue
        share = share_said(topic, frozenset(tokens(block.text)))
        if share < SENDING_SHARE:
            continue
        numbers, heading = figure_numbers(block.text), block.headings[-1] if block.headings else ""
        for one in pictures:
            named = figure_numbers(f"{one.name} {one.near}")
            if (
                one.kind == "media"
                and not is_decoration(one)
                and (numbers & named or (not named and one.heading == heading))
            ):
                fits.append((share, one))
    return fits


def _told(observation: Observation, topic: frozenset[str]) -> float:
    said = (f"{one.heading} {one.label} {one.alt} {one.caption}" for one in observation.figures if one.is_described)
    return round(max((share_said(topic, frozenset(tokens(text))) for text in said), default=0.0), 4)


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
