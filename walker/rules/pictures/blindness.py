"""Estimates how likely the answer to a question is in a region that the text of a page does not cover, region by region."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import msgspec

from memory.words import tokens
from perception.geometry import Box
from perception.observation import Observation
from perception.snapshot import BlindRegion
from walker.rules.gate import POINTED_FROM
from walker.rules.language import language_of_text
from walker.rules.pictures.picture_fit import (
    is_decoration,
    is_icon,
    is_informative,
    is_only_called,
    is_photograph,
    pointed_fit,
    share_said,
    topic_of,
    words_of,
)
from walker.rules.pictures.picture_words import (
    Pointing,
    figure_numbers,
    how_question_points,
    means_picture_only,
    names_control,
    text_points,
)

KIND_WEIGHT = {
    "media": 0.9, "control": 0.45, "width": 0.8, "colour": 0.8, "generated": 0.85, "scrambled": 0.9, "overlay": 0.95, "glyphs": 0.85,
}  # fmt: skip
"""Probability 0..1 that a region of each kind holds the answer to a question about its surroundings; fitted on bench/gate.py's
pages, rounded to one significant digit."""
ON_TOPIC, ON_TOPIC_PAIRS = 0.5, 0.15
"""Share 0..1 of a question's words that a page says from which the picture that the question points to may be any of its pictures;
the same for pairs of Chinese and Japanese signs, most of which are no words."""
BLOCKS_OF_LANGUAGE, CHARS_OF_LANGUAGE = 60, 3000
"""Beginning of a page that tells its language."""
FULL_AREA = 30_000.0
"""Square CSS pixels from which a picture has its full weight: 200 x 150."""
DECLARED_SHARE, DECORATION_SHARE, PHOTOGRAPH_SHARE, LINKED_SHARE = 0.6, 0.02, 0.25, 0.3
"""Weight factors of a picture that the page declares decorative (texts written in Markdown leave the description of many a drawing
empty), of one that looks like decoration, of a photograph, and of one that leads to another page, which has more to say about it."""
OUTSIDE_SHARE, UNASKED_SHARE = 0.3, 0.2
"""Weight factors of a control that stands in the navigation, the header or the footer; and of a small one where the question names
no control: it opens a menu, and holds no answer."""
DESCRIBED_WEIGHT = 0.6
"""As `KIND_WEIGHT`, for a picture that the page has words for."""
DESCRIBED_FROM = 0.5
"""Share 0..1 of the question's words in a picture's description from which it is weighed at all."""
FAR_SHARE = {"media": 0.5, "control": 0.1}
FAR_SHARE_ELSE = 0.3
"""Weight factor of a region whose surroundings share no word with the question, by kind and for all other kinds."""
COUNTED, COUNTED_ELSE = {"media": 1}, 3
"""Regions of one kind, the most likely, that raise the probability that the answer is in one of them, by kind and for all other
kinds: on the building sites three pictures of a page are three photographs of one event, and hold it no likelier than one."""
NAMESAKES = 3
"""Pictures of a page from which a name that all of them bear says nothing of one."""
SHORT_PAGE, FAR_OF_LONG = 2500, 0.3
"""Characters of content up to which a picture that shares no word with the question may still be what the page is about; the least
factor for one on a longer page."""
POINTED_NEAR_BEST, POINTED_AT_MOST = 0.7, 3
"""Share of the best fit from which a second picture is taken for the one pointed to; most of a page."""
POINTED_WEIGHT = 0.95
LOOSE_WEIGHT, LOOSE_SHARE, LOOSE_LEAST = 0.6, 0.05, 0.5
"""Where words that mean other things as well, or a passage of the page, point to a picture: its weight at least where it fits wholly,
the share of its fit that counts, and the factor of `About.least`. Such a picture is looked at where the text has no answer that is
sure."""
_LEAST: dict[Pointing, float] = {"plain": 1.0, "loose": LOOSE_LEAST, "": 0.0}
MEANT_FROM = 0.98
"""Fit of a picture from which words that mean other things as well point to it plainly: its file and its caption say four of the
question's words ("the golem-docker user ... in the properties dialog", golem_docker_user.png)."""
PLAIN_AREA = 10_000.0
"""Square CSS pixels from which any picture of a page about the question may be the one that it points to."""
SENDING_SHARE = 0.5
"""Share 0..1 of the question's words in a passage that sends its reader to a picture, from which the picture is meant."""


class About(msgspec.Struct, frozen=True, kw_only=True):
    """What a question is about, and what that makes of any picture of a page. `far` and `least` are 0..1."""

    topic: frozenset[str]
    far: float
    """Factor for pictures whose surroundings have nothing to do with the question."""
    least: float
    """Least factor where the question points to a picture, and to none that is known."""
    points: Pointing
    """How the question points to a picture."""
    names_control: bool
    """Whether the question names a button, an icon or the like."""


