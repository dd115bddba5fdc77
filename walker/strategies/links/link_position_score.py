"""Scores a link by its position, whatever its text: on the current page or further up the stack, and in which part of the site."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import msgspec

from memory.state import WalkMemory
from memory.url_stack import Frame, UntriedLink, UrlStack
from memory.words import lazy_re
from walker.strategies.links.link_kinds import is_chrome
from walker.strategies.links.link_text_score import reads_like
from walker.strategies.question.name_match import match_jointly, match_title
from walker.strategies.question.open_parts import OpenParts

HERE_BONUS = 0.06
"""Bonus for a link of the current page over an equal one further up: depth first."""
IN_MANUAL = 0.3
"""Bonus for pages of the manual that the question names, linked from its front page: one of them must be the right one."""
MANUAL_FIT = 0.6
SECTION_FRONT = 0.05
"""Bonus for the front page of a part of the site, such as /people/ or /research/index.html: it gives an overview of the part."""
NEW_FOLDER = 0.05
"""Bonus for a part of the site where nothing was read yet."""
SEEN_FOLDER = 0.015
"""Reduction of that bonus for each page read in the same part, up to `SEEN_AT_MOST` pages."""
BREADTH_NAMED = 0.4
"""Factor of both bonuses if the question names its page."""
SEEN_AT_MOST = 6
SAME_SHAPE = 0.12
"""Penalty for each page of a series that was read without a finding, from the second on: the next volume is no better."""
LAST_CHANCE = 0.12
"""Bonus for the few links that only the current page has: they are lost once it is left."""
FEW_LINKS = 3
OTHER_SCRIPT_LESS = -0.1
"""Penalty for a label in another script than the question's, such as a link to another language."""
_DIGITS = lazy_re.compile(r"\d+")
_FRONT = lazy_re.compile(r"//[^/]+/[^/?#]+/(?:(?:index|default|main|home)\.\w+)?$")


class LinkPosition(msgspec.Struct, frozen=True, kw_only=True):
    """What the position scores of one page's links depend on."""

    frame: Frame
    here: bool
    """Whether it is the current page."""
    manual: float
    """How likely, 0..1, it is the front page of the manual that the question names."""
    own: frozenset[str]
    """Keys of the few pages that only this page links to."""
    breadth: float
    folders: dict[str, int]
    """Pages read so far, by the part of the site they belong to."""
    shapes: dict[str, int]
    """Pages read without a finding, by URL without its numbers; the first of each is not counted."""

    @property
    def most(self) -> float:
        """Upper bound of `bonus`."""
        fixed = (HERE_BONUS if self.here else 0.0) + (LAST_CHANCE if self.own else 0.0)
        return fixed + IN_MANUAL * self.manual + self.breadth * (SECTION_FRONT + NEW_FOLDER)

    def bonus(self, link: UntriedLink, open_parts: OpenParts) -> float:
        """The position score, which is added to the text score of a link of this page."""
        total = HERE_BONUS if self.here else 0.0
        if self.manual and _is_beside(link, self.frame):
            total += IN_MANUAL * self.manual
        if link.key in self.own and not is_chrome(link.label, link.url):
            total += LAST_CHANCE
        total -= SAME_SHAPE * min(self.shapes.get(_shape(link.url), 0), SEEN_AT_MOST)
        return total + (
            self.breadth * _novelty(link, self.folders) if reads_like(link, open_parts) else OTHER_SCRIPT_LESS
        )


def link_position(depth: int, open_parts: OpenParts, memory: WalkMemory, site_words: frozenset[str]) -> LinkPosition:
    """The position of the links of the frame at this depth, 1 for the root page."""
    frame = memory.stack.frames[depth - 1]
    here = depth == memory.stack.depth
    return LinkPosition(
        frame=frame,
        here=here,
        manual=_manual_fit(frame, open_parts, site_words),
        own=_own_keys(memory.stack) if here else frozenset(),
        breadth=BREADTH_NAMED if any(wanted.pages for wanted in open_parts.now) else 1.0,
        folders=Counter(_folder(page.url) for page in memory.pages),
        shapes=_fruitless_shapes(memory),
    )


def _manual_fit(frame: Frame, open_parts: OpenParts, site_words: frozenset[str]) -> float:
    """How likely, 0..1, a page is the front page of the manual that the question names."""
    names = [name for wanted in open_parts.now for name in wanted.containers]
    fits = [
        max(match_title(frame.title, name, site_words), match_jointly(frame.title, frame.url, name, site_words))
        for name in names
    ]
    best = max(fits, default=0.0)
    return best if best >= MANUAL_FIT else 0.0


def _folder(url: str) -> str:
    """The part of a site that a URL belongs to: its first folder, "" for the top level."""
    pieces = url.partition("://")[2].split("/")
    return pieces[1] if len(pieces) > 2 else ""


def _novelty(link: UntriedLink, folders: dict[str, int]) -> float:
    """Bonus for parts of the site not visited yet over more pages of a part without findings."""
    folder = _folder(link.url)
    front = SECTION_FRONT if _FRONT.search(link.url) else 0.0
    if folder and folder not in folders:
        return front + NEW_FOLDER
    return front - SEEN_FOLDER * min(folders.get(folder, 0), SEEN_AT_MOST) if folder else front


def _fruitless_shapes(memory: WalkMemory) -> dict[str, int]:
    told = {finding.step for finding in memory.findings}
    counts = Counter(_shape(page.url) for page in memory.pages if page.step not in told)
    return {shape: count - 1 for shape, count in counts.items() if count > 1}


@lru_cache(maxsize=1 << 13)
def _shape(url: str) -> str:
    """A URL without its numbers, which pages of a series share. A URL without numbers has a shape of its own."""
    return _DIGITS.sub("0", url.partition("#")[0])


def _own_keys(stack: UrlStack) -> frozenset[str]:
    """Pages that only the current page links to, if they are few."""
    top, *below = reversed(stack.frames)
    elsewhere = {link.key for frame in below for link in frame.untried}
    own = frozenset(link.key for link in top.untried if link.key not in elsewhere)
    return own if len(own) <= FEW_LINKS else frozenset()


def _is_beside(link: UntriedLink, frame: Frame) -> bool:
    """Whether a link in the body of a page leads to its own folder or one below."""
    if link.region != "main" or "#" in link.url or is_chrome(link.label, link.url):
        return False
    return link.url.startswith(frame.url.rpartition("/")[0] + "/") and frame.url.count("/") > 3
