"""What the walk looks for at this moment: the parts of the question that are open, or what the last verdict misses."""

from __future__ import annotations

import msgspec

from memory.state import WalkMemory
from memory.words import tokens
from perception.observation import Observation
from walker.minds.question import Part, Question


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to be found."""

    pages: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    containers: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    text: str = ""
    """All of it in words, for ranking by meaning."""


class Need(msgspec.Struct, frozen=True, kw_only=True):
    """Things wanted now, and those that are of use only later, when an answer they depend on is known."""

    now: tuple[Wanted, ...] = ()
    later: tuple[Wanted, ...] = ()
    language: str = ""
    """Of the question, as a BCP 47 primary tag."""
    wants_switch: bool = False
    """The current page is in another language than the question."""


def current_need(question: Question, observation: Observation, memory: WalkMemory) -> Need:
    """The need of this step. A part is open while a missing phrase of the last verdict is nearest to it."""
    open_parts = _open_parts(question, memory.missing)
    wanted = tuple(_wanted(part, phrase) for part, phrase in open_parts)
    chained = question.operation == "chain"
    return Need(
        now=wanted[:1] if chained else wanted,
        later=wanted[1:] if chained else (),
        language=question.language,
        wants_switch=observation.language not in ("", question.language),
    )


def _open_parts(question: Question, missing: tuple[str, ...]) -> list[tuple[Part, str]]:
    if not missing:
        return [(part, "") for part in question.parts]
    phrases: dict[int, str] = {}
    for phrase in missing:
        words = frozenset(tokens(phrase))
        shares = [_overlap(words, part) for part in question.parts]
        nearest = max(range(len(shares)), key=lambda place: (shares[place], -place))
        phrases[nearest] = f"{phrases.get(nearest, '')} {phrase}".strip()
    return [(question.parts[place], phrases[place]) for place in sorted(phrases)]


def _overlap(words: frozenset[str], part: Part) -> float:
    own = frozenset(tokens(" ".join((part.text, *part.page_hints, *part.terms))))
    return len(words & own) / (len(own) or 1)


def _wanted(part: Part, phrase: str) -> Wanted:
    """The part, with what the verdict adds to it (a name that the part before gave) as the first of its terms."""
    known = frozenset(tokens(part.text))
    added = tuple(word for word in phrase.split() if not known.issuperset(tokens(word)))
    return Wanted(
        pages=part.page_hints,
        sections=part.section_hints,
        containers=part.containers,
        terms=(" ".join(added), *part.terms) if added else part.terms,
        text=f"{' '.join((*part.page_hints, *part.section_hints))} {phrase or part.text}".strip(),
    )
