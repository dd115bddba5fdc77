"""Lists without markup on pages of many thousand lines."""

from __future__ import annotations

from perception.observation import Block, Observation
from tests.fixtures.processor_time import processor_seconds
from walker.strategies.answers.list_forms.section_lines import section_lists

LINES = 20_000


def page_of(*texts: str) -> Observation:
    title = Block(id=1, kind="heading", level=2, text="Fleet")
    lines = (
        Block(id=number, kind="paragraph", text=text, headings=("Fleet",)) for number, text in enumerate(texts, start=2)
    )
    return Observation(url="http://reef.example/", status=200, blocks=(title, *lines))


def test_many_short_lines_are_a_list_in_little_time() -> None:
    observation = page_of(*(f"Boat {number} of 4.5 m" for number in range(LINES)))
    (found,) = section_lists(observation)
    assert len(found.records) == LINES
    assert processor_seconds(lambda: list(section_lists(observation))) < 1.2


def test_many_times_are_no_list() -> None:
    assert not list(section_lists(page_of(*(f"{number % 24}:{number % 60:02}" for number in range(LINES)))))
