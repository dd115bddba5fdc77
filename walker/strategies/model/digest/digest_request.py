"""What is asked for when a page is shown in a prompt."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from perception.observation import Link
from walker.strategies.answers.list_question import AskedList
from walker.strategies.model.digest.link_marks import LinkMarks
from walker.strategies.model.digest.page_parts import DividedPage


class DigestRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What decides how a page is shown."""

    query: str
    tokens: int
    marks: LinkMarks
    page: DividedPage
    """The same page in parts, which are the same at any number of tokens."""
    promising: tuple[Link, ...] = ()
    """Links likely to lead on, the best first: named even where their part of the page is left out."""
    unfolded: tuple[int, ...] = ()
    """Parts that were asked for: shown, with the text that follows them."""
    with_lists: bool = False
    counted: AskedList | None = None
    """What the question counts or lists, None where it does not say."""
    may_look: bool = False
    """Whether the page's pictures can be looked at."""
    language: str = "en"
    """Of the prompt."""
    visits: frozenset[int] = frozenset()
    """The steps at which the walk was on this page before."""
    seen_around: Mapping[int, int] = msgspec.field(default_factory=dict)
    """What stood around the text of pages read before, and the entries of their lists, by its mark, with the step of the first."""

    @property
    def around_number(self) -> int:
        """The number by which all that stands around the text may be asked for, as if it were a part."""
        return len(self.page.parts) + 1
