"""Link scores for best-first order, by the phrases of a script."""

from __future__ import annotations

from urllib.parse import unquote

from memory.words import tokens
from walker.crawl.job_records import FoundLink
from walker.crawl.script.patterns import path_and_query


class BestLinks:
    """Scores links by `best` of a script: phrases, separated by commas."""

    def __init__(self, best: str) -> None:
        self._phrases = tuple(frozenset(tokens(phrase)) for phrase in best.split(",") if phrase.strip())

    def score_of(self, link: FoundLink) -> float:
        """Link score 0..1: the largest share of a phrase's words in the link's label or URL, inflected forms included.

        >>> BestLinks("annual report, balance sheet").score_of(FoundLink(url="https://a.example/r-17", label="Reports"))
        0.5
        """
        if not self._phrases:
            return 0.0
        found = frozenset(tokens(f"{link.label} {unquote(path_and_query(link.url))}"))
        return max(len(phrase & found) / len(phrase) for phrase in self._phrases)
