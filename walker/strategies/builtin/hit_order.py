"""The explorer of what a search found: it reads the pages that fit best, in their order."""

from __future__ import annotations

from collections.abc import Sequence

from memory.state import WalkMemory
from memory.url_stack import Frame, UntriedLink
from memory.words import tokens
from perception.observation import Observation
from walker.rules.budget import pages_opened
from walker.seams.actions import Action, FollowLink, GiveAnswer, Jump, Refusal, Search
from walker.seams.searches import is_search, queries_of
from walker.strategies.question.open_parts import OpenParts
from walker.strategies.question.question import Question

HITS_READ = 8
"""Pages that are read for a question with one part; a question with several reads as many for each. A page that holds the answer is
among the first 5 for 9 of 10 questions (bench/library.py)."""
FIRST_HITS = 5
"""Pages that are read of each search in a walk from a root, before the links of the site count again."""
SEARCHES = 4
"""Most searches of a walk from a root."""
SAME_QUERY = 0.75
"""Share of common words from which a query would find what an earlier one found."""


def is_walk_through_hits(memory: WalkMemory) -> bool:
    """Whether the walk began with a search."""
    return bool(memory.stack.frames) and is_search(memory.stack.frames[0].url)


def next_hit(question: Question, observation: Observation, memory: WalkMemory, refused: tuple[Refusal, ...]) -> Action:
    """The next page that the search found, in its order; the end where enough were read, or none is left."""
    read = pages_opened(memory)
    wanted = HITS_READ * max(1, len(question.parts))
    # A count that is open goes on as long as pages are left.
    must_go_on = any(isinstance(one.action, GiveAnswer) for one in refused)
    hit = _first_untried(memory.stack.frames[0], observation, refused)
    if hit is None or (read >= wanted and not must_go_on):
        return GiveAnswer(reason="the pages that the search found were read")
    return _to_hit(hit, 1, observation, memory)


def find_by_search(
    question: Question,
    open_parts: OpenParts,
    observation: Observation,
    memory: WalkMemory,
    refused: tuple[Refusal, ...],
) -> Action | None:
    """In a walk from a root: the next of the first hits of the latest search, else a search for an open part that was not searched
    for yet; None where links are to be followed."""
    depth = next(
        (depth for depth in range(memory.stack.depth, 0, -1) if is_search(memory.stack.frames[depth - 1].url)), 0
    )
    if depth:
        hits = memory.stack.frames[depth - 1]
        since = max((page.step for page in memory.pages if page.key == hits.key), default=0)
        read = sum(page.step > since for page in memory.pages)
        hit = _first_untried(hits, observation, refused)
        if hit is not None and read < FIRST_HITS:
            return _to_hit(hit, depth, observation, memory)
    if any(isinstance(one.action, Search) for one in refused):
        return None
    query = _next_query(question, open_parts, memory)
    return Search(query=query, reason="the site is searched before it is leafed through") if query else None


def _next_query(question: Question, open_parts: OpenParts, memory: WalkMemory) -> str:
    """The words of an open part that no search so far had, "" where there are none."""
    searched = [frozenset(tokens(query)) for page in memory.pages for query in queries_of(page.url)]
    if len(searched) >= SEARCHES:
        return ""
    queries = [question.text] if len(question.parts) <= 1 else [wanted.text for wanted in open_parts.now]
    return next((query for query in queries if _is_new(frozenset(tokens(query)), searched)), "")


def _is_new(words: frozenset[str], searched: Sequence[frozenset[str]]) -> bool:
    return bool(words) and all(len(words & other) < SAME_QUERY * len(words | other) for other in searched)


def _first_untried(hits: Frame, observation: Observation, refused: tuple[Refusal, ...]) -> UntriedLink | None:
    """The best hit that was not opened, and not refused in this step."""
    tried = {action.url for action in (one.action for one in refused) if isinstance(action, Jump)}
    tried |= {
        link.url
        for one in refused
        if isinstance(one.action, FollowLink) and (link := observation.link(one.action.link_id)) is not None
    }
    return next((link for link in hits.untried if link.url not in tried), None)


def _to_hit(hit: UntriedLink, depth: int, observation: Observation, memory: WalkMemory) -> Action:
    reason = f"the search found it: {hit.label[:60]}"
    if memory.stack.depth > depth:
        return Jump(url=hit.url, reason=reason)
    number = next((link.id for link in observation.links if link.url == hit.url), 0)
    return FollowLink(link_id=number, reason=reason) if number else Jump(url=hit.url, reason=reason)
