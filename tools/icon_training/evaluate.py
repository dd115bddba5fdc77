"""Figures of a reader: names of common icons, the right icon among twenty, and how sure is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from perception.icons.glyph_image import Crop
from perception.icons.icon_reader import IconGuess, IconReader
from perception.icons.query_words import words_of

AMONG = 20
SCREEN_SIDE = 32
"""Pixels of the icons that figures are measured on: between a toolbar's 24 and a tile's 48."""


class UnseenIcon(msgspec.Struct, frozen=True, kw_only=True):
    """One icon of a set that was not learnt from. `common` is its name in the list of common icons, "" for others."""

    name: str
    common: str
    tags: tuple[str, ...]
    crop: Crop


def share_named_right(reader: IconReader, icons: Sequence[UnseenIcon]) -> float:
    """Share of the common icons whose likeliest name is theirs; synonyms are one name."""
    common = [icon for icon in icons if icon.common]
    guesses = reader.read([icon.crop for icon in common])
    return _share([found[0].name == icon.common for icon, found in zip(common, guesses, strict=True)])


def wrong_names(reader: IconReader, icons: Sequence[UnseenIcon]) -> list[tuple[str, str, str]]:
    """Drawing, wanted name and likeliest name of the common icons that are named wrongly."""
    common = [icon for icon in icons if icon.common]
    guesses = reader.read([icon.crop for icon in common])
    return [
        (icon.name, icon.common, found[0].name)
        for icon, found in zip(common, guesses, strict=True)
        if found[0].name != icon.common
    ]


def share_found(reader: IconReader, icons: Sequence[UnseenIcon], *, phrases: bool, seed: int = 7) -> float:
    """Share of queries whose icon scores best among twenty.

    A query is an icon's whole name, or one word of it. The other nineteen are drawn by chance from those that bear no
    word of the query in their names or tags: with them, more than one answer would be right.
    """
    chance = np.random.default_rng(seed)
    known = [{word for text in (icon.name, *icon.tags) for word in words_of(text)} for icon in icons]
    chances, log_words = reader.run([icon.crop for icon in icons])
    found = []
    for place, icon in enumerate(icons):
        words = words_of(icon.name)
        if not words:
            continue
        query = words if phrases else (words[chance.integers(len(words))],)
        others = [other for other in range(len(icons)) if not known[other].intersection(query)]
        chosen = [place, *chance.choice(others, AMONG - 1, replace=False)]
        scores = reader.scores(chances[chosen], log_words[chosen], words_of(" ".join(query)))
        found.append(scores[0] > max(scores[1:]))
    return _share(found)


def share_of_names_right(reader: IconReader, icons: Sequence[UnseenIcon]) -> float:
    """Of the names that are given, to icons of every kind, the share that is right."""
    guesses = reader.read([icon.crop for icon in icons])
    names = reader.names([icon.crop for icon in icons])
    return _share(
        [is_right(reader, icon, found[0]) for icon, found, name in zip(icons, guesses, names, strict=True) if name]
    )


def share_given_a_name(reader: IconReader, icons: Sequence[UnseenIcon]) -> float:
    """Share of the common icons that are given a name."""
    return _share([bool(name) for name in reader.names([icon.crop for icon in icons if icon.common])])


def is_right(reader: IconReader, icon: UnseenIcon, guess: IconGuess) -> bool:
    """Whether a name, or another name of the same icon, is the icon's own name or one of its tags."""
    if icon.common:
        return guess.name == icon.common
    own = {frozenset(words_of(text)) for text in (icon.name, *icon.tags)}
    return any(frozenset(words_of(text)) in own for text in (guess.name, *reader.other_names(guess.name)))


def share_not_named(reader: IconReader, crops: Sequence[Crop]) -> float:
    """Share of crops without an icon that get no name."""
    return _share([not name for name in reader.names(crops)])


def unseen_icons(
    rows: Sequence[Mapping[str, str]],
    tags: Mapping[str, tuple[str, ...]],
    common: Sequence[str],
    pictures: Sequence[Crop],
) -> list[UnseenIcon]:
    """Icons from drawn rows: `common` gives each row's common name or "", `pictures` 255 for ink."""
    return [
        UnseenIcon(name=row["name"], common=name, tags=tags.get(row["name"], ()), crop=on_screen(picture))
        for row, name, picture in zip(rows, common, pictures, strict=True)
    ]


def on_screen(picture: Crop, side: int = SCREEN_SIDE) -> Crop:
    """A drawing as a screenshot shows it: dark on white, `side` pixels."""
    scale = picture.shape[0] // side
    means = picture[: scale * side, : scale * side].reshape(side, scale, side, scale).mean(axis=(1, 3))
    return np.asarray(255 - means, np.uint8)


def _share(right: Sequence[bool]) -> float:
    return sum(right) / len(right) if right else 0.0
