"""A contents page that is too long for a prompt, such as an index from A to Z: a tree of headings and lists in which the branches that
bear on the question are open, and the others are named with the number of their entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import log

import msgspec

from memory.retrieval import Ranker, tokens
from memory.words import lazy_re
from perception.document.visible import visible_text
from walker.models.token_count import count_tokens
from walker.strategies.model.digest.digest_request import DigestRequest
from walker.strategies.model.digest.digest_words import said
from walker.strategies.model.digest.link_marks import LINK_NUMBER
from walker.strategies.model.digest.outline import range_of
from walker.strategies.model.digest.page_parts import Part

LEAST_ENTRIES = 60
LINKS_SHARE = 0.6
"""Share of a page's entries that have links from which it is one of contents. Of the long pages of the building sites, pages of posts
have 0.1 to 0.4, indexes and lists of files 0.8 and more."""
ENTRY_TOKENS = 24
"""Tokens of an entry of a table of contents, on average at most; longer ones are texts with links, such as posts in a language that
says more with a character."""
LONG_CHARS = 200
"""Characters of an entry from which it is worth a line that stands for it alone."""
SKELETON_SHARE, WANTED_SHARE = 0.3, 0.7
"""Of the tokens, for headings of the upper levels, and for these and what bears on the question; the rest opens further branches."""
RANKED_AT_MOST = 240
NEAR = 2
"""Entries before and after one that bears on the question."""
LEAST_GAP = 3
"""Entries in a row that are worth a line that stands for them."""
NAME_CHARS = 40
GAP_TOKENS = 30
SAMPLE = 100
_HEADING = lazy_re.compile(r"(#{1,6}) ")
_SET_IN = lazy_re.compile(r"( *)- ")
_BELOW_HEADINGS = 10


class Entry(msgspec.Struct, frozen=True, gc=False):
    """A line of the page, below the nearest one before it of a lower rank."""

    part: int
    rank: int
    text: str


class Tree(msgspec.Struct, frozen=True, kw_only=True):
    """A page of contents as a prompt shows it."""

    text: str
    left_out: frozenset[int]
    """Numbers of the parts of which something is not shown."""


def tree_of(parts: Sequence[Part], asked: DigestRequest, ranker: Ranker, budget: int) -> Tree | None:
    """The page within a budget of tokens; None for a page that is none of contents."""
    length = sum(part.text.count("\n") + 1 for part in parts)
    if len(asked.marks.states) < LINKS_SHARE * min(length, LEAST_ENTRIES):
        return None
    entries = [entry for part in parts for entry in _entries_of(part)]
    below = [entry for entry in entries if entry.rank >= _BELOW_HEADINGS]
    linked = sum(LINK_NUMBER.search(entry.text) is not None for entry in below)
    if len(below) < LEAST_ENTRIES or linked < LINKS_SHARE * len(below):
        return None
    sample = [entry.text for entry in entries[:: max(1, len(entries) // SAMPLE)]]
    tokens_of_sample = count_tokens("\n".join(sample))
    if tokens_of_sample > ENTRY_TOKENS * len(sample):
        return None
    chars = sum(map(len, sample)) / max(1, tokens_of_sample)
    tree = _Opened(entries, chars)
    wanted = tuple(_wanted(entries, asked, ranker))
    for share in (1.0, 0.85, 0.7, 0.5):
        shown = tree.opened(wanted, asked.unfolded, int(share * budget))
        lines, hidden = _rendered(entries, shown, asked.language)
        text = "\n".join(lines)
        if count_tokens(text) <= budget:
            return Tree(text=text, left_out=frozenset(hidden))
    return None


def _entries_of(part: Part) -> Iterator[Entry]:
    for line in part.text.splitlines():
        if found := _HEADING.match(line):
            yield Entry(part.number, len(found[1]), line)
        else:
            inset = _SET_IN.match(line)
            yield Entry(part.number, _BELOW_HEADINGS + (len(inset[1]) // 2 if inset else 0), line)


def _wanted(entries: Sequence[Entry], asked: DigestRequest, ranker: Ranker) -> Iterator[int]:
    """Places of the entries that bear on the question, the best first: by turns those with likely links and those whose words fit."""
    places = {int(number): place for place, entry in enumerate(entries) for number in LINK_NUMBER.findall(entry.text)}
    likely = [places[link.id] for link in asked.promising if link.id in places]
    words = dict.fromkeys(tokens(asked.query))
    texts = [entry.text.casefold() for entry in entries]
    worth: dict[int, float] = {}
    for word in words:
        having = [place for place, text in enumerate(texts) if word in text]
        for place in having:
            worth[place] = worth.get(place, 0.0) + log(len(texts) / len(having))
    kept = sorted(sorted(worth, key=lambda place: (-worth[place], place))[:RANKED_AT_MOST])
    ranking = ranker.rank(asked.query, [entries[place].text for place in kept])
    fitting = [kept[ranked.index] for ranked in ranking]
    for turn in range(max(len(likely), len(fitting))):
        yield from likely[turn : turn + 1]
        yield from fitting[turn : turn + 1]


class _Opened:
    """Chooses the entries to show."""

    def __init__(self, entries: Sequence[Entry], chars: float) -> None:
        """`chars`: characters of the page that a token holds."""
        self._entries = entries
        self._costs = [1 + round(len(entry.text) / chars) for entry in entries]
        self._above: list[int] = []
        self._below: dict[int, list[int]] = {}
        self._spent = 0
        self._shown: set[int] = set()
        path: list[int] = []
        for place, entry in enumerate(entries):
            while path and entries[path[-1]].rank >= entry.rank:
                path.pop()
            self._above.append(path[-1] if path else -1)
            self._below.setdefault(self._above[-1], []).append(place)
            path.append(place)

    def opened(self, wanted: Sequence[int], parts: Sequence[int], budget: int) -> set[int]:
        """Places of the entries that fit: those of the parts that were asked for, the upper headings, what is wanted with what is near
        it, then whole branches of these, then the page from its beginning."""
        self._spent, self._shown = 0, set()
        for part in parts:
            self._take((place for place, entry in enumerate(self._entries) if entry.part == part), budget)
        for level in range(1, _BELOW_HEADINGS):
            headings = (place for place, one in enumerate(self._entries) if one.rank == level)
            if not self._take(headings, int(SKELETON_SHARE * budget)):
                break
        for place in wanted:
            if not self._take(self._near(place), int(WANTED_SHARE * budget)):
                break
        branches = dict.fromkeys(self._above[place] for place in wanted if place in self._shown)
        for branch in branches:
            self._take(self._below[branch] if branch >= 0 else (), budget)
        for place, cost in enumerate(self._costs):
            if place not in self._shown:
                if self._spent + cost > budget:
                    break
                self._shown.add(place)
                self._spent += cost
        return self._shown

    def _take(self, places: Iterable[int], limit: int) -> bool:
        """Show these entries and what stands above them, unless that costs more than the limit."""
        new = {one for place in places for one in self._with_path(place)} - self._shown
        cost = self._spent + sum(self._costs[place] for place in new) + GAP_TOKENS * bool(new)
        if cost > limit:
            return False
        self._shown |= new
        self._spent = cost
        return True

    def _near(self, place: int) -> list[int]:
        above = self._above[place]
        beside = range(max(0, place - NEAR), min(len(self._entries), place + NEAR + 1))
        return [place, *(one for one in beside if self._above[one] == above)]

    def _with_path(self, place: int) -> Iterator[int]:
        while place >= 0:
            yield place
            place = self._above[place]


def _rendered(entries: Sequence[Entry], shown: set[int], language: str) -> tuple[list[str], set[int]]:
    """The lines, with one for each run of entries that are not shown, and the parts of these."""
    lines: list[str] = []
    hidden: set[int] = set()
    run: list[Entry] = []
    heading = ""

    def close() -> None:
        if len(run) >= LEAST_GAP or any(len(entry.text) > LONG_CHARS for entry in run):
            hidden.update(entry.part for entry in run)
            lines.append(_gap(run, heading, language))
        else:
            lines.extend(entry.text for entry in run)
        run.clear()

    for place, entry in enumerate(entries):
        if place not in shown:
            run.append(entry)
            continue
        close()
        lines.append(entry.text)
        if entry.rank < _BELOW_HEADINGS:
            heading = entry.text.lstrip("# ")
    close()
    return lines, hidden


def _gap(run: Sequence[Entry], heading: str, language: str) -> str:
    """Where these entries stand, the first and the last of them, and how many there are."""
    below = [entry for entry in run if entry.rank >= _BELOW_HEADINGS] or run
    first, last = (_name_of(entry) for entry in (below[0], below[-1]))
    sections = len(run) - len(below)
    counts = said("entries and headings" if sections else "counted entries", language, len(below), sections)
    about = f"{LINK_NUMBER.sub('', visible_text(heading))[:NAME_CHARS]} " if heading else ""
    until = said("until", language, last)
    return f"{range_of(run[0].part, run[-1].part, language)}: {about}“{first}…”{until} ({counts})"


def _name_of(entry: Entry) -> str:
    return visible_text(LINK_NUMBER.sub("", entry.text)).lstrip("-|#> ")[:NAME_CHARS]
