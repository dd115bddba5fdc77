"""Which parts of a page are drawn for a look, and how large: each picture by itself, marks that stand together in one shot; and which
pictures a walk goes back to before it ends without an answer that is sure."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence

import msgspec

from memory.words import tokens
from perception.geometry import Box, box_around
from perception.observation import Observation
from perception.snapshot import BlindRegion
from walker.rules.pictures.blindness import PLAIN_AREA, Blindness
from walker.rules.pictures.picture_fit import (
    is_decoration,
    is_informative,
    is_photograph,
    matched,
    pointed_fit,
    topic_of,
    words_of,
)
from walker.rules.pictures.picture_words import how_question_points

PICTURES_A_PAGE, UNPOINTED_A_PAGE = 6, 3
"""Most pictures of a page that are looked at: where the question or the page points to one, and where nothing does. Of a page full
of drawings each is then as unlikely as the next; with six of them looking took 0.4 of the time of 18 walks over documentation."""
WORTH_OF_BEST = 0.5
"""Share of the best picture's weight from which another is worth a look, too: with 0.25 the logos beside a drawing were read as well,
and enlarged, which took twice as long as the drawing."""
MARGIN = 24.0
"""CSS pixels around a picture that are drawn with it: its caption, its axis."""
SHOT_AREA, SHOT_WASTE, SHOTS_OF_MARKS = 2_000_000.0, 1.5, 4
"""Most CSS pixels of a shot of several regions, and how many times the area of its pictures it may have; most shots of marks."""
NATURAL_AT_MOST, PIXELS_AT_MOST = 4.0, 8_000_000
"""Largest scale at which a picture is drawn, and most pixels of it."""
THUMBNAIL_AT_MOST, THUMBNAIL_PIXELS = 8.0, 1_000_000
"""The same for what stays small: a screenshot of 274 x 761 pixels that a page shows 41 wide says nothing at four times that."""


PAGES_POINTED, PAGES_ELSE = 3, 1
"""Most pages that are gone back to, where the question points to a picture and where it does not."""
PICTURES_GONE_BACK_TO = 3
"""Most pictures of each of them."""
NAMED_BY = 2
"""Words of the question in a picture's own name from which it may be any photograph."""
SAID_POINTED, SAID_ELSE = 0.3, 0.5
"""Least share 0..1 of the question's words that such a page says."""
PIXELS_A_PAGE = 3_000_000.0
"""Most square CSS pixels of the pictures of one page: OCR takes about a second for two million."""


class Shot(msgspec.Struct, frozen=True, kw_only=True):
    """One part of a page to draw, in CSS pixels, at a scale; and what is looked at in it."""

    box: Box
    scale: float
    regions: tuple[BlindRegion, ...]


def chosen_regions(blindness: Blindness) -> tuple[BlindRegion, ...]:
    """The regions to look at, those most likely to hold the answer first: all marks, and the best of the pictures."""
    pictures = [(weight, one) for weight, one in blindness.regions if one.kind == "media"]
    least = WORTH_OF_BEST * pictures[0][0] if pictures else 0.0
    most = PICTURES_A_PAGE if blindness.pointed else UNPOINTED_A_PAGE
    worth = tuple(one for weight, one in pictures[:most] if weight >= least)
    return tuple(one for _, one in blindness.regions if one.kind != "media" or one in worth)


def shots_of(regions: Sequence[BlindRegion], *, natural: bool) -> tuple[Shot, ...]:
    """The shots that show these regions. With `natural` each picture is drawn by itself, as large as its file is; else at the page's
    scale, together with those beside it."""
    pictures = [one for one in regions if one.kind == "media"]
    groups = [[one] for one in pictures] if natural else _groups(pictures, waste=SHOT_WASTE)
    shots = [_shot_of(group, natural_scale(group[0]) if natural else 1.0) for group in groups]
    marks = _groups([one for one in regions if one.kind != "media"], waste=math.inf)[:SHOTS_OF_MARKS]
    return (*shots, *(_shot_of(group, 1.0) for group in marks))


def natural_scale(picture: BlindRegion) -> float:
    """Picture pixels per CSS pixel at which a picture shows all that its file holds, within limits."""
    area = max(1.0, picture.box.area)
    most = max(
        min(NATURAL_AT_MOST, math.sqrt(PIXELS_AT_MOST / area)),
        min(THUMBNAIL_AT_MOST, math.sqrt(THUMBNAIL_PIXELS / area)),
    )
    return round(max(1.0, min(picture.detail, most)), 2)


