from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.state import PageNote, WalkMemory
from walker.budget import Budget
from walker.gate import decide_modality
from walker.settings import Limits

SCORES = st.floats(0, 100, allow_nan=False)


@given(score=SCORES, threshold=SCORES, pictures=st.booleans(), may=st.booleans())
def test_a_page_is_looked_at_when_its_text_is_poor_and_there_is_something_to_see(
    score: float, threshold: float, pictures: bool, may: bool
) -> None:
    decision = decide_modality(score, threshold, has_pictures=pictures, may_look=may)
    assert (decision.choice == "look") == (score < threshold and pictures and may)
    assert (decision.score, decision.threshold) == (score, threshold)
    assert decision.reason


def test_a_score_at_the_threshold_is_enough() -> None:
    assert decide_modality(60.0, 60.0, has_pictures=True, may_look=True).choice == "read"
    assert decide_modality(59.99, 60.0, has_pictures=True, may_look=True).choice == "look"


def test_why_it_is_not_looked_at_is_told() -> None:
    assert decide_modality(10, 60, has_pictures=True, may_look=False).reason == "vision is switched off"
    assert "no picture" in decide_modality(10, 60, has_pictures=False, may_look=True).reason


def walked(pages: int) -> WalkMemory:
    notes = tuple(PageNote(step=step, url=f"http://a/{step}", key=str(step)) for step in range(1, pages + 1))
    return WalkMemory(step=pages, pages=notes)


@given(limit=st.integers(1, 50), pages=st.integers(0, 60), elapsed=st.floats(0, 100), seconds=st.floats(0.1, 100))
def test_a_budget_is_spent_when_pages_or_seconds_are(limit: int, pages: int, elapsed: float, seconds: float) -> None:
    budget = Budget(limits=Limits(pages=limit, seconds=seconds))
    assert bool(budget.why_spent(walked(pages), elapsed)) == (pages >= limit or elapsed >= seconds)
    assert 0.0 <= budget.share_left(walked(pages)) <= 1.0


def test_what_ran_out_is_told_in_words() -> None:
    budget = Budget(limits=Limits(pages=3, seconds=10))
    assert budget.why_spent(walked(3), 0) == "3 pages were opened"
    assert budget.why_spent(walked(1), 10) == "10 seconds have passed"
