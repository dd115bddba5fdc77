"""What is noted while a network is recorded: why a page may not come out again as it was."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import pytest_asyncio

from tests.recordings.make import FOLDER
from tests.sites.restless import SECRET, serve_restless
from tests.walker.network_walk import record_pages
from traces.doubts import count_doubts, doubts_of, tell_doubt, tell_doubts
from traces.events import ReplayDoubted
from traces.reader import read_run
from traces.viewer.summary import summarise

pytestmark = pytest.mark.asyncio(loop_scope="module")
CHROMIUM = os.environ.get("WALKER_CHROMIUM", "")
PATHS = ("", "gauge", "draw", "slow", "plain")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("restless") / "run"
    with serve_restless() as root:
        await record_pages(folder, root, PATHS, chromium=CHROMIUM, secrets=[SECRET])
    return folder


def noted(run: Path, step: int) -> dict[str, str]:
    return {doubt.kind: doubt.detail for doubt in doubts_of(read_run(run).events) if doubt.step == step}


async def test_a_time_that_stands_in_the_page_is_noted(recorded: Path) -> None:
    assert noted(recorded, 1) == {"clock": "a value that the page was given stands in it"}


async def test_a_lot_a_worker_and_a_hidden_secret_are_noted(recorded: Path) -> None:
    assert noted(recorded, 3) == {
        "random numbers": "a value that the page was given stands in it",
        "service worker": "it was blocked, as it is in a replay",
        "redacted": "its content",
    }


async def test_an_answer_without_an_end_is_noted_and_a_page_at_rest_is_not(recorded: Path) -> None:
    assert noted(recorded, 4) == {"body missing": "its answer was still coming when the page was read"}
    assert noted(recorded, 5) == {}


async def test_what_was_noted_is_told_and_counted(recorded: Path) -> None:
    doubts = doubts_of(read_run(recorded).events)
    assert tell_doubts(doubts).startswith("steps 1, ")
    assert count_doubts(doubts)["clock"] == 1
    assert summarise(recorded).doubts == count_doubts(doubts)
    assert tell_doubt(doubts[0]).startswith(
        "step 1, clock: a value that the page was given stands in it (http://127.0.0.1:"
    )


async def test_a_walk_without_its_network_has_none() -> None:
    assert tell_doubts(doubts_of(read_run(FOLDER / "single").events)) == ""
    assert summarise(FOLDER / "single").doubts == {}
    assert tell_doubts([ReplayDoubted(step=2, kind="clock", url="http://a/")]) == (
        "step 2 may not replay exactly in a browser (clock 1)"
    )
