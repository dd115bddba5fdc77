"""A recorded walk about a picture is replayed, verified, resumed, forked and exported with the picture and the search gone."""

from __future__ import annotations

import asyncio
import hashlib
import json
import shutil
import struct
from pathlib import Path

import cv2
import numpy as np
import pytest
import pytest_asyncio

from perception.images.image import encode_jpeg
from tests.sites.museum import pictures
from tests.walker.asked_picture.conftest import asked_about, searching
from tests.walker.asked_picture.test_picture_file import PLACE, exif
from tests.walker.asked_picture.test_picture_walk import as_photo
from tests.walker.cli.program import walker_here
from traces.events import EdgeCall, PageOpened, PictureAsked
from traces.reading.reader import read_run
from walker.asked_picture.picture_file import read_picture
from walker.browser.launch.chromium import Chromium
from walker.browser.launch.find_chromium import find_browser
from walker.browser.launch.kept_chromium import keep_chromium
from walker.runs.fork import fork_run
from walker.runs.replay import asked_picture_of, replay_run, resume_run
from walker.settings import Settings

pytestmark = pytest.mark.usefixtures("kept_chromium")


def files_of(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def recorded(museum: str, chromium: Chromium, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A walk from a photograph with a place in its metadata, made once; to be copied."""
    folder = tmp_path_factory.mktemp("recorded")
    plain, block = as_photo("/mill.png"), b"Exif\0\0" + exif(1)
    photo = plain[:2] + b"\xff\xe1" + struct.pack(">H", 2 + len(block)) + block + plain[2:]
    picture = read_picture(photo, (0.1, 0.1, 0.9, 0.95))
    with keep_chromium(find_browser(), chromium):
        outcome = await asked_about(picture, "Who built this?", [museum], folder, lambda: searching(museum))
    assert "Tomas Brek" in outcome.answer
    return Path(outcome.trace)


@pytest.fixture
def run(recorded: Path, tmp_path: Path) -> Path:
    """That walk in a folder of the test's own, to be changed at will."""
    return Path(shutil.copytree(recorded, tmp_path / "runs" / recorded.name))


async def test_it_replays_with_the_picture_the_site_and_the_search_gone(run: Path, tmp_path: Path) -> None:
    shallow, deep = await replay_run(run), await replay_run(run, deep=True)
    assert shallow.outcome is not None
    assert deep.outcome is not None
    assert "Tomas Brek" in shallow.outcome.answer
    assert shallow.events == deep.events
    assert shallow.certificate == deep.certificate
    verified = await asyncio.to_thread(walker_here, "verify", str(run), folder=tmp_path)
    assert verified.code == 0, verified.line
    compared = await asyncio.to_thread(walker_here, "diff", str(run), str(run), folder=tmp_path)
    assert compared.code == 0


async def test_the_picture_lies_in_the_run_without_its_metadata(run: Path) -> None:
    recorded = read_run(run)
    (asked,) = [event for event in recorded.events if isinstance(event, PictureAsked)]
    picture = asked_picture_of(recorded)
    assert picture is not None
    assert picture.about.box == (0.1, 0.1, 0.9, 0.95)
    assert (picture.about.width, picture.about.height) == (asked.width, asked.height)
    assert hashlib.sha256(picture.data).hexdigest() == picture.about.digest
    assert [path for path in files_of(run) if PLACE in path.read_bytes()] == []


async def test_what_the_search_was_asked_is_recorded_and_costs_the_walk_no_browser(run: Path) -> None:
    events = read_run(run).events
    searched = [event for event in events if isinstance(event, EdgeCall) and event.seam == "search"]
    assert [event.method for event in searched] == ["find", "find"], "the whole picture, and the box"
    assert all("$b" in event.request["picture"] for event in searched)


async def test_a_damaged_picture_is_told_when_the_run_is_resumed(run: Path) -> None:
    recorded = read_run(run)
    picture = asked_picture_of(recorded)
    assert picture is not None
    blob = run / "blobs" / picture.about.digest[:2] / picture.about.digest
    blob.write_bytes(b"\xff\xd8" + blob.read_bytes()[2:-1])
    verified = await asyncio.to_thread(walker_here, "verify", str(run), folder=run.parent)
    assert verified.code != 0
    assert "altered" in verified.out + verified.err


async def test_an_interrupted_walk_goes_on_from_its_recording(run: Path, museum: str) -> None:
    lines = (run / "events.jsonl").read_bytes().splitlines(keepends=True)
    second = next(at for at, line in enumerate(lines) if json.loads(line)["step"] == 2)
    (run / "events.jsonl").write_bytes(b"".join(lines[: second + 1]))
    (run / "seal.json").unlink()
    outcome = await resume_run(run, settings=Settings(runs_folder=run.parent))
    assert "Tomas Brek" in outcome.answer
    assert (await replay_run(run)).outcome is not None
    opened = [event.url for event in read_run(run).events if isinstance(event, PageOpened)]
    assert opened[1] == museum + "mill.html"


async def test_a_fork_has_the_picture_too(run: Path) -> None:
    fork = await fork_run(run, after_step=1, settings=Settings(runs_folder=run.parent))
    assert "Tomas Brek" in fork.outcome.answer
    there = Path(fork.outcome.trace)
    assert asked_picture_of(read_run(there)) == asked_picture_of(read_run(run))
    assert (await replay_run(there)).outcome is not None


@pytest.mark.parametrize("form", ["otel", "har", "warc", "graphml", "csv"])
async def test_it_is_exported(run: Path, form: str, tmp_path: Path) -> None:
    out = ("--to", form, "--out", str(tmp_path / "out"))
    ended = await asyncio.to_thread(walker_here, "export", str(run), *out, folder=tmp_path)
    assert ended.code == 0, ended.line


def test_the_command_answers_and_tells_the_picture_as_a_source(museum: str, tmp_path: Path) -> None:
    board = np.full((300, 640, 3), 250, np.uint8)
    for row, line in enumerate(("FERRY TO NORREY", "The fare is 6 euros")):
        cv2.putText(board, line, (30, 110 + 110 * row), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (20, 20, 20), 3, cv2.LINE_AA)
    (tmp_path / "board.jpg").write_bytes(encode_jpeg(board))
    given = ("--picture", "board.jpg", "--no-scout")
    ended = walker_here("ask", museum, "What is the fare of this ferry?", *given, folder=tmp_path)
    assert ended.code == 0, ended.line
    assert "6 euros" in ended.out
    assert "[1] the picture of the question" in ended.out
    (run,) = (tmp_path / "runs").iterdir()
    told = walker_here("why", str(run), folder=tmp_path)
    assert told.code == 0, told.line
    assert "library.invalid" not in told.out


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (("--picture", "absent.png"), "absent.png: the picture cannot be read"),
        (("--picture", "."), ".: the picture cannot be read"),
        (("--picture", "text.png"), "not a PNG, JPEG, WebP or GIF file"),
        (("--picture", "mill.png", "--box", "0,0,2,1"), "is not a box within the picture"),
        (("--picture", "mill.png", "--box", "zero"), "is not a box within the picture"),
    ],
)
def test_what_cannot_be_is_told_in_one_line_before_anything_is_opened(
    flags: tuple[str, ...], why: str, tmp_path: Path
) -> None:
    (tmp_path / "text.png").write_text("no picture", encoding="utf-8")
    (tmp_path / "mill.png").write_bytes(pictures()["/mill.png"])
    ended = walker_here("ask", "http://127.0.0.1:9/", "Who built this?", *flags, folder=tmp_path)
    assert ended.code == 2
    assert why in ended.line
    assert not (tmp_path / "runs").exists()


