"""The explorer of a walk that begins with the picture of a question: the pages that show it first, then the roots."""

from __future__ import annotations

from memory.state import WalkMemory
from memory.url_key import BadUrl, key_of
from memory.url_stack import UntriedLink
from perception.observation import Observation
from walker.seams.actions import Action, FollowLink, Jump, Refusal
from walker.seams.picture_pages import GOOD_HITS, ROOTS
from walker.seams.searches import is_start, picture_of, roots_of

HITS_READ = 4
"""Pages with the picture that are read before the site is: what it is called is known by the first of them."""


def next_of_start(observation: Observation, memory: WalkMemory, refused: tuple[Refusal, ...]) -> Action | None:
    """The next page that shows the picture, then the first root; None in any other walk, and once these were opened."""
    frames = memory.stack.frames
    if not frames or not is_start(frames[0].url) or not picture_of(frames[0].url):
        return None
    tried = _refused_urls(observation, refused)
    left = [link for link in frames[0].untried if link.url not in tried]
    good = [link for link in left if link.heading == GOOD_HITS]
    if good and len(memory.pages) - 1 < HITS_READ:
        return _to(good[0], "it shows the picture", observation, memory)
    if _was_entered(roots_of(frames[0].url), memory):
        return None
    root = next((link for link in left if link.heading == ROOTS), None)
    return _to(root, "a root of the walk", observation, memory) if root is not None else None


def _was_entered(roots: tuple[str, ...], memory: WalkMemory) -> bool:
    """Whether the walk has come to one of its roots."""
    keys = set()
    for root in roots:
        try:
            keys.add(key_of(root))
        except BadUrl:
            continue
    return any(page.key in keys or page.url in roots for page in memory.pages)


def _refused_urls(observation: Observation, refused: tuple[Refusal, ...]) -> set[str]:
    urls = {one.action.url for one in refused if isinstance(one.action, Jump)}
    numbers = [one.action.link_id for one in refused if isinstance(one.action, FollowLink)]
    return urls | {link.url for number in numbers if (link := observation.link(number)) is not None}


def _to(link: UntriedLink, why: str, observation: Observation, memory: WalkMemory) -> Action:
    reason = f"{why}: {link.label[:60]}"
    if memory.stack.depth > 1:
        return Jump(url=link.url, reason=reason)
    number = next((one.id for one in observation.links if one.url == link.url), 0)
    return FollowLink(link_id=number, reason=reason) if number else Jump(url=link.url, reason=reason)
