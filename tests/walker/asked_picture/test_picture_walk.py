"""Questions about a picture, end to end: the whole picture, a crop of one, and a picture with a fact on another page."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from perception.images.image import decode_picture, encode_jpeg
from tests.sites.museum import pictures
from tests.walker.asked_picture.conftest import asked_about, searching
from traces.events import PageLookedAt, PageOpened, PictureNamed
from traces.reading.reader import read_run
from walker.asked_picture.picture_file import read_picture
from walker.seams.searches import is_start

pytestmark = pytest.mark.usefixtures("kept_chromium")


def as_photo(path: str) -> bytes:
    """A picture of the site, smaller and as a JPEG file of middling quality."""
    small = cv2.resize(decode_picture(pictures()[path]), (480, 360), interpolation=cv2.INTER_AREA)
    return encode_jpeg(np.asarray(small, np.uint8), 70)


@pytest.mark.parametrize(("path", "builder"), [("/mill.png", "Tomas Brek"), ("/span.png", "Maren Holt")])
async def test_the_page_that_shows_the_picture_answers(path: str, builder: str, museum: str, tmp_path: Path) -> None:
    picture = read_picture(as_photo(path))
    outcome = await asked_about(picture, "Who built this?", [museum], tmp_path, lambda: searching(museum))
    assert builder in outcome.answer
    assert {one.url for one in outcome.citations} == {museum + path[1:].replace("png", "html")}
    events = read_run(Path(outcome.trace)).events
    opened = [event.url for event in events if isinstance(event, PageOpened)]
    assert is_start(opened[0])
    assert opened[1] == museum + path[1:].replace("png", "html")
    assert outcome.pages == len(opened) - 1, "the page of the picture costs no page of the budget"
    assert any(isinstance(event, PageLookedAt) and event.step == 1 for event in events), "the picture was read"


async def test_a_crop_is_found_in_the_picture_that_it_is_from(museum: str, tmp_path: Path) -> None:
    whole = decode_picture(pictures()["/light.png"])
    crop = read_picture(encode_jpeg(np.ascontiguousarray(whole[40:330, 200:585])))
    outcome = await asked_about(crop, "Who built this lighthouse?", [museum], tmp_path, lambda: searching(museum))
    assert "Edda Tarn" in outcome.answer


async def test_the_box_is_searched_by_beside_the_whole(museum: str, tmp_path: Path) -> None:
    mill, span = (decode_picture(pictures()[path]) for path in ("/mill.png", "/span.png"))
    both = encode_jpeg(np.ascontiguousarray(np.hstack((span, mill))))
    box = (0.5, 0.0, 1.0, 1.0)
    outcome = await asked_about(
        read_picture(both, box), "Who built this?", [museum], tmp_path, lambda: searching(museum)
    )
    start = read_run(Path(outcome.trace)).events
    named = [event for event in start if isinstance(event, PictureNamed)]
    assert [event.name for event in named] == ["Gull Mill"]
    assert "Tomas Brek" in outcome.answer


async def test_a_fact_on_another_page_is_found_by_the_name_of_what_is_shown(museum: str, tmp_path: Path) -> None:
    picture = read_picture(as_photo("/light.png"))
    outcome = await asked_about(
        picture, "What is the height of this lighthouse?", [museum], tmp_path, lambda: searching(museum)
    )
    assert "41" in outcome.answer
    assert {one.url for one in outcome.citations} == {museum + "heights.html"}


async def test_where_nothing_tells_what_is_shown_no_answer_is_sure(museum: str, tmp_path: Path) -> None:
    outcome = await asked_about(read_picture(as_photo("/mill.png")), "Who built this?", [museum], tmp_path)
    opened = [event.url for event in read_run(Path(outcome.trace)).events if isinstance(event, PageOpened)]
    assert opened[1] == museum
    assert len(opened) > 2, "a root is not left for having none of the question's words"
    assert not outcome.answered
    assert outcome.nearest


async def test_what_is_written_in_the_picture_names_what_it_shows(museum: str, tmp_path: Path) -> None:
    board = decode_picture(pictures()["/span.png"]).copy()
    cv2.rectangle(board, (120, 20), (520, 100), (245, 245, 245), -1)
    cv2.putText(board, "GULL MILL", (150, 78), cv2.FONT_HERSHEY_SIMPLEX, 1.9, (20, 20, 20), 4, cv2.LINE_AA)
    outcome = await asked_about(read_picture(encode_jpeg(board)), "Who built this?", [museum], tmp_path)
    named = [event for event in read_run(Path(outcome.trace)).events if isinstance(event, PictureNamed)]
    assert [(event.name, event.by) for event in named] == [("GULL MILL", "words")]
    assert "Tomas Brek" in outcome.answer


async def test_what_is_asked_of_the_picture_itself_is_answered_from_it(museum: str, tmp_path: Path) -> None:
    board = np.full((400, 640, 3), 250, np.uint8)
    for row, line in enumerate(("FERRY TO NORREY", "The ferry departs at 14:35", "The fare is 6 euros")):
        cv2.putText(board, line, (30, 110 + 110 * row), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (20, 20, 20), 3, cv2.LINE_AA)
    outcome = await asked_about(read_picture(encode_jpeg(board)), "What is the fare of this ferry?", [museum], tmp_path)
    assert "6 euros" in outcome.answer
    assert all(is_start(one.url) for one in outcome.citations)
