"""The library of a site's pictures as the program fills and searches it, with the product's own commands."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args

import cv2
import numpy as np
import pytest
from answers.pictures.asking import AskedQuestion, fill_library, made_pictures, place_of
from answers.question_set import Site
from answers.serving import serve_folder
from answers.sites_here import ServedSite

from perception.images.image import Picture, encode_picture
from tests.bench.answers.test_picture_questions import CROP, WHOLE, question_of
from tests.walker.cli.program import walker_here
from walker.crawl.script.spec import Keep

pytestmark = pytest.mark.skipif("pictures" not in get_args(Keep), reason="crawls do not keep pictures yet")


def drawn(seed: int) -> Picture:
    """A plan of lines, circles and letters, 360 x 240 pixels, another for each seed."""
    chance = np.random.default_rng(seed)
    plan = np.full((240, 360, 3), 245, np.uint8)
    for number in range(40):
        x, y, size = (int(value) for value in chance.integers((0, 0, 8), (360, 240, 40)))
        colour = tuple(int(value) for value in chance.integers(0, 200, 3))
        cv2.circle(plan, (x, y), size, colour, 2)
        cv2.putText(plan, f"{number * seed % 97}", (y, x % 240), cv2.FONT_HERSHEY_SIMPLEX, 0.6, colour, 2)
    return plan


@pytest.fixture
def served(site: Site, folder: Path, tmp_path: Path) -> Iterator[ServedSite]:
    """The small site with a plan of the deck, and a fare table as another picture."""
    home = tmp_path / "ferry"
    shutil.copytree(folder, home)
    (home / "boats" / "deck.png").write_bytes(encode_picture(drawn(3)))
    (home / "fares.png").write_bytes(encode_picture(drawn(8)))
    (home / "fares.html").write_text('<title>Fares</title><h1>Fares</h1><img src="fares.png" alt="All fares">')
    with serve_folder(home) as base:
        yield ServedSite(site=site, base=base, questions=())


def here(command: Sequence[str], checkout: Path) -> subprocess.CompletedProcess[str]:
    """Within this process; a process of its own has the test of a crawl that fails."""
    ended = walker_here(*command, folder=checkout)
    return subprocess.CompletedProcess(list(command), ended.code, ended.out, ended.err)


def test_a_picture_of_the_site_is_found_whole_and_in_part(served: ServedSite, tmp_path: Path) -> None:
    box = {"asked": {"picture": "fares.png", "box": [0.2, 0.1, 0.9, 0.8], "scale": 0.9}, "id": "ferry-fares"}
    pictured = {"ferry": [question_of(WHOLE), question_of({**CROP, **box, "shown": "fares.html"})]}
    asked: list[AskedQuestion] = list(made_pictures([served], pictured, tmp_path))
    library = tmp_path / "ferry.library"
    fill_library(library, [served], run=here)
    assert [place_of(one, library, run=here).place for one in asked] == [1, 1]


def test_a_crawl_that_fails_is_told(served: ServedSite, tmp_path: Path) -> None:
    (tmp_path / "ferry.library").write_bytes(b"no library")
    with pytest.raises(RuntimeError, match="ferry was not crawled: "):
        fill_library(tmp_path / "ferry.library", [served])
