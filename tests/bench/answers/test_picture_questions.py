"""Questions about pictures: their files, their checks, how the asked picture is made, and when a search has found it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from answers.checks import corrected
from answers.page_parts import collapsed
from answers.pictures.asked_pictures import asked_picture
from answers.pictures.asking import AskedQuestion, is_hit
from answers.pictures.picture_checks import failures_of_picture, failures_of_pictures
from answers.pictures.picture_questions import (
    SORTS,
    AskedRecipe,
    PictureQuestion,
    read_picture_file,
    read_picture_questions,
    write_picture_questions,
)
from answers.question_set import HALVES, QuestionSetError, Site, read_set
from answers.site_map import SiteMap
from answers.sites_here import ServedSite

from perception.errors import PictureUnreadable
from perception.images.image import decode_picture, encode_picture, size_of
from tests.bench.answers.conftest import PAGES

WHOLE: dict[str, Any] = {
    "id": "ferry-picture-01",
    "site": "ferry",
    "root": "index.html",
    "question": "How many seats has the vessel on this plan?",
    "answer": "120",
    "kind": "single",
    "sources": ["boats/index.html"],
    "evidence": ["Ferry Alma 120"],
    "depth": [1],
    "difficulty": "easy",
    "sort": "whole",
    "shown": "boats/index.html",
    "names": ["Alma"],
    "asked": {"picture": "boats/deck.png", "box": None, "scale": 0.5, "quality": 70},
}
CROP = {**WHOLE, "sort": "crop", "asked": {"picture": "boats/deck.png", "box": [0.25, 0, 0.75, 1]}}
ONWARD = {
    **WHOLE,
    "sort": "onward",
    "question": "In which year was the vessel on this plan built?",
    "answer": "1931",
    "sources": ["boats/alma.html"],
    "evidence": ["The “Alma” was built in 1931"],
    "depth": [2],
    "shown": "boats/deck.html",
}


def picture(width: int = 200, height: int = 100) -> bytes:
    """A PNG whose left half is black and whose right half is white."""
    drawn = np.zeros((height, width, 3), np.uint8)
    drawn[:, width // 2 :] = 255
    return encode_picture(drawn)


class Files:
    """The pages of the small site, with a deck plan of 200 x 100 pixels."""

    def file_kind(self, path: str) -> str:
        return "image/png" if path == "boats/deck.png" else ""

    def text_seen(self, path: str) -> str:
        return collapsed(PAGES[path])

    def file(self, path: str) -> bytes:
        return picture() if path == "boats/deck.png" else PAGES.get(path, "").encode()

    def markup(self, path: str) -> str:
        return PAGES[path]


def question_of(given: dict[str, Any]) -> PictureQuestion:
    return msgspec.convert(given, PictureQuestion)


@pytest.mark.parametrize("right", [WHOLE, CROP, ONWARD], ids=lambda one: one["sort"])
def test_a_right_question_passes(site: Site, ferry: SiteMap, right: dict[str, Any]) -> None:
    assert failures_of_picture(question_of(right), site, ferry, Files()) == ()


@pytest.mark.parametrize(
    ("wrong", "failure"),
    [
        ({**WHOLE, "question": "How many seats has the Alma on this plan?"}, "the question names 'Alma'"),
        ({**WHOLE, "question": "How many seats does this deck plan show?"}, "has the file's name 'deck'"),
        ({**WHOLE, "names": []}, "it names nothing that its picture shows"),
        ({**WHOLE, "shown": "fares.html"}, "fares.html does not show boats/deck.png"),
        ({**WHOLE, "shown": "nowhere.html"}, "nowhere.html: no clicks lead there"),
        ({**WHOLE, "shown": "boats/deck.html"}, "the answer has to stand on the page that shows the picture"),
        ({**WHOLE, "asked": {"picture": "boats/deck.png", "box": [0, 0, 0.5, 1]}}, "whole: it has a box"),
        ({**WHOLE, "asked": {"picture": "boats/deck.png", "scale": 0.2}}, "the asked picture has 40 x 20 pixels"),
        ({**WHOLE, "evidence": ["Ferry Alma 130"]}, "evidence is not there"),
        ({**CROP, "asked": {"picture": "boats/deck.png", "box": [0, 0, 0.9, 1]}}, "crop: 90% of the picture"),
        ({**CROP, "asked": {"picture": "boats/deck.png", "box": [0.5, 0, 0.2, 1]}}, "is no part of a picture"),
        ({**CROP, "asked": WHOLE["asked"]}, "crop: 100% of the picture"),
        ({**ONWARD, "sources": ["boats/index.html"], "depth": [1]}, "onward: boats/index.html shows the picture too"),
        ({**ONWARD, "evidence": ["See the plan."]}, "onward: the evidence stands on boats/deck.html too"),
        ({**WHOLE, "asked": {"picture": "fares.html"}}, "the bytes are not an image"),
        ({**WHOLE, "asked": {"picture": "gone.png"}}, "the picture is empty"),
    ],
)
def test_what_is_wrong_is_named(site: Site, ferry: SiteMap, wrong: dict[str, Any], failure: str) -> None:
    assert failure in "\n".join(failures_of_picture(question_of(wrong), site, ferry, Files()))


def test_a_script_that_names_the_file_does_not_show_it(site: Site, ferry: SiteMap) -> None:
    class Scripted(Files):
        def markup(self, path: str) -> str:
            return "<script>preload('boats/deck.png')</script><img src='boats/other-deck.png'>"

    failures = failures_of_picture(question_of(WHOLE), site, ferry, Scripted())
    assert failures == ("boats/index.html does not show boats/deck.png",)


def test_depth_follows_from_the_pages_and_nothing_else_changes(ferry: SiteMap) -> None:
    right = question_of(ONWARD)
    assert corrected(msgspec.structs.replace(right, depth=(7,), difficulty="hard"), ferry) == right


def test_the_set_has_enough_of_each_sort_of_enough_sites() -> None:
    sets = read_picture_questions()
    assert list(failures_of_pictures(sets)) == []
    halves = {one.site.name: one.site.half for one in read_set()}
    for half in HALVES:
        assert {halves[name] for name in read_picture_questions(halves=[half])} == {half}


def test_a_small_set_is_refused() -> None:
    twice = (question_of(WHOLE), question_of(WHOLE))
    assert list(failures_of_pictures({"ferry": twice})) == [
        "id occurs 2 times: ferry-picture-01",
        "2 questions about pictures of 1 sites: 14 of 3 are the least",
        *(f"{sort}: {count} questions, 4 are the least" for sort, count in zip(SORTS, (2, 0, 0), strict=True)),
    ]


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    questions = (question_of(WHOLE), question_of(CROP))
    write_picture_questions(tmp_path / "ferry.jsonl", questions)
    assert read_picture_file(tmp_path / "ferry.jsonl") == questions


def test_a_wrong_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "building").mkdir()
    file = tmp_path / "building" / "tram.jsonl"
    write_picture_questions(file, [question_of(WHOLE)])
    with pytest.raises(QuestionSetError, match=r"tram\.jsonl: it has questions about ferry"):
        read_picture_questions(tmp_path)
    file.write_bytes(msgspec.json.encode(WHOLE) + b"\n" + msgspec.json.encode({**WHOLE, "asked": {"path": "x"}}))
    with pytest.raises(QuestionSetError, match=r"tram\.jsonl:2: .*path"):
        read_picture_questions(tmp_path)


def test_the_asked_picture_is_the_part_at_its_size() -> None:
    recipe = AskedRecipe(picture="x.png", box=(0.5, 0.0, 1.0, 0.8), scale=0.5, quality=90)
    made = asked_picture(picture(), recipe)
    assert made.startswith(b"\xff\xd8")
    drawn = decode_picture(made)
    assert size_of(drawn) == (50, 40)
    assert drawn.min() > 240
    assert recipe.area == pytest.approx(0.4)
    assert size_of(decode_picture(asked_picture(picture(), AskedRecipe(picture="x.png")))) == (200, 100)


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(PictureUnreadable):
        asked_picture(b"<svg/>", AskedRecipe(picture="x.svg"))


@pytest.mark.parametrize(
    ("hit", "found"),
    [
        ({"url": "http://h:1/fares.html", "picture": "http://h:1/boats/deck.png"}, True),
        ({"url": "http://h:1/boats/", "picture": "http://h:1/boats/other.png"}, False),
        ({"url": "http://h:1/boats/"}, True),
        ({"url": "http://h:1/boats/index.html", "picture": ""}, True),
        ({"url": "http://other:1/boats/"}, False),
        ({}, False),
    ],
)
def test_a_hit_is_the_file_or_a_page_that_shows_it(site: Site, hit: dict[str, str], found: bool) -> None:
    served = ServedSite(site=site, base="http://h:1/", questions=())
    asked = AskedQuestion(served=served, question=question_of(WHOLE), picture=Path("asked.jpg"))
    assert is_hit(asked, hit) is found