class Blindness(msgspec.Struct, frozen=True, kw_only=True):
    """Values 0..1. `regions` are those worth looking at, highest weight first, with their weights."""

    blind: float = 0.0
    """Probability that the answer is in one of the regions."""
    gap: float = 0.0
    """Share of the question's words that do not occur in the page's text."""
    pointed: float = 0.0
    """How well the best picture fits, of those that the question points to; less where the words leave that open."""
    told: float = 0.0
    """Share of the question's words in what the page says of one of its pictures, which costs nothing to read."""
    regions: tuple[tuple[float, BlindRegion], ...] = ()


def find_blindness(
    observation: Observation,
    question: str,
    often: frozenset[str] = frozenset(),
    meant: str = "",
    *,
    means_none: bool = False,
) -> Blindness:
    """Weigh each region by its kind, its size, and the words about it. `often` are the files of pictures that stand on many pages:
    these say nothing of one page, and are left out. `meant` names the picture that the question points to; `means_none`: who analysed
    the question says that it points to none, whatever its words are."""
    pictures = tuple(one for one in (*observation.blind, *observation.described) if one.source not in often)
    asked, topic = frozenset(tokens(question)), topic_of(question)
    points: Pointing = "plain" if meant else how_question_points(question)
    if means_none and points == "plain" and not means_picture_only(question):
        points = "loose"
    if points == "loose" and any(pointed_fit(one, question, observation) >= MEANT_FROM for one in pictures):
        points = "plain"
    told = min(1.0, 1 - _gap(observation, topic))
    needed = ON_TOPIC_PAIRS if _is_of_pairs(topic) else ON_TOPIC
    if points == "plain" and told and _is_foreign(question, observation):
        needed = told  # names and numbers are all that the two languages share
    about = About(
        topic=topic,
        far=min(1.0, max(FAR_OF_LONG, SHORT_PAGE / max(1, observation.signals.content_chars))),
        least=_LEAST[points] * told if told >= needed else 0.0,
        points=points,
        names_control=names_control(question),
    )
    pointed = _pointed(observation, f"{question} {meant}".strip(), pictures, about)
    common = _common_names(observation)
    weighed = [(_weight(one, about, observation), one) for one in observation.blind if one in pictures]
    weighed += [
        ((_weight if one.name in common or is_only_called(one) else _described_weight)(one, about, observation), one)
        for one in observation.described
        if one in pictures
    ]
    weighed = [(_weight_of_pointed(weight, one, pointed, points), one) for weight, one in weighed]
    weighed = sorted(((round(weight, 4), one) for weight, one in weighed), key=lambda pair: -pair[0])
    return Blindness(
        blind=round(1 - _unlikely(weighed), 4),
        gap=_gap(observation, asked),
        pointed=round((1.0 if points == "plain" else LOOSE_SHARE) * pointed[0][0], 4) if pointed else 0.0,
        told=_told(observation, topic),
        regions=tuple((weight, region) for weight, region in weighed if weight > 0.02),
    )


def _common_names(observation: Observation) -> frozenset[str]:
    """Names that different pictures of a page bear: they describe none of them."""
    files: dict[str, set[str]] = {}
    for one in observation.described:
        files.setdefault(one.name, set()).add(one.source)
    return frozenset(name for name, sources in files.items() if len(sources) >= NAMESAKES)


def _weight_of_pointed(
    weight: float, region: BlindRegion, pointed: Sequence[tuple[float, BlindRegion]], points: Pointing
) -> float:
    """The weight of a region where the question, or a passage, points to pictures of the page."""
    fit = next((fit for fit, one in pointed if one is region), 0.0)
    if points != "plain":
        return max(weight, LOOSE_WEIGHT * fit)
    if fit:
        return POINTED_WEIGHT
    # Where a picture is meant plainly, no other one is asked.
    return 0.0 if pointed and region.kind == "media" else weight


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
    counted = (sorted(weights)[-COUNTED.get(kind, COUNTED_ELSE) :] for kind, weights in best.items())
    return math.prod(1 - weight for weights in counted for weight in weights)


