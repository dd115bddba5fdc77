"""Reads a question about what lies beside what in a picture: which side of which text is asked for."""

from __future__ import annotations

import re

import msgspec

from memory.words import lazy_re
from perception.ocr.picture_layout import Side

Corner = tuple[Side, Side]
"""Above or below, then left or right."""
_DE = r"(?:de la |de l[’']|du |des |de |d[’'])"
_THING = r"([^?.,;:？。，]+)"
_SIDES: tuple[tuple[Side, str], ...] = (
    ("right", rf"(?:to|on) the right(?:-hand side)? of {_THING}|\bright of {_THING}|\brechts (?:vo[nm]|neben) {_THING}"),
    ("right", rf"à droite {_DE}{_THING}|a la derecha de {_THING}|à direita d[eoa]s? {_THING}|a destra d(?:i|el|ella|ei) {_THING}"),
    ("left", rf"(?:to|on) the left(?:-hand side)? of {_THING}|\bleft of {_THING}|\blinks (?:vo[nm]|neben) {_THING}"),
    ("left", rf"à gauche {_DE}{_THING}|a la izquierda de {_THING}|à esquerda d[eoa]s? {_THING}|a sinistra d(?:i|el|ella|ei) {_THING}"),
    ("below", rf"\b(?:below|beneath|underneath|under) {_THING}|\b(?:unterhalb|unter) {_THING}"),
    ("below", rf"(?:au-dessous|en dessous|sous) {_DE}?{_THING}|\b(?:debajo de|bajo|abaixo d[eoa]|sotto) {_THING}"),
    ("above", rf"\b(?:above|over|on top of) {_THING}|\b(?:oberhalb|über) {_THING}"),
    ("above", rf"au-dessus {_DE}{_THING}|\b(?:encima de|sobre|acima d[eoa]|sopra) {_THING}"),
)  # fmt: skip
_AFTERWARDS: tuple[tuple[Side, str], ...] = (
    ("right", r"([^，。？?,]+?)的?(?:右边|右侧|右面|右方|の右)"),
    ("left", r"([^，。？?,]+?)的?(?:左边|左侧|左面|左方|の左)"),
    ("below", r"([^，。？?,]+?)的?(?:下面|下方|下边|の下)"),
    ("above", r"([^，。？?,]+?)的?(?:上面|上方|上边|の上)"),
)
_BETWEEN = lazy_re.compile(
    rf"\bbetween ([^?.,;:]+?) and {_THING}|\bzwischen ([^?.,;:]+?) und {_THING}"
    rf"|\bentre ([^?.,;:]+?) (?:et|y|e) {_THING}"
    rf"|([^，。？?,在]+?)[和与]([^，。？?,]+?)之间",
    re.IGNORECASE,
)
_DOWN: tuple[tuple[Side, tuple[str, ...]], ...] = (
    ("above", ("(?:top|upper)", "oben", r"ober\w*", "haut", "superior(?:es)?", "上")),
    ("below", ("(?:bottom|lower)", "unten", r"unter\w*", "bas", "inferior(?:es)?", "下")),
)
_ACROSS: tuple[tuple[Side, tuple[str, ...]], ...] = (
    ("left", ("left", "links", r"link\w*", "gauche", "izquierd[oa]s?", "左")),
    ("right", ("right", "rechts", r"recht\w*", "droite", "derech[oa]s?", "右")),
)


def _corner_pattern(down: tuple[str, ...], across: tuple[str, ...]) -> str:
    """English, German in two forms, French, Spanish and Chinese."""
    return (
        rf"\b{down[0]}[ -]{across[0]}\b(?! (?:row|half))|\b{down[1]} {across[1]}\b|\b{across[1]} {down[1]}\b"
        rf"|\b(?:{down[2]} {across[2]}|{across[2]} {down[2]}) Ecke\b|\ben {down[3]} à {across[3]}\b"
        rf"|\b{down[4]} {across[4]}\b|{across[5]}{down[5]}[角方]"
    )


_CORNERS: tuple[tuple[Corner, str], ...] = tuple(
    ((down, across), _corner_pattern(down_words, across_words))
    for down, down_words in _DOWN
    for across, across_words in _ACROSS
)
_CAPITALS = lazy_re.compile(
    r"\b(?:in capitals?|capital letters|upper ?case|in gro(?:ß|ss)buchstaben|en majuscules?|e[nm] ma[iy][úu]sculas?)\b|大写",
    re.IGNORECASE,
)


class SpatialQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for lies on a side of one text, or between two."""

    side: Side | None
    """None for between."""
    of: tuple[str, ...]
    """The words for the one text, or the two."""
    in_capitals: bool = False


def corner_asked(text: str) -> Corner | None:
    """The corner of the picture that a question asks of; None for any other question.

    >>> corner_asked("Which number is shown in the lower left corner of the screenshot?")
    ('below', 'left')
    """
    return next((corner for corner, pattern in _CORNERS if re.search(pattern, text, re.IGNORECASE)), None)


def spatial_question(text: str) -> SpatialQuestion | None:
    """The side and the texts that a question names; None for any other question.

    >>> spatial_question("Which field lies directly to the right of the provider mark?").of
    ('the provider mark',)
    """
    in_capitals = _CAPITALS.search(text) is not None
    if found := _BETWEEN.search(text):
        one, other = (one.strip() for one in found.groups() if one)
        return SpatialQuestion(side=None, of=(one, other), in_capitals=in_capitals)
    sides = [
        (match.start(), side, match)
        for side, pattern in (*_SIDES, *_AFTERWARDS)
        if (match := re.search(pattern, text, re.IGNORECASE)) is not None
    ]
    if not sides:
        return None
    _, side, match = max(sides, key=lambda one: one[0])
    of = next(one for one in match.groups() if one)
    return SpatialQuestion(side=side, of=(of.strip(),), in_capitals=in_capitals)
