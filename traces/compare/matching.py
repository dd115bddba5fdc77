"""How closely a request matches a recorded one, for replays after a change that should not matter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec
from rapidfuzz import fuzz

Rung = Literal["exact", "minor", "major"]
RUNGS: tuple[Rung, ...] = ("exact", "minor", "major")
MINOR_DISTANCE = 0.1
"""Largest share of a field that may differ in a minor mismatch: a word of a prompt, not another page."""


class Mismatch(msgspec.Struct, frozen=True, kw_only=True):
    """A call that was answered with the recorded answer to a different request."""

    step: int
    seam: str
    method: str
    rung: Rung
    field: str
    expected: Any
    got: Any
    distance: float


class Certificate(msgspec.Struct, frozen=True, kw_only=True):
    """How faithful a replay was: numbers of calls with an exact match, with a minor mismatch, with a major one (the request at the
    same point of the walk), and of calls that are not in the recording."""

    exact: int = 0
    minor: int = 0
    major: int = 0
    unrecorded: int = 0

    def __str__(self) -> str:
        return f"{self.exact} exact, {self.minor} minor, {self.major} major, {self.unrecorded} not in the recording"


def grade(recorded: Any, asked: Any) -> tuple[Rung, float]:
    """How closely two requests of one method at one point of the walk match: the level, and the distance 0..1 of the field that
    differs most. The worst result is a major mismatch, since the caller has made sure that step and order agree."""
    distance = max(_distances(recorded, asked), default=0.0)
    if distance == 0.0:
        return "exact", 0.0
    return ("minor" if distance <= MINOR_DISTANCE else "major"), round(distance, 4)


def _distances(one: Any, other: Any) -> Iterator[float]:
    if isinstance(one, dict) and isinstance(other, dict):
        for name in {*one, *other}:
            yield from _distances(one.get(name), other.get(name))
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple):
        if len(one) != len(other):
            yield 1.0
        for first, second in zip(one, other, strict=False):
            yield from _distances(first, second)
    elif isinstance(one, str) and isinstance(other, str):
        yield 0.0 if one == other else max(1e-6, 1.0 - fuzz.ratio(one, other) / 100)
    elif isinstance(one, int | float) and isinstance(other, int | float) and not isinstance(one, bool):
        yield 0.0 if one == other else min(1.0, abs(one - other) / max(abs(one), abs(other)))
    else:
        yield float(one != other)
