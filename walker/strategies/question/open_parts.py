"""Determines what the walk looks for now: the open parts of the question, or what the last verdict names as missing."""

from __future__ import annotations

from collections import Counter

import msgspec

from memory.state import WalkMemory
from memory.words import tokens
from perception.observation import Observation
from walker.seams.task_analysis import SiteName
from walker.strategies.question.name_match import match_address, match_title, words_of
from walker.strategies.question.question import Part, Question

READ_FIT = 0.7
"""Match of a page's title or URL, 0..1, from which it is the page that a part names."""
CHAIN_PATIENCE = 12
"""Pages after which the second part of a chain is looked for even if the first was not found."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to be found."""

    pages: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    containers: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    text: str = ""
    """All of it in words, for ranking by meaning."""


class OpenParts(msgspec.Struct, frozen=True, kw_only=True):
    """The parts wanted now, and those wanted later, once an answer that they depend on is known."""

    now: tuple[Wanted, ...] = ()
    later: tuple[Wanted, ...] = ()
    language: str = ""
    """Language of the question, a BCP 47 primary tag."""
    wants_switch: bool = False
    """The current page is in another language than the question."""


def current_parts(
    question: Question, observation: Observation, memory: WalkMemory, names: tuple[SiteName, ...] = ()
) -> OpenParts:
    """The open parts at this step. A part is open while a missing phrase of the last verdict is nearest to it. The other spellings of
    `names` are looked for beside the part that holds them, so that they lower the score of no link."""
    open_parts = _open_parts(question, memory.missing)
    wanted = tuple(_wanted(part, phrase) for part, phrase in open_parts)
    # If the page of the first part did not answer it, the second may still be answered without it.
    chained = question.operation == "chain" and bool(open_parts) and not was_read(open_parts[0][0], memory)
    chained = chained and question.whole is None and len(memory.pages) < CHAIN_PATIENCE
    return OpenParts(
        now=tuple(one for part in (wanted[:1] if chained else wanted) for one in (part, *_spelled(part, names))),
        later=wanted[1:] if chained else (),
        language=question.language,
        wants_switch=observation.language not in ("", question.language),
    )


def was_read(part: Part, memory: WalkMemory) -> bool:
    """Whether a page with the name that the part gives was read."""
    words = site_words_of(memory)
    return any(
        match_title(note.title, name, words) >= READ_FIT or match_address(note.url, name, words) >= READ_FIT
        for note in memory.pages
        for name in part.page_hints
    )


def site_words_of(memory: WalkMemory) -> frozenset[str]:
    """Words in most of the walk's page titles: the name of the site rather than of a page."""
    titles = [words_of(page.title) for page in memory.pages if page.title]
    if len(titles) < 2:
        return titles[0] if titles else frozenset()
    counts = Counter(word for words in titles for word in sorted(words))
    return titles[0] | {word for word, count in counts.items() if count >= 2 and count > 0.6 * len(titles)}


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


def _spelled(wanted: Wanted, names: tuple[SiteName, ...]) -> tuple[Wanted, ...]:
    """The same part in the other spellings of its names; () where they have none."""
    asked = frozenset(tokens(" ".join((wanted.text, *wanted.containers, *wanted.terms))))
    own = [one for one in names if one.spellings and asked.issuperset(tokens(one.name))]
    if not own:
        return ()
    places = [frozenset(tokens(name)) for name in wanted.pages]
    pages = [one for one in own if any(place <= frozenset(tokens(one.name)) for place in places)]
    terms = tuple(spelling for one in own for spelling in one.spellings)
    return (Wanted(pages=tuple(name for one in pages for name in one.spellings), terms=terms, text=" ".join(terms)),)


def _wanted(part: Part, phrase: str) -> Wanted:
    """The part, with what the verdict adds to it (a name from the answer to the part before) as its first terms."""
    known = frozenset(tokens(part.text))
    added = tuple(word for word in phrase.split() if not known.issuperset(tokens(word)))
    return Wanted(
        pages=part.page_hints,
        sections=part.section_hints,
        containers=part.containers,
        terms=(" ".join(added), *part.terms) if added else part.terms,
        text=f"{' '.join((*part.page_hints, *part.section_hints))} {phrase or part.text}".strip(),
    )
