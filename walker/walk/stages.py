"""Which stages a page goes through, by what the move has led to."""

from __future__ import annotations

from walker.walk.checked_sums import check_sums
from walker.walk.choosing import load_ahead
from walker.walk.reading import count_items, judge_findings, keep_findings, summarise_page
from walker.walk.vision_cascade import READ_LETTERS, READ_PAGE, READ_PART, READ_TEXT
from walker.walk.walk_state import CloserLook, Computed, Fresh, LettersOnly, NothingNew, Page, ReadOn, Stage

LEARN: tuple[Stage, ...] = (keep_findings, summarise_page, count_items, judge_findings, check_sums)


def stages_for(page: Page) -> tuple[Stage, ...]:
    """The stages in their order."""
    match page:
        case Fresh():
            return (load_ahead, *READ_PAGE, *LEARN)
        case CloserLook():
            return (*READ_PART, *LEARN)
        case LettersOnly():
            return (*READ_LETTERS, *LEARN)
        case ReadOn():
            return (*READ_TEXT, *LEARN)
        case Computed():
            return (judge_findings, check_sums)
        case NothingNew():
            return ()
