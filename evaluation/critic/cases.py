"""Questions with the passages of the pages that a search finds for them, and which of these hold their evidence."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from evaluation.critic.right_passages import holding_passages, saying_the_same
from memory.library.errors import BadQuery
from memory.library.protocol import Library, StoredPage
from walker.seams.passage_critic import OfferedPassage


class Sought(msgspec.Struct, frozen=True, kw_only=True):
    """A question, and the quotes that prove its answer."""

    id: str
    question: str
    language: str = "en"
    site: str = ""
    quotes: tuple[tuple[str, str], ...] = ()
    """Address of the page and words of it, a pair for each piece of evidence."""


class PassageCase(msgspec.Struct, frozen=True, kw_only=True):
    """What a passage critic is asked for one question."""

    sought: Sought
    pages: int
    """Pages that were found."""
    passages: tuple[OfferedPassage, ...]
    """Of the best page first, each page's in its order."""
    evidence: tuple[tuple[int, ...], ...]
    """Places of the passages that hold a piece of evidence, for each piece that stands in any: those of its own page, and those of
    other pages that say the same."""
    missing: int = 0
    """Pieces of evidence that stand in no passage of these pages."""

    @property
    def right(self) -> frozenset[int]:
        """Places of all passages that hold evidence."""
        return frozenset(place for places in self.evidence for place in places)


def case_of(library: Library, sought: Sought, most_pages: int) -> PassageCase:
    """Search the library for the question. No passages for a question without telling words."""
    try:
        hits = library.search(sought.question, most_pages)
    except BadQuery:
        hits = ()
    pages = [page for hit in hits if (page := library.page(hit.url)) is not None]
    passages = tuple(one for page in pages for one in offered_of(page))
    evidence = []
    for address, quote in sought.quotes:
        source = library.page(address)
        own = [place for place, one in enumerate(passages) if source is not None and one.url == source.url]
        held = holding_passages(quote, [passages[place].text for place in own])
        same = saying_the_same(quote, [one.text for one in passages])
        if places := {*(own[place] for place in held), *same}:
            evidence.append(tuple(sorted(places)))
    return PassageCase(
        sought=sought,
        pages=len(pages),
        passages=passages,
        evidence=tuple(evidence),
        missing=len(sought.quotes) - len(evidence),
    )


def offered_of(page: StoredPage) -> tuple[OfferedPassage, ...]:
    """The passages of a page as a critic is offered them."""
    return tuple(
        OfferedPassage(text=one.text, title=page.title, headings=one.headings, url=page.url, place=one.place)
        for one in page.passages
    )


def with_evidence(cases: Sequence[PassageCase]) -> tuple[PassageCase, ...]:
    """The cases of which a passage holds evidence: what can be kept or lost."""
    return tuple(case for case in cases if case.evidence)
