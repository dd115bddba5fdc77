"""Parses a question into parts: what to find where, and how to combine the answers."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from memory.words import lazy_re, tokens
from walker.strategies.question.page_hints import Hint, find_hints
from walker.strategies.question.question_parts import Operation, split_question
from walker.strategies.question.question_terms import key_terms

__all__ = ["Operation", "Part", "Question", "read_question"]


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to find in one place."""

    text: str
    """The part as a question or phrase of its own."""
    page_hints: tuple[str, ...] = ()
    """Names of the page with the answer, as in the question; most reliable first."""
    section_hints: tuple[str, ...] = ()
    """Names of places on that page: a heading, a table, an entry."""
    containers: tuple[str, ...] = ()
    """Names of the manual or part of the site that contains the page."""
    things: tuple[str, ...] = ()
    """What a comparison compares here, as a page about it may be called."""
    terms: tuple[str, ...] = ()
    """Key terms, names and identifiers first; words of the hints are left out."""

    @property
    def search_phrase(self) -> str:
        """The part as search words: its places and its terms."""
        return " ".join(dict.fromkeys((*self.page_hints[:1], *self.section_hints[:1], *self.terms[:6]))) or self.text


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """One or more parts, in the order in which they are to be found.

    `operation`: how their answers are combined. `chain`: a later part needs the answer of the one before.
    """

    text: str
    language: str = "en"
    parts: tuple[Part, ...] = ()
    operation: Operation = "none"
    things: tuple[str, ...] = ()
    """The two things of a comparison, as the question names them."""
    first_is: Literal["", "more", "less"] = ""
    """Whether the first of two compared values is taken to be more, or later, than the second."""
    whole: Part | None = None
    """All of it as one part, where it may be answered without being taken apart."""
    is_half: bool = False
    """Whether two things are asked at once that could not be taken apart, so that one value answers half of it at most."""


_ARTICLE = lazy_re.compile(
    r"^(?:the|an?|der|die|das|den|dem|l[ae]s?|l['’]|el|los|las|un[ea]?|eine?)\s+|\s*,?\s+as (?:given|stated|shown) .*$",
    re.IGNORECASE,
)


def read_question(question: str, language: str = "en") -> Question:
    """Parse a question by the grammar of English or Chinese; any other language gives one part."""
    text = " ".join(question.split())
    hints = find_hints(text)
    split = split_question(text, hints)
    parts = tuple(_part(clause.text, clause.hints) for clause in split.clauses)
    if len(split.things) == len(parts):
        parts = tuple(
            msgspec.structs.replace(part, things=(_ARTICLE.sub("", thing),))
            for part, thing in zip(parts, split.things, strict=True)
        )
    return Question(
        text=text,
        language=language,
        parts=parts,
        operation=split.operation,
        things=split.things,
        first_is=split.first_is,
        whole=_part(text, hints) if split.may_be_one else None,
        is_half=split.is_half,
    )


def _part(text: str, hints: tuple[Hint, ...]) -> Part:
    pages = [hint.text for hint in hints if hint.level == "page"]
    topics = [hint.text for hint in hints if hint.level == "topic"]
    containers = [hint.text for hint in hints if hint.level == "container"]
    sections = [hint.text for hint in hints if hint.level == "section"]
    if not pages and not topics and not sections:
        pages, containers = containers, []
    pages = _distinct([*pages, *topics])
    containers = [name for name in _distinct(containers) if name not in pages]
    return Part(
        text=text,
        page_hints=tuple(pages),
        section_hints=tuple(_distinct(sections)),
        containers=tuple(containers),
        terms=key_terms(text, taken=(*pages, *containers, *sections)),
    )


def _distinct(names: list[str]) -> list[str]:
    """Names in order, without those whose words are all in an earlier or longer one."""
    kept: list[str] = []
    for name in sorted(names, key=lambda name: -len(name)):
        words = frozenset(tokens(name))
        if words and not any(words <= frozenset(tokens(other)) for other in kept):
            kept.append(name)
    return sorted(kept, key=names.index)
