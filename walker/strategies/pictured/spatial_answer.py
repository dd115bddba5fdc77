"""Answers a question about what lies beside what, by the places of the texts in the pictures of a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from memory.words import tokens
from perception.observation import Observation
from perception.ocr.picture_layout import Label, Side, between, label_of, labels_in, neighbour
from perception.picture_lines import PictureLines
from walker.strategies.pictured.asked_side import SpatialQuestion, spatial_question
from walker.strategies.pictured.pictured_answer import PicturedAnswer, is_said, picture_share

NAMED_FROM = 0.6
"""Share of the words for a text that a label of the picture must have to be that text."""
SURE, DOUBTFUL = 0.97, 0.4
"""Chance of what lies beside a text that the picture has word for word and once; of what lies beside one that is only like it."""


ALL_WORDS = 0.999
ALIKE = 0.9
"""Share of the likeliest answer's chance from which another picture's is as likely."""
NAMESAKES = 2
"""Most texts of one picture that are taken for the one that is named."""


def spatial_answers(question: str, observation: Observation) -> tuple[PicturedAnswer, ...]:
    """What lies where the question says, in each picture that was read, likeliest first; () for any other question."""
    asked = spatial_question(question)
    if asked is None:
        return ()
    found = [one for picture in observation.picture_lines for one in _in_picture(asked, question, picture)]
    found.sort(key=lambda one: -one.chance)
    # Of pictures that are equally likely each may be meant.
    alike = max(1, len({one.text for one in found if one.chance > ALIKE * found[0].chance})) if found else 1
    return tuple(msgspec.structs.replace(one, chance=round(one.chance / alike, 3)) for one in found)


def _in_picture(asked: SpatialQuestion, question: str, picture: PictureLines) -> Iterator[PicturedAnswer]:
    labels = labels_in(picture.lines)
    meant = [_meant(words, picture, labels) for words in asked.of]
    if not all(meant):
        return
    is_sure = len(meant[0]) == 1 and min(found[0][0] for found in meant) > ALL_WORDS
    chance = (SURE if is_sure else DOUBTFUL) * picture_share(question, picture)
    for _, one in meant[0][:NAMESAKES]:
        others = [label for label in _parts(one, labels) if not asked.in_capitals or label.text.isupper()]
        found = _beside(one, meant[-1][0][1], others, asked.side)
        if found is not None:
            yield PicturedAnswer(text=found.text, chance=round(chance, 3), place="beside")


def _beside(one: Label, other: Label, labels: Sequence[Label], side: Side | None) -> Label | None:
    """What lies on that side of a label, or between it and the other."""
    return between(one.box, other.box, labels) if side is None else neighbour(one.box, labels, side)


def _meant(words: str, picture: PictureLines, labels: Sequence[Label]) -> list[tuple[float, Label]]:
    """The labels, or lines, that have most of these words and fewest others, each with its share."""
    wanted = frozenset(tokens(words))
    lines = list(map(label_of, picture.lines))
    # A line of a label is meant only where no label is: "slurmctld", and not the first line of "slurmctld (backup)".
    if any(frozenset(tokens(label.text)) == wanted for label in labels):
        lines = []
    fits = []
    for one in (*labels, *(line for line in lines if all(line.box != label.box for label in labels))):
        said = frozenset(tokens(one.text))
        share = len(wanted & said) / len(wanted) if wanted else 0.0
        if share >= NAMED_FROM:
            fits.append((share, len(said - wanted), one))
    if not fits:
        return []
    best = max((share, -more) for share, more, _ in fits)
    return [(share, one) for share, more, one in fits if (share, -more) == best]


def _parts(one: Label, labels: Sequence[Label]) -> list[Label]:
    """The other labels; of the one that a line was found in, its other lines each by itself."""
    others: list[Label] = []
    for label in labels:
        if label.box == one.box or not is_said(label.text):
            continue
        if any(line.box == one.box for line in label.lines):
            others += [label_of(line) for line in label.lines if line.box != one.box]
        else:
            others.append(label)
    return others
