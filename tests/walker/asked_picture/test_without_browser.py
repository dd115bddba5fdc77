"""What stands in the picture itself is answered without a browser."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from perception.images.image import encode_jpeg
from walker.asked_picture.picture_file import read_picture
from walker.asking import ask_in
from walker.assembly import WalkResources
from walker.seams.searches import is_start
from walker.settings import Settings

NOBODY = "http://127.0.0.1:9/"


async def test_no_chromium_is_started_for_the_picture(tmp_path: Path) -> None:
    board = np.full((300, 640, 3), 250, np.uint8)
    for row, line in enumerate(("FERRY TO NORREY", "Fare of the ferry: 6 euros")):
        cv2.putText(board, line, (30, 110 + 110 * row), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (20, 20, 20), 3, cv2.LINE_AA)
    async with WalkResources(Settings(runs_folder=tmp_path, scout_pages=0)) as resources:
        picture = read_picture(encode_jpeg(board))
        outcome = await ask_in(resources, NOBODY, "What is the fare of this ferry?", picture=picture)
        assert not resources.chromium.alive
    assert "6 euros" in outcome.answer
    assert outcome.pages == 0
    assert all(is_start(one.url) for one in outcome.citations)