def _weight(region: BlindRegion, about: About, observation: Observation) -> float:
    weight, far, least = KIND_WEIGHT[region.kind], FAR_SHARE.get(region.kind, FAR_SHARE_ELSE), 0.0
    said = frozenset(tokens(f"{region.heading} {region.near}"))
    if region.kind == "media":
        weight *= _picture_share(region, about)
        far *= 1.0 if is_informative(region) else about.far
        least = about.least
        said |= words_of(region, observation).own
    elif region.kind == "control":
        weight *= OUTSIDE_SHARE if region.place != "main" else 1.0
        weight *= UNASKED_SHARE if not about.names_control and region.box.area < FULL_AREA else 1.0
    if region.declared:
        weight *= DECLARED_SHARE
    shared = share_said(about.topic, said)
    return weight * max(least, far + (1 - far) * min(1.0, 2 * shared))


def _picture_share(picture: BlindRegion, about: About) -> float:
    """The factor 0..1 for what a picture likely is. Where a button is asked for, it may be small, and lead to another page."""
    share = 1.0 if about.names_control else min(1.0, math.sqrt(picture.box.area / FULL_AREA))
    if is_decoration(picture) or (is_icon(picture) and not about.names_control):
        share *= DECORATION_SHARE
    elif is_photograph(picture) and not is_informative(picture):
        share *= PHOTOGRAPH_SHARE
    return share * (LINKED_SHARE if picture.linked and not about.names_control else 1.0)


def _described_weight(picture: BlindRegion, about: About, observation: Observation) -> float:
    """What is drawn to be read holds more than its description says, as a picture without one does."""
    if is_decoration(picture) or picture.linked:
        return 0.0
    words, size = words_of(picture, observation), min(1.0, math.sqrt(picture.box.area / FULL_AREA))
    near = min(1.0, 2 * share_said(about.topic, words.own | words.around)) if is_informative(picture) else 0.0
    of_its_kind = _picture_share(picture, about) * max(about.least, near)
    shared = share_said(about.topic, words.own)
    return DESCRIBED_WEIGHT * max(of_its_kind, size * shared if shared >= DESCRIBED_FROM else 0.0)


def _pointed(
    observation: Observation, asked: str, pictures: tuple[BlindRegion, ...], about: About
) -> tuple[tuple[float, BlindRegion], ...]:
    """The pictures that are meant, best fit first, where the question or a passage about it points to one."""
    fits: list[tuple[float, BlindRegion]] = []
    own: dict[int, float] = {}
    if about.points:
        fits = [(pointed_fit(one, asked, observation), one) for one in pictures if one.kind == "media"]
        own = {id(one): fit for fit, one in fits}
    if about.points == "plain" and about.least:
        # The page says most of what is asked, and the words for what its picture shows are in the picture only.
        least = max(POINTED_FROM, about.least)
        fits = [(max(fit, least) if _may_be_meant(one) else fit, one) for fit, one in fits]
    fits = [pair for pair in fits if pair[0] >= POINTED_FROM]
    if about.points != "plain" and not fits:
        sent = _sent_to(observation, about.topic, pictures)
        fits = [pair for pair in sent if pair[0] >= POINTED_FROM]
    # Where any picture may be meant, the words about each still say which is likelier.
    fits.sort(key=lambda pair: (-pair[0], -own.get(id(pair[1]), 0.0), -pair[1].box.area))
    return tuple(pair for pair in fits if pair[0] >= POINTED_NEAR_BEST * fits[0][0])[:POINTED_AT_MOST]


def _is_of_pairs(topic: frozenset[str]) -> bool:
    return 2 * sum(not word.isascii() and len(word) == 2 for word in topic) > len(topic)


def _is_foreign(question: str, observation: Observation) -> bool:
    """Whether a question is asked in another language than the page is written in."""
    asked = language_of_text(question)
    text = " ".join(block.text for block in observation.blocks[:BLOCKS_OF_LANGUAGE] if not block.hidden)
    written = language_of_text(text[:CHARS_OF_LANGUAGE]) or observation.language.partition("-")[0].lower()
    return bool(asked and written and asked != written)


def _may_be_meant(picture: BlindRegion) -> bool:
    return picture.box.area >= PLAIN_AREA and not is_decoration(picture)


def _sent_to(
    observation: Observation, topic: frozenset[str], pictures: tuple[BlindRegion, ...]
) -> list[tuple[float, BlindRegion]]:
    """The pictures that a passage about the question sends its reader to: by the figure's number, else by the common heading."""
    fits = []
    for block in observation.blocks:
        if block.hidden or block.pictured or not text_points(block.text):
            continue
        said = frozenset(tokens(f"{block.text} {' '.join(block.headings[-1:])}"))
        numbers, heading = figure_numbers(block.text), block.headings[-1] if block.headings else ""
        for one in pictures:
            named = figure_numbers(f"{one.name} {one.near}")
            if one.kind != "media" or is_decoration(one):
                continue
            share = share_said(topic, said | words_of(one, observation).own)
            if share >= SENDING_SHARE and (numbers & named or (not named and one.heading == heading)):
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
