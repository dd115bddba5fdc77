"""Whether the source of a page says all that a browser would show: what was learned from pages that were read both ways."""

from __future__ import annotations

from perception.snapshot import Snapshot
from walker.crawl.rendering.needs_javascript import PageFacts, facts_of
from walker.crawl.rendering.page_difference import PageWords, difference_of, words_of
from walker.crawl.rendering.render_decisions import has_suspects

UNSAMPLED = "no sample had its scripts"


class SourceProof:
    """The samples of one site."""

    def __init__(self) -> None:
        self._harmless: set[str] = set()
        self._places: set[str] = set()
        self._suspects: list[frozenset[str]] = []
        self._serves_all_alike = True
        self._words: tuple[Snapshot, Snapshot, PageWords, PageWords] | None = None
        """Of the two pages that were compared last, which are compared again where they differ."""

    def why_not(self, facts: PageFacts) -> str:
        """Why a page with these features may lose something over HTTP, "" if it loses nothing; `UNSAMPLED` where a sample may
        tell."""
        if facts.reasons:
            return facts.reasons[0]
        if not self._serves_all_alike:
            return "the server serves browsers something else"
        if not facts.is_scripted:
            return ""
        if has_suspects(facts.programs, self._suspects, self._harmless):
            return "a page with its scripts showed more in a browser"
        known = facts.programs <= self._harmless and facts.places <= self._places
        return "" if known else UNSAMPLED

    def compare(self, source: Snapshot, rendered: Snapshot, again: Snapshot | None = None) -> str:
        """Learn from a page that was read both ways: the difference, "" for none. `again` is the source once more, by which what
        changes from request to request is known; a difference counts against the site only where it is given."""
        facts = facts_of(source.html, source.final_url)
        difference = difference_of(*self._words_of(source, rendered), _words(again) if again is not None else None)
        if not difference:
            self._harmless |= facts.programs
            self._places |= facts.places
        elif again is None:
            return difference
        elif not facts.is_scripted:
            self._serves_all_alike = False
        elif not facts.reasons:
            self._suspects.append(facts.programs)
        return difference

    def _words_of(self, source: Snapshot, rendered: Snapshot) -> tuple[PageWords, PageWords]:
        if self._words is None or self._words[0] is not source or self._words[1] is not rendered:
            self._words = source, rendered, _words(source), _words(rendered)
        return self._words[2:]


def _words(page: Snapshot) -> PageWords:
    return words_of(page.html, page.final_url)
