"""For best-first: how much a link promises, by the words of a script and nothing else."""

from __future__ import annotations

from urllib.parse import unquote

from memory.words import tokens
from walker.crawl.job_records import FoundLink
from walker.crawl.script.patterns import path_and_query


class BestLinks:
    """What `best` of a script says: phrases, with commas between them."""

    def __init__(self, best: str) -> None:
        self._phrases = tuple(frozenset(tokens(phrase)) for phrase in best.split(",") if phrase.strip())

    def promise_of(self, link: FoundLink) -> float:
        """The largest share, 0..1, of a phrase's words that stand in the link's label or its address; inflected ones count.

        >>> BestLinks("annual report, balance sheet").promise_of(FoundLink(url="https://a.example/r-17", label="Reports"))
        0.5
        """
        if not self._phrases:
            return 0.0
        found = frozenset(tokens(f"{link.label} {unquote(path_and_query(link.url))}"))
        return max(len(phrase & found) / len(phrase) for phrase in self._phrases)