def test_a_batch_asks_about_pictures_beside_its_file(museum: str, tmp_path: Path) -> None:
    (tmp_path / "batch").mkdir()
    board = np.full((300, 640, 3), 250, np.uint8)
    cv2.putText(board, "GULL MILL", (60, 160), cv2.FONT_HERSHEY_SIMPLEX, 2.4, (20, 20, 20), 5, cv2.LINE_AA)
    (tmp_path / "batch" / "mill.jpg").write_bytes(encode_jpeg(board))
    line = {"id": "a", "question": "Who built this?", "root": museum, "picture": "mill.jpg", "box": [0, 0, 1, 1]}
    (tmp_path / "batch" / "qa.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    ended = walker_here("ask", "--batch", "batch/qa.jsonl", "--no-scout", folder=tmp_path)
    assert ended.code == 0, ended.line
    (told,) = [json.loads(text) for text in (tmp_path / "predictions.jsonl").read_text().splitlines()]
    assert "Tomas Brek" in told["answer"]
    (tmp_path / "batch" / "mill.jpg").unlink()
    refused = walker_here("ask", "--batch", "batch/qa.jsonl", folder=tmp_path)
    assert refused.code == 2
    assert "qa.jsonl:1" in refused.line
    assert "the picture cannot be read" in refused.line


def test_a_box_without_a_picture_is_refused(tmp_path: Path) -> None:
    ended = walker_here("ask", "http://127.0.0.1:9/", "Who built this?", "--box", "0,0,1,1", folder=tmp_path)
    assert ended.code == 2
    assert "--box needs --picture FILE too" in ended.err
