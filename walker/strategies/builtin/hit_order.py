"""The explorer of a walk through a library: reads the pages that the search found, the best first."""

from __future__ import annotations

from memory.state import WalkMemory
from perception.observation import Observation
from walker.seams.actions import Action, FollowLink, GiveAnswer, Jump, Refusal
from walker.seams.searches import is_search
from walker.strategies.question.question import Question

HITS_READ = 8
"""Pages that are read for a question with one part; a question with several reads as many for each. A page that holds the answer is
among the first 5 for 95 of 100 questions (bench/library.py)."""


def is_walk_through_hits(memory: WalkMemory) -> bool:
    """Whether the walk began with a search."""
    return bool(memory.stack.frames) and is_search(memory.stack.frames[0].url)


def next_hit(question: Question, observation: Observation, memory: WalkMemory, refused: tuple[Refusal, ...]) -> Action:
    """The next page that the search found, in its order; the end where enough were read, or none is left."""
    read = sum(not is_search(page.url) for page in memory.pages)
    tried = {action.url for action in (one.action for one in refused) if isinstance(action, Jump)}
    tried |= {
        link.url
        for one in refused
        if isinstance(one.action, FollowLink) and (link := observation.link(one.action.link_id)) is not None
    }
    hits = [link for link in memory.stack.frames[0].untried if link.url not in tried]
    wanted = HITS_READ * max(1, len(question.parts))
    # A count that is open goes on as long as pages are left.
    must_go_on = any(isinstance(one.action, GiveAnswer) for one in refused)
    if not hits or (read >= wanted and not must_go_on):
        return GiveAnswer(reason="the pages that the search found were read")
    best, reason = hits[0], f"the search found it: {hits[0].label[:60]}"
    if memory.stack.depth > 1:
        return Jump(url=best.url, reason=reason)
    number = next((link.id for link in observation.links if link.url == best.url), 0)
    return FollowLink(link_id=number, reason=reason) if number else Jump(url=best.url, reason=reason)
