"""What stands in a picture only is as sure as its letters were read."""

from __future__ import annotations

import msgspec

from memory.findings import Finding
from perception.geometry import Box
from perception.observation import Observation
from perception.picture_lines import PictureLines, PlacedText
from tests.fixtures.paper import observed, page
from walker.strategies.answers.answer_chance import finding_score, found_chance
from walker.strategies.pictured.read_surely import as_surely_as_read, picture_signs


def read_as(*lines: tuple[str, float]) -> Observation:
    box = Box(x=0, y=0, width=90, height=14)
    told = tuple(PlacedText(text=text, box=box, confidence=confidence) for text, confidence in lines)
    seen = observed(page("Prices", "<p>A rope costs 3.90 EUR.</p>"))
    return msgspec.structs.replace(seen, picture_lines=(PictureLines(box=box, lines=told),))


BOARD = read_as(("Compass", 0.9), ("71.15 EUR", 0.73), ("Rope 3.90 EUR", 0.5), ("71.15 EUR", 0.75))


def sure_of(text: str, seen: Observation = BOARD) -> float | None:
    signs = picture_signs(text, seen)
    return None if signs is None else signs.sure


def test_a_line_is_as_sure_as_its_surest_reading_and_several_as_the_least_sure() -> None:
    assert sure_of("71.15 EUR") == 0.75
    assert sure_of("71.15") == 0.75
    assert sure_of("Compass 71.15 EUR") == 0.73


def test_what_the_page_says_itself_or_no_line_has_was_not_read() -> None:
    assert sure_of("3.90 EUR") is None
    assert sure_of("88.25 EUR") is None
    assert sure_of("") is None


def test_a_stroke_that_was_read_as_a_letter_says_nothing_of_a_text_that_has_that_letter() -> None:
    assert sure_of("A rope for every boat", read_as(("A", 0.9))) is None


def test_what_was_read_has_the_height_of_its_line_and_the_fit_of_its_picture() -> None:
    box = Box(x=0, y=0, width=90, height=14)
    line = PlacedText(text="71.15 EUR", box=box, confidence=0.9, pixels=7.0)
    picture = PictureLines(box=box, lines=(line,), name="compass prices")
    signs = picture_signs("71.15", msgspec.structs.replace(BOARD, picture_lines=(picture,)), "compass price board")
    assert signs is not None
    assert (signs.sure, signs.pixels, signs.fit) == (0.9, 7.0, 0.667)


def test_findings_are_less_likely_by_that() -> None:
    one = Finding(text="71.15 EUR", quote="71.15 EUR", url="http://x.example/", step=1, score=finding_score(0.8))
    other = msgspec.structs.replace(one, text="3.90 EUR", quote="A rope costs 3.90 EUR.")
    first, second = as_surely_as_read([one, other], BOARD)
    assert abs(found_chance(first.score) - 0.8 * 0.75) < 0.001
    assert second == other
    plain = msgspec.structs.replace(BOARD, picture_lines=())
    assert as_surely_as_read([one], plain) == [one]
