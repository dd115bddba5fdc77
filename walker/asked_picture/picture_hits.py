"""What picture searches have found, as one list: the lists of the whole picture and of its part fused by rank, as items of a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import msgspec

from walker.rules.scope import WalkScope
from walker.seams.picture_pages import GOOD_HITS, GOOD_SCORE, OTHER_HITS
from walker.seams.search_protocols import PictureHit, PictureSearch, SearchFailure

HITS_ASKED, GOOD_SHOWN, OTHERS_SHOWN = 20, 10, 5
RANK_OFFSET = 60
"""Of reciprocal rank fusion (Cormack, Clarke, Büttcher 2009): a hit counts 1 / (offset + rank) in each list that has it."""
WORDS_KEPT = 300
"""Characters of a page's words about a picture that are shown."""


class FoundPages(msgspec.Struct, frozen=True, kw_only=True):
    """Pages whose pictures are like the searched one, best first, and what is to be told of the search."""

    hits: tuple[PictureHit, ...] = ()
    notes: tuple[str, ...] = ()


async def find_pages(search: PictureSearch, parts: Sequence[tuple[str, bytes]], words: str = "") -> FoundPages:
    """The pages for a picture and its parts, each with what it is called; one search after the other."""
    lists: list[tuple[PictureHit, ...]] = []
    notes: list[str] = []
    for name, picture in parts:
        found = await search.find(picture, words, HITS_ASKED)
        if isinstance(found, SearchFailure):
            notes.append(f"{name}: {found.message}")
            continue
        lists.append(found)
        good = sum(hit.score >= GOOD_SCORE for hit in found)
        notes.append(f"searched by {name}: {len(found)} found, {good} of them sure")
    return FoundPages(hits=fuse(lists), notes=tuple(notes))


def fuse(lists: Iterable[Sequence[PictureHit]]) -> tuple[PictureHit, ...]:
    """Several lists as one by reciprocal ranks, each page once, as the list in which its score is best shows it."""
    ranks: dict[str, float] = {}
    best: dict[str, PictureHit] = {}
    for hits in lists:
        seen: set[str] = set()
        for rank, hit in enumerate(hits, start=1):
            if hit.url in seen:
                continue
            seen.add(hit.url)
            ranks[hit.url] = ranks.get(hit.url, 0.0) + 1 / (RANK_OFFSET + rank)
            if hit.url not in best or hit.score > best[hit.url].score:
                best[hit.url] = hit
    # Ranks that are equal, as of two lists with other pages first, are told apart by the score.
    order = sorted(best.values(), key=lambda hit: (-round(ranks[hit.url], 9), -hit.score))
    return tuple(order)


def sections_of(found: FoundPages, scope: WalkScope) -> tuple[str, str, tuple[str, ...]]:
    """The markup of the good hits and of the others, what the walk may open as links, and notes."""
    inside = tuple(hit for hit in found.hits if not scope.why_outside(hit.url, scope.sites_of_hits((hit.url,))))
    good = [hit for hit in inside if hit.score >= GOOD_SCORE][:GOOD_SHOWN]
    others = [hit for hit in inside if hit.score < GOOD_SCORE][:OTHERS_SHOWN]
    left = len(found.hits) - len(inside)
    notes = (*found.notes, *((f"{left} pages were found that this walk may not open",) if left else ()))
    return _section(GOOD_HITS, good, "None was found."), _section(OTHER_HITS, others), notes


def footer_of(notes: Iterable[str]) -> str:
    """The notes at the end of a page."""
    told = "; ".join(dict.fromkeys(notes))
    return f"<footer><p>{escape(told)}</p></footer>" if told else ""


def _section(heading: str, hits: Sequence[PictureHit], nothing: str = "") -> str:
    if not hits and not nothing:
        return ""
    items = "".join(map(_item, hits))
    return f"<h2>{escape(heading)}</h2>" + (f"<ol>{items}</ol>" if items else f"<p>{escape(nothing)}</p>")


def _item(hit: PictureHit) -> str:
    title, words = " ".join(hit.title.split()) or hit.url, " ".join(hit.words.split())[:WORDS_KEPT]
    told = f"({hit.score:.2f}, by {hit.found_by})"
    return f'<li><a href="{escape(hit.url)}">{escape(title)}</a> {escape(f"{words} {told}".strip())}</li>'
