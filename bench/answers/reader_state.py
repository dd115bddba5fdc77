"""What the ideal reader knows and has seen of one question."""

from __future__ import annotations

from collections import Counter
from typing import Literal
from urllib.parse import quote, urljoin

from answers.comparing import as_shown, holds, mentions
from answers.page_parts import path_of
from answers.question_set import Question
from answers.site_map import SiteMap
from answers.walks import Ended

Cause = Literal[
    "walk failed",
    "overridden",
    "lost before the judge",
    "evidence never shown",
    "refused",
    "link never offered",
    "budget",
    "other",
]
FAR = 10**6


class ReaderState:
    """One question, the way to its sources, and what happened on it."""

    def __init__(self, question: Question, map_: SiteMap, base: str, ways: list[dict[str, int]]) -> None:
        """`ways`: clicks from each page to each source."""
        self.question, self.map, self._base, self._ways = question, map_, base, ways
        self.sources = [map_.named(source) for source in question.sources]
        self.here = map_.root
        self.been: list[str] = []
        self.above: list[str] = []
        """Pages that going back leads to, the root first."""
        self.told: set[int] = set()
        """Pieces of evidence that were in a prompt that asks for findings."""
        self.items: set[str] = set()
        self.read: set[str] = set()
        """Pages whose text was asked about."""
        self.given_up: set[int] = set()
        self.tried: Counter[tuple[str, str, str]] = Counter()
        self.aim: tuple[str, int] | None = None
        """Page and number of the link followed last."""
        self.led_to: dict[str, dict[int, str]] = {}
        """By page, where links led that were followed by their number."""
        self.leads_nearer = False
        """Whether the action that was chosen last leads nearer to a source."""
        self.looked = False
        self.judged_enough = False
        self.refusals: list[str] = []
        self.not_offered: list[str] = []

    def arrive(self, address: str) -> None:
        """Note the page that a prompt shows."""
        path = path_of(address, self._base) if address else None
        if path is None:
            return
        self.here = self.map.named(path)
        if self.aim is not None and self.here != self.aim[0]:
            page, number = self.aim
            self.led_to.setdefault(page, {})[number] = self.here
            self.aim = None
        if not self.been or self.been[-1] != self.here:
            self.above = _above(self.above, self.been[-1:], self.here)
            self.been.append(self.here)

    def at(self, path: str) -> str:
        """The page at a path from the root of the host, "" for one that is not of this site."""
        return self.map.named(path_of(urljoin(self._base, quote(path, safe="/?#=&!")), self._base) or "")

    def pieces_in(self, text: str) -> list[tuple[int, str]]:
        """Numbers of the pieces of evidence that a text shows, each with what can be quoted of it."""
        if self.question.kind == "visual":
            return self._from_picture(text)
        held = [(number, piece) for number, piece in enumerate(self.question.evidence) if holds(text, piece)]
        return [(number, as_shown(text, piece)) for number, piece in held]

    def _from_picture(self, text: str) -> list[tuple[int, str]]:
        """The answer stands in no text of its page: where a prompt says it there, a picture was read."""
        if self.here not in self.sources and not self.looked:
            return []
        lines = [line for line in text.splitlines() if any(mentions(line, form) for form in self.question.forms)]
        return [(0, lines[0].removeprefix("[picture] ").strip())] if lines else []

    def items_in(self, text: str) -> list[str]:
        """Items that a text names, where it is that of a source; elsewhere they stand by chance."""
        if self.here not in self.sources and not self.pieces_in(text):
            return []
        return [item for item in self.question.items if holds(text, item)]

    @property
    def has_items(self) -> bool:
        """Whether enough items were shown to list or count them."""
        wanted = self.question.n or len(self.question.items)
        return len(self.items) >= wanted

    @property
    def open_goals(self) -> list[int]:
        """Sources that something is still to be had from."""
        return [
            number for number in range(len(self.sources)) if number not in self.told and number not in self.given_up
        ]

    def clicks_from(self, path: str) -> int:
        """Least number of clicks from a page to an open source; `FAR` where none leads there."""
        return min((self._ways[number].get(path, FAR) for number in self.open_goals), default=FAR)

    def cause(self, ended: Ended, most_pages: int) -> tuple[Cause, str]:
        """Why a walk did not answer rightly."""
        missing = [number for number in range(len(self.sources)) if number not in self.told]
        seen_without = [self.sources[number] for number in missing if self.sources[number] in self.read]
        said = f"said {ended.answer[:60]!r} ({ended.stop_reason})"
        if ended.error:
            return "walk failed", ended.error
        if self.question.kind == "none" or self.judged_enough:
            return "overridden", said
        if self.sources and not missing and not self.question.items:
            return "lost before the judge", said
        if seen_without:
            return "evidence never shown", seen_without[0]
        if not missing and self.question.items and not self.has_items:
            return "evidence never shown", f"{len(self.items)} of {len(self.question.items)} items"
        if self.refusals:
            return "refused", self.refusals[-1]
        if ended.answer or not missing:
            return "overridden", said
        if self.not_offered:
            return "link never offered", self.not_offered[0]
        if ended.pages >= most_pages:
            return "budget", said
        return "other", said


def _above(above: list[str], before: list[str], here: str) -> list[str]:
    """The pages above `here`, which was come to from `before`: by going back where it stood above that."""
    return above[: above.index(here)] if here in above else [*above, *before]
