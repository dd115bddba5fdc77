from __future__ import annotations

from perception.geometry import Box
from perception.page_pictures import FIRST_PICTURES, PagePicture
from walker.strategies.model.digest.picture_marks import FITTING_AT_MOST, fitting_pictures, picture_lines

BOX = Box(x=0.0, y=0.0, width=400.0, height=300.0)
NAMES = ("", "Harbour", *(f"Boat {number}" for number in range(3, 14)), "Tide gauge", "Tide table", "Flume")
PICTURES = tuple(PagePicture(box=BOX, words=name) for name in NAMES)


def lines_for(question: str, pictures: tuple[PagePicture, ...] = PICTURES) -> list[str]:
    return picture_lines(pictures, fitting_pictures(pictures, question), "en").splitlines()


def test_a_picture_far_down_is_told_where_the_question_fits_its_words() -> None:
    lines = lines_for("What does the tide gauge show?")
    assert lines[0] == "0 400x300 page"
    assert lines[FIRST_PICTURES + 1 :] == ["13 400x300 Tide gauge", "14 400x300 Tide table", "(5 more pictures)"]


def test_no_more_are_told_than_fit_best() -> None:
    lines = lines_for("Which boat 12 is the flume boat?")
    assert len(lines) == 1 + FIRST_PICTURES + FITTING_AT_MOST + 1
    assert "11 400x300 Boat 12" in lines, "it fits by two words, the others by one"


def test_crops_are_always_told_and_a_page_of_few_pictures_as_ever() -> None:
    crop = PagePicture(box=BOX, of=13, texts=("2.4 m",))
    assert lines_for("?", (*PICTURES, crop))[-2:] == ["16 400x300 of 13: 2.4 m", "(7 more pictures)"]
    assert lines_for("?", PICTURES[:3]) == ["0 400x300 page", "1 400x300 Harbour", "2 400x300 Boat 3"]