def _shot_of(group: Sequence[BlindRegion], scale: float) -> Shot:
    return Shot(box=_around(box_around([one.box for one in group])), scale=scale, regions=tuple(group))


def _groups(regions: Sequence[BlindRegion], waste: float) -> list[list[BlindRegion]]:
    """Regions that fit into one shot, put together, where the shot is not more than `waste` times as large as they are."""
    groups: list[list[BlindRegion]] = []
    for region in regions:
        for group in groups:
            both = [*(one.box for one in group), region.box]
            area = box_around(both).area
            if area <= SHOT_AREA and area <= waste * sum(box.area for box in both):
                group.append(region)
                break
        else:
            groups.append([region])
    return groups


def _around(box: Box) -> Box:
    left, top = max(0.0, box.x - MARGIN), max(0.0, box.y - MARGIN)
    return Box(
        x=round(left, 2),
        y=round(top, 2),
        width=round(box.x + box.width + MARGIN - left, 2),
        height=round(box.y + box.height + MARGIN - top, 2),
    )


class LatePage(msgspec.Struct, frozen=True, kw_only=True):
    """A page to go back to by its key, and its pictures that are to be read, likeliest first."""

    key: str
    pictures: tuple[BlindRegion, ...]
    is_pointed: bool
    """Whether the question points to a picture."""


def pages_to_look_at(
    question: str, pages: Mapping[str, Observation], read: Container[str], often: Container[str]
) -> tuple[LatePage, ...]:
    """The pages, by key, that say most of a question and have pictures that were not `read`; `often`: files that say nothing of one
    page."""
    is_pointed = bool(how_question_points(question))
    topic = topic_of(question)
    said = {key: _said(page) for key, page in pages.items()}
    rarity = {word: _rarity(word, list(said.values())) for word in topic}
    total = sum(rarity.values())
    chosen: list[tuple[float, LatePage]] = []
    for key, page in pages.items():
        pictures = _pictures(question, page, read, often, is_pointed=is_pointed)
        about = said[key].union(*(words_of(one, page).own for one in pictures))
        met = matched(topic, about)
        if pictures and len(met) >= (SAID_POINTED if is_pointed else SAID_ELSE) * len(topic):
            share = sum(rarity[word] for word in met) / max(1e-6, total)
            chosen.append((share, LatePage(key=key, pictures=pictures, is_pointed=is_pointed)))
    chosen.sort(key=lambda pair: -pair[0])
    return tuple(page for _, page in chosen)[: PAGES_POINTED if is_pointed else PAGES_ELSE]


def _pictures(
    question: str, page: Observation, read: Container[str], often: Container[str], *, is_pointed: bool
) -> tuple[BlindRegion, ...]:
    """The pictures of a page that may hold the answer, within the limits on their number and size."""
    likely = []
    for one in (*page.blind, *page.described):
        if (
            one.kind != "media"
            or one.box.area < PLAIN_AREA
            or (one.source and (one.source in often or one.source in read))
        ):
            continue
        fit = pointed_fit(one, question, page)
        if (fit or not is_decoration(one)) and (is_pointed or _is_drawn(one) or _is_named(one, question, page)):
            likely.append((fit, one))
    likely.sort(key=lambda pair: (-pair[0], -pair[1].box.area))
    kept: list[BlindRegion] = []
    area = 0.0
    for _, one in likely[:PICTURES_GONE_BACK_TO]:
        area += one.box.area
        if not kept or area <= PIXELS_A_PAGE:
            kept.append(one)
    return tuple(kept)


def _is_drawn(picture: BlindRegion) -> bool:
    """Whether a picture likely holds words of its own: called so, or drawn or typed."""
    if picture.linked:
        return False
    return is_informative(picture) or not is_photograph(picture)


def _is_named(picture: BlindRegion, question: str, page: Observation) -> bool:
    return len(matched(topic_of(question), words_of(picture, page).own)) >= NAMED_BY


def _said(page: Observation) -> frozenset[str]:
    """The words of a page's text, with those of its title."""
    words = set(tokens(page.title))
    for block in page.blocks:
        if not block.hidden:
            words.update(tokens(block.text))
    return frozenset(words)


def _rarity(word: str, texts: Sequence[frozenset[str]]) -> float:
    """How much a word of the question tells these pages apart: what hardly any of them says, most; what none says, nothing."""
    saying = sum(word in said for said in texts)
    return math.log(1 + len(texts) / saying) if saying else 0.0
